import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { Lane, LaneChange, ShownInput } from '#domain/lane.ts';
import type { LaneId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';

/** Receives what a feed delivers. Calls come from the network at any time; the inbox decides when they are handled. */
export interface FeedSink {
  /** A decoded quote of the lane's current subscription. */
  quote(quote: Quote): void;
  change(change: LaneChange): void;
  /** A price of a display subscription. */
  shown(source: LaneId, shown: IndicativeQuote): void;
}

/** Keeps lanes open: connects, subscribes, reconnects and reports their changes. */
export interface Feed {
  connect(sink: FeedSink): void;
  open(lane: Lane): void;
  /** Opens a display subscription. */
  show(input: ShownInput): void;
  /** Opens a lane of an amount that only now became known, on a spare connection. */
  acquire(lane: Lane): void;
  /** Releases a lane; its connection becomes spare. */
  release(lane: LaneId): void;
  /** Ends every connection; nothing is delivered afterwards. Idempotent. */
  close(): Promise<void>;
}
