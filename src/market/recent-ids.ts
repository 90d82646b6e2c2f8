import type { QuoteId } from '../domain/names.ts';

/** The last ids of a lane: 64 of them span half a minute at two quotes a second. The oldest goes when a new one comes. */
const KEPT = 64;

/** Remembers the ids seen lately, in memory that does not grow (I21). */
export class RecentIds {
  private readonly seen = new Set<QuoteId>();

  /** True when the id is new here; it is remembered then. */
  add(id: QuoteId): boolean {
    const { seen } = this;
    if (seen.has(id)) return false;
    seen.add(id);
    if (seen.size > KEPT) {
      for (const oldest of seen) {
        seen.delete(oldest);
        break;
      }
    }
    return true;
  }
}
