import { statSync } from 'node:fs';
import { joinedColumns } from '../../domain/columns-memory.ts';
import { KairosError } from '../../domain/errors.ts';
import type { ProductText } from '../../domain/event.ts';
import type { QuoteColumns } from '../../domain/quote-columns.ts';
import { recordingsIn } from '../../recording/catalog.ts';
import { columnsOf } from '../../recording/log-columns.ts';
import { openRun, type RunReader } from '../../recording/open-run.ts';
import { SealedRun } from '../../recording/sealed-run.ts';

/** Recorded quotes with what else a backtest needs of a recording. */
export interface BacktestData {
  readonly path: string;
  /** One set a lane, its quotes in the order of the recording. */
  readonly columns: readonly QuoteColumns[];
  /** Products as the service listed them last; none where that was not recorded. */
  readonly products: readonly ProductText[];
  /** Runs that were read. */
  readonly runs: readonly string[];
}

/**
 * Reads a recording, or all in a folder, oldest first. Throws NOT_FOUND where there is none, RECORDING_UNREADABLE where
 * it cannot be read.
 */
export function recordedData(given: string): BacktestData {
  const logs = statSync(given, { throwIfNoEntry: false })?.isFile() ? [given] : recordingsIn(given);
  if (logs.length === 0) throw new KairosError('NOT_FOUND', `${given} holds no recording yet: check --data, or record with kairos run`);
  const readers = logs.map(openRun);
  const products = new Map(readers.flatMap((reader) => productsIn(reader).map((product) => [product.code, product] as const)));
  const columns = joinedByLane(readers.flatMap((reader) => columnsIn(reader)));
  return { path: given, columns, products: [...products.values()], runs: readers.map(({ header }) => header.run) };
}

/** The products are listed before the first quote. */
function productsIn(reader: RunReader): readonly ProductText[] {
  for (const item of reader.items()) {
    if (item.kind === 'conflated' || item.event.event.kind === 'quote') return [];
    if (item.event.event.kind === 'products') return item.event.event.products;
  }
  return [];
}

function columnsIn(reader: RunReader): readonly QuoteColumns[] {
  return reader instanceof SealedRun ? reader.manifest.quotes.map((file) => reader.quotes(file)) : columnsOf(reader.items());
}

/** The quotes of each lane as one, where several runs or days recorded it. */
export function joinedByLane(parts: readonly QuoteColumns[]): readonly QuoteColumns[] {
  const byLane = new Map<string, QuoteColumns[]>();
  for (const part of parts) {
    if (part.length === 0) continue;
    const same = byLane.get(part.lane);
    if (same) same.push(part);
    else byLane.set(part.lane, [part]);
  }
  return [...byLane.values()].map((same) => joinedColumns(same.sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0))));
}
