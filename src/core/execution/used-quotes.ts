import type { QuoteId } from '#domain/names.ts';

/** How many used quote ids are remembered here; the journal remembers all of them for good. */
const KEPT = 10_000;

/** Quotes that an order has used. A quote lives for seconds, so the newest ids are enough; the oldest are forgotten. */
export class UsedQuotes {
  private readonly ids = new Set<QuoteId>();
  /** The same by age: each takes the place of the one that was kept longest. */
  private readonly places: QuoteId[] = [];
  private readonly kept: number;
  private next = 0;

  constructor(kept = KEPT) {
    this.kept = kept;
  }

  has(id: QuoteId): boolean {
    return this.ids.has(id);
  }

  add(id: QuoteId): void {
    if (this.ids.has(id)) return;
    const oldest = this.places[this.next];
    if (oldest !== undefined) this.ids.delete(oldest);
    this.ids.add(id);
    this.places[this.next] = id;
    this.next = (this.next + 1) % this.kept;
  }
}
