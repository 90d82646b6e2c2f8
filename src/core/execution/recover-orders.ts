import type { PastUnknown } from '#domain/event.ts';
import { quoteId } from '#domain/names.ts';
import { orderOf } from '#domain/order.ts';
import type { PastBooks } from '#domain/past-books.ts';
import type { PastRisk } from '#domain/past-risk.ts';
import type { ExecutionContext } from './execution-context.ts';
import { heldText } from './unsure.ts';

/** What earlier runs left of orders. */
interface PastOrders {
  /** What fills came to. */
  readonly books: PastBooks;
  readonly unknowns: readonly PastUnknown[];
  readonly usedQuotes: readonly string[];
  readonly risk: PastRisk;
}

/**
 * Takes over what earlier runs left: positions, orders of unknown outcome, used quotes, the order
 * rate. An order that was on its way when the process ended is unknown (I04).
 */
export function recoverOrders(facts: PastOrders, { books, log, monitor }: ExecutionContext): void {
  books.restore(facts.books);
  for (const id of facts.usedQuotes) monitor.counts.use(quoteId(id));
  const found = facts.unknowns.map(({ order, journaled }) => ({ order: orderOf(order), journaled }));
  for (const { order } of found) books.track({ ...order, state: 'unknown', since: log.now });
  const rows = found
    .filter(({ journaled }) => !journaled)
    .map(({ order }) =>
      log.make(
        'unknown',
        {
          ...{ httpStatus: null, roundTripMs: null, body: '', why: 'the process ended while the order was on its way' },
          position: heldText(books, order),
        },
        { strategy: order.strategy, product: order.product, reason: 'CRASH_RECOVERY', quoteId: order.quoteId, orderId: order.id },
      ),
    );
  if (rows.length > 0) log.commit(...rows);
  monitor.restore(facts.risk, facts.books, log.now);
}
