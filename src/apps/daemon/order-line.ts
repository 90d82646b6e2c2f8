import type { OrderCore } from '#domain/order.ts';
import type { Broker, ReportSink } from '#ports/broker.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { Journal } from '#ports/journal.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';

/** Where a run's orders go, and what the service is asked to do besides: the one part of the daemon that modes differ in. */
export interface OrderLine {
  readonly broker: Broker;
  /** Where reports of orders go, from the broker and from questions to the service. */
  connect(sink: ReportSink): void;
  /** Looks into an order of unknown outcome, where the service can be asked; `isAwaited` while a late answer may still come. */
  readonly onUnknown?: (order: OrderCore, isAwaited: boolean) => void;
  /** Stands between the engine and the journal. */
  journalTo(journal: Journal): Journal;
  /** Stands between the feed and the inbox. */
  quotesTo(inbox: FeedSink): FeedSink;
  /** Wants to know how long harmless requests take; absent where orders are timed themselves. */
  readonly onRoundTrip?: (roundTripMs: number) => void;
  /** Connections that wait for orders may be dead. */
  renew(): void;
  /** The service's own strategies, as far as this mode may reach them. */
  readonly strategies: Orchestrator;
  /** Waits for open answers up to `drainMs`, then ends everything. Idempotent. */
  close(drainMs: number): Promise<void>;
}
