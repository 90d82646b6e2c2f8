import type { BundleRow } from '#adapters/export/schema.ts';
import type { OrderDetails } from '#adapters/journal/order-details.ts';
import type { PastFill } from '#domain/event.ts';
import { figureAt } from '#domain/figure-at.ts';
import { isoTime } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { type NamedQuote, orderQuotes } from '#report/order-quotes.ts';
import type { LedgerMovement, RunStrategy, TradedProduct } from '#report/record.ts';
import type { ReportedTrade } from '#report/trades.ts';
import type { Emission } from '#research/backtest/emissions.ts';

/** Orders with the times of their quotes, which are those of the recording. */
export function orderRows(orders: readonly OrderDetails[], columns: readonly QuoteColumns[]): BundleRow<'orders'>[] {
  const quotes = orderQuotes(
    orders.map((order) => ({ order: named(order) })),
    columns,
  );
  return orders.map((one): BundleRow<'orders'> => {
    const { price, size, value, fee, run_id, ...told } = one;
    const quote = quotes.get(one.order_id);
    const filled = (figure: string): number | null => (one.state === 'accepted' ? Number(figure) : null);
    return {
      ...told,
      quoted_at: quote === undefined ? null : isoTime(figureAt(quote.columns.at, quote.row)),
      quoted_price: numberIn(told.quoted_price),
      quoted_size: numberIn(told.quoted_size),
      quoted_value: numberIn(told.quoted_value),
      quoted_fee: numberIn(told.quoted_fee),
      filled_price: filled(price),
      filled_size: filled(size),
      filled_value: filled(value),
      filled_fee: filled(fee),
    };
  });
}

const numberIn = (text: string | null): number | null => (text === null ? null : Number(text));

function named({ order_id, lane, side, quote_id, intent_at, quoted_price }: OrderDetails): NamedQuote {
  return { id: order_id, lane: lane ?? '', side, quoteId: quote_id, intentAt: Date.parse(intent_at), price: quoted_price ?? '' };
}

/** A fill of the run. */
export function fillRow({ orderId, at, strategy, product, fill }: PastFill): BundleRow<'fills'> {
  return {
    order_id: orderId,
    filled_at: isoTime(at),
    strategy,
    product,
    side: fill.side,
    price: Number(fill.price),
    size: Number(fill.size),
    value: Number(fill.value),
    fee: Number(fill.fee),
    fee_ccy: fill.feeCcy,
    base_ccy: fill.baseCcy,
    quote_ccy: fill.quoteCcy,
  };
}

/** A movement of capital. */
export const capitalRow = ({ at, book, kind, amount, currency }: LedgerMovement): BundleRow<'capital'> => ({
  moved_at: isoTime(at),
  strategy: book,
  kind,
  amount: Number(amount),
  currency,
});

/** A round trip, with its money in the currency of the report; `traded`: the currencies of its product. */
export function tripRow(trade: ReportedTrade, traded: TradedProduct['fill'] | undefined): BundleRow<'round_trips'> {
  return {
    strategy: trade.strategy,
    product: trade.product,
    side: trade.side,
    opened_at: isoTime(trade.openedAt),
    closed_at: isoTime(trade.closedAt),
    entry_order: trade.entryOrder,
    exit_order: trade.exitOrder,
    tag: trade.tag,
    exit_why: trade.exitReason,
    size: trade.size,
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    fees: trade.fees,
    profit: trade.profit,
    profit_share: trade.return,
    adverse: trade.excursion?.adverse ?? null,
    favourable: trade.excursion?.favourable ?? null,
    currency: trade.currency,
    base_ccy: traded?.baseCcy ?? null,
    quote_ccy: traded?.quoteCcy ?? null,
  };
}

/** The report's curves; none where it has none. */
export function equityRows(equity: Equity | string): BundleRow<'equity'>[] {
  if (typeof equity === 'string') return [];
  const { chart, fallChart, paidChart, currency } = equity;
  const falls = new Map(fallChart.map(({ at, high }) => [at, high]));
  const paid = new Map(paidChart.map(({ at, last }) => [at, last]));
  return chart.map(({ at, low, high, last }) => ({
    ends_at: isoTime(at),
    ...{ low, high, last, currency },
    paid_in: paid.get(at) ?? null,
    drawdown: falls.get(at) ?? null,
  }));
}

/** The parameters of a strategy, those of a trial with its id. */
export const parameterRows = (
  { id, params }: Pick<RunStrategy, 'id' | 'params'>,
  trial: string | null = null,
): readonly BundleRow<'parameters'>[] =>
  Object.entries(params).map(([name, value]) => ({
    ...{ trial, strategy: id, name, value: String(value) },
    number: typeof value === 'number' ? value : null,
  }));

/** A row for each value of an emission; the members of a signal that has some are values of their own. */
export function signalRows({ at, inboxSeq, strategy, values }: Emission): BundleRow<'signals'>[] {
  const { signal, ...observed } = values;
  const members = typeof signal === 'object' && signal !== null ? Object.entries(signal) : undefined;
  const emitted = members ? members.map(([name, value]) => [`signal.${name}`, value] as const) : [['signal', signal] as const];
  return [...Object.entries(observed), ...emitted].map(([name, value]) => ({
    emitted_at: isoTime(at),
    inbox_seq: inboxSeq,
    strategy,
    name,
    value: typeof value === 'number' ? value : null,
    text: typeof value === 'number' ? null : (JSON.stringify(value) ?? null),
  }));
}
