import { type Period, timeWeightedReturn } from '#core/portfolio/valuation.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { isoTime } from '#domain/names.ts';
import type { BookReport, Trade } from './books.ts';

export type GroupBy = 'day' | 'strategy' | 'tag';

/** A movement of money as the ledger has it. */
export interface Movement {
  readonly at: string;
  readonly book: string;
  readonly kind: string;
  readonly currency: string;
  readonly amount: string;
}

/** The profit of one group of round trips, in one currency. */
export interface ProfitRow {
  readonly group: string;
  readonly currency: string;
  readonly trades: number;
  readonly won: number;
  /** All fees that were paid, as a positive cost: those of round trips are in the profit already, those of open positions in `unrealised`. */
  readonly fees: Decimal;
  readonly profit: Decimal;
  /** Of positions that were held over a roll, beside the profit; negative where it cost. */
  readonly financing: Decimal;
  /** Of positions that are open, at the last recorded quotes; an estimate, undefined where it does not apply. */
  readonly unrealised: Decimal | undefined;
  /** Time-weighted, of realised profit, financing and what is open, as a share; undefined where there was no capital in the currency, or no quote. */
  readonly return: Decimal | undefined;
}

/** Realised profit by group and currency, and of all together (`total`). Deposits and withdrawals are no profit. */
export function profitBy(by: GroupBy, { trades, holdings }: BookReport, ledger: readonly Movement[]): readonly ProfitRow[] {
  const groups = new Map<string, { readonly group: string; readonly currency: string; readonly trades: Trade[] }>();
  const place = (group: string, currency: string) => {
    const key = JSON.stringify([group, currency]);
    const found = groups.get(key) ?? { group, currency, trades: [] };
    groups.set(key, found);
    return found;
  };
  for (const trade of trades) place(groupOf(by, trade), trade.currency).trades.push(trade);
  const held = holdings.flatMap(({ book, quoteCcy, lots }) => lots.map((lot) => ({ ...lot, book, currency: quoteCcy })));
  const entered = (lot: (typeof held)[number]): string => groupOf(by, { ...lot, closedAt: lot.openedAt });
  for (const lot of held) place(entered(lot), lot.currency);
  if (by === 'strategy') for (const { book, quoteCcy } of holdings) place(book, quoteCcy);
  const financed = ledger.filter(({ kind }) => kind === 'financing');
  const rolledIn = (movement: Movement): string => (by === 'strategy' ? movement.book : by === 'day' ? dayOf(movement.at) : '-');
  for (const movement of financed) place(rolledIn(movement), movement.currency);
  const rows = [...groups.values()].map((one): ProfitRow => {
    const own = by === 'strategy' ? holdings.filter(({ book, quoteCcy }) => book === one.group && quoteCcy === one.currency) : undefined;
    const books = by === 'strategy' ? ledger.filter(({ book }) => book === one.group) : undefined;
    const unrealised = own && unrealisedOf(own);
    return {
      group: one.group,
      ...summed(
        one.trades,
        held.filter((lot) => lot.currency === one.currency && entered(lot) === one.group),
        one.currency,
      ),
      financing: sumOf(financed.filter((movement) => movement.currency === one.currency && rolledIn(movement) === one.group)),
      unrealised,
      return: books && unrealised && returnOf(one.currency, one.trades, { ledger: books, unrealised }),
    };
  });
  // Capital of books without trades, such as the treasury, does not count.
  const traded = new Set([...trades.map(({ book }) => book), ...holdings.map(({ book }) => book)]);
  const capital = ledger.filter(({ book }) => traded.has(book));
  const currencies = new Set(
    [...trades, ...holdings.map(({ quoteCcy }) => ({ currency: quoteCcy })), ...financed].map(({ currency }) => currency),
  );
  const totals = [...currencies].map((currency): ProfitRow => {
    const all = trades.filter((trade) => trade.currency === currency);
    const unrealised = unrealisedOf(holdings.filter(({ quoteCcy }) => quoteCcy === currency));
    return {
      group: 'total',
      ...summed(
        all,
        held.filter((lot) => lot.currency === currency),
        currency,
      ),
      financing: sumOf(financed.filter((movement) => movement.currency === currency)),
      unrealised,
      return: unrealised && returnOf(currency, all, { ledger: capital, unrealised }),
    };
  });
  return [...rows.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0)), ...totals];
}

const dayOf = (at: string): string => at.slice(0, 10);

function groupOf(by: GroupBy, trade: Pick<Trade, 'book' | 'tag' | 'closedAt'>): string {
  if (by === 'strategy') return trade.book;
  return by === 'tag' ? (trade.tag ?? '-') : dayOf(isoTime(trade.closedAt));
}

function summed(trades: readonly Trade[], held: readonly Pick<Trade, 'fees'>[], currency: string) {
  return {
    currency,
    trades: trades.length,
    won: trades.filter(({ profit }) => profit.gt(0)).length,
    fees: [...trades, ...held].reduce((sum, { fees }) => sum.plus(fees), ZERO),
    profit: trades.reduce((sum, { profit }) => sum.plus(profit), ZERO),
  };
}

const sumOf = (movements: readonly Movement[]): Decimal => movements.reduce((sum, { amount }) => sum.plus(amount), ZERO);

/** Undefined if a position has no quote, since a partial sum would be misleading. */
function unrealisedOf(holdings: BookReport['holdings']): Decimal | undefined {
  let sum = ZERO;
  for (const { estimate } of holdings) {
    if (!estimate) return undefined;
    sum = sum.plus(estimate.unrealised);
  }
  return sum;
}

/** What a book was made of, and what closing its positions now would add. */
interface Worth {
  readonly ledger: readonly Movement[];
  readonly unrealised: Decimal;
}

/** Profit on the capital of a currency, chained over days, at last with what is open; what came in and went out counts as capital alone. */
function returnOf(currency: string, trades: readonly Trade[], { ledger, unrealised }: Worth): Decimal | undefined {
  const flows = new Map<string, Decimal>();
  const won = new Map<string, Decimal>();
  const add = (to: Map<string, Decimal>, day: string, amount: Decimal): unknown => to.set(day, amount.plus(to.get(day) ?? ZERO));
  for (const { at, kind, currency: of, amount } of ledger) {
    if (of !== currency || kind === 'fill' || kind === 'fee') continue;
    add(kind === 'financing' ? won : flows, dayOf(at), decimalOf(amount));
  }
  for (const { closedAt, profit } of trades) add(won, dayOf(isoTime(closedAt)), profit);
  let capital = ZERO;
  const days = [...new Set([...flows.keys(), ...won.keys()])].sort();
  const periods = days.map((day, index): Period => {
    const flow = flows.get(day) ?? ZERO;
    const begin = capital;
    capital = capital.plus(flow).plus(won.get(day) ?? ZERO);
    return { begin, flow, end: index === days.length - 1 ? capital.plus(unrealised) : capital };
  });
  return timeWeightedReturn(periods);
}
