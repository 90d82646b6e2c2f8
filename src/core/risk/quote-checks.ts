import { percentOf, sideOf, spreadPctOf } from '#domain/quote.ts';
import { atMost, type RiskInput, type Verdict } from './risk-input.ts';

/** The quote lives long enough to be executed; an opening also needs the round trip of answers (p99). */
export function timeLeft({ timeLeftMs, limits, figures }: RiskInput, isExit: boolean): Verdict | undefined {
  if (limits.minTimeLeftMs === null) return undefined;
  const limit = limits.minTimeLeftMs + (isExit ? 0 : figures.roundTripP99Ms());
  return { passed: timeLeftMs >= limit, figure: timeLeftMs, limit };
}

/** The price is no worse than the intent's own limit. */
export function limitPrice({ order, limitPrice: limit }: RiskInput): Verdict | undefined {
  if (limit === null) return undefined;
  const { price } = order.figures;
  return { passed: order.side === 'buy' ? price.lte(limit) : price.gte(limit), figure: price.toString(), limit };
}

/** How far the price is from the median of the lane's recent prices, in percent of the median (F33). */
export function collar({ order, figures, limits }: RiskInput, isExit: boolean): Verdict | undefined {
  const median = figures.medianPrice();
  if (median === undefined || median <= 0) return undefined;
  return atMost(percentOf(Math.abs(order.figures.price.toNumber() - median), median), isExit ? limits.reducingCollarPct : limits.collarPct);
}

/** From the prices themselves: a service may tell its spread as a share, in another unit, or not at all. */
export function spread({ quote, limits }: RiskInput): Verdict | undefined {
  return atMost(Math.max(0, spreadPctOf(quote)), limits.maxSpreadPct);
}

/** As the quote says it: in percent, or as a share of one where its own price says so. What lies between the two sides is the spread's. */
export function slippage({ quote, order, limits }: RiskInput): Verdict | undefined {
  const { price, slippage: apart, slippagePercentage } = sideOf(quote, order.side);
  const told = Math.abs(slippagePercentage);
  const share = Math.abs(apart) / price;
  // Told as a share of one: what it says in percent is a hundred times that.
  const isShare = Math.abs(share - told) <= told / 100;
  return atMost(isShare ? percentOf(told, 1) : told, limits.maxSlippagePct);
}

/** The fee in percent of the value, from the figures of the very side to be used; its percentage where it has no figures. */
export function fee({ quote, order, limits }: RiskInput): Verdict | undefined {
  const { feeInQuoteCcy, feeInBaseCcy, value, size } = sideOf(quote, order.side);
  if (!(value > 0 && size > 0)) return undefined;
  const told = Math.max(percentOf(feeInQuoteCcy, value), percentOf(feeInBaseCcy, size));
  return atMost(told > 0 ? told : quote.feePercentage, limits.maxFeePct);
}
