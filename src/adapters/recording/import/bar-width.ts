import type { ImportNarrow } from '#adapters/recording/manifest.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';

/** How often each time from the begin of a bar to that of the next is in a file. */
export type BarGapCounts = ReadonlyMap<Millis, number>;

const HOUR_MS = 3_600_000;
/** Of months, quarters and years the longest: none is known before its end. */
const CALENDAR_MS = [31 * DAY_MS, 92 * DAY_MS, 366 * DAY_MS];
const isWithin = (gap: Millis, longest: Millis): boolean => gap >= longest - 3 * DAY_MS && gap <= longest;

/** The width that most bars have; undefined where most gaps are no multiple of one. */
export function widthIn(gaps: BarGapCounts): Millis | undefined {
  const width = [...gaps].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  if (width === undefined) return undefined;
  const longest = CALENDAR_MS.find((most) => isWithin(width, most));
  // Clocks that change make a day an hour longer or shorter.
  const off = width > DAY_MS / 2 ? HOUR_MS : 0;
  const fits = (gap: Millis): boolean =>
    longest === undefined ? Math.abs(gap - Math.round(gap / width) * width) <= off : isWithin(gap, longest);
  return 2 * countOf(gaps, fits) > countOf(gaps) ? (longest ?? width) : undefined;
}

/** So many times the gap that nine of ten do not exceed, a gap is no bar: nobody traded. */
const BREAK = 10;

/** The longest gap but for breaks, and whether there are such. */
export function longestIn(gaps: BarGapCounts): { readonly ms: Millis; readonly hasBreaks: boolean } {
  let left = 0.9 * countOf(gaps);
  let [most, ms] = [Number.POSITIVE_INFINITY, 0];
  for (const [gap, count] of [...gaps].sort(([a], [b]) => a - b)) {
    if (gap > most) return { ms, hasBreaks: true };
    left -= count;
    if (left <= 0) most = Math.min(most, BREAK * gap);
    ms = gap;
  }
  return { ms, hasBreaks: false };
}

/**
 * What speaks against a width that somebody said of bars whose times are their begins: no bar is as near to the next, or, where bars have no
 * one width, some gaps are neither breaks nor full of missing bars. Undefined where nothing does.
 */
export function narrowIn(gaps: BarGapCounts, barMs: Millis | undefined): ImportNarrow | undefined {
  if (barMs === undefined) return undefined;
  const nearestMs = [...gaps.keys()].reduce((least, gap) => Math.min(least, gap), Number.POSITIVE_INFINITY);
  const width = widthIn(gaps);
  const { ms: longest } = longestIn(gaps);
  const isUneven = width === undefined || CALENDAR_MS.includes(width);
  const isWider = (gap: Millis): boolean => isUneven && gap > barMs && gap <= longest && gap % barMs !== 0;
  const of = countOf(gaps);
  const rows = nearestMs > barMs ? of : countOf(gaps, isWider);
  return rows === 0 ? undefined : { rows, of, nearestMs, wideMs: width ?? longest };
}

/** So many bars that are alike far from the next, and none of them nearer, are no bars with others missing between them. */
const STEADY = 20;

/** What speaks against one width of all bars: there are stretches of wider ones. `most`: how often a gap comes in one stretch without bars of that width. */
export function stretchesIn(gaps: BarGapCounts, most: BarGapCounts, barMs: Millis): ImportNarrow | undefined {
  const wider = [...most].flatMap(([gap, count]) => (gap > barMs && count >= STEADY ? gap : []));
  if (wider.length === 0) return undefined;
  return { rows: countOf(gaps, (gap) => wider.includes(gap)), of: countOf(gaps), nearestMs: barMs, wideMs: Math.max(...wider) };
}

const countOf = (gaps: BarGapCounts, isCounted: (gap: Millis) => boolean = () => true): number =>
  [...gaps].reduce((sum, [gap, count]) => sum + (isCounted(gap) ? count : 0), 0);
