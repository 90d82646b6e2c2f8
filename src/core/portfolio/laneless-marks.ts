import type { PastMark } from '#domain/past-risk.ts';
import type { Book } from './books.ts';
import { closingSide } from './valuation.ts';

/** What products are worth in which something is held and that have no quote in this run: their last recorded prices, else those of entry. */
export class LanelessMarks {
  private readonly recorded = new Map<string, PastMark>();

  restore(marks: readonly PastMark[]): void {
    for (const mark of marks) this.recorded.set(mark.product, mark);
  }

  /** Which price `price` gives. */
  basis(product: string): 'recorded' | 'entry' {
    return this.recorded.has(product) ? 'recorded' : 'entry';
  }

  /** What the position of a book would be closed at, in quote currency. */
  price(product: string, book: Book): number {
    const mark = this.recorded.get(product);
    if (mark === undefined) return book.entry.toNumber();
    return closingSide(mark, book.size.toNumber());
  }
}
