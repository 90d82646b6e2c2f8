import type { Trade } from '#report/books.ts';
import type { TradeFilter } from '#server/page/history-ask.ts';
import type { TradeSort, TradesView, TradeView } from '#server/page/history-view.ts';

/** The reason of an order's intent. */
type WhyOf = (order: string) => string;

/** The round trips that pass a filter, in its order. */
export function filteredTrades(trades: readonly Trade[], { strategy, product, outcome, sort, isUpwards }: TradeFilter): readonly Trade[] {
  const found = trades.filter(
    (trade) =>
      (strategy === null || trade.book === strategy) &&
      (product === null || trade.product === product) &&
      (outcome === null || trade.profit.gt(0) === (outcome === 'won')),
  );
  const sign = isUpwards ? 1 : -1;
  const keyOf = KEYS[sort];
  return found
    .map((trade) => ({ trade, key: keyOf(trade) }))
    .sort((a, b) => sign * compared(a.key, b.key))
    .map(({ trade }) => trade);
}

const compared = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

const KEYS: Readonly<Record<TradeSort, (trade: Trade) => string | number>> = {
  closed: ({ closedAt }) => closedAt,
  opened: ({ openedAt }) => openedAt,
  strategy: ({ book }) => book,
  product: ({ product }) => product,
  side: ({ side }) => side,
  size: ({ size }) => size.toNumber(),
  held: ({ openedAt, closedAt }) => closedAt - openedAt,
  fees: ({ fees }) => fees.toNumber(),
  profit: ({ profit }) => profit.toNumber(),
  return: (trade) => returnPct(trade),
};

/** One page of round trips, and the totals of all of them by currency. */
export function tradesView(
  found: readonly Trade[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  whyOf: WhyOf,
): TradesView {
  const sums = new Map<string, TradesView['sums'][number]>();
  for (const { currency, profit, fees } of found) {
    const before = sums.get(currency) ?? { currency, profit: 0, fees: 0, trades: 0, won: 0 };
    sums.set(currency, {
      currency,
      profit: before.profit + profit.toNumber(),
      fees: before.fees + fees.toNumber(),
      trades: before.trades + 1,
      won: before.won + (profit.gt(0) ? 1 : 0),
    });
  }
  const trades = found.slice(offset, offset + limit).map((trade) => tradeView(trade, whyOf));
  return { total: found.length, sums: [...sums.values()], trades };
}

function tradeView(trade: Trade, whyOf: WhyOf): TradeView {
  const { book, product, side, entryOrder, openedAt, exitOrder, closedAt, currency } = trade;
  return {
    strategy: book,
    product,
    side,
    size: trade.size.toString(),
    entryOrder,
    openedAt,
    entryPrice: trade.entryPrice.toString(),
    exitOrder,
    closedAt,
    exitPrice: trade.exitPrice.toString(),
    heldMs: closedAt - openedAt,
    fees: trade.fees.toNumber(),
    profit: trade.profit.toNumber(),
    currency,
    returnPct: returnPct(trade),
    whyIn: whyOf(entryOrder),
    whyOut: whyOf(exitOrder),
  };
}

function returnPct({ profit, entryPrice, size }: Trade): number {
  const stake = entryPrice.times(size);
  return stake.isZero() ? 0 : profit.div(stake).toNumber() * 100;
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
export function tradesCsv(found: readonly Trade[], whyOf: WhyOf, timeText: (at: number) => string): string {
  const rows = found.map((trade) => [
    ...[trade.book, trade.product, trade.side, trade.size.toString()],
    ...[timeText(trade.openedAt), trade.entryPrice.toString(), trade.entryOrder, whyOf(trade.entryOrder)],
    ...[timeText(trade.closedAt), trade.exitPrice.toString(), trade.exitOrder, whyOf(trade.exitOrder)],
    ...[String((trade.closedAt - trade.openedAt) / 1000), trade.fees.toString(), trade.profit.toString(), trade.currency],
    String(returnPct(trade)),
  ]);
  return [CSV_COLUMNS, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

/** Puts an apostrophe before a text that a spreadsheet would read as a formula; plain figures stay. */
function cellText(text: string): string {
  const plain = /^[=+@\t\r]|^-(?!\d+(\.\d+)?(e-?\d+)?$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
