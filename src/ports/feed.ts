import type { Lane, LaneChange } from '../domain/lane.ts';
import type { Quote } from '../domain/quote.ts';

/** Where a feed delivers. Calls come from the network at any time; the inbox decides when they are handled. */
export interface FeedSink {
  /** A decoded quote of the lane's current subscription. */
  quote(quote: Quote): void;
  change(change: LaneChange): void;
}

/** Keeps lanes open: connects, subscribes, reconnects, and says what became of them. */
export interface Feed {
  connect(sink: FeedSink): void;
  open(lane: Lane): void;
  /** Ends every connection; nothing is delivered afterwards. Idempotent. */
  close(): Promise<void>;
}
