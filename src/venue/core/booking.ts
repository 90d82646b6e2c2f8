import { type Decimal, decimalOf } from '../../domain/decimal.ts';
import type { Side } from '../../domain/quote.ts';
import { figuresOfSide } from './quote-book.ts';
import type { QuoteFigures } from './quote-making.ts';

/** One signed change of one balance. */
export interface Movement {
  readonly currency: string;
  readonly amount: Decimal;
}

/** What an order on a quote comes to: exactly the figures that were sent, and what they do to the two balances. */
export interface Booking {
  readonly side: Side;
  readonly product: string;
  readonly price: Decimal;
  readonly size: Decimal;
  readonly value: Decimal;
  /** Positive, in quote currency: the two fees of a quote are two expressions of one. */
  readonly fee: Decimal;
  readonly feeCcy: string;
  readonly movements: readonly [base: Movement, quote: Movement];
}

/** Books a quote's side: a buy pays value and fee and gets the size, a sale gives the size and gets value less fee. */
export function bookingOf(figures: QuoteFigures, side: Side): Booking {
  const taken = figuresOfSide(figures, side);
  const size = decimalOf(taken.size);
  const value = decimalOf(taken.value);
  const fee = decimalOf(taken.feeInQuoteCcy);
  return {
    side,
    product: figures.productCode,
    price: decimalOf(taken.price),
    size,
    value,
    fee,
    feeCcy: figures.quoteCcy,
    movements: [
      { currency: figures.baseCcy, amount: side === 'buy' ? size : size.negated() },
      { currency: figures.quoteCcy, amount: side === 'buy' ? value.plus(fee).negated() : value.minus(fee) },
    ],
  };
}

/** The balances after a booking, or the currency that does not suffice: a balance never goes below zero. */
export function applyBooking(
  booking: Booking,
  balanceOf: (currency: string) => Decimal,
): { readonly kind: 'applied'; readonly after: readonly Movement[] } | { readonly kind: 'insufficient'; readonly currency: string } {
  const after: Movement[] = [];
  for (const { currency, amount } of booking.movements) {
    const balance = balanceOf(currency).plus(amount);
    if (balance.isNegative() && !balance.isZero()) return { kind: 'insufficient', currency };
    after.push({ currency, amount: balance });
  }
  return { kind: 'applied', after };
}
