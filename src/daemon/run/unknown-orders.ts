import type { BrokerQuery } from '#adapters/service-client/orders/broker-query.ts';
import { messageOf } from '#domain/errors.ts';
import type { OrderCore } from '#domain/order.ts';
import { backOffMs } from '#domain/retry.ts';
import { settleMend } from '#domain/settle-text.ts';
import type { ReportSink } from '#ports/broker.ts';
import type { Notice } from '#ports/notice.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { BooksNow } from './fee-check.ts';

/** How long a late answer is waited for, which is better evidence than a query, in milliseconds. */
const LATE_MS = 31_000;
/** Time after a quote's expiry from which an order that the service does not know counts as not executed, in milliseconds. */
const DEAD_FOR_MS = 10_000;
/** Number of queries, in about a quarter of an hour, after which a person is told. */
const TOLD_AFTER = 20;

interface UnknownOrdersOptions {
  readonly query: Pick<BrokerQuery, 'order' | 'close'>;
  readonly timers: Pick<Timers, 'after'>;
  /** The present books: where no order is open, a person has settled what is still asked for. */
  readonly books: () => Pick<BooksNow, 'hasOpen'>;
  readonly serviceClock: ServiceClock;
  readonly notice: Notice;
}

/**
 * Queries orders of unknown outcome at the service, with back-off, for as long as they are open: an outage may last. Results are
 * reported like answers and enter by the inbox. Doubtful ones are queried again, and a person is told.
 */
export class UnknownOrders {
  private readonly options: UnknownOrdersOptions;
  private readonly waiting = new Map<OrderCore['id'], Cancel>();
  private sink: ReportSink = () => {};
  private closed = false;

  constructor(options: UnknownOrdersOptions) {
    this.options = options;
  }

  connect(sink: ReportSink): void {
    this.sink = sink;
  }

  /** Begins to query an unknown order. `isAwaited`: its connection is still read for a late answer. */
  settle(order: OrderCore, isAwaited: boolean): void {
    if (!this.closed && !this.waiting.has(order.id)) this.wait(order, 0, isAwaited ? LATE_MS : undefined);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.closed = true;
    for (const cancel of this.waiting.values()) cancel();
    this.waiting.clear();
    await this.options.query.close();
  }

  private wait(order: OrderCore, tries: number, ms = backOffMs('unknownOrder', tries)): void {
    const cancel = this.options.timers.after(ms, () => void this.ask(order, tries + 1));
    this.waiting.set(order.id, cancel);
  }

  private async ask(order: OrderCore, tries: number): Promise<void> {
    const { query, notice, books } = this.options;
    if (!books().hasOpen) {
      this.waiting.delete(order.id);
      return;
    }
    let doubt: string;
    try {
      const found = await query.order(order.quoteId, order);
      if (this.closed) return;
      if (found.kind === 'executed' || this.isDead(order)) {
        this.waiting.delete(order.id);
        const executed = found.kind === 'executed';
        this.sink(order.id, { type: 'found', executed, figures: executed ? found.figures : {}, body: found.body });
        return;
      }
      doubt = 'the service knows no such order, and its quote may not have been expired for long enough';
    } catch (error) {
      // Any error leaves the outcome unknown.
      doubt = messageOf(error);
    }
    if (this.closed) return;
    if (tries === TOLD_AFTER) {
      notice('error', `order ${order.id} stays unknown after the service was asked ${tries} times: ${doubt}; ${settleMend(order.id)}`);
    }
    if (tries === 1) notice('warn', `order ${order.id} is still unknown: ${doubt}; the service is asked again`);
    this.wait(order, tries);
  }

  private isDead({ validUntil }: OrderCore): boolean {
    const now = this.options.serviceClock.now();
    return now !== undefined && now.ms - now.halfWidthMs >= validUntil + DEAD_FOR_MS;
  }
}
