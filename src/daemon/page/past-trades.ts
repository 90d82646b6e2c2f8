import { bookedAfter, countsBetween, endsOf, fingerprint, type JournalEnds } from '#adapters/journal/booked.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import type { LedgerRow } from '#adapters/journal/paging.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { type ClosedSum, TradeQueries, type TradeSum } from '#adapters/journal/trade-queries.ts';
import { type TradeRow, TradeStore } from '#adapters/journal/trade-store.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { TimedQuote } from '#domain/quote.ts';
import { DAY_MS, dayStart } from '#domain/utc-day.ts';
import { type BookHolding, BooksOfFills, type BookTrip, type LooseCorrection, positionCorrections } from '#report/books.ts';
import type { DayProfit } from '#server/page/history-view.ts';
import type { ClosedProfit } from '#server/page/past-view.ts';

/** Rows that are read in one step, some 50 ms. */
const ENTRIES = 5_000;
const DECISIONS = 50_000;
const ORDERS = 20_000;

/** Points of the course of a day, and their digits: it is drawn the size of a word. */
const COURSE = 30;
const COURSE_DIGITS = 4;

/** Prefixes of the names of tallies. */
const DAY = 'day ';
export const RUN = 'run ';

/** What round trips come to, by currency, and the last of them. */
interface TradeTotals {
  readonly last: NonNullable<ReturnType<TradeQueries['keptAs']>>;
  readonly sums: ReadonlyMap<string, TradeSum>;
}

const NONE: JournalEnds = { entry: 0, seq: 0, order: 0 };

/**
 * Round trips of all runs, with profit by order, day and run. They are kept beside the journal and grow with it: what was read once is
 * not read again, also by the next start.
 */
export class PastTrades {
  readonly journal: JournalReader;
  found: TradeQueries;
  private store: TradeStore;
  /** The open lots behind an entry. */
  private books: { readonly entry: number; readonly lots: BooksOfFills } | undefined;
  private read: JournalEnds | undefined;
  /** What round trips up to one come to, by currency. */
  private summed: TradeTotals | undefined;

  constructor(journal: JournalReader) {
    this.journal = journal;
    this.store = TradeStore.open(journalFiles(journal.path).figures);
    this.found = new TradeQueries(this.store);
  }

  /** The last entry of the ledger that was read. */
  get booked(): number {
    return this.read?.entry ?? 0;
  }

  /** Reads all that is new. */
  readOn(): this {
    this.readSome(() => true);
    return this;
  }

  /** Reads what is new, in steps, as long as it may; false if something is left. */
  readSome(mayGoOn: () => boolean): boolean {
    do {
      const ends = this.journal.named(endsOf);
      if (this.read && isReached(this.read, ends)) return true;
      this.read = this.added(ends);
      if (isReached(this.read, ends)) return true;
    } while (mayGoOn());
    return false;
  }

  private added(ends: JournalEnds): JournalEnds {
    try {
      return this.store.adding(() => this.step(ends));
    } catch (error) {
      this.books = undefined;
      if (!this.store.isKept) throw error;
      // A full disk or a lock that nobody gives back: what is read from here on lasts as long as this process.
      this.store.close();
      this.store = TradeStore.open(null);
      this.found = new TradeQueries(this.store);
      return NONE;
    }
  }

  /** Takes the next rows; another thread may have taken some since. */
  private step(ends: JournalEnds): JournalEnds {
    const { store, journal } = this;
    const from = this.begin();
    const to = {
      entry: ends.entry > from.entry ? this.book(from.entry) : from.entry,
      seq: Math.min(ends.seq, from.seq + DECISIONS),
      order: Math.min(ends.order, from.order + ORDERS),
    };
    for (const counts of journal.named((database) => countsBetween(database, from, to))) store.count(counts);
    store.setPlaceOf('read', JSON.stringify(to));
    store.setPlaceOf(
      'journal',
      journal.named((database) => fingerprint(database, to.entry)),
    );
    return to;
  }

  /** How far the kept figures reach; they are forgotten where they are of another journal. */
  private begin(): JournalEnds {
    const { store, journal } = this;
    const read = JSON.parse(store.place('read') ?? 'null') as JournalEnds | null;
    if (read === null) return NONE;
    if (store.place('journal') === journal.named((database) => fingerprint(database, read.entry))) return read;
    store.clear();
    this.books = undefined;
    return NONE;
  }

  /** Books what comes after an entry; the last one that it took. */
  private book(after: number): number {
    const { store } = this;
    const { fills, ledger } = this.journal.named((database) => bookedAfter(database, after, { limit: ENTRIES }));
    const last = ledger.at(-1);
    if (!last) return after;
    const { lots } = this.booksBehind(after);
    const runOf = new Map(ledger.flatMap(({ order_id, run_id }) => (order_id === null ? [] : [[order_id, run_id] as const])));
    const before = lots.loose.length;
    const closed = lots.apply(fills, positionCorrections(ledger));
    for (const { at, currency, amount } of lots.loose.slice(before)) this.tallyDay(isoTime(at), currency, amount.toNumber());
    for (const trade of closed) this.add(trade, runOf.get(trade.exitOrder) ?? '');
    this.addToDays(closed);
    for (const { product, fill } of fills) store.pair(product, fill);
    this.move(ledger);
    this.books = { entry: last.entry_id, lots };
    const open = lots.text();
    store.setPlaceOf('open', open);
    const kept = Number(store.place('kept') ?? 0);
    if (last.entry_id - kept < ENTRIES) return last.entry_id;
    store.keepBooks(last.entry_id, { at: Date.parse(last.at), open });
    store.setPlaceOf('kept', last.entry_id);
    return last.entry_id;
  }

  private booksBehind(entry: number) {
    return this.books?.entry === entry ? this.books : { entry, lots: BooksOfFills.from(this.store.place('open')) };
  }

  private add(trade: BookTrip, run: string): void {
    const { store } = this;
    const kept = keptTrade(trade, run);
    const profit = Number(kept.profit);
    store.addTrade(kept);
    const sum = { currency: kept.currency, profit, trades: 1, won: profit > 0 ? 1 : 0 };
    store.tally({ ...sum, of: `${DAY}${isoTime(kept.closedAt).slice(0, 10)}` });
    store.tally({ ...sum, of: `${RUN}${run}` });
  }

  private addToDays(closed: readonly BookTrip[]): void {
    const ofDay = ({ closedAt, currency }: BookTrip): string => `${isoTime(closedAt).slice(0, 10)} ${currency}`;
    for (const [key, trades] of Map.groupBy(closed, ofDay)) {
      const [day = '', currency = ''] = key.split(' ');
      this.store.addToDay(day, currency, (before) => ({
        day,
        currency,
        trades: (before?.trades ?? 0) + trades.length,
        won: (before?.won ?? 0) + trades.filter(({ profit }) => profit.gt(0)).length,
        fees: trades.reduce((sum, { fees }) => sum.plus(fees), decimalOf(before?.fees ?? 0)).toString(),
        profit: trades.reduce((sum, { profit }) => sum.plus(profit), decimalOf(before?.profit ?? 0)).toString(),
      }));
    }
  }

  /** Profit beside round trips. */
  private tallyDay(at: string, currency: string, profit: number): void {
    this.store.tally({ of: `${DAY}${at.slice(0, 10)}`, currency, profit, trades: 0, won: 0 });
  }

  private move(ledger: readonly LedgerRow[]): void {
    const { store } = this;
    const sums = new Map<string, { readonly row: LedgerRow; amount: Decimal }>();
    for (const row of ledger) {
      const { at, run_id, book, product, kind, currency, amount } = row;
      const key = JSON.stringify([run_id, book, product, kind, currency]);
      const sum = sums.get(key) ?? { row, amount: ZERO };
      sum.amount = sum.amount.plus(decimalOf(amount));
      sums.set(key, sum);
      if (kind === 'financing') this.tallyDay(at, currency, Number(amount));
      store.beganAt(run_id, row.entry_id);
    }
    for (const { row, amount } of sums.values()) {
      store.move({ ...row, run: row.run_id, amount: '' }, (before) => decimalOf(before).plus(amount).toString());
    }
  }

  /** Entry fees of open lots since a time, by quote currency. */
  openFees(from: Millis): ReadonlyMap<string, Decimal> {
    const sums = new Map<string, Decimal>();
    for (const { quoteCcy, lots } of this.open().holdings([])) {
      const own = lots.filter(({ openedAt }) => openedAt >= from);
      for (const { fees } of own) sums.set(quoteCcy, (sums.get(quoteCcy) ?? ZERO).plus(fees));
    }
    return sums;
  }

  /** What corrections brought or took beside round trips and what is open. */
  get corrections(): readonly LooseCorrection[] {
    return this.open().loose;
  }

  /** Every book with what it holds, valued at quotes. */
  holdings(quotes: readonly TimedQuote[]): readonly BookHolding[] {
    return this.open().holdings(quotes);
  }

  /** The profit of an order by what it closed; null if it closed nothing. */
  closedBy(order: string | null): ClosedProfit | null {
    const found = order === null ? undefined : this.found.closedBy(order);
    return found === undefined ? null : { profit: found.profit, currency: found.currency };
  }

  /** Profit of each day (UTC) with a close or financing, in time order, one entry per currency. */
  days(): readonly DayProfit[] {
    return this.found.tallies(DAY).map(({ of, ...sum }) => ({ day: of.slice(DAY.length), ...sum }));
  }

  /** What each strategy that closed something on the day of an instant made by it, by currency, and how it came to that. */
  closedOn(at: Millis): ReadonlyMap<string, readonly (ClosedSum & { readonly course: readonly number[] })[]> {
    const from = dayStart(at);
    const day = { from, to: from + DAY_MS };
    const courses = Map.groupBy(this.found.coursesBetween(day, COURSE), ({ book, currency }) => `${book} ${currency}`);
    const sums = this.found.closedBetween(day).map((sum) => ({
      ...sum,
      course: (courses.get(`${sum.book} ${sum.currency}`) ?? []).map(({ made }) => Number(made.toPrecision(COURSE_DIGITS))),
    }));
    return Map.groupBy(sums, ({ book }) => book);
  }

  /** What all round trips come to, by currency; those that were added up are not read again. */
  sums(): readonly TradeSum[] {
    const { found } = this;
    const last = found.keptAs(null);
    if (last === undefined) return [];
    const { summed } = this;
    const before = summed && found.keptAs(summed.last.id);
    const isKept = before !== undefined && before.exit === summed?.last.exit && before.at === summed.last.at;
    const sums = new Map(isKept ? summed?.sums : []);
    for (const more of found.sumsAfter(before !== undefined && isKept ? before.id : 0)) {
      const { profit, trades, won, fees } = sums.get(more.currency) ?? { profit: 0, trades: 0, won: 0, fees: 0 };
      const { currency } = more;
      sums.set(currency, {
        currency,
        profit: profit + more.profit,
        trades: trades + more.trades,
        won: won + more.won,
        fees: fees + more.fees,
      });
    }
    this.summed = { last, sums };
    return [...sums.values()];
  }

  close(): void {
    this.store.close();
  }

  private open(): BooksOfFills {
    const read = this.store.place('read');
    return this.booksBehind(read === undefined ? 0 : (JSON.parse(read) as JournalEnds).entry).lots;
  }
}

const isReached = (read: JournalEnds, ends: JournalEnds): boolean =>
  read.entry >= ends.entry && read.seq >= ends.seq && read.order >= ends.order;

function keptTrade(
  { book, product, side, currency, entryOrder, exitOrder, openedAt, closedAt, ...figures }: BookTrip,
  run: string,
): TradeRow {
  const { size, entryPrice, exitPrice, fees, profit } = figures;
  const stake = entryPrice.times(size);
  return {
    run,
    book,
    product,
    side,
    size: size.toString(),
    entryOrder,
    openedAt,
    entryPrice: entryPrice.toString(),
    exitOrder,
    closedAt,
    exitPrice: exitPrice.toString(),
    fees: fees.toString(),
    profit: profit.toString(),
    currency,
    returnPct: stake.isZero() ? 0 : profit.div(stake).toNumber() * 100,
  };
}
