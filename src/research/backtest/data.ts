import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { readableIn, recordingsIn } from '#adapters/recording/catalog.ts';
import { type ImportOf, importsIn } from '#adapters/recording/import/imports.ts';
import { columnsWithSpans } from '#adapters/recording/open-columns.ts';
import { openRun, type RecordedRun } from '#adapters/recording/open-run.ts';
import { type LaneSpan, overlapping, type RecordedSpan } from '#adapters/recording/spans.ts';
import type { Settings } from '#config/settings.ts';
import { rowsWithin, windowOf } from '#domain/columns-memory.ts';
import { KairosError } from '#domain/errors.ts';
import type { ProductText } from '#domain/event.ts';
import type { Millis, ProductCode } from '#domain/names.ts';
import { type Product, productOf } from '#domain/product.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { oneSource, type PlayedTime } from './one-source.ts';

/** Recorded quotes, and what else a backtest needs of a recording. */
export interface BacktestData {
  readonly path: string;
  /** Columns of each lane that is read, in the order of the recording. */
  readonly columns: readonly QuoteColumns[];
  /** The last recorded list of products; empty if none was recorded. */
  readonly products: readonly ProductText[];
  /** Runs that were read. */
  readonly runs: readonly string[];
  /** Paths of their logs, as they were before they were sealed. */
  readonly recordings: readonly string[];
  /** Imports among them. */
  readonly imports: readonly ImportOf[];
  /** Pairs of recordings that have quotes of one lane of the same time, which are played together. */
  readonly overlapping: readonly (readonly [RecordedSpan, RecordedSpan])[];
  /** From when to when each recording has quotes of each lane, read or not. */
  readonly spans: readonly LaneSpan[];
  /** Quotes of the same products by the other source: recorded where imported ones are played. */
  readonly otherSource: readonly LaneSpan[];
  /** Recordings that are of another format, one line each. */
  readonly leftOut: readonly string[];
}

/** Whether quotes of a lane are read. */
export type LaneFilter = (lane: { readonly lane: string; readonly product: string }) => boolean;

/** What settings play: products of strategies, of their inputs and of rates. */
export function playedBy({ strategies, account }: Pick<Settings, 'strategies' | 'account'>): ReadonlySet<string> {
  const own = strategies.flatMap(({ product, inputs }) => [product, ...Object.values(inputs).map((input) => input.product)]);
  return new Set([...own, ...account.rates.map(({ product }) => product)]);
}

/** Runs are recorded under names that begin with their start. */
const OF_RUN = /^\d{8}T\d{6}Z-/;

/** The path that `given` names: a path, else a run with a recording in `dir`; `last` is the newest of them. Throws NOT_FOUND if there is none. */
export function dataPath(given: string, dir: string): string {
  if (existsSync(given)) return given;
  if (given !== 'last') return existsSync(path.join(dir, given)) ? path.join(dir, given) : given;
  const runs = recordingsIn(dir)
    .map((log) => path.basename(path.dirname(log)))
    .filter((name) => OF_RUN.test(name));
  const newest = runs.at(-1);
  if (newest === undefined) throw new KairosError('NOT_FOUND', `${dir} holds no recording of a run yet: record with kairos run`);
  return path.join(dir, newest);
}

/**
 * Reads a recording, or all readable ones in a folder, oldest first, and of them the lanes that `reads` says; all without it. Of a product that was imported for the time that is played, the imported
 * quotes alone, else the recorded ones alone. Throws NOT_FOUND if there is none, and as `readableIn` for an unreadable one.
 */
export function recordedData(given: string, time: PlayedTime = {}, reads: LaneFilter = () => true): BacktestData {
  const isFile = statSync(given, { throwIfNoEntry: false })?.isFile() ?? false;
  const { logs, leftOut } = isFile ? { logs: [given], leftOut: [] } : readableIn(given);
  if (logs.length === 0) throw new KairosError('NOT_FOUND', `${given} holds no recording yet: check --data, or record with kairos run`);
  const readers = logs.map(openRun);
  const products = new Map(readers.flatMap((reader) => productsIn(reader).map((product) => [product.code, product] as const)));
  const runs = readers.map(({ header }) => header.run);
  const keeps = oneSource(readers, time);
  const { columns, spans, leftOut: otherSource } = columnsWithSpans(logs, { keeps, reads });
  return {
    path: given,
    columns,
    products: [...products.values()],
    runs,
    recordings: logs,
    imports: importsIn(readers).filter(keeps),
    overlapping: overlapping(spans),
    spans,
    otherSource,
    leftOut,
  };
}

/** The quotes of some products in a time, before its end; of bars those that end in it, the one at its end among them. */
export function partOf(
  columns: readonly QuoteColumns[],
  { products, from, to }: { readonly products: Iterable<string>; readonly from: Millis; readonly to: Millis },
): readonly QuoteColumns[] {
  const wanted = new Set(products);
  const own = columns.filter(({ product }) => wanted.has(product));
  return own.map((one) => {
    const [first, end] = rowsWithin(one, { from, to });
    // The same columns, since facts about them are cached.
    return first === 0 && end === one.length ? one : windowOf(one, first, end);
  });
}

/** The list that its run began with. */
function productsIn(recording: RecordedRun): readonly ProductText[] {
  for (const { event } of recording.events()) if (event.kind === 'products') return event.products;
  return [];
}

/** Products by code, as the engine will know them. */
export function productsByCode(products: readonly ProductText[]): ReadonlyMap<ProductCode, Product> {
  return new Map(products.map(productOf).map((product) => [product.code, product]));
}
