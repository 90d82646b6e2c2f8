import type { Millis } from './names.ts';
import type { FiguresText } from './order.ts';
import type { Reason } from './reasons.ts';

/**
 * The broker's reports on an order, in the order in which they can come: the last gate's verdict, then the answer. Plain
 * data, which a recording can hold.
 */
export type ExecutionReport =
  | {
      readonly type: 'written';
      /** Time to the quote's expiry when the order's first byte was handed to the socket. */
      readonly timeLeftMs: number;
      readonly signatureAgeMs: number;
      readonly at: Millis;
    }
  | { readonly type: 'expired'; readonly reason: Reason; readonly timeLeftMs: number }
  | { readonly type: 'not_sent'; readonly reason: Reason; readonly why: string }
  | AnswerReport
  | RecordReport;

/** The service's record of an order of unknown outcome, read by `service.capabilities: [order-query]`. */
export interface RecordReport {
  readonly type: 'found';
  /** False: it has no order on that quote, and the quote expired too long ago for one to come. */
  readonly executed: boolean;
  /** Figures of the record, which replace the quote's. */
  readonly figures: Partial<FiguresText>;
  readonly body: string;
}

/** The service's answer to an order, or the lack of one, classified by the table of outcomes. */
export interface AnswerReport {
  readonly type: 'answered';
  readonly outcome: 'accepted' | 'rejected' | 'unknown';
  readonly reason: Reason;
  readonly httpStatus: number | null;
  /** The body as received, cut at 64 KiB; empty if there was none. */
  readonly body: string;
  readonly roundTripMs: number;
  /** Figures of the answer, which replace the quote's. */
  readonly figures: Partial<FiguresText>;
  /** True if it came after the order was marked unknown. */
  readonly late: boolean;
  /** True if no answer came and the connection is still read for a late one; absent otherwise. */
  readonly awaited?: true;
  readonly why: string;
  /** The wait that the service asked for (429), in milliseconds; absent if it did not. */
  readonly retryAfterMs?: number;
}
