import { errorFunction, mean, sampleVariance } from 'simple-statistics';
import type { Bootstrap } from './bootstrap.ts';
import { from, isKnown, type Metric, missing } from './metric.ts';
import { type Annual, DAILY, needsDays, periodSharpe, YEARLY_FROM_DAYS } from './returns.ts';

/**
 * Confidence from which a result counts as more than luck. What is promised is less: of strategies of pure noise at most
 * one in twenty passes. The difference is what 200 seeds, short records and heavy tails take of a formula for long ones.
 */
const CONFIDENCE = 0.975;

/** Fewest whole days from which anything is said about luck. */
export const ENOUGH_DAYS = YEARLY_FROM_DAYS;

const EULER = 0.577_215_664_901_532_9;

export const normalCdf = (z: number): number => (1 + errorFunction(z / Math.SQRT2)) / 2;

/** The z below which a share of the standard normal distribution lies, by bisection. */
export function normalQuantile(share: number): number {
  let [low, high] = [-40, 40];
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Probability that the true Sharpe ratio is above a threshold, given how long, how skewed and how heavy-tailed the
 * returns are (Bailey and Lopez de Prado 2012). The threshold is of one period, not annual.
 */
export function probabilisticSharpe(returns: readonly number[], threshold: number, annual: Annual = DAILY): Metric {
  if (returns.length < 4) return missing(needsDays(4, returns.length));
  return from(periodSharpe(returns, annual), (observed) => {
    const { skewness, kurtosis } = moments(returns);
    const variance = 1 - skewness * observed + ((kurtosis - 1) / 4) * observed * observed;
    if (!(variance > 0)) return missing('the returns are too skewed for its formula');
    return normalCdf(((observed - threshold) * Math.sqrt(returns.length - 1)) / Math.sqrt(variance));
  });
}

interface DeflationInput {
  /** Daily returns of the best trial. */
  readonly returns: readonly number[];
  /** How many were tried, the best included. */
  readonly trials: number;
  /**
   * Sharpe ratios of the trials, of one period: their variance says how far luck reaches. Without them that of the
   * estimate itself is taken, 1 / (days - 1), as for trials that have nothing to do with each other.
   */
  readonly trialSharpes?: readonly number[];
  readonly annual?: Annual;
}

/** What the best of several tries without any skill would show: the expected highest Sharpe ratio of one period. */
export function luckySharpe({ returns, trials, trialSharpes }: DeflationInput): number {
  if (trials <= 1) return 0;
  const variance = trialSharpes && trialSharpes.length > 1 ? sampleVariance([...trialSharpes]) : 1 / Math.max(1, returns.length - 1);
  const best = (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * best;
}

/**
 * The deflated Sharpe ratio (Bailey and Lopez de Prado 2014): the probability that the best of `trials` is above what luck
 * alone would have brought. With one trial it is the probabilistic Sharpe ratio against 0.
 */
export function deflatedSharpe(of: DeflationInput): Metric {
  return probabilisticSharpe(of.returns, luckySharpe(of), of.annual ?? DAILY);
}

/** Whether a result could be luck, and the sentence that says so. */
export interface Significance {
  readonly significant: boolean;
  readonly text: string;
}

/**
 * Whether a result is more than luck: the deflated Sharpe ratio reaches 97.5 %, and 95 % of the bootstrap paths end above
 * where they began. Of strategies of pure noise at most one in twenty is told so. `stopped`: why the result is not judged: it was cut short, or has no value.
 */
export function significanceOf(
  days: number,
  {
    trials,
    deflated,
    paths,
    stopped,
  }: {
    readonly trials: number;
    readonly deflated: Metric;
    readonly paths: Bootstrap | undefined;
    readonly stopped?: string | undefined;
  },
): Significance {
  if (stopped !== undefined) return { significant: false, text: `skill or luck n/a: ${stopped}` };
  const tried = trials > 1 ? ` after ${trials} trials` : '';
  if (days < ENOUGH_DAYS) {
    return {
      significant: false,
      text: `too short to tell skill from luck: ${days} whole ${days === 1 ? 'day' : 'days'}, ${ENOUGH_DAYS} are needed`,
    };
  }
  if (!isKnown(deflated)) return notDistinct(deflated.why);
  const sure = `${sureText(deflated)} sure that the Sharpe ratio is above what luck brings${tried}`;
  if (!(deflated >= CONFIDENCE)) return notDistinct(`${sure}, ${CONFIDENCE * 100} % are needed`);
  if (paths && paths.totalReturn.p5 > 0) return { significant: true, text: `more than luck: ${sure}` };
  return notDistinct(`${sure}, but of paths drawn from its days fewer than 95 % end with a profit`);
}

/** The verdict on a result that is refused, for a reason. */
export const notDistinct = (because: string): Significance => ({ significant: false, text: `not distinct from luck: ${because}` });

/** Nothing is wholly sure, nor wholly out of the question. */
function sureText(share: number): string {
  if (share >= 0.9995) return 'over 99.9 %';
  return share < 0.0005 ? 'under 0.1 %' : `${(share * 100).toFixed(1)} %`;
}

/** Skewness and kurtosis (not excess) of the sample as a population, as the formula has them. */
function moments(returns: readonly number[]): { readonly skewness: number; readonly kurtosis: number } {
  const centre = mean([...returns]);
  const moment = (power: number): number => mean(returns.map((r) => (r - centre) ** power));
  const variance = moment(2);
  return { skewness: moment(3) / variance ** 1.5, kurtosis: moment(4) / variance ** 2 };
}
