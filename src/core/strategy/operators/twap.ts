import { ambient } from '#core/strategy/ambient.ts';
import type { QuoteRows } from '#core/strategy/batch.ts';
import { type Duration, durationMs } from '#core/strategy/duration.ts';
import { type Indicator, indicatorOf } from '#core/strategy/indicators.ts';
import { QuoteKernel } from '#core/strategy/kernel.ts';
import type { Millis } from '#domain/names.ts';
import { midOf, type Quote } from '#domain/quote.ts';

/**
 * Time-weighted average of the mid over the last `width` of engine time: each price weighs as long as it stood, so that a
 * burst of quotes counts no more than its seconds. Emitted at each quote once the quotes reach back that far. Quotes tell
 * of no trades, so there is no average by traded volume. Throws a RangeError for a width under one millisecond.
 */
export function twap(width: Duration): Indicator<Quote, number> {
  const ms = durationMs(width, 'twap');
  if (!(ms >= 1)) throw new RangeError(`twap: a width is at least one millisecond, not ${JSON.stringify(width)}`);
  return indicatorOf(() => {
    const { scheduler } = ambient('twap');
    return new TimeWeighted(ms, () => scheduler.now());
  }, `twap ${ms}`);
}

/** Prices in the order of their coming, each with its time; those that ended before the window are dropped, the newest never is. */
class TimeWeighted extends QuoteKernel {
  private readonly width: Millis;
  private readonly now: () => Millis;
  private prices: number[] = [];
  private times: Millis[] = [];
  private first = 0;
  /** Of price times milliseconds, from `times[first]` to the newest time. */
  private area = 0;
  private before: Past = { prices: [], times: [], length: 0, first: 0, area: 0 };

  constructor(width: Millis, now: () => Millis) {
    super();
    this.width = width;
    this.now = now;
  }

  next(quote: Quote): number | undefined {
    return this.at(this.now(), midOf(quote));
  }

  over({ columns: { at, buy, sell }, from }: QuoteRows, out: Float64Array, n: number): void {
    for (let row = 0; row < n; row++) {
      const mid = ((buy.price[from + row] ?? 0) + (sell.price[from + row] ?? 0)) / 2;
      out[row] = this.at(at[from + row] ?? 0, mid) ?? Number.NaN;
    }
  }

  private at(at: Millis, mid: number): number | undefined {
    if (!Number.isFinite(mid)) return undefined;
    const { prices, times, width } = this;
    const newest = times.length - 1;
    if (newest >= 0) this.area += (prices[newest] ?? 0) * (at - (times[newest] ?? at));
    prices.push(mid);
    times.push(at);
    while ((times[this.first + 1] ?? Number.POSITIVE_INFINITY) <= at - width) {
      this.area -= (prices[this.first] ?? 0) * ((times[this.first + 1] ?? 0) - (times[this.first] ?? 0));
      this.first += 1;
    }
    if (this.first * 2 > times.length) this.drop();
    const begin = this.times[this.first] ?? at;
    if (begin > at - width) return undefined;
    return (this.area - (this.prices[this.first] ?? 0) * (at - width - begin)) / width;
  }

  /** Leaves out what is over: new lists, since `undo` may want the old ones. */
  private drop(): void {
    this.prices = this.prices.slice(this.first);
    this.times = this.times.slice(this.first);
    this.first = 0;
    this.area = areaOf(this.prices, this.times);
  }

  keep(): void {
    const { prices, times, first, area } = this;
    this.before = { prices, times, length: times.length, first, area };
  }

  undo(): void {
    const { length, ...state } = this.before;
    Object.assign(this, state);
    this.prices.length = length;
    this.times.length = length;
  }
}

interface Past {
  readonly prices: number[];
  readonly times: Millis[];
  /** Of both lists then. */
  readonly length: number;
  readonly first: number;
  readonly area: number;
}

function areaOf(prices: readonly number[], times: readonly Millis[]): number {
  let area = 0;
  for (let i = 0; i + 1 < times.length; i++) area += (prices[i] ?? 0) * ((times[i + 1] ?? 0) - (times[i] ?? 0));
  return area;
}
