import { figureAt } from '#domain/figure-at.ts';
import { firstAt } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, headline } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import type { BacktestData } from './data.ts';

/** That recordings of a played lane began with quotes of different fees: one headline, with each fee and a recording that has it. */
export function feeHeadlines(
  { columns, spans }: Pick<BacktestData, 'columns' | 'spans'>,
  { played, from, to }: { readonly played: ReadonlySet<string>; readonly from: Millis; readonly to: Millis },
): readonly Headline[] {
  const differing = columns.flatMap(({ product, lane, at, feePercentage }) => {
    if (!played.has(product)) return [];
    const own = spans.filter((span) => span.lane === lane && span.from <= to && span.to >= from);
    const told = own.flatMap((span) => {
      const row = firstAt(at, Math.max(span.from, from));
      // Another currency's columns may have the lane's last quotes.
      return row === at.length ? [] : [{ run: span.run as string, fee: figureAt(feePercentage, row) }];
    });
    return new Set(told.map(({ fee }) => fee)).size > 1 ? told : [];
  });
  const byFee = [...Map.groupBy(differing, ({ fee }) => fee)].sort(([a], [b]) => a - b);
  if (byFee.length === 0) return [];
  const each = byFee.map(([fee, told]) => {
    const runs = [...new Set(told.map(({ run }) => run))];
    return `${fee} % in ${counted(runs.length, 'recording')} (${runs.length === 1 ? '' : 'such as '}${runs[0]})`;
  });
  return [headline('FEES_DIFFER', `the fee was ${each.join(' and ')}: fills pay that of their recording; --data names one`)];
}
