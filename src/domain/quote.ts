import type { Currency, LaneId, Millis, ProductCode, QuoteId } from './names.ts';

/** The side of an order. */
export type Side = 'buy' | 'sell';

/**
 * One executable side of a trading quote (spec 2.8). Price, value and fees are doubles as parsed,
 * in the currency that their names say, or in quote currency; size is in base currency. Amounts turn decimal where an order begins.
 */
export interface QuoteSide {
  readonly price: number;
  readonly size: number;
  readonly value: number;
  readonly feeInBaseCcy: number;
  readonly feeInQuoteCcy: number;
  readonly slippage: number;
  readonly slippagePercentage: number;
}

/**
 * A trading quote: an offer to buy and to sell one size until `validUntil` (spec 2.8). One frozen shape, allocated
 * once and never reused. Percentages are in percent, the spread in quote currency. `id` is null on anonymous quotes, which are shown and never traded on.
 */
export interface Quote {
  readonly id: QuoteId | null;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  readonly buy: QuoteSide;
  readonly sell: QuoteSide;
  readonly feePercentage: number;
  readonly spread: number;
  readonly spreadPercentage: number;
  readonly dailyChangePercentage: number;
  /** On the service's clock. */
  readonly validUntil: Millis;
  readonly lane: LaneId;
  readonly epoch: number;
}

/** A quote that was seen, and when it came. */
export interface TimedQuote {
  readonly quote: Quote;
  readonly at: Millis;
}

/** The mid of the two prices, in quote currency. */
export function midOf(quote: Quote): number {
  return (quote.buy.price + quote.sell.price) / 2;
}

/** The spread between the prices of orders, in percent of the mid. The quote's own spread field is for display. */
export function spreadPctOf(quote: Quote): number {
  const mid = midOf(quote);
  return mid > 0 ? percentOf(quote.buy.price - quote.sell.price, mid) : 0;
}

/** The slippage that a side tells, in percent; told as a share of one where its own price says so. What lies between the two sides is the spread's. */
export function slippagePctOf({ price, slippage, slippagePercentage }: QuoteSide): number {
  const told = Math.abs(slippagePercentage);
  const share = Math.abs(slippage) / price;
  return Math.abs(share - told) <= told / 100 ? percentOf(told, 1) : told;
}

/** The fee in percent of the value, from the figures of a side; the quote's percentage where that has no figures. Undefined without a value. */
export function feePctOf({ feeInQuoteCcy, feeInBaseCcy, value, size }: QuoteSide, feePercentage: number): number | undefined {
  if (!(value > 0 && size > 0)) return undefined;
  const told = Math.max(percentOf(feeInQuoteCcy, value), percentOf(feeInBaseCcy, size));
  return told > 0 ? told : feePercentage;
}

/** Rounded to nine decimal places: an error of doubles must not break a limit that exact figures keep. */
export function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 1e11) / 1e9;
}
