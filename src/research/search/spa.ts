import { codeAt, figureAt } from '#domain/figure-at.ts';
import { type Seeded, seeded } from '#domain/seeded.ts';

/** Bootstrap samples, and sums over all of them that are made at most: beyond, fewer samples are drawn. */
const SAMPLES = 1000;
const MIN_SAMPLES = 200;
const MAX_SUMS = 4e8;

/** The result of the test. */
interface SuperiorAbility {
  /** How often the best of as many without any skill does as well, as a share from 0 to 1. */
  readonly pValue: number;
  readonly samples: number;
  /** Mean length of the blocks, in days. */
  readonly block: number;
}

/**
 * Hansen's test for superior predictive ability (2005, Journal of Business and Economic Statistics 23), a reality check (White 2000) that poor
 * settings cannot weaken: whether the best of all settings earns more than doing nothing, given that it is the best. Statistics are
 * studentised, days are drawn by the stationary bootstrap (Politis and Romano 1994), and the consistent p-value is given. One array of daily returns a setting,
 * all of the same days. The same seed draws the same. Undefined where no two returns differ.
 */
export function superiorAbility(series: readonly (readonly number[])[], seed: string): SuperiorAbility | undefined {
  const days = series[0]?.length ?? 0;
  const block = Math.max(1, Math.round(Math.cbrt(days)));
  const distinct = [...new Map(series.map((one) => [one.join(), Float64Array.from(one)])).values()];
  const models = distinct.map((returns) => modelOf(returns, 1 / block)).filter(({ omega }) => omega > 0);
  if (models.length === 0) return undefined;
  const root = Math.sqrt(days);
  const wide = widened(days, 1 / block);
  const observed = Math.max(0, ...models.map(({ mean, omega }) => (root * mean) / omega));
  const samples = Math.max(MIN_SAMPLES, Math.min(SAMPLES, Math.floor(MAX_SUMS / (days * models.length))));
  const random = seeded(`${seed}/spa`);
  let asGood = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const drawn = stationary(days, block, random);
    let most = 0;
    for (const { returns, mean, centre, omega } of models) {
      let sum = 0;
      for (let n = 0; n < days; n += 1) sum += figureAt(returns, codeAt(drawn, n));
      most = Math.max(most, (root * ((sum / days - mean) * wide + mean - centre)) / omega);
    }
    if (most >= observed) asGood += 1;
  }
  // The observed one counts as a sample of its own, so that no p-value is 0.
  return { pValue: (asGood + 1) / (samples + 1), samples, block };
}

interface Model {
  readonly returns: Float64Array;
  readonly mean: number;
  /** Standard deviation of the mean times the root of the days. */
  readonly omega: number;
  /** What its samples are held against: its own mean, or 0 where it is so bad that it cannot have been the best. */
  readonly centre: number;
}

/** What the stationary bootstrap makes of a covariance of two days so far apart (Politis and Romano 1994). */
const kernel = (lag: number, days: number, q: number): number =>
  ((days - lag) / days) * (1 - q) ** lag + (lag / days) * (1 - q) ** (days - lag);

/**
 * How much wider means spread than samples of the same days show: each covariance about the mean of a sample is short of the true one by the
 * variance of that mean, which counts while days are few.
 */
function widened(days: number, q: number): number {
  let short = 1;
  for (let lag = 1; lag < days; lag += 1) short += (2 * kernel(lag, days, q) * (days - lag)) / days;
  return 1 / Math.sqrt(Math.max(0.5, 1 - short / days));
}

function modelOf(returns: Float64Array, q: number): Model {
  const days = returns.length;
  const mean = returns.reduce((sum, one) => sum + one, 0) / days;
  const covariance = (lag: number): number => {
    let sum = 0;
    for (let day = lag; day < days; day += 1) sum += (figureAt(returns, day) - mean) * (figureAt(returns, day - lag) - mean);
    return sum / days;
  };
  let variance = covariance(0);
  const none = variance;
  for (let lag = 1; lag < days; lag += 1) {
    const weight = kernel(lag, days, q);
    if (weight > 1e-9) variance += 2 * weight * covariance(lag);
  }
  // Rounding alone is no variance; a negative sum of covariances falls back to that of days without memory.
  const scale = returns.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const omega = none > (scale * 1e-12) ** 2 ? Math.sqrt(variance > none * 1e-3 ? variance : none) : 0;
  const isPoor = Math.sqrt(days) * mean <= -omega * Math.sqrt(2 * Math.log(Math.log(Math.max(days, 3))));
  return { returns, mean, omega, centre: isPoor ? 0 : mean };
}

/** Places of days: each follows the one before, or begins a block somewhere else. */
function stationary(days: number, block: number, random: Seeded): Int32Array {
  const drawn = new Int32Array(days);
  let at = 0;
  for (let n = 0; n < days; n += 1) {
    at = n === 0 || random.next() < 1 / block ? Math.floor(random.next() * days) : (at + 1) % days;
    drawn[n] = at;
  }
  return drawn;
}
