import { type Indicator, indicatorOf, period } from '#core/strategy/indicators.ts';
import { Kernel, NumberKernel } from '#core/strategy/kernel.ts';
import { RollingWindow } from './window.ts';

/** Population standard deviation of the last `n` values; warm at the n-th. */
export function stdev(n: number): Indicator {
  period(n, 'stdev');
  return indicatorOf(() => new Deviation(n), `stdev ${n}`);
}

/** What is said of the last n values together, and of the newest among them. */
abstract class OfWindow extends NumberKernel {
  protected readonly window: RollingWindow;

  constructor(n: number) {
    super();
    this.window = new RollingWindow(n);
  }

  /** Of a window that is full, with the value that came last. */
  protected abstract value(x: number): number;

  next(x: number): number | undefined {
    return Number.isFinite(x) && this.window.add(x) ? this.value(x) : undefined;
  }

  over(input: Float64Array, out: Float64Array, rows: number): void {
    const { window } = this;
    for (let row = 0; row < rows; row++) {
      const x = input[row] ?? Number.NaN;
      out[row] = Number.isFinite(x) && window.add(x) ? this.value(x) : Number.NaN;
    }
  }

  keep(): void {
    this.window.keep();
  }

  undo(): void {
    this.window.undo();
  }
}

class Deviation extends OfWindow {
  protected value(): number {
    return this.window.deviation;
  }
}

/** How many standard deviations each value stands from the mean of the last `n`, itself among them; 0 where nothing moved. Warm at the n-th. */
export function zscore(n: number): Indicator {
  period(n, 'zscore', 2);
  return indicatorOf(() => new Score(n), `zscore ${n}`);
}

class Score extends OfWindow {
  protected value(x: number): number {
    const { deviation } = this.window;
    return deviation === 0 ? 0 : (x - this.window.mean) / deviation;
  }
}

/** Bollinger bands, in the unit of the values. */
export interface Bands {
  readonly lower: number;
  /** The simple moving average. */
  readonly middle: number;
  readonly upper: number;
  /** Where the value stands: 0 at the lower band, 1 at the upper; 0.5 where nothing moved. */
  readonly percentB: number;
}

/** Bollinger bands: the mean of the last `n` values, and `deviations` population standard deviations to each side. Warm at the n-th. Throws a RangeError for `n` below 2 or `deviations` not above 0. */
export function bollinger(n = 20, deviations = 2): Indicator<number, Bands> {
  period(n, 'bollinger', 2);
  if (!(deviations > 0 && Number.isFinite(deviations))) {
    throw new RangeError(`bollinger: deviations is a number above zero, not ${deviations}`);
  }
  return indicatorOf(() => new Bollinger(n, deviations), `bollinger ${n} ${deviations}`);
}

class Bollinger extends Kernel<number, Bands> {
  private readonly window: RollingWindow;
  private readonly deviations: number;

  constructor(n: number, deviations: number) {
    super();
    this.window = new RollingWindow(n);
    this.deviations = deviations;
  }

  next(x: number): Bands | undefined {
    if (!Number.isFinite(x) || !this.window.add(x)) return undefined;
    const { mean: middle, deviation } = this.window;
    const reach = this.deviations * deviation;
    return { lower: middle - reach, middle, upper: middle + reach, percentB: reach === 0 ? 0.5 : (x - middle + reach) / (2 * reach) };
  }

  keep(): void {
    this.window.keep();
  }

  undo(): void {
    this.window.undo();
  }
}
