import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { Quote } from '#domain/quote.ts';
import type { OpenLot } from './lots.ts';

/** What an open position would bring if it were closed at a quote that was seen: an estimate, never booked. */
export interface Estimate {
  /** Price of the closing side: longs at the sell side, shorts at the buy side. */
  readonly price: Decimal;
  readonly lane: string;
  /** Won or lost against what the lots cost, before the fee of closing. */
  readonly unrealised: Decimal;
}

/**
 * Values open lots at the closing side of the smallest lane that covers the largest position of their product, else of the largest lane.
 * `quotes` are the newest of each lane of the product; without any there is no value, never a guess.
 */
export function estimate(lots: readonly OpenLot[], quotes: readonly Quote[], largest: Decimal): Estimate | undefined {
  const position = lots.reduce((sum, lot) => (lot.side === 'long' ? sum.plus(lot.size) : sum.minus(lot.size)), ZERO);
  const long = !position.isNegative();
  const sizeOf = (quote: Quote): number => (long ? quote.sell : quote.buy).size;
  const bySize = [...quotes].sort((a, b) => sizeOf(a) - sizeOf(b));
  const quote = bySize.find((one) => largest.lte(sizeOf(one))) ?? bySize.at(-1);
  if (!quote || lots.length === 0) return undefined;
  const price = decimalOf((long ? quote.sell : quote.buy).price);
  const cash = lots.reduce((sum, lot) => sum.plus(lot.cash), ZERO);
  return { price, lane: quote.lane, unrealised: position.times(price).plus(cash) };
}

/** A stretch of time between two flows: what was there, what came in (or went out, negative) at its begin, what it became. */
export interface Period {
  readonly begin: Decimal;
  readonly flow: Decimal;
  readonly end: Decimal;
}

/**
 * The time-weighted return of periods in a row, as a share: 0.01 is one percent. Deposits and withdrawals are taken out,
 * so that only trading counts. Undefined where there was no capital to earn on.
 */
export function timeWeightedReturn(periods: readonly Period[]): Decimal | undefined {
  let growth = decimalOf(1);
  for (const { begin, flow, end } of periods) {
    const capital = begin.plus(flow);
    if (!capital.gt(0)) return undefined;
    growth = growth.times(end).div(capital);
  }
  return periods.length === 0 ? undefined : growth.minus(1);
}
