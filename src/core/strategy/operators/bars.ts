import { createRequire } from 'node:module';
import type * as TradingSignals from 'trading-signals';
import { type Indicator, indicatorOf, period } from '#core/strategy/indicators.ts';
import { Kernel } from '#core/strategy/kernel.ts';
import { type SmoothingKernel, wildersAverage } from './averages.ts';

/** What indicators of bars look at, all in the unit of the price; one side of a candle is one: `quotes$.pipe(candles('1m'), map(({ mid }) => mid), atr())`. */
export interface Bar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Of bars; one with a figure that is no finite number is passed over. */
abstract class BarKernel<Out> extends Kernel<Bar, Out> {
  protected abstract whole(bar: Bar): Out | undefined;

  next(bar: Bar): Out | undefined {
    return Number.isFinite(bar.high) && Number.isFinite(bar.low) && Number.isFinite(bar.close) ? this.whole(bar) : undefined;
  }
}

/** Of bars and the one before each, by averages. */
abstract class BarAverages<Out> extends BarKernel<Out> {
  protected abstract readonly averages: readonly SmoothingKernel[];
  private last: Bar | undefined;
  private kept: Bar | undefined;

  protected abstract after(last: Bar, bar: Bar): Out | undefined;

  protected whole(bar: Bar): Out | undefined {
    const { last } = this;
    this.last = bar;
    return last && this.after(last, bar);
  }

  keep(): void {
    for (const average of this.averages) average.keep();
    this.kept = this.last;
  }

  undo(): void {
    for (const average of this.averages) average.undo();
    this.last = this.kept;
  }
}

/**
 * Average true range: Wilder's average of how far each bar reached, the gap since the last close included. Warm at bar
 * n + 1, since the first bar has no close before it (trading-signals counts it, with its height).
 */
export function atr(n = 14): Indicator<Bar, number> {
  period(n, 'atr');
  return indicatorOf(() => new Atr(n), `atr ${n}`);
}

class Atr extends BarAverages<number> {
  private readonly average: SmoothingKernel;
  protected readonly averages: readonly SmoothingKernel[];

  constructor(n: number) {
    super();
    this.average = wildersAverage(n);
    this.averages = [this.average];
  }

  protected after(last: Bar, bar: Bar): number | undefined {
    return this.average.next(trueRange(bar, last.close));
  }
}

/** The average directional index with its two sides. */
export interface Adx {
  /** Strength of the trend, 0 to 100, whichever way it goes. */
  readonly adx: number;
  /** Directional indicators, 0 to 100: the share of the movement that went up, and down. */
  readonly plus: number;
  readonly minus: number;
}

/** Wilder's average directional index; 0 where nothing moved. Warm at bar 2n. */
export function adx(n = 14): Indicator<Bar, Adx> {
  period(n, 'adx');
  return indicatorOf(() => new DirectionalIndex(n), `adx ${n}`);
}

class DirectionalIndex extends BarAverages<Adx> {
  protected readonly averages: readonly [range: SmoothingKernel, up: SmoothingKernel, down: SmoothingKernel, average: SmoothingKernel];

  constructor(n: number) {
    super();
    this.averages = [wildersAverage(n), wildersAverage(n), wildersAverage(n), wildersAverage(n)];
  }

  protected after(last: Bar, bar: Bar): Adx | undefined {
    const [range, up, down, average] = this.averages;
    const rise = bar.high - last.high;
    const fall = last.low - bar.low;
    const reach = range.next(trueRange(bar, last.close));
    const ups = up.next(rise > fall ? Math.max(rise, 0) : 0);
    const downs = down.next(fall > rise ? Math.max(fall, 0) : 0);
    if (reach === undefined || ups === undefined || downs === undefined) return undefined;
    const strength = average.next(percent(Math.abs(ups - downs), ups + downs));
    return strength === undefined ? undefined : { adx: strength, plus: percent(ups, reach), minus: percent(downs, reach) };
  }
}

/** Lengths of the stochastic oscillator, in bars or values. */
export interface StochasticOptions {
  /** Bars whose highest and lowest price the close is held against. Default 14. */
  readonly n?: number;
  /** Values that make %K smooth, by an SMA. Default 3, the slow stochastic; 1 is the fast one. */
  readonly smooth?: number;
  /** Values of %K that %D is the SMA of. Default 3. */
  readonly signal?: number;
}

/** The stochastic oscillator's two lines. */
export interface Stochastic {
  /** Where the close stands between the lowest and the highest price, 0 to 100. */
  readonly k: number;
  /** The average of k, 0 to 100. */
  readonly d: number;
}

/** Stochastic oscillator, that of trading-signals; 0 where the prices of the whole window are one. Warm at bar n + smooth + signal - 2. */
export function stochastic({ n = 14, smooth = 3, signal = 3 }: StochasticOptions = {}): Indicator<Bar, Stochastic> {
  for (const one of [n, smooth, signal]) period(one, 'stochastic');
  return indicatorOf(() => new Oscillator({ n, smooth, signal }), `stochastic ${n} ${smooth} ${signal}`);
}

class Oscillator extends BarKernel<Stochastic> {
  private readonly options: { readonly n: number; readonly smooth: number; readonly signal: number };
  private inner: TradingSignals.StochasticOscillator;
  /** What the inner one's windows hold, and a few more: its state is made of no older ones. */
  private bars: Bar[] = [];
  private kept: readonly Bar[] = [];

  constructor(options: { readonly n: number; readonly smooth: number; readonly signal: number }) {
    super();
    this.options = options;
    this.inner = this.begun();
  }

  protected whole(bar: Bar): Stochastic | undefined {
    const { n, smooth, signal } = this.options;
    this.bars.push(bar);
    if (this.bars.length > n + smooth + signal) this.bars.shift();
    const result = this.inner.add(bar);
    return result === null ? undefined : { k: result.stochK, d: result.stochD };
  }

  keep(): void {
    this.kept = [...this.bars];
  }

  undo(): void {
    this.bars = [...this.kept];
    this.inner = this.begun();
    for (const bar of this.bars) this.inner.add(bar);
  }

  private begun(): TradingSignals.StochasticOscillator {
    const { n, smooth, signal } = this.options;
    return new (tradingSignals().StochasticOscillator)({ kPeriod: n, kSlowingPeriod: smooth, dPeriod: signal });
  }
}

/** Loaded by the first who needs it: its two hundred files take longer than all that most strategies use. */
const tradingSignals = (): typeof TradingSignals => createRequire(import.meta.url)('trading-signals');

function trueRange({ high, low }: Bar, lastClose: number): number {
  return Math.max(high, lastClose) - Math.min(low, lastClose);
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
