import { defer, type OperatorFunction, tap } from 'rxjs';
import { RSI } from 'trading-signals';
import { ambient } from './ambient.ts';
import { stepped } from './stepped.ts';

/** Takes one number after another and returns the indicator's value, or undefined until it is warm. */
export type Step = (x: number) => number | undefined;

/**
 * An indicator over numbers: an rxjs operator that emits once it is warm, one value per value in; and `start()`, a fresh
 * run of it, so that `crossing` and `above` compare two on the same value without a zip.
 */
export interface Indicator extends OperatorFunction<number, number> {
  start(): Step;
}

/** Makes an indicator from what begins a run of it. */
export function indicator(start: () => Step): Indicator {
  return Object.assign(stepped(start), { start });
}

/**
 * Simple moving average of the last `n` values. Our own, O(1) a value where trading-signals adds up n: a running sum that is
 * added up anew each time the window has gone round, so that rounding errors cannot gather.
 */
export function sma(n: number): Indicator {
  period(n, 'sma');
  return indicator(() => {
    const window = new Float64Array(n);
    let at = 0;
    let count = 0;
    let sum = 0;
    return (x) => {
      sum += x - (window[at] ?? 0);
      window[at] = x;
      at += 1;
      if (at === n) {
        at = 0;
        sum = 0;
        for (const value of window) sum += value;
      }
      if (count < n) count += 1;
      return count < n ? undefined : sum / n;
    };
  });
}

export interface EmaOptions {
  /** `sma` (the default): begins with the mean of the first n values, warm then. `first`: with the first value, warm at once. */
  readonly seed?: 'sma' | 'first';
}

/**
 * Exponential moving average with weight 2 / (n + 1). Seeded with the SMA of the first n values, as TA-Lib and most charts
 * do; our own, since trading-signals seeds with the first value.
 */
export function ema(n: number, { seed = 'sma' }: EmaOptions = {}): Indicator {
  period(n, 'ema');
  const weight = 2 / (n + 1);
  return indicator(() => {
    let count = 0;
    let value = 0;
    return (x) => {
      count += 1;
      if (seed === 'first') {
        value = count === 1 ? x : value + weight * (x - value);
        return value;
      }
      if (count <= n) {
        value += (x - value) / count;
        return count < n ? undefined : value;
      }
      value += weight * (x - value);
      return value;
    };
  });
}

/** Relative strength index over `n` changes, 0 to 100, smoothed as Wilder did: that of trading-signals. */
export function rsi(n: number): Indicator {
  period(n, 'rsi');
  return indicator(() => {
    const inner = new RSI(n);
    return (x) => inner.add(x) ?? undefined;
  });
}

/**
 * Names what a stream emits, for journal, chart and `why`: `pipe(mid(), observe('mid'))`. Around an indicator it does the
 * same where the indicator is compared: `above(observe('fast', sma(20)), sma(60))`.
 */
export function observe<T>(name: string): OperatorFunction<T, T>;
export function observe(name: string, of: Indicator): Indicator;
export function observe(name: string, of?: Indicator): OperatorFunction<unknown, unknown> | Indicator {
  if (of === undefined) return observed(name);
  return indicator(() => {
    const owner = ambient(`observe('${name}')`);
    const step = of.start();
    return (x) => {
      const y = step(x);
      if (y !== undefined) owner.observe(name, y);
      return y;
    };
  });
}

function observed(name: string): OperatorFunction<unknown, unknown> {
  return (source) =>
    defer(() => {
      const owner = ambient(`observe('${name}')`);
      return source.pipe(tap((value) => owner.observe(name, value)));
    });
}

function period(n: number, what: string): void {
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`${what}: a period is a whole number from 1, not ${n}`);
}
