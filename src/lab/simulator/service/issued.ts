import type { SideFigures } from './price-walks.ts';

/** A quote as issued by the service. */
export interface SimulatedQuote {
  readonly id: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly buy: SideFigures;
  readonly sell: SideFigures;
  /** On the service's clock. */
  readonly validUntil: number;
  /** Its connection, and that connection's request. */
  readonly connection: number;
  readonly query: string;
  /** When it reached the machine, in world time; null before. */
  deliveredAt: number | null;
  /** True if a fault made it untradable. */
  spoiled: boolean;
}

const KEPT_MS = 120_000;

/** The quotes that the service remembers. */
export class IssuedQuotes {
  private readonly quotes = new Map<string, SimulatedQuote>();

  add(quote: SimulatedQuote): void {
    this.quotes.set(quote.id, quote);
  }

  find(id: string): SimulatedQuote | undefined {
    return this.quotes.get(id);
  }

  /** Forgets quotes that expired long ago. */
  forget(nowMs: number): void {
    for (const [id, { validUntil }] of this.quotes) {
      if (validUntil > nowMs - KEPT_MS) return;
      this.quotes.delete(id);
    }
  }
}
