import type { Seeded } from '#domain/seeded.ts';
import { gaussian, normalBetween } from './normal.ts';
import { bounds, type Dimension, isRange, type Range, type Value, valueAt } from './space.ts';

/** A density over the values of one dimension, made of what was seen of it. */
export interface Parzen {
  draw(random: Seeded): Value;
  /** Logarithm of the density, or of the mass where values have a step. */
  log(value: Value): number;
}

/** Weight of the prior beside one observation (Bergstra et al. 2011). */
const PRIOR = 1;

/** Observations of full weight; older ones weigh the less the older they are. */
const RECENT = 25;

/** Of the normal density. */
const ROOT = Math.sqrt(2 * Math.PI);

/** The estimator of a dimension over observed values, the oldest first. */
export function parzenOf({ values }: Dimension, observed: readonly Value[]): Parzen {
  return isRange(values) ? new NumberParzen(values, observed.map(Number)) : new ChoiceParzen(values, observed);
}

/** Weights by age, the oldest first: even up to 25, then a ramp from 1 / n to 1 before the newest 25. */
function weightsOf(n: number): readonly number[] {
  const old = Math.max(0, n - RECENT);
  return Array.from({ length: n }, (_, age) => (age >= old ? 1 : old === 1 ? 1 / n : 1 / n + (age / (old - 1)) * (1 - 1 / n)));
}

/** Categories: a share of each observation's kernel is spread over all of them. */
class ChoiceParzen implements Parzen {
  private readonly choices: readonly Value[];
  private readonly shares: readonly number[];

  constructor(choices: readonly Value[], observed: readonly Value[]) {
    this.choices = choices;
    const weights = [...weightsOf(observed.length), PRIOR];
    const all = weights.reduce((sum, one) => sum + one, 0);
    const base = PRIOR / weights.length;
    const row = 1 + base * choices.length;
    const shares = choices.map(() => PRIOR / all / choices.length);
    for (const [n, value] of observed.entries()) {
      const weight = (weights[n] ?? 0) / all;
      for (const [place, choice] of choices.entries()) {
        shares[place] = (shares[place] ?? 0) + (weight * (base + (choice === value ? 1 : 0))) / row;
      }
    }
    this.shares = shares;
  }

  draw(random: Seeded): Value {
    return this.choices[pick(this.shares, random.next())] ?? 0;
  }

  log(value: Value): number {
    return Math.log(this.shares[this.choices.indexOf(value)] ?? 0);
  }
}

/** One normal kernel, cut at the ends of the range. */
interface Kernel {
  readonly mu: number;
  readonly sigma: number;
  readonly weight: number;
  /** What of it lies within the range. */
  readonly mass: number;
}

/**
 * Numbers: a mixture of normal kernels, one an observation and a wide one in the middle as prior. The width of a kernel is the
 * larger distance to its neighbours, at least the range over the smaller of 100 and n + 2 (the "magic clip" of hyperopt, which
 * Optuna keeps), at most the range.
 */
class NumberParzen implements Parzen {
  private readonly range: Range;
  private readonly from: number;
  private readonly to: number;
  private readonly kernels: readonly Kernel[];
  private readonly weights: readonly number[];
  private readonly known = new Map<Value, number>();

  constructor(range: Range, observed: readonly number[]) {
    this.range = range;
    const { from, to } = bounds(range);
    [this.from, this.to] = [from, to];
    const mus = [...observed.map((value) => (range.log ? Math.log(value) : value)), (from + to) / 2];
    const weights = [...weightsOf(observed.length), PRIOR];
    const all = weights.reduce((sum, one) => sum + one, 0);
    const sigmas = sigmasOf(mus, { from, to });
    this.kernels = mus.map((mu, n) => {
      const sigma = sigmas[n] ?? to - from;
      return { mu, sigma, weight: (weights[n] ?? 0) / all, mass: normalBetween((from - mu) / sigma, (to - mu) / sigma) };
    });
    this.weights = this.kernels.map(({ weight }) => weight);
  }

  draw(random: Seeded): Value {
    const { kernels, from, to } = this;
    const { mu, sigma } = kernels[pick(this.weights, random.next())] ?? { mu: (from + to) / 2, sigma: to - from };
    for (;;) {
      // A kernel lies within the range and is at most as wide: a third of its draws and more are within it.
      const x = mu + sigma * gaussian(random);
      if (x >= from && x <= to) return valueAt(this.range, x);
    }
  }

  log(value: Value): number {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const density = Math.log(this.density(value));
    this.known.set(value, density);
    return density;
  }

  private density(value: Value): number {
    const { step, log } = this.range;
    const x = log ? Math.log(Number(value)) : Number(value);
    let sum = 0;
    if (step === null) {
      for (const { mu, sigma, weight, mass } of this.kernels)
        sum += weight * (Math.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * mass * ROOT));
      return sum;
    }
    const below = log ? Math.max(this.from, Math.log(Math.max(Number(value) - step / 2, Number.MIN_VALUE))) : x - step / 2;
    const above = log ? Math.log(Number(value) + step / 2) : x + step / 2;
    for (const { mu, sigma, weight, mass } of this.kernels)
      sum += weight * (normalBetween((below - mu) / sigma, (above - mu) / sigma) / mass);
    return sum;
  }
}

/** Widths of kernels; the last one is the prior's. */
function sigmasOf(mus: readonly number[], { from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  const order = mus.map((_, n) => n).sort((a, b) => (mus[a] ?? 0) - (mus[b] ?? 0) || a - b);
  const [widest, last] = [to - from, mus.length - 1];
  const narrowest = widest / Math.min(100, mus.length + 1);
  const sigmas = mus.map(() => widest);
  for (const [place, n] of order.entries()) {
    if (n === last) continue;
    const mu = mus[n] ?? 0;
    const distance = (other: number | undefined): number => (other === undefined ? 0 : Math.abs(mu - (mus[other] ?? 0)));
    const sigma = Math.max(distance(order[place - 1]), distance(order[place + 1]));
    sigmas[n] = Math.min(widest, Math.max(narrowest, sigma));
  }
  return sigmas;
}

/** The place that a chance in [0, 1) picks among shares that sum to 1. */
function pick(shares: readonly number[], chance: number): number {
  let left = chance;
  for (let place = 0; place < shares.length; place += 1) {
    left -= shares[place] ?? 0;
    if (left < 0) return place;
  }
  return shares.length - 1;
}
