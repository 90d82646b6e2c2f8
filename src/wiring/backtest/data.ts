import { statSync } from 'node:fs';
import { KairosError } from '../../domain/errors.ts';
import type { ProductText } from '../../domain/event.ts';
import type { QuoteColumns } from '../../domain/quote-columns.ts';
import { recordingsIn } from '../../recording/catalog.ts';
import { columnsIn } from '../../recording/open-columns.ts';
import { openRun, type RunReader } from '../../recording/open-run.ts';

/** Recorded quotes with what else a backtest needs of a recording. */
export interface BacktestData {
  readonly path: string;
  /** One set a lane, its quotes in the order of the recording. */
  readonly columns: readonly QuoteColumns[];
  /** Products as the service listed them last; none where that was not recorded. */
  readonly products: readonly ProductText[];
  /** Runs that were read. */
  readonly runs: readonly string[];
  /** Paths of their logs, as they were before they were sealed. */
  readonly recordings: readonly string[];
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
  const runs = readers.map(({ header }) => header.run);
  return { path: given, columns: columnsIn(logs), products: [...products.values()], runs, recordings: logs };
}

/** The products are listed before the first quote. */
function productsIn(reader: RunReader): readonly ProductText[] {
  for (const item of reader.items()) {
    if (item.kind === 'conflated' || item.event.event.kind === 'quote') return [];
    if (item.event.event.kind === 'products') return item.event.event.products;
  }
  return [];
}
