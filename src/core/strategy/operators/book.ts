import { Doubles } from '#core/strategy/batch.ts';
import { type Indicator, indicatorOf, period } from '#core/strategy/indicators.ts';
import { Kernel } from '#core/strategy/kernel.ts';
import type { BookLevel, FullQuote } from '#domain/indicative-quote.ts';

/**
 * Order-book imbalance of FULL quotes: the size bid less the size asked, over both, in the best `depth` levels of each side.
 * From -1 (all asked) to 1 (all bid). A book that is empty on both sides brings nothing.
 */
export function imbalance(depth = 5): Indicator<FullQuote, number> {
  period(depth, 'imbalance');
  return indicatorOf(() => new OfBook(depth, (bid, ask) => (bid.size - ask.size) / (bid.size + ask.size)));
}

/**
 * The mid of FULL quotes weighted by size (the micro-price): the average price of each side over its best `depth` levels,
 * weighted by the size of the *other* side, so that a heavy bid pulls it towards the ask. Nothing while a side is empty.
 */
export function microprice(depth = 1): Indicator<FullQuote, number> {
  period(depth, 'microprice');
  return indicatorOf(() => new OfBook(depth, (bid, ask) => (bid.price * ask.size + ask.price * bid.size) / (bid.size + ask.size)));
}

interface BookSide {
  readonly size: number;
  /** Weighted by size; NaN where there is none. */
  readonly price: number;
}

/** A figure of both sides of a book; nothing where it is no finite number. */
class OfBook extends Kernel<FullQuote, number> {
  private readonly depth: number;
  private readonly figure: (bid: BookSide, ask: BookSide) => number;

  constructor(depth: number, figure: (bid: BookSide, ask: BookSide) => number) {
    super();
    this.depth = depth;
    this.figure = figure;
  }

  next({ bids, asks }: FullQuote): number | undefined {
    const figure = this.figure(sideOf(bids, this.depth), sideOf(asks, this.depth));
    return Number.isFinite(figure) ? figure : undefined;
  }

  override room(): Doubles {
    return new Doubles();
  }

  keep(): void {}
  undo(): void {}
}

function sideOf(levels: readonly BookLevel[], depth: number): BookSide {
  let size = 0;
  let value = 0;
  for (let i = 0; i < depth; i++) {
    const level = levels[i];
    if (!level) break;
    size += level.size;
    value += level.price * level.size;
  }
  return { size, price: value / size };
}
