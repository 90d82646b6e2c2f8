import type { QuoteFigures, TradedFigures } from './quote-making.ts';

/** A quote that was sent with an id: its exact figures, its user and its expiry. */
export interface IssuedQuote {
  readonly id: string;
  readonly userId: string;
  readonly figures: TradedFigures;
  readonly issuedAtMs: number;
  readonly validUntilMs: number;
}

/** What the book knows about an id. `forgotten`: issued since the start and expired long ago. */
export type QuoteLookup =
  | { readonly kind: 'known'; readonly quote: IssuedQuote }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'unknown' };

interface QuoteBookLimits {
  /** Quotes older than this are forgotten; at least the longest validity. */
  readonly keepMs: number;
  /** Maximum number of quotes; beyond it the oldest are forgotten. */
  readonly maxQuotes: number;
}

/**
 * The tradable quotes. Ids are UUIDs made of a nonce of each start and a count: they do not repeat over restarts
 * although prices do, and a forgotten id differs from one never issued. Pure: time is an argument.
 */
export class QuoteBook {
  private readonly nonce: string;
  private readonly limits: QuoteBookLimits;
  private readonly quotes = new Map<string, IssuedQuote>();
  private issued = 0;

  /** `nonce` is any fresh UUID; its first 60 bits are used. */
  constructor(nonce: string, limits: QuoteBookLimits) {
    this.nonce = nonce.toLowerCase().slice(0, 18);
    this.limits = limits;
  }

  get size(): number {
    return this.quotes.size;
  }

  /** Records a quote for `userId` and returns it with its id. */
  issue(figures: QuoteFigures, userId: string, time: { readonly nowMs: number; readonly validityMs: number }): IssuedQuote {
    this.issued += 1;
    const id = `${this.nonce}${idTail(this.issued)}`;
    const quote = { id, userId, figures, issuedAtMs: time.nowMs, validUntilMs: time.nowMs + time.validityMs };
    this.quotes.set(id, quote);
    return quote;
  }

  find(id: string): QuoteLookup {
    const quote = this.quotes.get(id);
    if (quote) return { kind: 'known', quote };
    return this.wasIssued(id) ? { kind: 'forgotten' } : { kind: 'unknown' };
  }

  /** Drops quotes beyond the limits of age and number, oldest first. */
  forget(nowMs: number): void {
    for (const quote of this.quotes.values()) {
      if (quote.issuedAtMs + this.limits.keepMs >= nowMs && this.quotes.size <= this.limits.maxQuotes) return;
      this.quotes.delete(quote.id);
    }
  }

  private wasIssued(id: string): boolean {
    if (!id.startsWith(`${this.nonce}-8`)) return false;
    const count = Number.parseInt(id.slice(20).replace('-', ''), 16);
    return count >= 1 && count <= this.issued && id === `${this.nonce}${idTail(count)}`;
  }
}

function idTail(count: number): string {
  const hex = count.toString(16).padStart(15, '0');
  return `-8${hex.slice(0, 3)}-${hex.slice(3)}`;
}
