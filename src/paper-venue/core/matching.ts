import type { Side } from '#domain/quote.ts';
import { type Booking, bookingOf } from './booking.ts';
import type { QuoteLookup } from './quote-book.ts';

/** Why a quote cannot be traded. Codes are our own choice; each is answered with 422. */
export const QUOTE_REFUSALS = {
  QUOTE_UNKNOWN: 'no such quote was issued',
  QUOTE_OTHER_USER: 'the quote was issued to another user',
  QUOTE_USED: 'the quote was used by an earlier order',
  QUOTE_EXPIRED: 'the quote has expired',
  INSUFFICIENT_FUNDS: 'the balance does not cover the order',
} as const;

export type QuoteRefusal = keyof typeof QUOTE_REFUSALS;

interface MarketOrder {
  readonly quoteId: string;
  readonly side: Side;
  readonly userId: string;
  /** Currency of the fee; the quote currency by default. */
  readonly feeIn?: 'quote' | 'base';
}

/** What is known about the quote that an order names. */
interface QuoteKnowledge {
  readonly lookup: QuoteLookup;
  /** The user who executed it, if any, since this start or before. */
  readonly usedBy: string | undefined;
}

type Match =
  | { readonly kind: 'filled'; readonly booking: Booking }
  | { readonly kind: 'refused'; readonly code: QuoteRefusal; readonly late: boolean };

/**
 * Matches a market order with the quote it names (spec 2.10): filled whole at the quote's side, or refused. A quote
 * serves once, only its user, and up to its last millisecond. An order is late if its quote existed and has expired. A
 * used quote is reported as used even then: a second order on it is not a late one.
 */
export function match(order: MarketOrder, known: QuoteKnowledge, nowMs: number): Match {
  const { lookup, usedBy } = known;
  if (usedBy !== undefined) return refused(usedBy === order.userId ? 'QUOTE_USED' : 'QUOTE_OTHER_USER');
  if (lookup.kind === 'unknown') return refused('QUOTE_UNKNOWN');
  if (lookup.kind === 'forgotten') return refused('QUOTE_EXPIRED');
  if (lookup.quote.userId !== order.userId) return refused('QUOTE_OTHER_USER');
  if (nowMs > lookup.quote.validUntilMs) return refused('QUOTE_EXPIRED');
  return { kind: 'filled', booking: bookingOf(lookup.quote.figures, order.side, order.feeIn) };
}

function refused(code: QuoteRefusal): Match {
  return { kind: 'refused', code, late: code === 'QUOTE_EXPIRED' };
}
