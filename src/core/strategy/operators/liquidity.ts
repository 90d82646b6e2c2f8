import { ambient } from '#core/strategy/ambient.ts';
import { type Indicator, indicator } from '#core/strategy/indicators.ts';
import { midOf, type Quote, type QuoteSide, type Side, sideOf } from '#domain/quote.ts';

/** The price between both sides of each quote. */
export function mid(): Indicator<Quote, number> {
  return indicator(() => midOf);
}

/** The price at which each quote buys or sells the lane's amount. */
export function price(side: Side): Indicator<Quote, number> {
  return indicator(() => (quote) => sideOf(quote, side).price);
}

/** What one side of each quote is worth, in quote currency and before fees: what may be executed at once. */
export function value(side: Side): Indicator<Quote, number> {
  return indicator(() => (quote) => sideOf(quote, side).value);
}

/** The distance between both sides of each quote, in percent of the mid: what a round trip costs before fees. */
export function spread(): Indicator<Quote, number> {
  return indicator(() => (quote) => ((quote.buy.price - quote.sell.price) / midOf(quote)) * 100);
}

/** What buying and selling again on each quote would lose, fees included, in percent of the mid: how far a price must go to pay for it. */
export function roundTripCost(): Indicator<Quote, number> {
  return indicator(() => (quote) => ((quote.buy.price + feeOf(quote.buy) - quote.sell.price + feeOf(quote.sell)) / midOf(quote)) * 100);
}

/**
 * How long each quote may still be used as it comes, in milliseconds: the service's expiry less engine time. As far off as
 * both clocks are apart; the checks of an order know that distance, and are the ones to rely on.
 */
export function timeLeft(): Indicator<Quote, number> {
  return indicator(() => {
    const { scheduler } = ambient('timeLeft');
    return (quote) => quote.validUntil - scheduler.now();
  });
}

/** Fee of one unit of the base currency, in quote currency. */
const feeOf = ({ feeInQuoteCcy, size }: QuoteSide): number => feeInQuoteCcy / size;
