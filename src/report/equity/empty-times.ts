import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { DAY_MS, MAX_CLOSE_MS, RESTART_MS } from '#domain/utc-day.ts';
import { isOrdered } from './rates.ts';

/** A time from one instant to another. */
export interface TimeSpan {
  readonly from: Millis;
  readonly to: Millis;
}

/** Times of a run, longer than markets close for, in which no lane has a quote: they are no part of the time that was traded. */
export function emptyTimes(columns: readonly PriceColumns[], { from, to }: TimeSpan): readonly TimeSpan[] {
  const quoted = columns
    .flatMap(quotedSpans)
    .filter((span) => span.to >= from && span.from <= to)
    .sort((a, b) => a.from - b.from);
  if (quoted.length === 0) return [];
  const empty: TimeSpan[] = [];
  let last = from;
  for (const span of [...quoted, { from: to, to }]) {
    if (span.from - last > MAX_CLOSE_MS) empty.push({ from: last, to: span.from });
    last = Math.max(last, span.to);
  }
  return empty;
}

/**
 * Times of a run between the recordings of two earlier runs, longer than a start takes and up to as long as markets close for, in which no lane
 * was recorded; between imports those in which their market is open at other times.
 */
export function unrecordedTimes(columns: readonly QuoteColumns[], { from, to }: TimeSpan): readonly TimeSpan[] {
  const recorded = columns
    .flatMap(recordedSpans)
    .filter((span) => span.to >= from && span.from <= to)
    .sort((a, b) => a.from - b.from);
  const holes: TimeSpan[] = [];
  let last = recorded[0]?.to ?? to;
  for (const span of recorded) {
    const length = span.from - last;
    if (length > RESTART_MS && length <= MAX_CLOSE_MS) holes.push({ from: last, to: span.from });
    last = Math.max(last, span.to);
  }
  return holes;
}

/** Times without a recording of any lane between those with one, however long. */
export function holesWithin(columns: readonly QuoteColumns[], span: TimeSpan): readonly TimeSpan[] {
  const quoted = (at: Millis, isAfter: boolean): boolean =>
    columns.some((lane) => lane.length > 0 && (isAfter ? (lane.at[lane.length - 1] ?? 0) > at : (lane.at[0] ?? 0) <= at));
  const empty = emptyTimes(columns, span).filter(({ from, to }) => quoted(from, false) && quoted(to - 1, true));
  return [...empty, ...unrecordedTimes(columns, span)];
}

const recordings = new WeakMap<Float64Array, readonly TimeSpan[]>();

/** From when to when a lane was recorded: lines are counted anew in each recording. Imported quotes have no numbers. */
function recordedSpans(lane: QuoteColumns): readonly TimeSpan[] {
  const { at, line, n, length, barMs = 0 } = lane;
  const before = recordings.get(at);
  if (before) return before;
  const isOfRuns = n.some((one) => !Number.isNaN(one));
  const begin = (row: number): Millis => figureAt(at, row) - barMs;
  const cuts: number[] = [];
  for (let row = 1; row < length; row += 1)
    if (figureAt(line, row) < figureAt(line, row - 1) && begin(row) - figureAt(at, row - 1) > RESTART_MS) cuts.push(row);
  const isOpen = isOfRuns || cuts.length === 0 ? () => true : openTimes(lane);
  const rows = [0, ...cuts.filter((row) => isOpen(figureAt(at, row - 1), begin(row))), length];
  const spans = length === 0 ? [] : rows.slice(1).map((end, place) => ({ from: begin(rows[place] ?? 0), to: figureAt(at, end - 1) }));
  recordings.set(at, spans);
  return spans;
}

/**
 * Tells by the hours in which a lane has quotes, on Monday to Friday and on weekends (UTC), whether a market is open in most of the whole hours
 * of a time. Less than a day of quotes tells nothing of when it closes.
 */
function openTimes({ at, length }: QuoteColumns): (from: Millis, to: Millis) => boolean {
  const isShort = (at[length - 1] ?? 0) - (at[0] ?? 0) < DAY_MS;
  const kindOf = (hour: number): number => (hour % 24) + ((Math.floor(hour / 24) + 3) % 7 > 4 ? 24 : 0);
  const quoted = new Set<number>();
  for (let row = 0; row < length; row += 1) quoted.add(kindOf(Math.floor((figureAt(at, row) - 1) / HOUR_MS)));
  return (from, to) => {
    const begin = Math.ceil(from / HOUR_MS);
    const hours = Array.from({ length: Math.max(0, Math.floor(to / HOUR_MS) - begin) }, (_, place) => kindOf(begin + place));
    return isShort || 2 * hours.filter((hour) => quoted.has(hour)).length > hours.length;
  };
}

const HOUR_MS = 3_600_000;

/** What of a time was traded: all of it but what is empty. */
export function tradedMs({ from, to }: TimeSpan, empty: readonly TimeSpan[]): Millis {
  const left = empty.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0);
  return to - from - left;
}

/** When so much of the time since `from` was traded. */
export function afterTraded(ms: Millis, from: Millis, empty: readonly TimeSpan[]): Millis {
  let at = from + ms;
  for (const one of empty) if (one.to > from && one.from <= at) at += one.to - Math.max(from, one.from);
  return at;
}

const known = new WeakMap<Float64Array, readonly TimeSpan[]>();

/** From when to when a lane has quotes, without its silences that are longer than markets close for. */
function quotedSpans({ at: times, barMs = 0, length }: PriceColumns): readonly TimeSpan[] {
  const before = known.get(times);
  if (before) return before;
  const all = times.subarray(0, length);
  const at = isOrdered(all) ? all : all.toSorted();
  const spans: TimeSpan[] = [];
  let first = 0;
  for (let row = 0; row < length; ) {
    const end = lastUpTo(at, figureAt(at, row) + MAX_CLOSE_MS, row);
    const next = at[end + 1];
    if (end === row && (next === undefined || next - barMs - figureAt(at, row) > MAX_CLOSE_MS)) {
      spans.push({ from: figureAt(at, first) - barMs, to: figureAt(at, row) });
      first = row + 1;
    }
    row = Math.max(end, row + 1);
  }
  // Prices that always come so seldom, as of each month, have no holes.
  const [begin, end] = [spans[0], spans.at(-1)];
  const found = begin && end && 2 * spans.length > length ? [{ from: begin.from, to: end.to }] : spans;
  known.set(times, found);
  return found;
}

/** Place of the last of some ascending times that is not after another, from a place on that is not. */
function lastUpTo(times: Float64Array, until: Millis, from: number): number {
  let [low, high] = [from, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (figureAt(times, middle) <= until) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A product that has quotes in a part of a run alone. */
export interface PartialCoverage extends TimeSpan {
  readonly product: string;
}

/**
 * Products whose first quote comes after a run's begin, or whose last quote came before its end, by more than a restart takes and than
 * they are silent for between their quotes; by more than markets close for in any case.
 */
export function partlyQuoted(
  columns: readonly PriceColumns[],
  products: Iterable<string>,
  { from, to }: TimeSpan,
): readonly PartialCoverage[] {
  return [...products].flatMap((product): PartialCoverage[] => {
    const own = columns.filter((one) => one.product === product && one.length > 0);
    if (own.length === 0) return [];
    const spans = own.flatMap(quotedSpans);
    const first = Math.min(...spans.map((span) => span.from));
    const last = Math.max(...spans.map((span) => span.to));
    const silentMs = Math.max(first - from, to - last);
    const isPart = silentMs > RESTART_MS && silentMs > Math.min(MAX_CLOSE_MS, longestSilence(own));
    return isPart && last > from && first < to ? [{ product, from: Math.max(from, first), to: Math.min(to, last) }] : [];
  });
}

/** The longest time from one quote to the next of the lane that has most of them; the width of a bar at the least. */
function longestSilence(lanes: readonly PriceColumns[]): Millis {
  const { at, barMs, length } = lanes.reduce((most, one) => (one.length > most.length ? one : most));
  let longest = barMs ?? 0;
  for (let row = 1; row < length; row++) longest = Math.max(longest, figureAt(at, row) - figureAt(at, row - 1));
  return longest;
}
