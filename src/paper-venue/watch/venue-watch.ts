import type { Side } from '#domain/quote.ts';
import type { IssuedQuote } from '#paper-venue/core/quote-book.ts';
import type { JsonObject } from '#paper-venue/http/json.ts';

/** An order as received, before it is handled. */
export interface WatchedOrder {
  /** Number of the order. */
  readonly number: number;
  /** On the service's clock. */
  readonly atMs: number;
  readonly quoteId: string | null;
  readonly side: Side | null;
  /** The quote that it names; null if unknown. */
  readonly quote: IssuedQuote | null;
  /** Code of what is wrong with its headers, or null. */
  readonly fault: string | null;
}

/** The delivery of the answer to an order. */
export interface WatchedAnswer {
  readonly status: number;
  /** False if the connection ended before all of it was sent. */
  readonly isWhole: boolean;
  /** The wait that the caller is asked for, in milliseconds; null for none. */
  readonly retryAfterMs: number | null;
}

/** An observer that judges a client by what the service sees. It does not affect the service. */
export interface VenueWatch {
  ordered(order: WatchedOrder): void;
  answered(number: number, answer: WatchedAnswer): void;
  /** The outcome of an order is queried. */
  queried(quoteId: string): void;
  /** A connection to the feed is requested. */
  knocked(isRefused: boolean): void;
  /** A text arrives on a connection of the feed. */
  requested(connection: number, text: string): void;
  /** A quote message is made, before dialect and faults. */
  issued(text: string): void;
  sent(connection: number, text: string): void;
  closed(connection: number): void;
  /** The client reports its books; the result says whether they are right. */
  verdict(books: JsonObject): { readonly isRight: boolean; readonly text: string };
}
