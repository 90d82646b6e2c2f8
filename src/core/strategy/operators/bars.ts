import { createRequire } from 'node:module';
import type * as TradingSignals from 'trading-signals';
import { type Indicator, indicator, period, type Step } from '#core/strategy/indicators.ts';
import { wilder } from './averages.ts';

/** What indicators of bars look at; one side of a candle is one: `quotes$.pipe(candles('1m'), map(({ mid }) => mid), atr())`. */
export interface Bar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** As `indicator`, of bars; one with a figure that is no finite number is passed over. */
function overBars<Out>(start: () => Step<Bar, Out>): Indicator<Bar, Out> {
  return indicator(() => {
    const step = start();
    return (bar) => (Number.isFinite(bar.high) && Number.isFinite(bar.low) && Number.isFinite(bar.close) ? step(bar) : undefined);
  });
}

/**
 * Average true range: Wilder's average of how far each bar reached, the gap since the last close included. Warm at bar
 * n + 1, since the first bar has no close before it (trading-signals counts it, with its height).
 */
export function atr(n = 14): Indicator<Bar, number> {
  period(n, 'atr');
  return overBars(() => {
    const average = wilder(n).start();
    let before: Bar | undefined;
    return (bar) => {
      const last = before;
      before = bar;
      return last && average(trueRange(bar, last.close));
    };
  });
}

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
  return overBars(() => {
    const range = wilder(n).start();
    const up = wilder(n).start();
    const down = wilder(n).start();
    const average = wilder(n).start();
    let before: Bar | undefined;
    return (bar) => {
      const last = before;
      before = bar;
      if (!last) return undefined;
      const rise = bar.high - last.high;
      const fall = last.low - bar.low;
      const reach = range(trueRange(bar, last.close));
      const ups = up(rise > fall ? Math.max(rise, 0) : 0);
      const downs = down(fall > rise ? Math.max(fall, 0) : 0);
      if (reach === undefined || ups === undefined || downs === undefined) return undefined;
      const strength = average(percent(Math.abs(ups - downs), ups + downs));
      return strength === undefined ? undefined : { adx: strength, plus: percent(ups, reach), minus: percent(downs, reach) };
    };
  });
}

export interface StochasticOptions {
  /** Bars whose highest and lowest price the close is held against. Default 14. */
  readonly n?: number;
  /** Values that make %K smooth, by an SMA. Default 3, the slow stochastic; 1 is the fast one. */
  readonly smooth?: number;
  /** Values of %K that %D is the SMA of. Default 3. */
  readonly signal?: number;
}

export interface Stochastic {
  /** Where the close stands between the lowest and the highest price, 0 to 100. */
  readonly k: number;
  /** The average of k. */
  readonly d: number;
}

/** Stochastic oscillator, that of trading-signals; 0 where the prices of the whole window are one. Warm at bar n + smooth + signal - 2. */
export function stochastic({ n = 14, smooth = 3, signal = 3 }: StochasticOptions = {}): Indicator<Bar, Stochastic> {
  for (const one of [n, smooth, signal]) period(one, 'stochastic');
  return overBars(() => {
    const inner = new (tradingSignals().StochasticOscillator)({ kPeriod: n, kSlowingPeriod: smooth, dPeriod: signal });
    return (bar) => {
      const result = inner.add(bar);
      return result === null ? undefined : { k: result.stochK, d: result.stochD };
    };
  });
}

/** Loaded by the first who needs it: its two hundred files take longer than all that most strategies use. */
const tradingSignals = (): typeof TradingSignals => createRequire(import.meta.url)('trading-signals');

function trueRange({ high, low }: Bar, lastClose: number): number {
  return Math.max(high, lastClose) - Math.min(low, lastClose);
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
