import { defer, type OperatorFunction } from 'rxjs';
import type { Millis } from '#domain/names.ts';
import { midOf, type Quote } from '#domain/quote.ts';
import { ambient } from './ambient.ts';
import { type Duration, durationMs } from './duration.ts';
import { stepped } from './stepped.ts';

/** Prices of one side within the width of a candle. */
export interface Ohlc {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** What one width of time brought: the bid is the price of selling, the ask that of buying, the mid that between them at each quote. */
export interface Candle {
  /** Begin, a multiple of the width since 1970 UTC. */
  readonly at: Millis;
  readonly bid: Ohlc;
  readonly ask: Ohlc;
  readonly mid: Ohlc;
  /** Quotes in it. */
  readonly quotes: number;
}

/**
 * Candles of quotes by engine time: a quote belongs to `floor(time / width)`, and a width without a quote has no candle. A
 * candle is emitted when it is over, at the first quote of a later one; the last, unfinished one never is.
 */
export function candles(width: Duration): OperatorFunction<Quote, Candle> {
  const ms = durationMs(width, 'candles');
  if (!(ms >= 1)) throw new RangeError(`candles: a width is at least one millisecond, not ${JSON.stringify(width)}`);
  return (source) =>
    defer(() => {
      const { scheduler } = ambient('candles');
      return source.pipe(stepped(() => collect(ms, () => scheduler.now())));
    });
}

function collect(width: Millis, now: () => Millis): (quote: Quote) => Candle | undefined {
  let open: Candle | undefined;
  return (quote) => {
    const { buy, sell } = quote;
    const mid = midOf(quote);
    const at = Math.floor(now() / width) * width;
    if (open?.at === at) {
      open = {
        at,
        bid: extended(open.bid, sell.price),
        ask: extended(open.ask, buy.price),
        mid: extended(open.mid, mid),
        quotes: open.quotes + 1,
      };
      return undefined;
    }
    const over = open;
    open = { at, bid: single(sell.price), ask: single(buy.price), mid: single(mid), quotes: 1 };
    return over;
  };
}

const single = (price: number): Ohlc => ({ open: price, high: price, low: price, close: price });

const extended = ({ open, high, low }: Ohlc, price: number): Ohlc => ({
  open,
  high: Math.max(high, price),
  low: Math.min(low, price),
  close: price,
});
