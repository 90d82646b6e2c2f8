import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { Lane, LaneChange, ShownInput } from '#domain/lane.ts';
import type { LaneId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';

/** Where a feed delivers. Calls come from the network at any time; the inbox decides when they are handled. */
export interface FeedSink {
  /** A decoded quote of the lane's current subscription. */
  quote(quote: Quote): void;
  change(change: LaneChange): void;
  /** A quote of a subscription that is only looked at. */
  shown(source: LaneId, shown: IndicativeQuote): void;
}

/** Keeps lanes open: connects, subscribes, reconnects, and says what became of them. */
export interface Feed {
  connect(sink: FeedSink): void;
  open(lane: Lane): void;
  /** Opens a subscription to look at. */
  show(input: ShownInput): void;
  /** Serves a lane of an amount that is known only now, on a connection kept ready for that. */
  acquire(lane: Lane): void;
  /** The lane is not needed any more; its connection serves the next. */
  release(lane: LaneId): void;
  /** Ends every connection; nothing is delivered afterwards. Idempotent. */
  close(): Promise<void>;
}
