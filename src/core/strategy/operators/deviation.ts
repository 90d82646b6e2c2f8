import { type Indicator, overNumbers, period } from '#core/strategy/indicators.ts';
import { Window } from './window.ts';

/** Population standard deviation of the last `n` values; warm at the n-th. */
export function stdev(n: number): Indicator {
  period(n, 'stdev');
  return overNumbers(() => {
    const window = new Window(n);
    return (x) => (window.add(x) ? window.deviation : undefined);
  });
}

/** How many standard deviations each value stands from the mean of the last `n`, itself among them; 0 where nothing moved. Warm at the n-th. */
export function zscore(n: number): Indicator {
  period(n, 'zscore', 2);
  return overNumbers(() => {
    const window = new Window(n);
    return (x) => {
      if (!window.add(x)) return undefined;
      const { deviation } = window;
      return deviation === 0 ? 0 : (x - window.mean) / deviation;
    };
  });
}

export interface Bands {
  readonly lower: number;
  /** The simple moving average. */
  readonly middle: number;
  readonly upper: number;
  /** Where the value stands: 0 at the lower band, 1 at the upper; 0.5 where nothing moved. */
  readonly percentB: number;
}

/** Bollinger bands: the mean of the last `n` values, and `deviations` population standard deviations to each side. Warm at the n-th. */
export function bollinger(n = 20, deviations = 2): Indicator<number, Bands> {
  period(n, 'bollinger', 2);
  if (!(deviations > 0 && Number.isFinite(deviations))) {
    throw new RangeError(`bollinger: deviations is a number above zero, not ${deviations}`);
  }
  return overNumbers(() => {
    const window = new Window(n);
    return (x) => {
      if (!window.add(x)) return undefined;
      const { mean: middle, deviation } = window;
      const reach = deviations * deviation;
      return { lower: middle - reach, middle, upper: middle + reach, percentB: reach === 0 ? 0.5 : (x - middle + reach) / (2 * reach) };
    };
  });
}
