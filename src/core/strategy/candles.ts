import type { OperatorFunction } from 'rxjs';
import type { Millis, ProductCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { ambient } from './ambient.ts';
import { type Batch, QuoteRows } from './batch.ts';
import { type Duration, durationMs } from './duration.ts';
import { Kernel, stepped } from './kernel.ts';

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
 * Candles of quotes by engine time: a quote belongs to `floor(time / width)`, a bar that ends with a width to that width, and a width without
 * a quote has no candle. A candle is emitted when it is over: with the bar that ends with it, else at the first quote of a later one; the
 * last, unfinished one never is.
 * Throws a RangeError for a width under one millisecond.
 */
export function candles(width: Duration): OperatorFunction<Quote, Candle> {
  const ms = durationMs(width, 'candles');
  if (!(ms >= 1)) throw new RangeError(`candles: a width is at least one millisecond, not ${JSON.stringify(width)}`);
  return stepped(() => {
    const { scheduler, areBars } = ambient('candles');
    return new Candles(ms, { now: () => scheduler.now(), areBars: areBars ?? (() => false) });
  });
}

interface CandlesOf {
  readonly now: () => Millis;
  readonly areBars: (product: ProductCode) => boolean;
}

class Candles extends Kernel<Quote, Candle> {
  private readonly width: Millis;
  private readonly of: CandlesOf;
  private open: Candle | undefined;
  private kept: Candle | undefined;

  constructor(width: Millis, of: CandlesOf) {
    super();
    this.key = `candles ${width}`;
    this.width = width;
    this.of = of;
  }

  next(quote: Quote): Candle | undefined {
    const { buy, sell } = quote;
    if (buy === undefined || sell === undefined)
      throw new TypeError(`candles takes quotes, such as those of quotes$, not ${typeof quote}s: put it before mid() and its like`);
    return this.update(this.of.now(), this.early(quote.product), buy.price, sell.price);
  }

  override span(input: Batch<Quote>, out: Batch<Candle>, n: number): void {
    if (!(input instanceof QuoteRows)) return super.span(input, out, n);
    const { columns, from } = input;
    const early = this.early(columns.product);
    for (let row = from; row < from + n; row++) {
      out.set(row - from, this.update(columns.at[row] ?? 0, early, columns.buy.price[row] ?? 0, columns.sell.price[row] ?? 0));
    }
  }

  /** A bar is known at its end, which is the begin of the next one. */
  private early(product: ProductCode): Millis {
    return this.of.areBars(product) ? 1 : 0;
  }

  private update(now: Millis, early: Millis, buy: number, sell: number): Candle | undefined {
    const { open, width } = this;
    const mid = (buy + sell) / 2;
    const at = Math.floor((now - early) / width) * width;
    const isLater = open?.at !== at;
    const candle = isLater
      ? { at, bid: single(sell), ask: single(buy), mid: single(mid), quotes: 1 }
      : { at, bid: extended(open.bid, sell), ask: extended(open.ask, buy), mid: extended(open.mid, mid), quotes: open.quotes + 1 };
    const isOver = now === at + width && (!isLater || open === undefined);
    this.open = isOver ? undefined : candle;
    if (isOver) return candle;
    return isLater ? open : undefined;
  }

  keep(): void {
    this.kept = this.open;
  }

  undo(): void {
    this.open = this.kept;
  }
}

const single = (price: number): Ohlc => ({ open: price, high: price, low: price, close: price });

const extended = ({ open, high, low }: Ohlc, price: number): Ohlc => ({
  open,
  high: Math.max(high, price),
  low: Math.min(low, price),
  close: price,
});
