import { oncePer } from '#domain/once-per.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { type BookReport, positionCorrections, reportBooks } from './books.ts';
import { emptyTimes, unrecordedTimes } from './equity/empty-times.ts';
import { equityOf } from './equity/equity.ts';
import type { Equity } from './equity/equity-value.ts';
import { Holdings } from './equity/holdings.ts';
import { RecordedMarks } from './equity/marks.ts';
import { RATE_MEND } from './no-rate.ts';
import type { LedgerMovement, RunMoney, RunRecord } from './record.ts';

/** The account's currency; the one that everything is quoted in, or budgeted without a fill, where no recorded quote leads to the account's. */
export function reportCurrency({ currency, fills, ledger }: RunMoney, columns: readonly QuoteColumns[]) {
  const quoted = new Set(fills.length > 0 ? fills.map(({ fill }) => fill.quoteCcy) : ledger.map((movement) => movement.currency));
  const [only] = quoted;
  const held = new Set(ledger.map((movement) => movement.currency));
  const marks = new RecordedMarks(columns);
  const reached = [...quoted].every((one) => marks.leads(one, currency));
  if (reached || quoted.size !== 1 || only === undefined || held.has(currency)) return { currency };
  return {
    currency: only,
    note: `valued in ${only}: no recorded quote leads from there to ${currency}, the account's currency: ${RATE_MEND}`,
  };
}

/**
 * What a run was worth over its time, in a currency; or why that cannot be said. `ofAccount`: the capital of books that never traded is part
 * of it, as it is of the account. `isInMoney`: the chart is of what there is, flows and revaluation included. `played`: the lanes that were traded on, all of them without it: when none of these has a quote for longer than
 * markets close, that time is no part of the run. `modelled`: lanes that a backtest played by a model, which positions are valued by as well.
 */
export function runEquity(
  record: RunMoney,
  columns: readonly QuoteColumns[],
  {
    currency,
    everyQuote = false,
    ofAccount = false,
    isInMoney = ofAccount,
    played,
    modelled = [],
  }: {
    readonly currency: string;
    readonly everyQuote?: boolean;
    readonly ofAccount?: boolean;
    readonly isInMoney?: boolean;
    readonly played?: ReadonlySet<string> | undefined;
    readonly modelled?: readonly PriceColumns[] | undefined;
  },
): Equity | string {
  if (columns.length === 0) return 'no quotes were recorded';
  const currencies = new Map<string, { baseCcy: string; quoteCcy: string }>();
  for (const { product, fill } of [...record.earlier.fills, ...record.fills]) currencies.set(product, fill);
  for (const { product, baseCcy, quoteCcy } of columns) currencies.set(product, { baseCcy, quoteCcy });
  const span = { from: record.startedAt, to: record.endedAt };
  const standing = columns.filter(({ lane }) => played?.has(lane) !== false);
  const isAtWork = ofAccount ? () => true : atWork([...record.earlier.ledger, ...record.ledger]);
  return equityOf({
    earlier: record.earlier.ledger.filter(isAtWork),
    movements: record.ledger.filter(isAtWork),
    columns: [...columns, ...modelled],
    currenciesOf: (product) => currencies.get(product),
    currency,
    ...span,
    empty: emptyTimes(standing, span),
    unrecorded: unrecordedTimes(standing, span),
    everyQuote,
    isInMoney,
  });
}

/** Movements of books that traded: what nothing traded with is no capital to earn on. All of them where none did. */
function atWork(all: readonly LedgerMovement[]): (movement: LedgerMovement) => boolean {
  const traded = new Set(all.flatMap(({ book, product }) => (product === null ? [] : [book])));
  return traded.size === 0 ? () => true : ({ book }) => traded.has(book);
}

/** Those of what is held after movements that are open positions: dust that an exit left is none. */
export function openOf(holdings: BookReport['holdings'], movements: readonly LedgerMovement[]): BookReport['holdings'] {
  const currencies = new Map(holdings.map((one) => [one.product, one]));
  const held = new Holdings((product) => currencies.get(product));
  for (const movement of movements) held.apply(movement);
  return holdings.filter(({ book, product }) => held.isOpen(book, product));
}

/** Round trips that ended in the run, whenever they began, and positions that are open at its end. */
export const tripsOfRun = oncePer(
  ({ earlier, fills, ledger, tags }: Pick<RunRecord, 'earlier' | 'fills' | 'ledger' | 'tags'>): BookReport => {
    const filled = [...earlier.fills, ...fills];
    const movements = [...earlier.ledger, ...ledger];
    const { trades, holdings, corrections } = reportBooks(filled, tags, [], positionCorrections(movements));
    const own = new Set(fills.map(({ orderId }) => orderId));
    return { trades: trades.filter(({ exitOrder }) => own.has(exitOrder)), holdings: openOf(holdings, movements), corrections };
  },
);
