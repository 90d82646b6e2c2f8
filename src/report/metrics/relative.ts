import { mean, sampleCovariance, sampleVariance } from 'simple-statistics';
import type { DayEquity } from '#report/equity/days.ts';
import { type Metric, missing, ratio } from './metric.ts';
import { type Annual, needsDays, periodRate, sharpe, volatility, YEARLY_FROM_DAYS } from './returns.ts';

/** A run's days compared with those of a benchmark. */
interface Relative {
  /** Its move for a move of one of the benchmark. */
  readonly beta: Metric;
  /** What it earned a year beyond its beta. */
  readonly alpha: Metric;
  /** Volatility of the difference, a year. */
  readonly trackingError: Metric;
  /** Mean of the difference over its standard deviation, made annual. */
  readonly informationRatio: Metric;
}

/** Figures over the whole days that both have. */
export function relativeTo(days: readonly DayEquity[], others: readonly DayEquity[], annual: Annual): Relative {
  const byDay = new Map(others.filter(({ whole }) => whole).map((day) => [day.at, day.return]));
  const pairs = days.flatMap((day): [number, number][] => {
    const other = byDay.get(day.at);
    return day.whole && other !== undefined ? [[day.return, other]] : [];
  });
  const own = pairs.map(([r]) => r);
  const other = pairs.map(([, r]) => r);
  if (pairs.length < 2) {
    const none = missing(needsDays(2, pairs.length));
    return { beta: none, alpha: none, trackingError: none, informationRatio: none };
  }
  const beta = ratio(sampleCovariance(own, other), sampleVariance(other), 'the benchmark did not move');
  if (pairs.length < YEARLY_FROM_DAYS) {
    const short = missing(needsDays(YEARLY_FROM_DAYS, pairs.length));
    return { beta, alpha: short, trackingError: short, informationRatio: short };
  }
  const rate = periodRate(annual);
  const alpha = typeof beta === 'number' ? (mean(own) - rate - beta * (mean(other) - rate)) * annual.periods : beta;
  const apart = pairs.map(([a, b]) => a - b);
  const noRate = { ...annual, riskFree: 0 };
  return { beta, alpha, trackingError: volatility(apart, annual), informationRatio: sharpe(apart, noRate) };
}
