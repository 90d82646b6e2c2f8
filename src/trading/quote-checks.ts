import { sideOf } from '../domain/quote.ts';
import { atMost, type RiskInput, type Verdict } from './risk-input.ts';

/** The quote lives long enough to be executed; an opening also waits for the round trip that answers take (p99). */
export function timeLeft({ timeLeftMs, limits, figures }: RiskInput, reducing: boolean): Verdict | undefined {
  if (limits.minTimeLeftMs === null) return undefined;
  const limit = limits.minTimeLeftMs + (reducing ? 0 : figures.roundTripP99Ms());
  return { passed: timeLeftMs >= limit, figure: timeLeftMs, limit };
}

export function limitPrice({ order, limitPrice: limit }: RiskInput): Verdict | undefined {
  if (limit === null) return undefined;
  const { price } = order.figures;
  return { passed: order.side === 'buy' ? price.lte(limit) : price.gte(limit), figure: price.toString(), limit };
}

/** How far the price is from the median of the lane's recent prices, in percent of the median (F33). */
export function collar({ order, figures, limits }: RiskInput, reducing: boolean): Verdict | undefined {
  const limit = reducing ? limits.reducingCollarPct : limits.collarPct;
  if (limit === null) return undefined;
  const median = figures.medianPrice();
  if (median === undefined || median <= 0) return undefined;
  return atMost(percent(Math.abs(order.figures.price.toNumber() - median), median), limit);
}

export function spread({ quote, limits }: RiskInput): Verdict | undefined {
  return atMost(quote.spreadPercentage, limits.maxSpreadPct);
}

export function slippage({ quote, order, limits }: RiskInput): Verdict | undefined {
  return atMost(Math.abs(sideOf(quote, order.side).slippagePercentage), limits.maxSlippagePct);
}

/** The fee in percent of the value, from the figures of the very side to be used. */
export function fee({ quote, order, limits }: RiskInput): Verdict | undefined {
  const { feeInQuoteCcy, value } = sideOf(quote, order.side);
  return value > 0 ? atMost(percent(feeInQuoteCcy, value), limits.maxFeePct) : undefined;
}

/** Rounded to the ninth decimal, so that doubles do not break a limit that exact figures keep. */
const percent = (part: number, whole: number): number => Math.round((part / whole) * 1e11) / 1e9;
