import { type Indicator, overNumbers, period } from '#core/strategy/indicators.ts';
import { ema, wilder } from './averages.ts';

/**
 * Relative strength index over `n` changes, 0 to 100, smoothed as Wilder did; warm at value n + 1. 50 where nothing has
 * moved. Our own, O(1) a value where trading-signals adds up n each time.
 */
export function rsi(n = 14): Indicator {
  period(n, 'rsi');
  return overNumbers(() => {
    const gain = wilder(n).start();
    const loss = wilder(n).start();
    let before: number | undefined;
    return (x) => {
      const change = before === undefined ? undefined : x - before;
      before = x;
      if (change === undefined) return undefined;
      const up = gain(Math.max(change, 0));
      const down = loss(Math.max(-change, 0));
      if (up === undefined || down === undefined) return undefined;
      return up + down === 0 ? 50 : (100 * up) / (up + down);
    };
  });
}

export interface Macd {
  /** The fast average less the slow one. */
  readonly macd: number;
  /** Its own average. */
  readonly signal: number;
  /** macd less signal. */
  readonly histogram: number;
}

/** Moving average convergence and divergence, all three averages exponential and seeded with an SMA. Warm at value slow + signal - 1. */
export function macd(fast = 12, slow = 26, signal = 9): Indicator<number, Macd> {
  for (const n of [fast, slow, signal]) period(n, 'macd');
  if (fast >= slow) throw new RangeError(`macd: the fast period ${fast} must be below the slow one, ${slow}`);
  return overNumbers(() => {
    const quick = ema(fast).start();
    const calm = ema(slow).start();
    const average = ema(signal).start();
    return (x) => {
      const above = quick(x);
      const below = calm(x);
      if (above === undefined || below === undefined) return undefined;
      const difference = above - below;
      const line = average(difference);
      return line === undefined ? undefined : { macd: difference, signal: line, histogram: difference - line };
    };
  });
}
