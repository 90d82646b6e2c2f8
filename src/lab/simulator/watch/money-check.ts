import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { ServiceBooks, ServiceFill } from '#lab/simulator/service/books.ts';
import type { Violate } from './finding.ts';
import type { JournalEye, JournalOrder } from './journal-eye.ts';
import type { WireOrder } from './order-watch.ts';

interface Notification {
  readonly transfer_id: string | null;
  readonly status: string;
}

interface Entry {
  readonly currency: string;
  readonly amount: string;
  readonly kind: string;
}

/** States of orders that did not reach the service. */
const NEVER_LEFT = new Set(['expired', 'not_sent']);
const OPEN = new Set(['intent', 'sent', 'unknown']);

interface MoneyParts {
  readonly eye: JournalEye;
  readonly books: ServiceBooks;
  readonly wire: ReadonlyMap<string, WireOrder>;
  /** Transfers that the daemon answered 2xx. */
  readonly taken: ReadonlySet<string>;
  readonly dialect: Dialect;
  readonly violate: Violate;
}

/** Compares both books at the end: equal but for deposits and orders that were never told (I02, I04, I11, I16). */
export function checkMoney({ eye, books, wire, taken, dialect, violate }: MoneyParts): void {
  const orders = eye.rows<JournalOrder>('SELECT * FROM orders');
  const byQuote = new Map(orders.map((order) => [order.quote_id, order]));
  for (const quoteId of wire.keys()) {
    const order = byQuote.get(quoteId);
    if (!order) violate('I01', `an order on quote ${quoteId} was written, and the journal has none`);
    else if (NEVER_LEFT.has(order.state)) violate('I06', `order ${order.order_id} is ${order.state}, and was written`);
  }
  const answered = new Set(
    eye
      .rows<{ order_id: string }>("SELECT order_id FROM decisions WHERE kind IN ('accepted', 'rejected', 'sent')")
      .map((row) => row.order_id),
  );
  for (const order of orders) {
    checkOrder(order, { books, dialect, violate });
    if (answered.has(order.order_id) && !wire.has(order.quote_id))
      violate('I06', `order ${order.order_id} is ${order.state}, and was never written`);
  }
  const booked = eye.rows<Notification>("SELECT transfer_id, status FROM notifications WHERE status = 'booked'");
  const transfers = booked.flatMap(({ transfer_id: id }) => id ?? []);
  if (new Set(transfers).size !== transfers.length) violate('I16', 'a transfer is booked twice');
  for (const id of transfers) if (!books.deposits.has(id)) violate('I17', `transfer ${id} is booked, and the service never made it`);
  const known = new Set(eye.rows<Notification>('SELECT transfer_id, status FROM notifications').map((row) => row.transfer_id));
  for (const id of taken) if (!known.has(id)) violate('I16', `transfer ${id} was answered 2xx, and the journal has lost it`);
  const open = orders.filter(({ state }) => OPEN.has(state));
  for (const { order_id: id, quote_id: quoteId, state } of open) {
    if (state !== 'unknown') violate('open', `order ${id} is ${state} after the last process has ended in good order`);
    else if (wire.get(quoteId)?.executedAt !== null)
      violate('open', `order ${id} is unknown, and the service has reported that it was executed`);
  }
  const told = new Set(transfers);
  const pending = [...books.deposits].filter(([id]) => !told.has(id)).map(([, deposit]) => deposit);
  const here = sums(eye.rows<Entry>("SELECT currency, amount, kind FROM ledger WHERE kind NOT IN ('opening', 'financing')"));
  for (const [currency, change] of books.changes()) {
    const untold = [...pending, ...open.flatMap((order) => books.movementsOf(order.quote_id))];
    const expected = untold.filter((one) => one.currency === currency).reduce((sum, one) => sum.minus(one.amount), change);
    const difference = (here.get(currency) ?? ZERO).minus(expected);
    const rounded = [...books.executed.values()].reduce((sum, one) => sum.plus(roundedFee(dialect, one)), decimalOf('0.00000001'));
    if (difference.abs().gt(rounded)) {
      violate('books', `the ledger has changed by ${here.get(currency) ?? 0} ${currency}, and the account by ${expected}`);
    }
  }
}

function checkOrder(order: JournalOrder, { books, dialect, violate }: Pick<MoneyParts, 'books' | 'dialect' | 'violate'>): void {
  const executed = books.executed.get(order.quote_id);
  const { order_id: id, state } = order;
  if (state === 'accepted' && !executed) violate('books', `order ${id} is accepted, and the service did not execute it`);
  if ((state === 'rejected' || NEVER_LEFT.has(state)) && executed) violate('books', `order ${id} is ${state}, and the service executed it`);
  if (state !== 'accepted' || !executed) return;
  for (const name of ['side', 'size', 'value', 'fee'] as const) {
    const [mine, theirs] = [order[name], executed[name]];
    const rounded = name === 'fee' ? roundedFee(dialect, executed) : ZERO;
    if (name === 'side' ? mine !== theirs : decimalOf(mine).minus(theirs).abs().gt(rounded))
      violate('I11', `order ${id} is booked with ${name} ${mine}, and was executed with ${theirs}`);
  }
}

/** Uncertainty of a fee that the quote gives only in the other currency, with eight decimals. */
function roundedFee({ quoteFees }: Dialect, { feeCcy, product, price }: ServiceFill): Decimal {
  const eighth = decimalOf('0.00000001');
  const inBase = product.startsWith(feeCcy);
  if (inBase && (quoteFees === 'quote-fee-alone' || quoteFees === 'null-base-fee')) return eighth.div(price).plus(eighth);
  return !inBase && quoteFees === 'base-fee-alone' ? eighth.times(price).plus(eighth) : ZERO;
}

function sums(entries: readonly Entry[]): ReadonlyMap<string, Decimal> {
  const totals = new Map<string, Decimal>();
  for (const { currency, amount } of entries) totals.set(currency, (totals.get(currency) ?? ZERO).plus(amount));
  return totals;
}
