import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { BookReport, BookTrip } from './books.ts';

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
  /** Of positions by what the account has, beside round trips and what is open. */
  readonly corrections: Decimal;
  /** Of positions that are open, at the last recorded quotes; an estimate, undefined where it does not apply. */
  readonly unrealised: Decimal | undefined;
  /** Time-weighted, of realised profit, financing, corrections and what is open, as a share; undefined where there was no capital in the currency, or no quote. */
  readonly return: Decimal | undefined;
}

/** Realised profit by group and currency, and of all together (`total`). Deposits and withdrawals are no profit. */
export function profitBy(by: GroupBy, { trades, holdings, corrections }: BookReport, ledger: readonly Movement[]): readonly ProfitRow[] {
  const closed = trades.map((trade): ClosedTrips => {
    const { closedAt, currency, profit, fees } = trade;
    return { group: groupOf(by, trade), at: closedAt, currency, trades: 1, won: profit.gt(0) ? 1 : 0, fees, profit };
  });
  const traded = new Set([...trades, ...holdings, ...corrections].map(({ book }) => book));
  return profitOf(by, closed, { holdings, corrections, ledger, traded });
}

/** As `profitBy` by day, of days that were added up before: all but `daysOfFlows`, whose round trips stand one by one. */
export const profitByDay = (days: readonly Omit<ClosedTrips, 'group'>[], seen: ProfitSources): readonly ProfitRow[] =>
  profitOf(
    'day',
    days.map((one) => ({ ...one, group: dayOf(isoTime(one.at)) })),
    seen,
  );

/** The days (UTC) on which capital came in or went out. */
export const daysOfFlows = (ledger: readonly Movement[]): ReadonlySet<string> => new Set(ledger.filter(isFlow).map(({ at }) => dayOf(at)));

/** What round trips come to in a currency: one of them, or those of a day without flows. */
interface ClosedTrips extends Pick<ProfitRow, 'group' | 'currency' | 'trades' | 'won' | 'fees' | 'profit'> {
  /** When it ended, or an instant of the day. */
  readonly at: Millis;
}

/** What there is beside closed round trips. */
interface ProfitSources {
  readonly holdings: BookReport['holdings'];
  readonly corrections: BookReport['corrections'];
  /** Fills and fees may be left out. */
  readonly ledger: readonly Movement[];
  /** Books that closed or hold anything: capital of others, such as the treasury, does not count. */
  readonly traded: ReadonlySet<string>;
}

type Group = Pick<ProfitRow, 'group' | 'currency'>;

const keyOf = ({ group, currency }: Group): string => JSON.stringify([group, currency]);

function profitOf(
  by: GroupBy,
  closed: readonly ClosedTrips[],
  { holdings, corrections, ledger, traded }: ProfitSources,
): readonly ProfitRow[] {
  const held = holdings.flatMap(({ book, quoteCcy, lots }) =>
    lots.map((lot) => ({ group: groupOf(by, { ...lot, book, closedAt: lot.openedAt }), currency: quoteCcy, fees: lot.fees })),
  );
  const movedIn = ({ book, at }: Pick<Movement, 'book' | 'at'>): string => (by === 'strategy' ? book : by === 'day' ? dayOf(at) : '-');
  const financed = ledger.filter(({ kind }) => kind === 'financing').map((one) => ({ ...one, group: movedIn(one) }));
  const corrected = corrections.map((one) => ({ ...one, group: movedIn({ ...one, at: isoTime(one.at) }) }));
  const open = holdings.map(({ book, quoteCcy }) => ({ group: book, currency: quoteCcy }));
  const row = (
    of: Group,
    parts: { closed: readonly ClosedTrips[]; held: typeof held; financed: typeof financed; corrected: typeof corrected },
    worth: Worth | undefined,
  ) => ({
    group: of.group,
    currency: of.currency,
    trades: parts.closed.reduce((sum, { trades }) => sum + trades, 0),
    won: parts.closed.reduce((sum, { won }) => sum + won, 0),
    fees: [...parts.closed, ...parts.held].reduce((sum, { fees }) => sum.plus(fees), ZERO),
    profit: parts.closed.reduce((sum, { profit }) => sum.plus(profit), ZERO),
    financing: sumOf(parts.financed),
    corrections: sumOf(parts.corrected),
    unrealised: worth?.unrealised,
    return: worth && returnOf(of.currency, parts, worth),
  });
  const worthOf = (own: BookReport['holdings'], of: readonly Movement[]): Worth | undefined => {
    const unrealised = unrealisedOf(own);
    return unrealised && { ledger: of, unrealised };
  };
  const groups = new Map(
    [...closed, ...held, ...(by === 'strategy' ? open : []), ...financed, ...corrected].map(({ group, currency }) => {
      const of = { group, currency };
      return [keyOf(of), of];
    }),
  );
  const [closedIn, heldIn] = [Map.groupBy(closed, keyOf), Map.groupBy(held, keyOf)];
  const [financedIn, correctedIn] = [Map.groupBy(financed, keyOf), Map.groupBy(corrected, keyOf)];
  const rows = [...groups].map(([key, of]): ProfitRow => {
    const [closed, held] = [closedIn.get(key) ?? [], heldIn.get(key) ?? []];
    const parts = { closed, held, financed: financedIn.get(key) ?? [], corrected: correctedIn.get(key) ?? [] };
    if (by !== 'strategy') return row(of, parts, undefined);
    const own = holdings.filter(({ book, quoteCcy }) => book === of.group && quoteCcy === of.currency);
    const books = ledger.filter(({ book }) => book === of.group);
    return row(of, parts, worthOf(own, books));
  });
  const capital = ledger.filter(({ book }) => traded.has(book));
  const totals = [...new Set([...closed, ...open, ...financed, ...corrected].map(({ currency }) => currency))].map(
    (currency): ProfitRow => {
      const isOwn = (one: { readonly currency: string }): boolean => one.currency === currency;
      const moved = { financed: financed.filter(isOwn), corrected: corrected.filter(isOwn) };
      const parts = { closed: closed.filter(isOwn), held: held.filter(isOwn), ...moved };
      const own = holdings.filter(({ quoteCcy }) => quoteCcy === currency);
      return row({ group: 'total', currency }, parts, worthOf(own, capital));
    },
  );
  return [...rows.sort((a, b) => compared(a.group, b.group) || compared(a.currency, b.currency)), ...totals];
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const dayOf = (at: string): string => at.slice(0, 10);

function groupOf(by: GroupBy, trade: Pick<BookTrip, 'book' | 'tag' | 'closedAt'>): string {
  if (by === 'strategy') return trade.book;
  return by === 'tag' ? (trade.tag ?? '-') : dayOf(isoTime(trade.closedAt));
}

const sumOf = (movements: readonly { readonly amount: Decimal | string }[]): Decimal =>
  movements.reduce((sum, { amount }) => sum.plus(amount), ZERO);

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

/** Profit beside round trips. */
interface SideProfit {
  readonly at: string | Millis;
  readonly amount: Decimal | string;
}

/** Kinds of movements of which profit is made, in round trips, open positions or beside them. */
const OF_PROFIT: ReadonlySet<string> = new Set(['fill', 'fee', 'correction', 'financing']);

const isFlow = ({ kind }: Pick<Movement, 'kind'>): boolean => !OF_PROFIT.has(kind);

/** Profit on the capital of a currency, chained at each flow, at last with what is open; what came in and went out counts as capital alone. */
function returnOf(
  currency: string,
  { closed, financed, corrected }: { readonly closed: readonly ClosedTrips[] } & Record<'financed' | 'corrected', readonly SideProfit[]>,
  { ledger, unrealised }: Worth,
): Decimal | undefined {
  const won = [
    ...closed.map(({ at, profit }) => ({ at, amount: profit })),
    ...[...financed, ...corrected].map(({ at, amount }) => ({ at: new Date(at).getTime(), amount: ZERO.plus(amount) })),
  ].sort((a, b) => a.at - b.at);
  const own = ledger.filter((one) => one.currency === currency && isFlow(one));
  const flows = [...Map.groupBy(own, ({ at }) => Date.parse(at))].sort(([a], [b]) => a - b);
  let next = 0;
  let capital = ZERO;
  const wonBefore = (end: number): Decimal => {
    let sum = ZERO;
    for (let one = won[next]; one && one.at < end; one = won[++next]) sum = sum.plus(one.amount);
    return sum;
  };
  const stretches: typeof flows = [[Number.NEGATIVE_INFINITY, []], ...flows];
  const periods = stretches.map(([, moved], index): Period => {
    const [begin, flow, then] = [capital, sumOf(moved), stretches[index + 1]];
    capital = begin.plus(flow).plus(wonBefore(then?.[0] ?? Number.POSITIVE_INFINITY));
    return { begin, flow, end: then ? capital : capital.plus(unrealised) };
  });
  return timeWeightedReturn(periods);
}

/** A stretch of time between two flows: what was there, what came in (or went out, negative) at its begin, what it became. */
interface Period {
  readonly begin: Decimal;
  readonly flow: Decimal;
  readonly end: Decimal;
}

/**
 * The time-weighted return of periods in a row, as a share: 0.01 is one percent. Deposits and withdrawals are taken out,
 * so that only trading counts. Undefined where there was no capital to earn on; a time without profit changes nothing.
 */
export function timeWeightedReturn(periods: readonly Period[]): Decimal | undefined {
  let growth: Decimal | undefined;
  for (const { begin, flow, end } of periods) {
    const capital = begin.plus(flow);
    if (capital.gt(0)) growth = (growth ?? decimalOf(1)).times(end).div(capital);
    else if (!end.eq(capital)) return undefined;
  }
  return growth?.minus(1);
}
