import type { TradeQueries, TradeQuery } from '#adapters/journal/trade-queries.ts';
import type { TradeRow } from '#adapters/journal/trade-store.ts';
import { csvText } from '#report/csv.ts';
import type { TradesView, TradeView } from '#server/page/history-view.ts';

/** The reason of an order's intent. */
type WhyOf = (order: string) => string;

/** One page of round trips, and the totals of all of them by currency. */
export function tradesView(
  found: TradeQueries,
  { offset, limit, ...filter }: TradeQuery & { readonly offset: number; readonly limit: number },
  whyOf: WhyOf,
): TradesView {
  const sums = found.sums(filter);
  const trades = found.trades(filter, { offset, limit }).map((trade) => tradeView(trade, whyOf));
  return { total: sums.reduce((total, sum) => total + sum.trades, 0), sums, trades };
}

/** A round trip with the reasons of its entry and exit. */
export function tradeView({ run: _run, book, fees, profit, ...trade }: TradeRow, whyOf: WhyOf): TradeView {
  return {
    ...trade,
    strategy: book,
    heldMs: trade.closedAt - trade.openedAt,
    fees: Number(fees),
    profit: Number(profit),
    whyIn: whyOf(trade.entryOrder),
    whyOut: whyOf(trade.exitOrder),
  };
}

const CSV_COLUMNS = [
  ...[
    'strategy',
    'product',
    'side',
    'size',
    'opened',
    'entry price',
    'entry order',
    'why in',
    'closed',
    'exit price',
    'exit order',
    'why out',
  ],
  ...['held seconds', 'fees', 'profit', 'currency', 'return percent'],
];

/** Round trips as CSV (RFC 4180), times in UTC, figures with all their places. */
export function tradesCsv(trades: readonly TradeRow[], whyOf: WhyOf, timeText: (at: number) => string): string {
  const rows = trades.map((trade) => [
    ...[trade.book, trade.product, trade.side, trade.size],
    ...[timeText(trade.openedAt), trade.entryPrice, trade.entryOrder, whyOf(trade.entryOrder)],
    ...[timeText(trade.closedAt), trade.exitPrice, trade.exitOrder, whyOf(trade.exitOrder)],
    ...[String((trade.closedAt - trade.openedAt) / 1000), trade.fees, trade.profit, trade.currency],
    String(trade.returnPct),
  ]);
  return csvText(CSV_COLUMNS, rows);
}
