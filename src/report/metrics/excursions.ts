import type { QuoteColumns } from '#domain/quote-columns.ts';
import { rowAt } from '#report/equity/rates.ts';
import type { Trip } from './trips.ts';

/** A round trip with what it was in, for looking at the quotes in between. */
export interface Held extends Trip {
  readonly product: string;
  readonly side: 'long' | 'short';
  readonly size: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
}

/** How far a trade went against and for its holder before it ended, as shares of its entry price, positive. */
export interface Excursion {
  /** Maximum adverse excursion. */
  readonly adverse: number;
  /** Maximum favourable excursion. */
  readonly favourable: number;
  /** What was given back from the best to the exit. */
  readonly givenBack: number;
}

const BLOCK = 1_024;

interface Blocks {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Looks up the extremes of closing prices between two instants, whole blocks of rows at a time. */
export class Excursions {
  private readonly byProduct = new Map<string, QuoteColumns[]>();
  private readonly blocks = new Map<Float64Array, Blocks>();

  constructor(columns: readonly QuoteColumns[]) {
    for (const one of columns) this.byProduct.set(one.product, [...(this.byProduct.get(one.product) ?? []), one]);
  }

  /** Undefined where no quote was recorded while the trade was open. */
  of(trade: Held): Excursion | undefined {
    const lane = this.laneFor(trade);
    if (!lane) return undefined;
    const long = trade.side === 'long';
    const prices = (long ? lane.sell : lane.buy).price;
    const range = this.extremes(prices, rowAt(lane, trade.openedAt), rowAt(lane, trade.closedAt));
    if (!range || !(trade.entryPrice > 0)) return undefined;
    const gain = (price: number): number => ((price - trade.entryPrice) / trade.entryPrice) * (long ? 1 : -1);
    const best = Math.max(0, gain(long ? range.high : range.low), gain(trade.exitPrice));
    const worst = Math.min(0, gain(long ? range.low : range.high), gain(trade.exitPrice));
    return { adverse: -worst, favourable: best, givenBack: best - gain(trade.exitPrice) };
  }

  /** The smallest lane that covered the size when the trade began, else the largest. */
  private laneFor({ product, size, openedAt, side }: Held): QuoteColumns | undefined {
    let [covering, largest]: (QuoteColumns | undefined)[] = [];
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const lane of this.byProduct.get(product) ?? []) {
      const row = rowAt(lane, openedAt);
      if (row < 0) continue;
      const offered = (side === 'long' ? lane.sell : lane.buy).size[row] ?? 0;
      if (offered > most) [largest, most] = [lane, offered];
      if (offered >= size && offered < least) [covering, least] = [lane, offered];
    }
    return covering ?? largest;
  }

  private extremes(prices: Float64Array, from: number, to: number): { low: number; high: number } | undefined {
    if (from < 0 || to < from) return undefined;
    const blocks = this.blocksOf(prices);
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = from; row <= to; ) {
      if (row % BLOCK === 0 && row + BLOCK - 1 <= to) {
        const block = row / BLOCK;
        low = Math.min(low, blocks.low[block] ?? low);
        high = Math.max(high, blocks.high[block] ?? high);
        row += BLOCK;
      } else {
        const price = prices[row] ?? Number.NaN;
        if (price < low) low = price;
        if (price > high) high = price;
        row += 1;
      }
    }
    return high >= low ? { low, high } : undefined;
  }

  private blocksOf(prices: Float64Array): Blocks {
    const known = this.blocks.get(prices);
    if (known) return known;
    const count = Math.floor(prices.length / BLOCK);
    const blocks = { low: new Float64Array(count), high: new Float64Array(count) };
    for (let block = 0; block < count; block += 1) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const price of prices.subarray(block * BLOCK, (block + 1) * BLOCK)) {
        if (price < low) low = price;
        if (price > high) high = price;
      }
      blocks.low[block] = low;
      blocks.high[block] = high;
    }
    this.blocks.set(prices, blocks);
    return blocks;
  }
}
