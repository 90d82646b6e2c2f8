import { figureAt } from '#domain/figure-at.ts';

/** Parts of the days at most; their halves are 12,870. */
const PARTS = 16;

/** Ratios of all halves that are made at most: beyond, the days are cut into fewer parts. */
const MAX_SUMS = 3e7;

/** The result of the cross-validation. */
interface Overfitting {
  /** How often what is best on one half of the days is not above the median of all on the other half. */
  readonly probability: number;
  /** How often it loses there. */
  readonly loss: number;
  readonly parts: number;
  readonly halves: number;
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, Lopez de Prado and Zhu 2017, Journal of
 * Computational Finance 20): the days are cut into an even number of parts in a row, each half of the parts chooses the setting with the highest Sharpe ratio, and the other half ranks it
 * among all. One array of daily returns a setting, all of the same days. Undefined for less than two settings or eight days.
 */
export function overfitting(series: readonly (readonly number[])[]): Overfitting | undefined {
  const [settings, days] = [series.length, series[0]?.length ?? 0];
  if (settings < 2 || days < 8) return undefined;
  let parts = Math.min(PARTS, 2 * Math.floor(days / 4));
  while (parts > 4 && halvesOf(parts) * settings > MAX_SUMS) parts -= 2;
  const sums = series.map((returns) => new Sums(returns, parts));
  const all = 2 ** parts - 1;
  const [one, other] = [new Float64Array(settings), new Float64Array(settings)];
  let [halves, behind, lost] = [0, 0, 0];
  const take = (inSample: Float64Array, outOfSample: Float64Array): void => {
    const chosen = figureAt(outOfSample, highest(inSample));
    halves += 1;
    if (rankOf(chosen, outOfSample) <= 0.5) behind += 1;
    if (chosen < 0) lost += 1;
  };
  // A half and the other one are looked at together: those with the first part in them are half of all.
  for (let mask = 1; mask <= all; mask += 2) {
    if (bits(mask) !== parts / 2) continue;
    for (let n = 0; n < settings; n += 1) {
      one[n] = sums[n]?.sharpe(mask) ?? 0;
      other[n] = sums[n]?.sharpe(all - mask) ?? 0;
    }
    take(one, other);
    take(other, one);
  }
  return { probability: behind / halves, loss: lost / halves, parts, halves };
}

/** The place of the first of the highest. */
function highest(values: Float64Array): number {
  let best = 0;
  for (let n = 1; n < values.length; n += 1) if (figureAt(values, n) > figureAt(values, best)) best = n;
  return best;
}

/** The rank in the middle of equals, over the count and 1: a logit of 0 or less is a rank in the lower half. */
function rankOf(value: number, among: Float64Array): number {
  let [below, same] = [0, 0];
  for (let n = 0; n < among.length; n += 1) {
    const other = figureAt(among, n);
    if (other < value) below += 1;
    else if (other === value) same += 1;
  }
  return (below + (same + 1) / 2) / (among.length + 1);
}

/** Sums of returns over every choice among the first parts and among the others, so that a half is two of them together. */
class Sums {
  private readonly low: number;
  private readonly first: Float64Array;
  private readonly second: Float64Array;

  constructor(returns: readonly number[], parts: number) {
    this.low = Math.floor(parts / 2);
    const own = Array.from({ length: parts }, () => [0, 0, 0] as [number, number, number]);
    for (const [day, one] of returns.entries()) {
      const part = own[Math.floor((day * parts) / returns.length)];
      if (!part) continue;
      part[0] += 1;
      part[1] += one;
      part[2] += one * one;
    }
    this.first = tableOf(own.slice(0, this.low));
    this.second = tableOf(own.slice(this.low));
  }

  /** Mean over standard deviation on the parts of a mask; 0 where no two days differ. */
  sharpe(mask: number): number {
    const { low, first, second } = this;
    const [a, b] = [3 * (mask & ((1 << low) - 1)), 3 * (mask >> low)];
    const count = figureAt(first, a) + figureAt(second, b);
    const sum = figureAt(first, a + 1) + figureAt(second, b + 1);
    const squares = figureAt(first, a + 2) + figureAt(second, b + 2);
    const mean = sum / count;
    const variance = squares / count - mean * mean;
    return variance > squares * 1e-12 ? mean / Math.sqrt(variance) : 0;
  }
}

/** Count, sum and sum of squares of every choice among some parts, by its mask. */
function tableOf(parts: readonly (readonly number[])[]): Float64Array {
  const table = new Float64Array(3 * 2 ** parts.length);
  for (let mask = 1; mask < 2 ** parts.length; mask += 1) {
    const part = 31 - Math.clz32(mask);
    const rest = mask - 2 ** part;
    for (let k = 0; k < 3; k += 1) table[3 * mask + k] = figureAt(table, 3 * rest + k) + (parts[part]?.[k] ?? 0);
  }
  return table;
}

function bits(mask: number): number {
  let [count, left] = [0, mask];
  for (; left !== 0; left &= left - 1) count += 1;
  return count;
}

function halvesOf(parts: number): number {
  let all = 1;
  for (let n = 1; n <= parts / 2; n += 1) all = (all * (parts / 2 + n)) / n;
  return all;
}
