import { mean, sampleKurtosis, sampleSkewness, sampleStandardDeviation } from 'simple-statistics';
import { from, type Metric, missing, ratio } from './metric.ts';

/** Days of a year for a market that never closes: the factor by which daily figures become annual ones. */
export const YEAR_DAYS = 365;

/** How returns of equal periods become annual figures. */
export interface Annual {
  /** Periods a year. */
  readonly periods: number;
  /** Annual risk-free rate, as a share. */
  readonly riskFree: number;
}

export const DAILY: Annual = { periods: YEAR_DAYS, riskFree: 0 };

/** Returns closer together than this, against their size, do not differ: what is left is the rounding of doubles. */
const ROUNDING = 1e-12;

/** Standard deviation (n - 1); undefined where there are fewer than two returns or they do not differ. */
function spread(returns: readonly number[]): number | undefined {
  if (returns.length < 2) return undefined;
  const deviation = sampleStandardDeviation([...returns]);
  const scale = returns.reduce((most, r) => Math.max(most, Math.abs(r)), 0);
  return deviation > scale * ROUNDING ? deviation : undefined;
}

/** The text for too few days. */
export function needsDays(needed: number, there: number): string {
  return `needs ${needed} whole ${needed === 1 ? 'day' : 'days'} (UTC), there ${there === 1 ? 'is' : 'are'} ${there}`;
}

const tooFew = (returns: readonly number[], needed: number): string => needsDays(needed, returns.length);

/** Standard deviation of the returns, made annual. */
export function volatility(returns: readonly number[], { periods }: Annual = DAILY): Metric {
  if (returns.length < 2) return missing(tooFew(returns, 2));
  return (spread(returns) ?? 0) * Math.sqrt(periods);
}

/** The risk-free rate of one period. */
export const periodRate = ({ periods, riskFree }: Annual): number => (1 + riskFree) ** (1 / periods) - 1;

/** Mean return above the risk-free rate over its standard deviation, of one period: not made annual. */
export function periodSharpe(returns: readonly number[], annual: Annual = DAILY): Metric {
  if (returns.length < 2) return missing(tooFew(returns, 2));
  const deviation = spread(returns);
  if (deviation === undefined) return missing('no two daily returns differ');
  return (mean([...returns]) - periodRate(annual)) / deviation;
}

/** Mean over standard deviation (n - 1), made annual. */
export function sharpe(returns: readonly number[], annual: Annual = DAILY): Metric {
  return from(periodSharpe(returns, annual), (value) => value * Math.sqrt(annual.periods));
}

/** Mean over the root of the mean squared shortfall (all periods count), made annual. */
export function sortino(returns: readonly number[], annual: Annual = DAILY): Metric {
  if (returns.length < 2) return missing(tooFew(returns, 2));
  const rate = periodRate(annual);
  const excess = returns.map((r) => r - rate);
  const shortfall = Math.sqrt(excess.reduce((sum, r) => sum + Math.min(r, 0) ** 2, 0) / excess.length);
  return ratio(mean(excess) * Math.sqrt(annual.periods), shortfall, 'no day lost');
}

/** What 1 became, less 1. */
export const compounded = (returns: readonly number[]): number => returns.reduce((wealth, r) => wealth * (1 + r), 1) - 1;

/** Fewest days from which a year is extrapolated, and anything is said about luck. */
export const YEARLY_FROM_DAYS = 30;

/** A ratio that stands for a year, or how sure it is, where there are days enough to say so. */
export const yearlyRatio = (returns: readonly number[], ratioOf: (returns: readonly number[]) => Metric): Metric =>
  returns.length < YEARLY_FROM_DAYS ? missing(tooFew(returns, YEARLY_FROM_DAYS)) : ratioOf(returns);

/** Growth a year from the growth of some calendar days; the years of a few days would be a fantasy. */
export function cagr(totalReturn: number, days: number): Metric {
  if (totalReturn <= -1) return missing('the capital was lost');
  if (days < YEARLY_FROM_DAYS) return missing(`needs ${YEARLY_FROM_DAYS} days, there are ${days.toFixed(2)}`);
  return (1 + totalReturn) ** (YEAR_DAYS / days) - 1;
}

/** Falls below the highest wealth so far, as shares, after each return; the wealth at first counts as a peak. */
export function drawdowns(returns: readonly number[]): readonly number[] {
  let [wealth, peak] = [1, 1];
  return returns.map((r) => {
    wealth *= 1 + r;
    peak = Math.max(peak, wealth);
    return 1 - wealth / peak;
  });
}

/** The deepest fall, as a positive share. */
export const maxDrawdown = (returns: readonly number[]): number => drawdowns(returns).reduce((most, fall) => Math.max(most, fall), 0);

/** Growth a year over the deepest fall. */
export function calmar(growth: Metric, deepest: Metric): Metric {
  return from(growth, (yearly) => from(deepest, (fall) => ratio(yearly, fall, 'there was no drawdown')));
}

/** What was won over what was lost, of returns. */
export function omega(returns: readonly number[]): Metric {
  const won = returns.reduce((sum, r) => sum + Math.max(r, 0), 0);
  const lost = returns.reduce((sum, r) => sum + Math.max(-r, 0), 0);
  return ratio(won, lost, returns.length === 0 ? tooFew(returns, 1) : 'no day lost');
}

/** Root of the summed squared drawdowns over n - 1. */
export function ulcerIndex(returns: readonly number[]): Metric {
  if (returns.length < 2) return missing(tooFew(returns, 2));
  return Math.sqrt(drawdowns(returns).reduce((sum, fall) => sum + fall * fall, 0) / (returns.length - 1));
}

/** Sample skewness (G1). */
export function skew(returns: readonly number[]): Metric {
  if (returns.length < 3) return missing(tooFew(returns, 3));
  return spread(returns) === undefined ? missing('no two daily returns differ') : sampleSkewness([...returns]);
}

/** Sample excess kurtosis (G2). */
export function excessKurtosis(returns: readonly number[]): Metric {
  if (returns.length < 4) return missing(tooFew(returns, 4));
  return spread(returns) === undefined ? missing('no two daily returns differ') : sampleKurtosis([...returns]);
}

/** The value below which a share of the sorted values lies, interpolated between neighbours. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** What a day loses at most with this confidence, by history, as a positive share; a gain shows as negative. */
export function valueAtRisk(returns: readonly number[], confidence: number): Metric {
  const needed = Math.ceil(1 / (1 - confidence) - 1e-9);
  if (returns.length < needed) return missing(tooFew(returns, needed));
  return -quantile(sorted(returns), 1 - confidence);
}

/** The mean loss of the days that are worse than the value at risk. */
export function expectedShortfall(returns: readonly number[], confidence: number): Metric {
  return from(valueAtRisk(returns, confidence), (limit) => {
    const beyond = returns.filter((r) => r <= -limit);
    return beyond.length === 0 ? limit : -mean(beyond);
  });
}

export const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);
