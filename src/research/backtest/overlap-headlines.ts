import { isoTime, type Millis } from '#domain/names.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { BacktestData } from './data.ts';

/** Recordings of one lane of a played product that overlap within the played time: a headline a lane, with the first two of them. */
export function overlapHeadlines(
  { columns, overlapping }: Pick<BacktestData, 'columns' | 'overlapping'>,
  { played, from, to }: { readonly played: ReadonlySet<string>; readonly from: Millis; readonly to: Millis },
): readonly Headline[] {
  const lanes = new Set(columns.filter(({ product }) => played.has(product)).map(({ lane }) => lane as string));
  const both = overlapping
    .map(([one, other]) => ({ one, other, first: Math.max(one.from, other.from, from), last: Math.min(one.to, other.to, to) }))
    .filter(({ one, first, last }) => first <= last && lanes.has(one.lane));
  return [...Map.groupBy(both, ({ one }) => one.lane)].flatMap(([lane, [pair, ...others]]) => {
    if (!pair) return [];
    const { one, other, first, last } = pair;
    const more =
      others.length === 0 ? '' : ` (and ${others.length} more such ${others.length === 1 ? 'pair' : 'pairs'}: see kairos data list)`;
    const what = `${lane}: ${one.run} and ${other.run} both have quotes from ${isoTime(first)} to ${isoTime(last)}${more}`;
    const text = `${what}, which are played mixed, though their prices may be of different services: name one with --data, or another time with --from and --to`;
    return headline('OVERLAPPING', text);
  });
}
