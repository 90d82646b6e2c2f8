import { closing } from '#core/portfolio/valuation.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';
import { RowMark } from '#report/equity/marks.ts';
import { rowAt } from '#report/equity/rates.ts';
import { rangesOf } from '#report/price-ranges.ts';
import type { Trip } from './trips.ts';

/** A round trip with its product, for its excursions. Size in base currency, prices in quote currency. */
export interface HeldTrip extends Trip {
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
  /** Profit given back from the best price to the exit. */
  readonly givenBack: number;
}

/** Looks up the extremes of closing prices between two instants. */
export class Excursions {
  private readonly byProduct = new Map<string, PriceColumns[]>();

  constructor(columns: readonly PriceColumns[]) {
    for (const one of columns) this.byProduct.set(one.product, [...(this.byProduct.get(one.product) ?? []), one]);
  }

  /** Undefined where no quote was recorded while the trade was open. */
  of(trade: HeldTrip): Excursion | undefined {
    const lane = this.laneFor(trade);
    if (!lane) return undefined;
    const long = trade.side === 'long';
    const prices = (long ? lane.sell : lane.buy).price;
    const range = extremes(prices, rowAt(lane, trade.openedAt), rowAt(lane, trade.closedAt));
    if (!range || !(trade.entryPrice > 0)) return undefined;
    const gain = (price: number): number => ((price - trade.entryPrice) / trade.entryPrice) * (long ? 1 : -1);
    const best = Math.max(0, gain(long ? range.high : range.low), gain(trade.exitPrice));
    const worst = Math.min(0, gain(long ? range.low : range.high), gain(trade.exitPrice));
    return { adverse: -worst, favourable: best, givenBack: best - gain(trade.exitPrice) };
  }

  /** The lane at which it could have been closed when it began. */
  private laneFor({ product, size, openedAt, side }: HeldTrip): RowMark['columns'] | undefined {
    const marks = (this.byProduct.get(product) ?? []).map((lane) => new RowMark(lane));
    for (const mark of marks) mark.see(rowAt(mark.columns, openedAt));
    return closing(marks, side === 'long' ? size : -size)?.columns;
  }
}

/** Between two rows, both included; undefined where none has a price. */
function extremes(prices: Float64Array, from: number, to: number): { readonly low: number; readonly high: number } | undefined {
  if (from < 0 || to < from) return undefined;
  const ranges = rangesOf(prices);
  ranges.between(from, to + 1);
  const { low, high } = ranges;
  return high >= low ? { low, high } : undefined;
}
