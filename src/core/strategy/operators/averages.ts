import { type Indicator, indicatorOf, period } from '#core/strategy/indicators.ts';
import { NumberKernel } from '#core/strategy/kernel.ts';

// Averages stand on the path of every quote: each passes over what is no finite number by itself, which is a call less.

/**
 * Simple moving average of the last `n` values; warm at the n-th. Our own, O(1) a value where trading-signals adds up n: a
 * running sum that is added up anew each time the window has gone round, so that rounding errors cannot gather.
 */
export function sma(n: number): Indicator {
  period(n, 'sma');
  return indicatorOf(() => new Sma(n), `sma ${n}`);
}

class Sma extends NumberKernel {
  private readonly window: Float64Array;
  private readonly kept: Float64Array;
  private at = 0;
  private count = 0;
  private sum = 0;
  private before = { at: 0, count: 0, sum: 0 };

  constructor(n: number) {
    super();
    this.window = new Float64Array(n);
    this.kept = new Float64Array(n);
  }

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    const { window } = this;
    const n = window.length;
    this.sum += x - (window[this.at] ?? 0);
    window[this.at] = x;
    this.at += 1;
    if (this.at === n) {
      this.at = 0;
      this.sum = sumOf(window);
    }
    if (this.count < n) this.count += 1;
    return this.count < n ? undefined : this.sum / n;
  }

  over(input: Float64Array, out: Float64Array, rows: number): void {
    const { window } = this;
    const n = window.length;
    let { at, count, sum } = this;
    for (let row = 0; row < rows; row++) {
      const x = input[row] ?? Number.NaN;
      if (!Number.isFinite(x)) {
        out[row] = Number.NaN;
        continue;
      }
      sum += x - (window[at] ?? 0);
      window[at] = x;
      at += 1;
      if (at === n) {
        at = 0;
        sum = sumOf(window);
      }
      if (count < n) count += 1;
      out[row] = count < n ? Number.NaN : sum / n;
    }
    this.at = at;
    this.count = count;
    this.sum = sum;
  }

  keep(): void {
    const { at, count, sum } = this;
    this.kept.set(this.window);
    this.before = { at, count, sum };
  }

  undo(): void {
    this.window.set(this.kept);
    Object.assign(this, this.before);
  }
}

function sumOf(window: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < window.length; i++) sum += window[i] ?? 0;
  return sum;
}

/** How an EMA begins. */
export interface EmaOptions {
  /** `sma` (the default): begins with the mean of the first n values, warm then. `first`: with the first value, warm at once. */
  readonly seed?: 'sma' | 'first';
}

/**
 * Exponential moving average with weight 2 / (n + 1). Seeded with the SMA of the first n values, as TA-Lib and most charts
 * do, and warm at the n-th; our own, since trading-signals seeds with the first value.
 */
export function ema(n: number, { seed = 'sma' }: EmaOptions = {}): Indicator {
  period(n, 'ema');
  return indicatorOf(() => new SmoothingKernel({ warmAt: seed === 'sma' ? n : 1, weight: 2 / (n + 1) }), `ema ${n} ${seed}`);
}

/** Wilder's average: weight 1 / n, seeded with the mean of the first n values; warm at the n-th. RSI, ATR and ADX rest on it. */
export function wilder(n: number): Indicator {
  period(n, 'wilder');
  return indicatorOf(() => wildersAverage(n), `wilder ${n}`);
}

export const wildersAverage = (n: number): SmoothingKernel => new SmoothingKernel({ warmAt: n, weight: 1 / n });

/** The mean of the first `warmAt` values, then a step of `weight` towards each new one. */
export class SmoothingKernel extends NumberKernel {
  private readonly warmAt: number;
  private readonly weight: number;
  private count = 0;
  private value = 0;
  private before = { count: 0, value: 0 };

  constructor({ warmAt, weight }: { readonly warmAt: number; readonly weight: number }) {
    super();
    this.warmAt = warmAt;
    this.weight = weight;
  }

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    if (this.count < this.warmAt) {
      this.count += 1;
      this.value += (x - this.value) / this.count;
      return this.count < this.warmAt ? undefined : this.value;
    }
    this.value += this.weight * (x - this.value);
    return this.value;
  }

  over(input: Float64Array, out: Float64Array, rows: number): void {
    const { warmAt, weight } = this;
    let { count, value } = this;
    for (let row = 0; row < rows; row++) {
      const x = input[row] ?? Number.NaN;
      if (!Number.isFinite(x)) {
        out[row] = Number.NaN;
        continue;
      }
      if (count < warmAt) {
        count += 1;
        value += (x - value) / count;
        out[row] = count < warmAt ? Number.NaN : value;
        continue;
      }
      value += weight * (x - value);
      out[row] = value;
    }
    this.count = count;
    this.value = value;
  }

  keep(): void {
    const { count, value } = this;
    this.before = { count, value };
  }

  undo(): void {
    Object.assign(this, this.before);
  }
}

/**
 * Linearly weighted moving average: the newest of the last `n` values weighs n, the oldest 1; warm at the n-th. O(1) a
 * value, added up anew each time the window has gone round.
 */
export function wma(n: number): Indicator {
  period(n, 'wma');
  return indicatorOf(() => new Wma(n), `wma ${n}`);
}

class Wma extends NumberKernel {
  private readonly window: Float64Array;
  private readonly kept: Float64Array;
  private readonly weights: number;
  private at = 0;
  private count = 0;
  private sum = 0;
  private weighted = 0;
  private before = { at: 0, count: 0, sum: 0, weighted: 0 };

  constructor(n: number) {
    super();
    this.window = new Float64Array(n);
    this.kept = new Float64Array(n);
    this.weights = (n * (n + 1)) / 2;
  }

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    const { window } = this;
    const n = window.length;
    // All that stand in the window lose one of their weight, the oldest its last; the new one weighs n.
    this.weighted += n * x - this.sum;
    this.sum += x - (window[this.at] ?? 0);
    window[this.at] = x;
    this.at += 1;
    if (this.at === n) {
      this.at = 0;
      this.sum = 0;
      this.weighted = 0;
      for (let i = 0; i < n; i++) {
        this.sum += window[i] ?? 0;
        this.weighted += (i + 1) * (window[i] ?? 0);
      }
    }
    if (this.count < n) this.count += 1;
    return this.count < n ? undefined : this.weighted / this.weights;
  }

  over(input: Float64Array, out: Float64Array, rows: number): void {
    for (let row = 0; row < rows; row++) out[row] = this.next(input[row] ?? Number.NaN) ?? Number.NaN;
  }

  keep(): void {
    const { at, count, sum, weighted } = this;
    this.kept.set(this.window);
    this.before = { at, count, sum, weighted };
  }

  undo(): void {
    this.window.set(this.kept);
    Object.assign(this, this.before);
  }
}
