import { ambient } from '#core/strategy/ambient.ts';
import { type Duration, durationMs } from '#core/strategy/duration.ts';
import { type Indicator, indicator, type Step } from '#core/strategy/indicators.ts';
import type { Millis } from '#domain/names.ts';
import { midOf, type Quote } from '#domain/quote.ts';

/**
 * Time-weighted average of the mid over the last `width` of engine time: each price weighs as long as it stood, so that a
 * burst of quotes counts no more than its seconds. Emitted at each quote once the quotes reach back that far. Quotes tell
 * of no trades, so there is no average by traded volume.
 */
export function twap(width: Duration): Indicator<Quote, number> {
  const ms = durationMs(width, 'twap');
  if (!(ms >= 1)) throw new RangeError(`twap: a width is at least one millisecond, not ${JSON.stringify(width)}`);
  return indicator(() => {
    const { scheduler } = ambient('twap');
    return timeWeighted(ms, () => scheduler.now());
  });
}

/** Prices in the order of their coming, each with its time; those that ended before the window are dropped, the newest never is. */
function timeWeighted(width: Millis, now: () => Millis): Step<Quote, number> {
  let prices: number[] = [];
  let times: Millis[] = [];
  let first = 0;
  /** Of price times milliseconds, from `times[first]` to the newest time. */
  let area = 0;
  return (quote) => {
    const at = now();
    const mid = midOf(quote);
    if (!Number.isFinite(mid)) return undefined;
    const newest = times.length - 1;
    if (newest >= 0) area += (prices[newest] ?? 0) * (at - (times[newest] ?? at));
    prices.push(mid);
    times.push(at);
    while ((times[first + 1] ?? Number.POSITIVE_INFINITY) <= at - width) {
      area -= (prices[first] ?? 0) * ((times[first + 1] ?? 0) - (times[first] ?? 0));
      first += 1;
    }
    if (first * 2 > times.length) {
      prices = prices.slice(first);
      times = times.slice(first);
      first = 0;
      area = areaOf(prices, times);
    }
    const begin = times[first] ?? at;
    if (begin > at - width) return undefined;
    return (area - (prices[first] ?? 0) * (at - width - begin)) / width;
  };
}

function areaOf(prices: readonly number[], times: readonly Millis[]): number {
  let area = 0;
  for (let i = 0; i + 1 < times.length; i++) area += (prices[i] ?? 0) * ((times[i + 1] ?? 0) - (times[i] ?? 0));
  return area;
}
