import type { OrderText } from '#domain/order.ts';
import { idAt, type QuoteColumns } from '#domain/quote-columns.ts';
import { rowAt } from './equity/rates.ts';

/** What an order says of its quote. */
export type NamedQuote = Pick<OrderText, 'id' | 'lane' | 'side' | 'price' | 'quoteId' | 'intentAt'>;

/** The recorded quote that an order named. */
export interface OrderQuote {
  readonly columns: QuoteColumns;
  readonly row: number;
}

/** Rows before the decision among which the quote is looked for: intents are decided on the newest of a lane. */
const LOOK_BACK = 64;

/** Finds the recorded quotes of orders: of the order's lane, by id, or where quotes have none by time and price. */
export function orderQuotes(
  orders: readonly { readonly order: NamedQuote }[],
  columns: readonly QuoteColumns[],
): ReadonlyMap<string, OrderQuote> {
  const byLane = new Map(columns.map((one) => [one.lane as string, one]));
  const found = new Map<string, OrderQuote>();
  for (const { order } of orders) {
    const lane = byLane.get(order.lane);
    if (!lane) continue;
    const last = rowAt(lane, order.intentAt);
    for (let row = last; row >= 0 && row > last - LOOK_BACK; row -= 1) {
      const price = (order.side === 'buy' ? lane.buy : lane.sell).price[row];
      const id = idAt(lane, row);
      if (id === null ? price !== Number(order.price) : id !== order.quoteId) continue;
      found.set(order.id, { columns: lane, row });
      break;
    }
  }
  return found;
}
