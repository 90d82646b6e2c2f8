import { type Indicator, indicatorOf, period } from '#core/strategy/indicators.ts';
import { Kernel, NumberKernel } from '#core/strategy/kernel.ts';
import { SmoothingKernel, wildersAverage } from './averages.ts';

/**
 * Relative strength index over `n` changes, 0 to 100, smoothed as Wilder did; warm at value n + 1. 50 where nothing has
 * moved. Our own, O(1) a value where trading-signals adds up n each time.
 */
export function rsi(n = 14): Indicator {
  period(n, 'rsi');
  return indicatorOf(() => new Rsi(n), `rsi ${n}`);
}

class Rsi extends NumberKernel {
  private readonly gain: SmoothingKernel;
  private readonly loss: SmoothingKernel;
  /** No number before the first value. */
  private last = Number.NaN;
  private kept = Number.NaN;

  constructor(n: number) {
    super();
    this.gain = wildersAverage(n);
    this.loss = wildersAverage(n);
  }

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    const change = x - this.last;
    this.last = x;
    if (Number.isNaN(change)) return undefined;
    const up = this.gain.next(Math.max(change, 0));
    const down = this.loss.next(Math.max(-change, 0));
    if (up === undefined || down === undefined) return undefined;
    return up + down === 0 ? 50 : (100 * up) / (up + down);
  }

  over(input: Float64Array, out: Float64Array, rows: number): void {
    for (let row = 0; row < rows; row++) out[row] = this.next(input[row] ?? Number.NaN) ?? Number.NaN;
  }

  keep(): void {
    this.gain.keep();
    this.loss.keep();
    this.kept = this.last;
  }

  undo(): void {
    this.gain.undo();
    this.loss.undo();
    this.last = this.kept;
  }
}

/** The three figures of MACD, in the unit of the values. */
export interface Macd {
  /** The fast average less the slow one. */
  readonly macd: number;
  /** Its own average. */
  readonly signal: number;
  /** macd less signal. */
  readonly histogram: number;
}

/** Moving average convergence and divergence, all three averages exponential and seeded with an SMA. Warm at value slow + signal - 1. Throws a RangeError for a fast period that is not below the slow one. */
export function macd(fast = 12, slow = 26, signal = 9): Indicator<number, Macd> {
  for (const n of [fast, slow, signal]) period(n, 'macd');
  if (fast >= slow) throw new RangeError(`macd: the fast period ${fast} must be below the slow one, ${slow}`);
  return indicatorOf(() => new MovingAverages({ fast, slow, signal }), `macd ${fast} ${slow} ${signal}`);
}

class MovingAverages extends Kernel<number, Macd> {
  private readonly parts: readonly [quick: SmoothingKernel, calm: SmoothingKernel, average: SmoothingKernel];

  constructor({ fast, slow, signal }: { readonly fast: number; readonly slow: number; readonly signal: number }) {
    super();
    const average = (n: number): SmoothingKernel => new SmoothingKernel({ warmAt: n, weight: 2 / (n + 1) });
    this.parts = [average(fast), average(slow), average(signal)];
  }

  next(x: number): Macd | undefined {
    const [quick, calm, average] = this.parts;
    const above = quick.next(x);
    const below = calm.next(x);
    if (above === undefined || below === undefined) return undefined;
    const difference = above - below;
    const line = average.next(difference);
    return line === undefined ? undefined : { macd: difference, signal: line, histogram: difference - line };
  }

  keep(): void {
    for (const part of this.parts) part.keep();
  }

  undo(): void {
    for (const part of this.parts) part.undo();
  }
}
