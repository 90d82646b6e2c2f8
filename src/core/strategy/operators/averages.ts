import { type Indicator, indicator, period, type Step } from '#core/strategy/indicators.ts';

// Averages stand on the path of every quote: each passes over what is no finite number by itself, which is a call less.

/**
 * Simple moving average of the last `n` values; warm at the n-th. Our own, O(1) a value where trading-signals adds up n: a
 * running sum that is added up anew each time the window has gone round, so that rounding errors cannot gather.
 */
export function sma(n: number): Indicator {
  period(n, 'sma');
  return indicator(() => {
    const window = new Float64Array(n);
    let at = 0;
    let count = 0;
    let sum = 0;
    return (x) => {
      if (!Number.isFinite(x)) return undefined;
      sum += x - (window[at] ?? 0);
      window[at] = x;
      at += 1;
      if (at === n) {
        at = 0;
        sum = 0;
        for (let i = 0; i < n; i++) sum += window[i] ?? 0;
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
 * do, and warm at the n-th; our own, since trading-signals seeds with the first value.
 */
export function ema(n: number, { seed = 'sma' }: EmaOptions = {}): Indicator {
  period(n, 'ema');
  return indicator(() => smoothed({ warmAt: seed === 'sma' ? n : 1, weight: 2 / (n + 1) }));
}

/** Wilder's average: weight 1 / n, seeded with the mean of the first n values; warm at the n-th. RSI, ATR and ADX rest on it. */
export function wilder(n: number): Indicator {
  period(n, 'wilder');
  return indicator(() => smoothed({ warmAt: n, weight: 1 / n }));
}

/** The mean of the first `warmAt` values, then a step of `weight` towards each new one. */
function smoothed({ warmAt, weight }: { readonly warmAt: number; readonly weight: number }): Step {
  let count = 0;
  let value = 0;
  return (x) => {
    if (!Number.isFinite(x)) return undefined;
    if (count < warmAt) {
      count += 1;
      value += (x - value) / count;
      return count < warmAt ? undefined : value;
    }
    value += weight * (x - value);
    return value;
  };
}

/**
 * Linearly weighted moving average: the newest of the last `n` values weighs n, the oldest 1; warm at the n-th. O(1) a
 * value, added up anew each time the window has gone round.
 */
export function wma(n: number): Indicator {
  period(n, 'wma');
  const weights = (n * (n + 1)) / 2;
  return indicator(() => {
    const window = new Float64Array(n);
    let at = 0;
    let count = 0;
    let sum = 0;
    let weighted = 0;
    return (x) => {
      if (!Number.isFinite(x)) return undefined;
      // All that stand in the window lose one of their weight, the oldest its last; the new one weighs n.
      weighted += n * x - sum;
      sum += x - (window[at] ?? 0);
      window[at] = x;
      at += 1;
      if (at === n) {
        at = 0;
        sum = 0;
        weighted = 0;
        for (let i = 0; i < n; i++) {
          sum += window[i] ?? 0;
          weighted += (i + 1) * (window[i] ?? 0);
        }
      }
      if (count < n) count += 1;
      return count < n ? undefined : weighted / weights;
    };
  });
}
