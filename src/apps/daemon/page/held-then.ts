import type { Millis } from '#domain/names.ts';
import { BooksOfFills, type Holding } from '#report/books.ts';
import type { PastTrades } from './past-trades.ts';

/** The holdings of every book at a moment. Moving forward applies only newer rows; moving back starts anew if anything was booked in between. */
export class HeldThen {
  private readonly trades: PastTrades;
  private books = new BooksOfFills();
  private booked = { fills: 0, corrections: 0 };
  private held: readonly Holding[] = [];

  constructor(trades: PastTrades) {
    this.trades = trades;
  }

  at(moment: Millis): readonly Holding[] {
    const { fills, corrections } = this.trades;
    const upTo = { fills: countUpTo(fills, moment), corrections: countUpTo(corrections, moment) };
    if (upTo.fills < this.booked.fills || upTo.corrections < this.booked.corrections) {
      this.books = new BooksOfFills();
      this.booked = { fills: 0, corrections: 0 };
      this.held = [];
    }
    if (upTo.fills > this.booked.fills || upTo.corrections > this.booked.corrections) {
      this.books.take(fills.slice(this.booked.fills, upTo.fills), corrections.slice(this.booked.corrections, upTo.corrections));
      this.booked = upTo;
      this.held = this.books.holdings([]);
    }
    return this.held;
  }
}

/** How many items of a list in time order existed at a moment. */
function countUpTo(ordered: readonly { readonly at: Millis }[], moment: Millis): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle]?.at ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
