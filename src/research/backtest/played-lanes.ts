import type { LaneSpan } from '#adapters/recording/spans.ts';
import { rowsWithin } from '#domain/columns-memory.ts';
import { isLentLane, type Lane } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import { oncePer } from '#domain/once-per.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { QuoteSources } from '../replay/quote-sources.ts';
import type { BacktestData } from './data.ts';

/** A lane of a strategy, and what it is played from. */
export interface PlayedLane {
  readonly lane: Lane;
  /** Its own recording, or those of the nearest amounts. */
  readonly columns: readonly QuoteColumns[];
}

/** What each of the lanes is played from; without those of products that were not recorded. */
export const playedLanes = (lanes: readonly Lane[], sources: QuoteSources): readonly PlayedLane[] =>
  lanes.map((lane) => ({ lane, columns: sources.columnsFor(lane) })).filter(({ columns }) => columns.length > 0);

/** All that is played, each recorded lane once. */
export const allOf = (lanes: readonly PlayedLane[]): readonly QuoteColumns[] => [...new Set(lanes.flatMap(({ columns }) => columns))];

/** Names of the recorded lanes that are played. */
export const namesOf = (lanes: readonly PlayedLane[]): ReadonlySet<string> => new Set(allOf(lanes).map(({ lane }) => lane));

/** Time of the last quote of any of them. */
export const lastOf = (lanes: readonly PlayedLane[]): Millis =>
  Math.max(...allOf(lanes).map(({ at, length }) => at[length - 1] ?? Number.NEGATIVE_INFINITY));

/** Recorded quotes of a lane in a time, without those that a newer one replaced: how many are played. */
export function quotesIn(columns: QuoteColumns, time: { readonly from: Millis; readonly to: Millis }): number {
  const [first, end] = rowsWithin(columns, time);
  const whole = replacedIn(columns);
  // Imported quotes have no numbers at all.
  if (whole === 0 || whole === columns.length) return end - first;
  return end - first - unnumberedIn(columns.n.subarray(first, end));
}

/** Quotes of a lane without a number: each trial of a sweep asks. */
const replacedIn = oncePer(({ n }: QuoteColumns) => unnumberedIn(n));

function unnumberedIn(numbers: Float64Array): number {
  let count = 0;
  for (const n of numbers) if (Number.isNaN(n)) count += 1;
  return count;
}

/** Recordings of the product that have none of the lanes that are played: no strategy trades on them. */
export function leftOutSpans({ spans }: Pick<BacktestData, 'spans'>, lanes: readonly PlayedLane[]): readonly LaneSpan[] {
  const names = namesOf(lanes);
  const products = new Set<string>(lanes.map(({ lane }) => lane.product));
  const played = new Set(spans.filter(({ lane }) => names.has(lane)).map(({ run, product }) => `${run} ${product}`));
  return spans.filter(({ run, lane, product }) => products.has(product) && !isLentLane(lane) && !played.has(`${run} ${product}`));
}

/** True for a lane that only such recordings have. */
export function isOfLeftOut({ lane }: QuoteColumns, data: Pick<BacktestData, 'spans'>, lanes: readonly PlayedLane[]): boolean {
  const own = data.spans.filter((one) => one.lane === lane);
  const left = new Set(leftOutSpans(data, lanes));
  return own.length > 0 && own.every((one) => left.has(one));
}
