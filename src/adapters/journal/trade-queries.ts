import type { DayTrades, MovementSum, RunCounts, Tally, TradeRow, TradeStore } from './trade-store.ts';

const TRADE = `run_id AS run, book, product, side, size, entry_order AS entryOrder, opened_at AS openedAt, entry_price AS entryPrice,
  exit_order AS exitOrder, closed_at AS closedAt, exit_price AS exitPrice, fees, profit, currency, return_pct AS returnPct`;

/** What round trips are sorted by, as SQLite compares it. */
const ORDERS = {
  closed: 'closed_at',
  opened: 'opened_at',
  strategy: 'book',
  product: 'product',
  side: 'side',
  size: 'CAST(size AS REAL)',
  held: 'closed_at - opened_at',
  fees: 'CAST(fees AS REAL)',
  profit: 'CAST(profit AS REAL)',
  return: 'return_pct',
} as const;

const WANTED = `(@strategy IS NULL OR book = @strategy) AND (@product IS NULL OR product = @product)
  AND (@outcome IS NULL OR (CAST(profit AS REAL) > 0) = (@outcome = 'won'))`;

/** Which round trips are wanted, and in which order; null matches any. */
export interface TradeQuery {
  readonly strategy: string | null;
  readonly product: string | null;
  readonly outcome: 'won' | 'lost' | null;
  readonly sort: keyof typeof ORDERS;
  readonly isUpwards: boolean;
}

/** What some round trips come to in a currency. */
export interface TradeSum extends Omit<Tally, 'of'> {
  readonly fees: number;
}

/** What a book closed. */
export interface ClosedSum {
  readonly book: string;
  readonly currency: string;
  readonly profit: number;
  readonly trades: number;
}

/** When a round trip ended, and what it came to. */
interface Close extends Pick<TradeRow, 'currency' | 'fees' | 'profit'> {
  readonly at: number;
}

/** What a book had made by a close. */
interface ClosedPoint extends Pick<ClosedSum, 'book' | 'currency'> {
  readonly made: number;
}

/** A stretch of time, the first included, the second not. */
interface Between {
  readonly from: number;
  readonly to: number;
}

/** Reads the figures that a `TradeStore` keeps. */
export class TradeQueries {
  private readonly store: TradeStore;
  private readonly ofExit;

  constructor(store: TradeStore) {
    this.store = store;
    this.ofExit = store.database.prepare<[string], { currency: string; profit: number }>(
      'SELECT currency, sum(CAST(profit AS REAL)) AS profit FROM trades WHERE exit_order = ? GROUP BY currency',
    );
  }

  /** A page of round trips. */
  trades({ sort, isUpwards, ...query }: TradeQuery, { offset, limit }: { readonly offset: number; readonly limit: number }): TradeRow[] {
    const way = isUpwards ? 'ASC' : 'DESC';
    return this.store.database
      .prepare<[object], TradeRow>(
        `SELECT ${TRADE} FROM trades WHERE ${WANTED} ORDER BY ${ORDERS[sort]} ${way}, id LIMIT @limit OFFSET @offset`,
      )
      .all({ ...query, limit, offset });
  }

  /** What all round trips of a query come to, by currency. */
  sums({ sort: _sort, isUpwards: _way, ...query }: TradeQuery): TradeSum[] {
    return this.store.database
      .prepare<[object], TradeSum>(
        `SELECT currency, sum(CAST(profit AS REAL)) AS profit, count(*) AS trades, sum(CAST(profit AS REAL) > 0) AS won,
           sum(CAST(fees AS REAL)) AS fees FROM trades WHERE ${WANTED} GROUP BY currency ORDER BY min(id)`,
      )
      .all(query);
  }

  /** What the round trips kept after one come to, by currency. */
  sumsAfter(id: number): TradeSum[] {
    return this.store.database
      .prepare<[number], TradeSum>(
        `SELECT currency, sum(CAST(profit AS REAL)) AS profit, count(*) AS trades, sum(CAST(profit AS REAL) > 0) AS won,
           sum(CAST(fees AS REAL)) AS fees FROM trades WHERE id > ? GROUP BY currency ORDER BY min(id)`,
      )
      .all(id);
  }

  /** The round trip that was kept last, or the one of a number; undefined where there is none. */
  keptAs(id: number | null): { readonly id: number; readonly exit: string; readonly at: number } | undefined {
    return this.store.database
      .prepare<[object], { id: number; exit: string; at: number }>(
        `SELECT id, run_id || ' ' || exit_order AS exit, closed_at AS at FROM trades WHERE id = coalesce(@id, (SELECT max(id) FROM trades))`,
      )
      .get({ id });
  }

  /** What round trips that ended in a stretch of time come to, by currency; `inherited`: how many of them began before it. */
  sumsBetween({ from, to }: Between): (TradeSum & { readonly inherited: number })[] {
    return this.store.database
      .prepare<[Between], TradeSum & { readonly inherited: number }>(
        `SELECT currency, sum(CAST(profit AS REAL)) AS profit, count(*) AS trades, sum(CAST(profit AS REAL) > 0) AS won,
           sum(CAST(fees AS REAL)) AS fees, sum(opened_at < @from) AS inherited
         FROM trades WHERE closed_at >= @from AND closed_at < @to GROUP BY currency ORDER BY min(id)`,
      )
      .all({ from, to });
  }

  /** The same, book by book. */
  closedBetween({ from, to }: Between): ClosedSum[] {
    return this.store.database
      .prepare<[number, number], ClosedSum>(
        `SELECT book, currency, sum(CAST(profit AS REAL)) AS profit, count(*) AS trades FROM trades
         WHERE closed_at >= ? AND closed_at < ? GROUP BY book, currency ORDER BY min(id)`,
      )
      .all(from, to);
  }

  /** Each round trip that ended in a stretch of time. */
  closesBetween({ from, to }: Between): Close[] {
    return this.store.database
      .prepare<[number, number], Close>(
        'SELECT currency, closed_at AS at, fees, profit FROM trades WHERE closed_at >= ? AND closed_at < ? ORDER BY id',
      )
      .all(from, to);
  }

  /** How it came to that: what each book had made by its closes one after the other, at most so many of each, evenly, with the last. */
  coursesBetween({ from, to }: Between, most: number): ClosedPoint[] {
    return this.store.database
      .prepare<[object], ClosedPoint>(
        `SELECT book, currency, made FROM (
           SELECT book, currency, sum(CAST(profit AS REAL)) OVER upTo AS made, row_number() OVER upTo AS n,
             count(*) OVER (PARTITION BY book, currency) AS whole
           FROM trades WHERE closed_at >= @from AND closed_at < @to WINDOW upTo AS (PARTITION BY book, currency ORDER BY closed_at, id)
         ) WHERE (whole - n) % ((whole + @most - 1) / @most) = 0 ORDER BY book, currency, n`,
      )
      .all({ from, to, most });
  }

  /** The newest round trips of a product that were open in a stretch of time, in the order in which they ended; only those that ended before `endedBy`. */
  openBetween(product: string, { from, to, endedBy }: Between & { readonly endedBy: number | null }, limit: number): TradeRow[] {
    return this.store.database
      .prepare<[string, number, number, number, number], TradeRow>(
        `SELECT ${TRADE} FROM trades WHERE product = ? AND closed_at >= ? AND opened_at < ? AND closed_at < ? ORDER BY closed_at DESC, id DESC LIMIT ?`,
      )
      .all(product, from, to, endedBy ?? Number.MAX_SAFE_INTEGER, limit)
      .reverse();
  }

  /** The round trips that an order opened or closed, in the order in which they ended; `at` is when it was decided. */
  tripsOf(order: string, at: number): TradeRow[] {
    return this.store.database
      .prepare<[object], TradeRow>(
        `SELECT ${TRADE} FROM trades WHERE closed_at >= @at AND (entry_order = @order OR exit_order = @order) ORDER BY closed_at, id LIMIT 50`,
      )
      .all({ order, at });
  }

  /** What an order made by what it closed; undefined where it closed nothing. */
  closedBy(order: string): { readonly currency: string; readonly profit: number } | undefined {
    return this.ofExit.get(order);
  }

  /** Tallies whose name begins so, in the order of their names. */
  tallies(begin: string): Tally[] {
    return this.store.database
      .prepare<[string, string], Tally>('SELECT * FROM tallies WHERE of >= ? AND of < ? ORDER BY of, currency')
      .all(begin, `${begin}\uffff`);
  }

  /** What round trips come to by the day on which they ended, and currency. */
  days(): DayTrades[] {
    return this.store.database.prepare<[], DayTrades>('SELECT * FROM days ORDER BY day, currency').all();
  }

  /** The books that closed anything. */
  books(): ReadonlySet<string> {
    return new Set(this.store.database.prepare<[], string>('SELECT DISTINCT book FROM trades').pluck().all());
  }

  /** What each run moved, book by book; a product of '' is none. */
  moved(): MovementSum[] {
    return this.store.database
      .prepare<[], MovementSum>("SELECT run_id AS run, book, nullif(product, '') AS product, kind, currency, amount FROM moved")
      .all();
  }

  /** The currencies of each product that was traded. */
  pairs(): { product: string; baseCcy: string; quoteCcy: string }[] {
    return this.store.database
      .prepare<[], { product: string; baseCcy: string; quoteCcy: string }>(
        'SELECT product, base_ccy AS baseCcy, quote_ccy AS quoteCcy FROM pairs',
      )
      .all();
  }

  counts(): ReadonlyMap<string, RunCounts> {
    const rows = this.store.database.prepare<[], RunCounts>('SELECT run_id AS run, decisions, orders, accepted FROM runs').all();
    return new Map(rows.map((row) => [row.run, row]));
  }

  /** The first entry of the ledger of a run; undefined where it has none. */
  firstEntry(run: string): number | undefined {
    const found = this.store.database.prepare<[string], number | null>('SELECT first_entry FROM runs WHERE run_id = ?').pluck();
    return found.get(run) ?? undefined;
  }

  /** The open lots that were kept last up to a time, and the entry behind which they were. */
  booksAt(at: number): { readonly entry: number; readonly open: string } | undefined {
    return this.store.database
      .prepare<[number], { entry: number; open: string }>('SELECT entry, open FROM books WHERE at <= ? ORDER BY entry DESC LIMIT 1')
      .get(at);
  }

  /** The currency in which the equity of most runs is kept; undefined where none is. */
  currencyOfCourses(): string | undefined {
    const sql = 'SELECT currency FROM courses GROUP BY currency ORDER BY count(*) DESC LIMIT 1';
    return this.store.database.prepare<[], string>(sql).pluck().get();
  }

  /** The points of each run's equity in a currency that are kept, as JSON. */
  courses(currency: string): ReadonlyMap<string, string> {
    const rows = this.store.database
      .prepare<[string], { run: string; points: string }>('SELECT run_id AS run, points FROM courses WHERE currency = ?')
      .all(currency);
    return new Map(rows.map(({ run, points }) => [run, points]));
  }

  keepCourse(run: string, currency: string, points: string): void {
    this.store.database.prepare<[string, string, string]>('INSERT OR REPLACE INTO courses VALUES (?, ?, ?)').run(run, currency, points);
  }
}
