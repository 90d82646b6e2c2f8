import { amountText } from '#domain/money-text.ts';
import type { BookTrip } from './books.ts';
import { type Equity, MIN_REVALUATION } from './equity/equity-value.ts';
import type { RateTable } from './equity/rates.ts';
import type { ReportedTrade } from './trades.ts';

/**
 * That round trips, which are valued at the rates of their closes, are worth something else at those of the end, which net profit has;
 * undefined where they are not. `told`: the same round trips as the report has them.
 */
export function tradeRatesNote(
  trips: readonly Pick<BookTrip, 'profit' | 'currency'>[],
  told: readonly Pick<ReportedTrade, 'profit'>[],
  { rates, equity: { currency, to } }: { readonly rates: RateTable; readonly equity: Pick<Equity, 'currency' | 'to'> },
): string | undefined {
  const amounts = trips.map(({ profit, currency: of }) => ({ amount: profit.toNumber(), currency: of }));
  const atEnd = rates.worthTogether(amounts, { into: currency, at: to });
  if (atEnd === undefined) return undefined;
  const more = told.reduce((sum, { profit }) => sum - profit, atEnd);
  if (Math.abs(more) < MIN_REVALUATION) return undefined;
  return `round trips are valued at the rates of their closes; at those of the end, which the net profit has, they come to ${amountText(Math.abs(more), currency)} ${more > 0 ? 'more' : 'less'}`;
}
