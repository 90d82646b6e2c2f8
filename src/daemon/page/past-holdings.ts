import { bookedAfter, entryBefore } from '#adapters/journal/booked.ts';
import type { Millis } from '#domain/names.ts';
import { type BookHolding, BooksOfFills, positionCorrections } from '#report/books.ts';
import type { PastTrades } from './past-trades.ts';

/** The holdings of every book at a moment. Moving forward applies only newer rows; moving back begins at the books that were kept last before it. */
export class PastHoldings {
  private readonly trades: PastTrades;
  private books = new BooksOfFills();
  private entry = 0;
  private held: readonly BookHolding[] = [];

  constructor(trades: PastTrades) {
    this.trades = trades;
  }

  at(moment: Millis): readonly BookHolding[] {
    const { journal, found } = this.trades;
    const upTo = journal.named((database) => entryBefore(database, moment + 1));
    const kept = found.booksAt(moment) ?? { entry: 0, open: undefined };
    if (upTo < this.entry || kept.entry > this.entry) {
      this.books = BooksOfFills.from(kept.open);
      this.entry = kept.entry;
      this.held = this.books.holdings([]);
    }
    if (upTo > this.entry) {
      const { fills, ledger } = journal.named((database) => bookedAfter(database, this.entry, { limit: upTo - this.entry }));
      this.books.apply(fills, positionCorrections(ledger));
      this.entry = upTo;
      this.held = this.books.holdings([]);
    }
    return this.held;
  }
}
