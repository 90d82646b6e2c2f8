import type { QuoteColumns } from '#domain/quote-columns.ts';

/** How far the quotes of one recorded lane were played, and how many of them were. */
export class PlayedRows {
  private reached = -1;
  count = 0;

  /** Rows from the first to the last, both included. Those that another lane has played before count no more. */
  add(first: number, last: number): void {
    if (last <= this.reached) return;
    this.count += last - Math.max(first - 1, this.reached);
    this.reached = last;
  }
}

/** Counts each recorded quote once, however many sizes were lent from it. */
export class PlayedQuotes {
  private readonly lanes = new Map<QuoteColumns, PlayedRows>();

  of(columns: QuoteColumns): PlayedRows {
    const known = this.lanes.get(columns) ?? new PlayedRows();
    this.lanes.set(columns, known);
    return known;
  }

  get count(): number {
    let sum = 0;
    for (const { count } of this.lanes.values()) sum += count;
    return sum;
  }
}
