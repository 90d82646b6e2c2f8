import { type Indicator, indicatorOf, period } from '#core/strategy/indicators.ts';
import { KernelChain, NumberKernel } from '#core/strategy/kernel.ts';

/** The largest of the last `n` values, the newest among them; warm at the n-th. Throws a RangeError for an `n` that is no whole number from 1. */
export function highest(n: number): Indicator {
  period(n, 'highest');
  return indicatorOf(() => new Extreme(n, 1), `highest ${n}`);
}

/** The smallest of the last `n` values, the newest among them; warm at the n-th. Throws a RangeError for an `n` that is no whole number from 1. */
export function lowest(n: number): Indicator {
  period(n, 'lowest');
  return indicatorOf(() => new Extreme(n, -1), `lowest ${n}`);
}

/**
 * The value that came `n` values before; warm at the value after the n-th. Around an indicator it is that indicator's: `above(sma(1), lag(1, highest(20)))`
 * compares a price with the highest of the 20 before it. Throws a RangeError for an `n` that is no whole number from 1.
 */
export function lag(n: number): Indicator;
export function lag<In>(n: number, of: Indicator<In, number>): Indicator<In, number>;
export function lag<In>(n: number, of?: Indicator<In, number>): Indicator | Indicator<In, number> {
  period(n, 'lag');
  const own = indicatorOf(() => new Lag(n), `lag ${n}`);
  return of === undefined ? own : indicatorOf(() => new KernelChain(of.kernel(), own.kernel()));
}

/** Has the last `n` values. */
abstract class OfLast extends NumberKernel {
  protected readonly window: Float64Array;
  private readonly kept: Float64Array;
  private at = 0;
  protected count = 0;
  private before = { at: 0, count: 0 };

  constructor(n: number) {
    super();
    this.window = new Float64Array(n);
    this.kept = new Float64Array(n);
  }

  /** Of a value that is in the window by now, and the one whose place it has taken: NaN where there was none. */
  protected abstract value(x: number, gone: number): number | undefined;

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    const { window, at } = this;
    const isFull = this.count === window.length;
    const gone = isFull ? (window[at] ?? Number.NaN) : Number.NaN;
    window[at] = x;
    this.at = at + 1 === window.length ? 0 : at + 1;
    if (!isFull) this.count += 1;
    return this.value(x, gone);
  }

  over(input: Float64Array, out: Float64Array, rows: number): void {
    for (let row = 0; row < rows; row++) out[row] = this.next(input[row] ?? Number.NaN) ?? Number.NaN;
  }

  keep(): void {
    this.kept.set(this.window);
    this.before = { at: this.at, count: this.count };
  }

  undo(): void {
    this.window.set(this.kept);
    Object.assign(this, this.before);
  }
}

/** The largest, or with a sign of -1 the smallest. The window is looked through where the value that leaves it was that one. */
class Extreme extends OfLast {
  private readonly sign: 1 | -1;
  private most = Number.NaN;
  private mostBefore = Number.NaN;

  constructor(n: number, sign: 1 | -1) {
    super(n);
    this.sign = sign;
  }

  protected value(x: number, gone: number): number | undefined {
    const { sign, window, count } = this;
    if (!(sign * x < sign * this.most)) this.most = x;
    else if (gone === this.most) {
      this.most = x;
      for (const one of window) if (sign * one > sign * this.most) this.most = one;
    }
    return count === window.length ? this.most : undefined;
  }

  override keep(): void {
    super.keep();
    this.mostBefore = this.most;
  }

  override undo(): void {
    super.undo();
    this.most = this.mostBefore;
  }
}

class Lag extends OfLast {
  protected value(_x: number, gone: number): number | undefined {
    return Number.isNaN(gone) ? undefined : gone;
  }
}
