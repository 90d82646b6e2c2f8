import type { OrderCore } from '#domain/order.ts';
import type { Broker, ReportSink } from '#ports/broker.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { Journal } from '#ports/journal.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';

/** The route of a run's orders and of its other requests: the one part of the daemon that differs by mode. */
export interface OrderLine {
  readonly broker: Broker;
  /** Sets the sink of order reports, from the broker and from order queries. */
  connect(sink: ReportSink): void;
  /** Queries an order of unknown outcome, if the service allows it; `isAwaited` while a late answer may still come. */
  readonly onUnknown?: (order: OrderCore, isAwaited: boolean) => void;
  /** Wraps the engine's journal. */
  journalTo(journal: Journal): Journal;
  /** Wraps the inbox for the feed. */
  quotesTo(inbox: FeedSink): FeedSink;
  /** Takes the round trips of harmless requests; absent if orders themselves are timed. */
  readonly onRoundTrip?: (roundTripMs: number) => void;
  /** Renews idle order connections, which may be dead. */
  renew(): void;
  /** The service's own strategies, as far as this mode allows. */
  readonly strategies: Orchestrator;
  /** Waits for open answers up to `drainMs`, then ends everything. Idempotent. */
  close(drainMs: number): Promise<void>;
}
