import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { Side } from '#domain/quote.ts';
import { figuresOfSide, type TradedFigures } from './quote-making.ts';

/** One signed change of one balance. */
interface Movement {
  readonly currency: string;
  readonly amount: Decimal;
}

/** The result of an order on a quote: exactly the figures that were sent, and the changes of the two balances. */
export interface Booking {
  readonly side: Side;
  readonly product: string;
  readonly price: Decimal;
  readonly size: Decimal;
  readonly value: Decimal;
  /** Positive. The two fees of a quote are one fee in two currencies. */
  readonly fee: Decimal;
  readonly feeCcy: string;
  readonly movements: readonly [base: Movement, quote: Movement];
}

/**
 * Books a quote's side: a buy pays the value and gets the size, a sale gives the size and gets the value. The fee is in
 * quote currency, or in base currency for services that do so.
 */
export function bookingOf(figures: TradedFigures, side: Side, feeIn: 'quote' | 'base' = 'quote'): Booking {
  const taken = figuresOfSide(figures, side);
  const size = decimalOf(taken.size);
  const value = decimalOf(taken.value);
  const fee = decimalOf(feeIn === 'base' ? taken.feeInBaseCcy : taken.feeInQuoteCcy);
  const [baseFee, quoteFee] = feeIn === 'base' ? [fee, ZERO] : [ZERO, fee];
  return {
    side,
    product: figures.productCode,
    price: decimalOf(taken.price),
    size,
    value,
    fee,
    feeCcy: feeIn === 'base' ? figures.baseCcy : figures.quoteCcy,
    movements: [
      { currency: figures.baseCcy, amount: (side === 'buy' ? size : size.negated()).minus(baseFee) },
      { currency: figures.quoteCcy, amount: (side === 'buy' ? value.negated() : value).minus(quoteFee) },
    ],
  };
}

/** The balances after a booking, or the currency that is short: a balance never goes below zero. An unknown balance is never short. */
export function applyBooking(
  booking: Booking,
  balanceOf: (currency: string) => Decimal | undefined,
): { readonly kind: 'applied'; readonly after: readonly Movement[] } | { readonly kind: 'insufficient'; readonly currency: string } {
  const after: Movement[] = [];
  for (const { currency, amount } of booking.movements) {
    const balance = balanceOf(currency)?.plus(amount);
    if (balance === undefined) continue;
    if (balance.isNegative() && !balance.isZero()) return { kind: 'insufficient', currency };
    after.push({ currency, amount: balance });
  }
  return { kind: 'applied', after };
}
