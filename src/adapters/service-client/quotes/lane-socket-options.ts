import type { LaneChange } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Timers } from '#ports/timers.ts';
import type { Frame } from './decode-frame.ts';
import type { FeedCounts } from './feed-counts.ts';
import type { OpenQueue, Urgency } from './open-queue.ts';
import type { OpenQuoteSocket } from './quote-socket.ts';
import type { Subscription } from './subscription.ts';

/** An acknowledged subscription without any quote for so long is opened anew. */
export const NO_QUOTE_MS = 60_000;

/** How long each stage of a subscription may take, in milliseconds, and how often a trouble is met before it is told of. */
export const LANE_LIMITS = {
  /** Quotes for so long mean that the trouble is over. */
  settledMs: 10_000,
  /** So many refusals in a row are told of once; it is tried again all the same. */
  toldRefusals: 5,
  /** So many subscriptions without an ACK in a row are told of once; it is tried again all the same. */
  toldUnacknowledged: 2,
} as const;

export interface LaneSocketOptions {
  readonly lane: LaneId;
  readonly url: string;
  readonly subscription: Subscription;
  readonly timers: Timers;
  readonly open: OpenQuoteSocket;
  readonly queue: OpenQueue;
  readonly counts: FeedCounts;
  /** True while something rests on the lane: it reconnects before others. */
  readonly isUrgent: Urgency;
  /** Without a quote for so long the connection is begun anew; a minute unless said. */
  readonly noQuoteMs?: Millis | undefined;
  quote(quote: Quote): void;
  change(change: LaneChange): void;
  refusedFrame(why: string): void;
  /** BASIC and FULL quotes, for display. */
  shown?(frame: Frame & { kind: 'basic' | 'full' }): void;
  onFrame?(monotonicMs: number): void;
}
