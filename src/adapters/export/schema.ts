/** The version of the schema, which every bundle has under `about`. A column that is renamed or means something else makes a new one. */
export const BUNDLE_VERSION = 1;

/** Marks a bundle in its SQLite header ("KAIX"). */
export const BUNDLE_MARK = 0x4b414958;

/** How a column is stored: whole numbers, doubles, times and texts; each may be null. */
export type ColumnKind = 'whole' | 'double' | 'time' | 'text';

/** A column: its kind, its unit or `-`, and what it means. */
type ColumnSays = readonly [kind: ColumnKind, unit: string, meaning: string];

interface TableSays {
  readonly rows: string;
  readonly columns: Readonly<Record<string, ColumnSays>>;
}

const ORDER_ID: ColumnSays = ['text', '-', "id of the order: number of its quote's event in the run, and which order on it"];
const STRATEGY: ColumnSays = ['text', '-', "a strategy's id, or `manual`"];
const PRODUCT: ColumnSays = ['text', '-', 'what is traded, such as `btcusd`'];
const SIDE: ColumnSays = ['text', '-', '`buy` or `sell`'];
const LANE: ColumnSays = ['text', '-', 'product and amount of the quotes, such as `btcusd@base:0.01`'];
const REASON: ColumnSays = ['text', '-', 'reason code; `codes` says what each means'];
const FEE_CCY: ColumnSays = ['text', '-', 'currency of the fee'];
const BASE_CCY: ColumnSays = ['text', '-', 'currency that sizes are in'];
const QUOTE_CCY: ColumnSays = ['text', '-', 'currency that prices and values are in'];
const INBOX_SEQ: ColumnSays = ['whole', '-', 'number of the event in the run that it answers: `quotes.n` for a quote'];

const side = (name: 'buy' | 'sell', whose: string): Readonly<Record<`${typeof name}_${SideFigure}`, ColumnSays>> => {
  const of = (figure: SideFigure, unit: string, meaning: string) => [`${name}_${figure}`, ['double', unit, meaning]];
  return Object.fromEntries([
    of('price', 'quote_ccy', `price at which ${whose}`),
    of('size', 'base_ccy', 'size that it is for'),
    of('value', 'quote_ccy', 'price times size'),
    of('fee_base', 'base_ccy', 'fee, if it is taken in that currency'),
    of('fee_quote', 'quote_ccy', 'fee, if it is taken in that currency'),
    of('slippage', 'quote_ccy', 'price beyond the best price'),
    of('slippage_pct', '%', 'price beyond the best price, of the price'),
  ]);
};

type SideFigure = 'price' | 'size' | 'value' | 'fee_base' | 'fee_quote' | 'slippage' | 'slippage_pct';

/** Every table of a bundle, with no name that SQL keeps for itself. They are alike for live, paper, dry and backtests, and empty where a run has none of it. */
export const BUNDLE = {
  about: {
    rows: 'facts of the bundle',
    columns: { name: ['text', '-', 'which fact; `codes` says what each means'], value: ['text', '-', 'the fact, as text'] },
  },
  columns: {
    rows: 'columns of this schema',
    columns: {
      table_name: ['text', '-', 'table of the column'],
      column_name: ['text', '-', 'name of the column'],
      kind: ['text', '-', '`whole` number, `double`, `time` or `text`'],
      unit: [
        'text',
        '-',
        '`-`: none; `share`: 0.01 is 1 %; the name of a column: the currency that stands in it; `its own`: that of the value',
      ],
      meaning: ['text', '-', 'what the column says'],
    },
  },
  codes: {
    rows: 'codes of this schema',
    columns: {
      column_name: ['text', '-', 'table and column that has the code, or `reason` in every table'],
      code: ['text', '-', 'the code'],
      meaning: ['text', '-', 'what it means'],
    },
  },
  quotes: {
    rows: 'quotes that were played, lane by lane',
    columns: {
      product: PRODUCT,
      lane: LANE,
      arrived_at: ['time', 'UTC', 'when it arrived here'],
      valid_until: ['time', 'UTC', "how long it lives, on the service's clock"],
      n: ['whole', '-', 'number of its event when it was recorded; null if a newer quote took its place'],
      epoch: ['whole', '-', 'which subscription of the lane brought it, counted from 1'],
      id: ['text', '-', 'id of the quote, which an order names'],
      ...side('buy', 'one buys'),
      ...side('sell', 'one sells'),
      fee_pct: ['double', '%', 'fee as a share of the value'],
      spread: ['double', 'quote_ccy', 'buy price less sell price'],
      spread_pct: ['double', '%', 'buy price less sell price, of the price'],
      daily_change_pct: ['double', '%', 'change of the price in a day'],
      base_ccy: BASE_CCY,
      quote_ccy: QUOTE_CCY,
    },
  },
  signals: {
    rows: 'values at each emission of a strategy, one row a value',
    columns: {
      emitted_at: ['time', 'UTC', 'when it was emitted'],
      inbox_seq: INBOX_SEQ,
      strategy: STRATEGY,
      name: ['text', '-', 'name given by `observe`; `signal` is what was emitted, `signal.NAME` a member of it'],
      value: ['double', 'its own', 'the value; null if it is no number'],
      text: ['text', '-', 'the value as JSON, if it is no number'],
    },
  },
  decisions: {
    rows: 'rows of the journal',
    columns: {
      seq: ['whole', '-', 'number of the row in the journal'],
      decided_at: ['time', 'UTC', 'when it was decided'],
      inbox_seq: INBOX_SEQ,
      kind: ['text', '-', 'kind of decision; `codes` says what each means'],
      strategy: ['text', '-', "a strategy's id, or `manual`; null if it is about all"],
      product: ['text', '-', 'the product; null if it is about none'],
      reason: REASON,
      quote_id: ['text', '-', '`quotes.id` of the quote it rests on'],
      order_id: ['text', '-', 'id of the order it is about'],
      detail: ['text', '-', 'figures of the decision, as JSON'],
    },
  },
  orders: {
    rows: 'orders',
    columns: {
      order_id: ORDER_ID,
      strategy: STRATEGY,
      product: PRODUCT,
      lane: LANE,
      side: SIDE,
      state: ['text', '-', 'what became of it; `codes` says what each means'],
      reason: REASON,
      why: ['text', '-', "the strategy's reason for it"],
      tag: ['text', '-', "the strategy's name for it, or `exit`"],
      quote_id: ['text', '-', '`quotes.id` of the quote that it names'],
      quoted_at: ['time', 'UTC', 'when that quote arrived'],
      intent_at: ['time', 'UTC', 'when it was decided'],
      sent_at: ['time', 'UTC', 'when its first byte left'],
      settled_at: ['time', 'UTC', 'when its outcome was known'],
      valid_until: ['time', 'UTC', "how long the quote lives, on the service's clock"],
      time_left_ms: ['double', 'ms', 'what the quote had to live when it was sent'],
      round_trip_ms: ['double', 'ms', 'from its first byte to the answer'],
      http_status: ['whole', '-', "HTTP status of the service's answer"],
      response: ['text', '-', "body of the service's answer"],
      quoted_price: ['double', 'quote_ccy', 'price that the quote offered'],
      quoted_size: ['double', 'base_ccy', 'size that the quote offered'],
      quoted_value: ['double', 'quote_ccy', 'price times size that the quote offered'],
      quoted_fee: ['double', 'fee_ccy', 'fee that the quote offered'],
      filled_price: ['double', 'quote_ccy', 'price that was executed; null if none was'],
      filled_size: ['double', 'base_ccy', 'size that was executed; null if none was'],
      filled_value: ['double', 'quote_ccy', 'price times size that was executed; null if none was'],
      filled_fee: ['double', 'fee_ccy', 'fee that was executed; null if none was'],
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
      price: ['double', 'quote_ccy', 'price that was executed'],
      size: ['double', 'base_ccy', 'size that was executed'],
      value: ['double', 'quote_ccy', 'price times size'],
      fee: ['double', 'fee_ccy', 'fee that was taken, as a positive number'],
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
      opened_at: ['time', 'UTC', 'when the entry was booked'],
      closed_at: ['time', 'UTC', 'when the exit was booked'],
      entry_order: ['text', '-', '`orders.order_id` of the entry'],
      exit_order: ['text', '-', '`orders.order_id` of the exit'],
      tag: ['text', '-', "the strategy's name for the entry"],
      exit_why: ['text', '-', 'reason that was given for the exit'],
      size: ['double', 'base_ccy', 'size that was held'],
      entry_price: ['double', 'quote_ccy', 'price of the entry, without fees'],
      exit_price: ['double', 'quote_ccy', 'price of the exit, without fees'],
      fees: ['double', 'currency', 'fees of entry and exit'],
      profit: ['double', 'currency', 'profit net of these fees'],
      profit_share: ['double', 'share', 'profit by entry price times size'],
      adverse: ['double', 'share', 'largest loss that it stood at, of the entry price'],
      favourable: ['double', 'share', 'largest gain that it stood at, of the entry price'],
      currency: ['text', '-', 'currency of profit and fees'],
      base_ccy: BASE_CCY,
      quote_ccy: QUOTE_CCY,
    },
  },
  capital: {
    rows: 'budgets, deposits and withdrawals of the run, which are no profit',
    columns: {
      moved_at: ['time', 'UTC', 'when it was booked'],
      strategy: STRATEGY,
      kind: ['text', '-', '`opening` for a budget, `deposit` or `withdrawal`'],
      amount: ['double', 'currency', 'what came in; below 0 what went out'],
      currency: ['text', '-', 'currency of the amount'],
    },
  },
  equity: {
    rows: 'worth of the capital that traded, over equal stretches of time',
    columns: {
      ends_at: ['time', 'UTC', 'end of the stretch'],
      low: ['double', 'currency', 'least worth in the stretch'],
      high: ['double', 'currency', 'most worth in the stretch'],
      last: ['double', 'currency', 'worth at the end of the stretch'],
      paid_in: [
        'double',
        'currency',
        'capital at the begin and what came in since, less what went out: the rest of `last` is profit and revaluation',
      ],
      drawdown: ['double', 'share', 'deepest fall below the peak in the stretch, of trading alone'],
      currency: ['text', '-', 'currency of these values'],
    },
  },
  trials: {
    rows: 'trials of a sweep',
    columns: {
      trial: ['text', '-', 'id of the trial'],
      rank: ['whole', '-', 'place, from 1 for the best; null where it has none'],
      from_at: ['time', 'UTC', 'begin of the quotes that it played'],
      to_at: ['time', 'UTC', 'end of them; null for that of the recording'],
      played: ['text', '-', 'screened, replayed (by screen and engine, all equal) or engine'],
      fills: ['whole', '-', 'orders that were executed'],
      trades: ['whole', '-', 'round trips that ended'],
      net_profit: ['double', 'currency', 'profit after fees'],
      total_return: ['double', 'share', 'profit of the capital'],
      max_drawdown: ['double', 'share', 'deepest fall of the equity below its peak'],
      sharpe: ['double', '-', 'Sharpe ratio a year, of daily returns'],
      sortino: ['double', '-', 'Sortino ratio a year, of daily returns'],
      calmar: ['double', '-', 'return a year by the deepest fall'],
      omega: ['double', '-', 'omega ratio of daily returns at 0'],
      profit_factor: ['double', '-', 'profit of round trips that won by loss of the others'],
      win_rate: ['double', 'share', 'round trips that won, of all'],
      expectancy: ['double', 'currency', 'mean profit of a round trip'],
      sqn: ['double', '-', 'system quality number'],
      volatility: ['double', 'share', 'volatility of daily returns, a year'],
      profit_over_drawdown: ['double', '-', 'profit by the deepest fall, which ranks sweeps under 30 days'],
      objective: ['double', '-', 'figure of `--objective`; null without one'],
      currency: ['text', '-', 'currency of profit'],
      halted: ['text', '-', 'why trading halted in it; null if it did not'],
      failed: ['text', '-', 'why it has no result; null if it has one'],
    },
  },
  parameters: {
    rows: 'parameters of a run, or those that a trial varied',
    columns: {
      trial: ['text', '-', 'id of the trial; null for parameters of a run'],
      strategy: STRATEGY,
      name: ['text', '-', 'name of the parameter'],
      value: ['text', '-', 'its value, as text'],
      number: ['double', '-', 'the same as a number; null if it is none'],
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
