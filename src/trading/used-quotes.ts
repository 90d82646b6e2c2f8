import type { QuoteId } from '../domain/names.ts';

/** How many used quote ids are remembered here; the journal remembers all of them for good. */
const KEPT = 10_000;

/** Quotes that an order has used. A quote lives for seconds, so the newest ids are enough; the oldest are forgotten. */
export class UsedQuotes {
  private readonly ids = new Set<QuoteId>();

  constructor(past: Iterable<QuoteId> = []) {
    for (const id of past) this.add(id);
  }

  has(id: QuoteId): boolean {
    return this.ids.has(id);
  }

  add(id: QuoteId): void {
    this.ids.add(id);
    if (this.ids.size <= KEPT) return;
    for (const oldest of this.ids) {
      this.ids.delete(oldest);
      return;
    }
  }
}
