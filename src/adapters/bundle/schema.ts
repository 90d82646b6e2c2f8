/** The version of the schema, which every bundle has under `about`. A column that is renamed or means something else makes a new one. */
export const BUNDLE_VERSION = 1;

/** How a column is stored: whole numbers, doubles, times and texts; each may be null. */
type ColumnKind = 'whole' | 'double' | 'time' | 'text';

/** A column: its kind, its unit or `-`, and what it means. */
type ColumnSays = readonly [kind: ColumnKind, unit: string, meaning: string];

interface TableSays {
  readonly rows: string;
  readonly columns: Readonly<Record<string, ColumnSays>>;
}

const ORDER_ID: ColumnSays = ['text', '-', 'the order'];
const STRATEGY: ColumnSays = ['text', '-', "a strategy's id, or `manual`"];
const PRODUCT: ColumnSays = ['text', '-', 'such as `btcusd`'];
const SIDE: ColumnSays = ['text', '-', '`buy` or `sell`'];
const FEE_CCY: ColumnSays = ['text', '-', 'currency of the fee'];
const BASE_CCY: ColumnSays = ['text', '-', 'currency that sizes are in'];
const QUOTE_CCY: ColumnSays = ['text', '-', 'currency that prices and values are in'];
const INBOX_SEQ: ColumnSays = ['whole', '-', 'number of the event in its run'];

const side = (name: 'buy' | 'sell', whose: string): Readonly<Record<`${typeof name}_${SideFigure}`, ColumnSays>> => {
  const of = (figure: SideFigure, unit: string, meaning: string) => [`${name}_${figure}`, ['double', unit, meaning]];
  return Object.fromEntries([
    of('price', 'quote_ccy', `price at which ${whose}`),
    of('size', 'base_ccy', 'size that it is for'),
    of('value', 'quote_ccy', 'price times size'),
    of('fee_base', 'base_ccy', 'fee, if it is taken there'),
    of('fee_quote', 'quote_ccy', 'fee, if it is taken there'),
    of('slippage', 'quote_ccy', 'price beyond the best price'),
    of('slippage_pct', '%', 'the same as a share of the price'),
  ]);
};

type SideFigure = 'price' | 'size' | 'value' | 'fee_base' | 'fee_quote' | 'slippage' | 'slippage_pct';

/** Every table of a bundle, with no name that SQL keeps for itself. They are alike for live, paper, dry and backtests, and empty where a run has none of it. */
export const BUNDLE = {
  about: {
    rows: 'facts of the bundle',
    columns: { name: ['text', '-', 'see below'], value: ['text', '-', 'as text'] },
  },
  columns: {
    rows: 'columns of this schema',
    columns: {
      table_name: ['text', '-', 'its table'],
      column_name: ['text', '-', 'its name'],
      kind: ['text', '-', '`whole`, `double`, `time` or `text`'],
      unit: ['text', '-', '`-` for none'],
      meaning: ['text', '-', 'as on this page'],
    },
  },
  quotes: {
    rows: 'quotes that were played, lane by lane',
    columns: {
      product: PRODUCT,
      lane: ['text', '-', 'the amount that it was quoted for'],
      arrived_at: ['time', 'UTC', 'when it arrived here'],
      valid_until: ['time', 'UTC', "how long it lives, on the service's clock"],
      n: ['whole', '-', 'number of its event when it was recorded; null if a newer quote took its place'],
      epoch: ['whole', '-', 'which subscription of the lane'],
      id: ['text', '-', 'its id, which orders name'],
      ...side('buy', 'one buys'),
      ...side('sell', 'one sells'),
      fee_pct: ['double', '%', 'fee as a share of the value'],
      spread: ['double', 'quote_ccy', 'buy price less sell price'],
      spread_pct: ['double', '%', 'the same as a share of the price'],
      daily_change_pct: ['double', '%', 'change of the price in a day'],
    },
  },
  signals: {
    rows: 'values at each emission of a strategy, one row a value',
    columns: {
      emitted_at: ['time', 'UTC', 'when it was emitted'],
      inbox_seq: INBOX_SEQ,
      strategy: STRATEGY,
      name: ['text', '-', 'given by `observe`; `signal` is what was emitted, `signal.NAME` a member of it'],
      value: ['double', 'its own', 'null if it is no number'],
      text: ['text', '-', 'what is no number, as JSON'],
    },
  },
  decisions: {
    rows: 'rows of the journal',
    columns: {
      seq: ['whole', '-', 'number of the row in the journal'],
      decided_at: ['time', 'UTC', 'when it was decided'],
      inbox_seq: INBOX_SEQ,
      kind: ['text', '-', 'a [kind of decision](tables.md#kinds-of-decisions)'],
      strategy: ['text', '-', 'null if it is about all'],
      product: ['text', '-', 'null if it is about none'],
      reason: ['text', '-', 'a [reason code](reasons.md)'],
      quote_id: ['text', '-', 'the quote it rests on'],
      order_id: ['text', '-', 'the order it is about'],
      detail: ['text', '-', 'the rest, as JSON'],
    },
  },
  orders: {
    rows: 'orders',
    columns: {
      order_id: ORDER_ID,
      strategy: STRATEGY,
      product: PRODUCT,
      lane: ['text', '-', 'the lane of its quote'],
      side: SIDE,
      state: ['text', '-', 'as in the [journal](tables.md#orders)'],
      reason: ['text', '-', 'by what its outcome is known: a [reason code](reasons.md)'],
      why: ['text', '-', "the strategy's reason for it"],
      tag: ['text', '-', "the strategy's name for it, or `exit`"],
      quote_id: ['text', '-', 'the quote that it names'],
      quoted_at: ['time', 'UTC', 'when that quote arrived'],
      intent_at: ['time', 'UTC', 'when it was decided'],
      sent_at: ['time', 'UTC', 'when its first byte left'],
      settled_at: ['time', 'UTC', 'when its outcome was known'],
      valid_until: ['time', 'UTC', "how long the quote lives, on the service's clock"],
      time_left_ms: ['double', 'ms', 'what the quote had to live when it was sent'],
      round_trip_ms: ['double', 'ms', 'from its first byte to the answer'],
      http_status: ['whole', '-', 'of the answer'],
      response: ['text', '-', 'body of the answer'],
      quoted_price: ['double', 'quote_ccy', 'by the quote'],
      quoted_size: ['double', 'base_ccy', 'by the quote'],
      quoted_value: ['double', 'quote_ccy', 'by the quote'],
      quoted_fee: ['double', 'fee_ccy', 'by the quote'],
      filled_price: ['double', 'quote_ccy', 'null if it was not executed'],
      filled_size: ['double', 'base_ccy', 'null if it was not executed'],
      filled_value: ['double', 'quote_ccy', 'null if it was not executed'],
      filled_fee: ['double', 'fee_ccy', 'null if it was not executed'],
      fee_ccy: FEE_CCY,
      base_ccy: BASE_CCY,
      quote_ccy: QUOTE_CCY,
    },
  },
  fills: {
    rows: 'executions that were booked',
    columns: {
      order_id: ORDER_ID,
      filled_at: ['time', 'UTC', 'when it was booked'],
      strategy: STRATEGY,
      product: PRODUCT,
      side: SIDE,
      price: ['double', 'quote_ccy', 'executed'],
      size: ['double', 'base_ccy', 'executed'],
      value: ['double', 'quote_ccy', 'price times size'],
      fee: ['double', 'fee_ccy', 'positive'],
      fee_ccy: FEE_CCY,
      base_ccy: BASE_CCY,
      quote_ccy: QUOTE_CCY,
    },
  },
  round_trips: {
    rows: 'entries against exits, first in first out',
    columns: {
      strategy: STRATEGY,
      product: PRODUCT,
      side: ['text', '-', '`long` or `short`'],
      opened_at: ['time', 'UTC', 'of the entry'],
      closed_at: ['time', 'UTC', 'of the exit'],
      entry_order: ORDER_ID,
      exit_order: ORDER_ID,
      tag: ['text', '-', 'of the entry'],
      exit_why: ['text', '-', 'reason for the exit'],
      size: ['double', 'base_ccy', 'that was held'],
      entry_price: ['double', 'quote_ccy', 'without fees'],
      exit_price: ['double', 'quote_ccy', 'without fees'],
      fees: ['double', 'currency', 'of both orders'],
      profit: ['double', 'currency', 'net of fees'],
      profit_share: ['double', 'share', 'profit by stake: 0.01 is 1 %'],
      adverse: ['double', 'share', 'the worst it stood, of the entry price'],
      favourable: ['double', 'share', 'the best it stood, of the entry price'],
      currency: ['text', '-', 'of profit and fees'],
    },
  },
  equity: {
    rows: "the account's worth, over equal stretches of time",
    columns: {
      ends_at: ['time', 'UTC', 'end of the stretch'],
      low: ['double', 'currency', 'the least in it'],
      high: ['double', 'currency', 'the most in it'],
      last: ['double', 'currency', 'at its end'],
      paid_in: ['double', 'currency', 'capital at the begin and what came in since, less what went out: the rest of `last` is profit'],
      drawdown: ['double', 'share', 'the deepest below the peak, of trading alone'],
      currency: ['text', '-', 'currency of these values'],
    },
  },
  trials: {
    rows: 'trials of a sweep',
    columns: {
      trial: ['text', '-', 'its id'],
      rank: ['whole', '-', 'null without a place'],
      from_at: ['time', 'UTC', 'begin of what it played'],
      to_at: ['time', 'UTC', 'null for the end of the recording'],
      fills: ['whole', '-', 'orders that were executed'],
      trades: ['whole', '-', 'round trips'],
      net_profit: ['double', 'currency', 'after fees'],
      total_return: ['double', 'share', 'of the capital'],
      max_drawdown: ['double', 'share', 'deepest fall of the equity'],
      sharpe: ['double', '-', 'a year'],
      sortino: ['double', '-', 'a year'],
      calmar: ['double', '-', 'a year'],
      omega: ['double', '-', 'of daily returns'],
      profit_factor: ['double', '-', 'won by lost'],
      win_rate: ['double', 'share', 'round trips that won'],
      expectancy: ['double', 'currency', 'profit of a round trip'],
      sqn: ['double', '-', 'system quality number'],
      volatility: ['double', 'share', 'a year'],
      objective: ['double', '-', 'of `--objective`'],
      currency: ['text', '-', 'of profit'],
      halted: ['text', '-', 'why trading halted'],
      failed: ['text', '-', 'why it says nothing'],
    },
  },
  parameters: {
    rows: 'parameters of a run, or those that a trial varied',
    columns: {
      trial: ['text', '-', 'null for those of the run'],
      strategy: STRATEGY,
      name: ['text', '-', 'of the parameter'],
      value: ['text', '-', 'as text'],
    },
  },
} as const satisfies Readonly<Record<string, TableSays>>;

export type BundleTable = keyof typeof BUNDLE;

/** A value of a row: times are ISO 8601, UTC. */
export type Cell = string | number | null;

/** A row of a table, with a value for each column. */
export type BundleRow<Table extends BundleTable> = Readonly<Record<keyof (typeof BUNDLE)[Table]['columns'], Cell>>;

/** The names of all tables, in their order. */
export const BUNDLE_TABLES = Object.keys(BUNDLE).filter((name): name is BundleTable => Object.hasOwn(BUNDLE, name));

/** Name, kind, unit and meaning of the columns of a table. */
export const columnsIn = (
  table: BundleTable,
): readonly { readonly name: string; readonly kind: ColumnKind; readonly unit: string; readonly meaning: string }[] =>
  Object.entries<ColumnSays>(BUNDLE[table].columns).map(([name, [kind, unit, meaning]]) => ({ name, kind, unit, meaning }));
