import { durationText } from '#domain/duration-text.ts';
import { isoTime } from '#domain/names.ts';
import { DAY_MS, dayOf, RESTART_MS } from '#domain/utc-day.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { PartialCoverage, TimeSpan } from './empty-times.ts';

/** What is to be done about a hole in the data of a backtest; `products`: how many it plays. */
export const playAPart = (products: number): string =>
  `play the time before or after it with --to or --from, or other data with --data${products > 1 ? ', or in a backtest the strategies of one side of it with --strategy' : ''}`;

/** Times without a quote, one headline each: from when to when, how long, and which figures leave them out. */
export function emptyHeadlines(empty: readonly TimeSpan[], mend?: string): readonly Headline[] {
  return empty.map(({ from, to }) => {
    const without = Math.max(0, dayOf(to) - dayOf(from + DAY_MS - 1));
    const what = `no lane of the run has a quote from ${isoTime(from)} to ${isoTime(to)} (${without} whole days)`;
    const text = `${what}: this time is in no day, yearly figure, verdict on luck or share of time in the market`;
    return headline('EMPTY_TIME', `${text}${mend === undefined ? '' : `; ${mend}`}`, { at: from });
  });
}

/** Times between recordings in one headline: how long they are together, and which is the longest. */
export function unrecordedHeadlines(unrecorded: readonly TimeSpan[]): readonly Headline[] {
  const [longest] = unrecorded.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (!longest) return [];
  const sum = unrecorded.reduce((ms, { from, to }) => ms + to - from, 0);
  const when = `from ${isoTime(longest.from)} to ${isoTime(longest.to)}`;
  const many = unrecorded.length === 1 ? when : `${unrecorded.length} times, the longest ${when}`;
  const text = `nothing was recorded for ${durationText(sum)}, ${many}: signals began anew after it, and no share of time counts it`;
  return [headline('UNRECORDED', text, { at: longest.from })];
}

/** Traded products that have quotes in a part of the run alone, and what is made of the rest. */
export function partlyHeadlines(partly: readonly PartialCoverage[], { from, to }: TimeSpan): readonly Headline[] {
  return partly.map((one) => {
    const when = `${one.product} has quotes only from ${isoTime(one.from)} to ${isoTime(one.to)}`;
    const rests = [
      ...(one.from - from > RESTART_MS ? [`holding it begins ${durationText(one.from - from)} after the run`] : []),
      ...(to - one.to > RESTART_MS ? [`what is held of it keeps its last price for the last ${durationText(to - one.to)}`] : []),
    ];
    return headline('PARTLY_QUOTED', `${when}: ${rests.join(', ')}, and random entries are drawn in that time only`, { at: one.from });
  });
}
