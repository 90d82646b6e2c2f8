import { figureAt } from '#domain/figure-at.ts';
import { seeded } from '#domain/seeded.ts';
import { quantile } from './returns.ts';

/** Paths that are drawn. */
const PATHS = 2_000;

/** Fewest values from which paths are drawn. */
export const ENOUGH_VALUES = 10;

/** Percentiles of a figure over the paths. */
export interface Band {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

/** Ranges of a metric when its values are drawn again and again. */
export interface Bootstrap {
  readonly seed: string;
  readonly paths: number;
  /** Values that are drawn together, in a row, so that what follows on each other stays so. */
  readonly block: number;
  readonly totalReturn: Band;
  readonly maxDrawdown: Band;
  /** Mean over standard deviation of one period. */
  readonly sharpe: Band;
}

/**
 * Alternative results of the same days: paths of as many days, drawn in blocks from the real ones (circular block
 * bootstrap). The same seed draws the same paths. Undefined under ten values.
 */
export function blockBootstrap(returns: readonly number[], seed: string, paths = PATHS): Bootstrap | undefined {
  const count = returns.length;
  if (count < ENOUGH_VALUES) return undefined;
  const block = blockOf(count);
  const totals = new Float64Array(paths);
  const falls = new Float64Array(paths);
  const sharpes = new Float64Array(paths);
  eachPath({ values: Float64Array.from(returns), seed, paths, block }, (path, n) => {
    let [wealth, peak, fall, sum, squares] = [1, 1, 0, 0, 0];
    for (let i = 0; i < path.length; i += 1) {
      const r = path[i] ?? 0;
      wealth *= 1 + r;
      if (wealth > peak) peak = wealth;
      else fall = Math.max(fall, 1 - wealth / peak);
      sum += r;
      squares += r * r;
    }
    totals[n] = wealth - 1;
    falls[n] = fall;
    const variance = (squares - (sum * sum) / count) / (count - 1);
    sharpes[n] = variance > 0 ? sum / count / Math.sqrt(variance) : 0;
  });
  return { seed, paths, block, totalReturn: bandOf(totals), maxDrawdown: bandOf(falls), sharpe: bandOf(sharpes) };
}

/** Percentiles of the sum of as many values, drawn in blocks: of the profits of trades, in money. Undefined under ten. */
export function sumBand(values: readonly number[], seed: string, paths = PATHS): Band | undefined {
  if (values.length < ENOUGH_VALUES) return undefined;
  const sums = new Float64Array(paths);
  eachPath({ values: Float64Array.from(values), seed, paths, block: blockOf(values.length) }, (path, n) => {
    let sum = 0;
    for (let i = 0; i < path.length; i += 1) sum += figureAt(path, i);
    sums[n] = sum;
  });
  return bandOf(sums);
}

/** Third root of the count, which balances what a block keeps against how many differ. */
const blockOf = (count: number): number => Math.max(1, Math.round(Math.cbrt(count)));

interface Draw {
  readonly values: Float64Array;
  readonly seed: string;
  readonly paths: number;
  readonly block: number;
}

function eachPath({ values, seed, paths, block }: Draw, take: (path: Float64Array, n: number) => void): void {
  const random = seeded(seed);
  const count = values.length;
  const path = new Float64Array(count);
  for (let n = 0; n < paths; n += 1) {
    for (let i = 0; i < count; ) {
      const from = Math.floor(random.next() * count);
      const end = Math.min(count, i + block);
      for (let row = from; i < end; i += 1) {
        path[i] = values[row] ?? 0;
        row = row + 1 === count ? 0 : row + 1;
      }
    }
    take(path, n);
  }
}

/** Sorts the values. */
function bandOf(values: Float64Array): Band {
  const inOrder = values.sort();
  return { p5: quantile(inOrder, 0.05), p50: quantile(inOrder, 0.5), p95: quantile(inOrder, 0.95) };
}
