import type { NumberedEvent } from '#domain/event.ts';
import type { Quote } from '#domain/quote.ts';

/** Keeps the inbox of a run, in number order. `flush` hands everything to the operating system before it returns. */
export interface InboxLog {
  append(event: NumberedEvent): void;
  /** A quote that a newer one replaced before its turn: kept without a number. */
  conflated(at: number, quote: Quote): void;
  flush(): void;
}
