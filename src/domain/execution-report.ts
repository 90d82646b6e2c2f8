import type { Millis } from './names.ts';
import type { FiguresText } from './order-text.ts';
import type { Reason } from './reasons.ts';

/**
 * What the broker says of an order, in the order it can happen: the last gate's verdict first, then the answer.
 * Plain data, so that a recording can hold it.
 */
export type ExecutionReport =
  | {
      readonly type: 'written';
      /** Time the quote had left when its order's first byte was handed to the socket. */
      readonly timeLeftMs: number;
      readonly signatureAgeMs: number;
      readonly at: Millis;
    }
  | { readonly type: 'expired'; readonly reason: Reason; readonly timeLeftMs: number }
  | { readonly type: 'not_sent'; readonly reason: Reason; readonly why: string }
  | AnswerReport
  | FoundReport;

/** What the service says of an order of unknown outcome when it is asked (`service.capabilities: [order-query]`). */
export interface FoundReport {
  readonly type: 'found';
  /** False: it knows of no order on that quote, which has been dead for so long that there will be none. */
  readonly executed: boolean;
  /** Figures that replace the quote's, where it gave them. */
  readonly figures: Partial<FiguresText>;
  readonly body: string;
}

/** The service's answer, or the lack of one, as the table of outcomes reads it. */
export interface AnswerReport {
  readonly type: 'answered';
  readonly outcome: 'accepted' | 'rejected' | 'unknown';
  readonly reason: Reason;
  readonly httpStatus: number | null;
  /** The body as received, cut at 64 KiB; empty when there was none. */
  readonly body: string;
  readonly roundTripMs: number;
  /** Figures of the answer that replace the quote's, where it has them. */
  readonly figures: Partial<FiguresText>;
  /** Came after the order had been taken for unknown. */
  readonly late: boolean;
  /** True of a lack of an answer whose connection is still read, so that a late one may come; absent otherwise. */
  readonly awaited?: true;
  readonly why: string;
  /** How long the service asked to be left alone (429); absent where it did not. */
  readonly retryAfterMs?: number;
}
