import type { Side } from '#domain/quote.ts';
import type { IssuedQuote } from '#venue/core/quote-book.ts';
import type { JsonObject } from '#venue/http/json.ts';

/** An order as it came, before anything is done about it. */
export interface WatchedOrder {
  /** Counts orders. */
  readonly number: number;
  /** On the service's clock. */
  readonly atMs: number;
  readonly quoteId: string | null;
  readonly side: Side | null;
  /** The quote that it names; null where none such is known. */
  readonly quote: IssuedQuote | null;
  /** Code of what is wrong with its headers, or null. */
  readonly fault: string | null;
}

/** What became of the answer to an order. */
export interface WatchedAnswer {
  readonly status: number;
  /** False where the connection ended before it was sent whole. */
  readonly isWhole: boolean;
  /** Milliseconds that the caller is asked to wait; null where it is not. */
  readonly retryAfterMs: number | null;
}

/** Who judges a client by what the service sees of it. Nothing that it does changes what the service does. */
export interface VenueWatch {
  ordered(order: WatchedOrder): void;
  answered(number: number, answer: WatchedAnswer): void;
  /** It is asked what became of an order. */
  queried(quoteId: string): void;
  /** Somebody asks for a connection to the feed. */
  knocked(isRefused: boolean): void;
  /** A text came on a connection of the feed. */
  requested(connection: number, text: string): void;
  /** A message of quotes as the service means it, before its dialect and its faults. */
  issued(text: string): void;
  /** A text is sent on it, as it leaves. */
  sent(connection: number, text: string): void;
  closed(connection: number): void;
  /** The client tells its books; the answer says what is thought of them. */
  told(books: JsonObject): { readonly isRight: boolean; readonly text: string };
}
