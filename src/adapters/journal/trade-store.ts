import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createForOwner, IN_MEMORY } from './files.ts';

/** Another number and a file of before is made anew. */
const FORMAT = 8;

const SCHEMA = `
  CREATE TABLE place (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE trades (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    book TEXT NOT NULL,
    product TEXT NOT NULL,
    side TEXT NOT NULL,
    size TEXT NOT NULL,
    entry_order TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    entry_price TEXT NOT NULL,
    exit_order TEXT NOT NULL,
    closed_at INTEGER NOT NULL,
    exit_price TEXT NOT NULL,
    fees TEXT NOT NULL,
    profit TEXT NOT NULL,
    currency TEXT NOT NULL,
    return_pct REAL NOT NULL
  ) STRICT;
  CREATE INDEX trades_by_close ON trades (closed_at);
  CREATE INDEX trades_by_exit ON trades (exit_order);
  CREATE TABLE tallies (of TEXT, currency TEXT, profit REAL NOT NULL, trades INTEGER NOT NULL, won INTEGER NOT NULL,
    PRIMARY KEY (of, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE days (day TEXT, currency TEXT, trades INTEGER NOT NULL, won INTEGER NOT NULL, fees TEXT NOT NULL, profit TEXT NOT NULL,
    PRIMARY KEY (day, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE moved (run_id TEXT, book TEXT, product TEXT, kind TEXT, currency TEXT, amount TEXT NOT NULL,
    PRIMARY KEY (run_id, book, product, kind, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE pairs (product TEXT PRIMARY KEY, base_ccy TEXT NOT NULL, quote_ccy TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE runs (run_id TEXT PRIMARY KEY, decisions INTEGER NOT NULL, orders INTEGER NOT NULL, accepted INTEGER NOT NULL,
    first_entry INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE books (entry INTEGER PRIMARY KEY, at INTEGER NOT NULL, open TEXT NOT NULL) STRICT;
  CREATE TABLE courses (run_id TEXT, currency TEXT, points TEXT NOT NULL, PRIMARY KEY (run_id, currency)) STRICT, WITHOUT ROWID;
`;

/** A round trip as it is kept: sizes, prices and money are decimal text, times milliseconds since 1970. */
export interface TradeRow {
  readonly run: string;
  readonly book: string;
  readonly product: string;
  readonly side: 'long' | 'short';
  readonly size: string;
  readonly entryOrder: string;
  readonly openedAt: number;
  readonly entryPrice: string;
  readonly exitOrder: string;
  readonly closedAt: number;
  readonly exitPrice: string;
  readonly fees: string;
  readonly profit: string;
  readonly currency: string;
  readonly returnPct: number;
}

/** What something comes to in a currency: a day, a run, a strategy on a day. */
export interface Tally {
  readonly of: string;
  readonly currency: string;
  readonly profit: number;
  readonly trades: number;
  readonly won: number;
}

/** What the round trips that ended on a day (UTC) come to in a currency; money is decimal text. */
export interface DayTrades {
  readonly day: string;
  readonly currency: string;
  readonly trades: number;
  readonly won: number;
  readonly fees: string;
  readonly profit: string;
}

/** What a run moved in a book, added up. */
export interface MovementSum {
  readonly run: string;
  readonly book: string;
  readonly product: string | null;
  readonly kind: string;
  readonly currency: string;
  readonly amount: string;
}

/** How much a run has of each; `accepted` are orders. */
export interface RunCounts {
  readonly run: string;
  readonly decisions: number;
  readonly orders: number;
  readonly accepted: number;
}

/**
 * Figures that follow from a journal, in a file of their own beside it: who reads the journal adds what is new, so that nobody has to
 * read all of it again. The journal stays the only truth; without this file everything is read once more. Several threads may add.
 */
export class TradeStore {
  readonly database: Database.Database;
  private readonly insertTrade;
  private readonly addTally;
  private readonly findDay;
  private readonly setDay;
  private readonly findMoved;
  private readonly setMoved;
  private readonly addPair;
  private readonly addCounts;
  private readonly setFirst;
  private readonly addBooks;
  private readonly findPlace;
  private readonly setPlace;

  private constructor(database: Database.Database) {
    this.database = database;
    const columns = 'run_id, book, product, side, size, entry_order, opened_at, entry_price, exit_order, closed_at, exit_price, fees';
    this.insertTrade = database.prepare<[TradeRow]>(
      `INSERT INTO trades (${columns}, profit, currency, return_pct) VALUES (@run, @book, @product, @side, @size, @entryOrder, @openedAt, @entryPrice,
         @exitOrder, @closedAt, @exitPrice, @fees, @profit, @currency, @returnPct)`,
    );
    this.addTally = database.prepare<[Tally]>(
      `INSERT INTO tallies VALUES (@of, @currency, @profit, @trades, @won) ON CONFLICT DO UPDATE
         SET profit = profit + excluded.profit, trades = trades + excluded.trades, won = won + excluded.won`,
    );
    this.findDay = database.prepare<[string, string], DayTrades>('SELECT * FROM days WHERE day = ? AND currency = ?');
    this.setDay = database.prepare<[DayTrades]>('INSERT OR REPLACE INTO days VALUES (@day, @currency, @trades, @won, @fees, @profit)');
    const named = 'run_id = @run AND book = @book AND product = @product AND kind = @kind AND currency = @currency';
    this.findMoved = database.prepare<[MovementSum], string>(`SELECT amount FROM moved WHERE ${named}`).pluck();
    this.setMoved = database.prepare<[MovementSum]>(
      'INSERT OR REPLACE INTO moved VALUES (@run, @book, @product, @kind, @currency, @amount)',
    );
    this.addPair = database.prepare<[string, string, string]>('INSERT OR REPLACE INTO pairs VALUES (?, ?, ?)');
    this.addCounts = database.prepare<[RunCounts]>(
      `INSERT INTO runs VALUES (@run, @decisions, @orders, @accepted, NULL) ON CONFLICT DO UPDATE
         SET decisions = decisions + excluded.decisions, orders = orders + excluded.orders, accepted = accepted + excluded.accepted`,
    );
    this.setFirst = database.prepare<[string, number]>(
      `INSERT INTO runs VALUES (?, 0, 0, 0, ?) ON CONFLICT DO UPDATE SET first_entry = coalesce(first_entry, excluded.first_entry)`,
    );
    this.addBooks = database.prepare<[number, number, string]>('INSERT OR REPLACE INTO books VALUES (?, ?, ?)');
    this.findPlace = database.prepare<[string], string>('SELECT value FROM place WHERE name = ?').pluck();
    this.setPlace = database.prepare<[string, string]>('INSERT OR REPLACE INTO place VALUES (?, ?)');
  }

  /** Opens the figures in a file, or in memory where it is null or cannot be used; what is there of another format is dropped. */
  static open(file: string | null): TradeStore {
    if (file === null) return new TradeStore(opened(IN_MEMORY));
    try {
      createForOwner(file);
      return new TradeStore(opened(file));
    } catch {
      // A file that is broken, or a folder that cannot be written: what is read again lasts as long as this process.
      return TradeStore.open(null);
    }
  }

  /** False where it lasts no longer than the process. */
  get isKept(): boolean {
    return !this.database.memory;
  }

  /** Adds in one step, alone among all threads. */
  adding<Result>(add: () => Result): Result {
    return this.database.transaction(add).immediate();
  }

  addTrade(trade: TradeRow): void {
    this.insertTrade.run(trade);
  }

  tally(tally: Tally): void {
    this.addTally.run(tally);
  }

  /** Changes what the round trips of a day come to; `sum` is given what it was, if anything. */
  addToDay(day: string, currency: string, sum: (before: DayTrades | undefined) => DayTrades): void {
    this.setDay.run(sum(this.findDay.get(day, currency)));
  }

  /** Changes what a run moved; `sum` is given what it was, '0' at first. */
  move(moved: MovementSum, sum: (before: string) => string): void {
    const named = { ...moved, product: moved.product ?? '' };
    this.setMoved.run({ ...named, amount: sum(this.findMoved.get(named) ?? '0') });
  }

  pair(product: string, { baseCcy, quoteCcy }: { readonly baseCcy: string; readonly quoteCcy: string }): void {
    this.addPair.run(product, baseCcy, quoteCcy);
  }

  count(counts: RunCounts): void {
    this.addCounts.run(counts);
  }

  /** The first entry of the ledger that belongs to a run. */
  beganAt(run: string, entry: number): void {
    this.setFirst.run(run, entry);
  }

  /** Keeps which lots were open behind an entry of the ledger. */
  keepBooks(entry: number, { at, open }: { readonly at: number; readonly open: string }): void {
    this.addBooks.run(entry, at, open);
  }

  /** How far something was read, or what was read last, by its name. */
  place(name: string): string | undefined {
    return this.findPlace.get(name);
  }

  setPlaceOf(name: string, value: string | number): void {
    this.setPlace.run(name, String(value));
  }

  /** Forgets everything: the journal is another one, or an older copy of it. */
  clear(): void {
    for (const table of TABLES) this.database.exec(`DELETE FROM ${table}`);
  }

  close(): void {
    this.database.close();
  }
}

const TABLES = ['place', 'trades', 'tallies', 'days', 'moved', 'pairs', 'runs', 'books', 'courses'];

function opened(file: string): Database.Database {
  const database = new Database(file);
  let isFit = false;
  try {
    isFit = madeFit(database);
    if (isFit) return database;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  } finally {
    if (!isFit) database.close();
  }
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  createForOwner(file);
  return opened(file);
}

/** Prepares a file that is new, or of this format; false for one of another. A reader waits five seconds while another thread adds to it. */
function madeFit(database: Database.Database): boolean {
  database.pragma('journal_mode = WAL');
  // What a crash of the machine takes away is read from the journal again.
  database.pragma('synchronous = OFF');
  const make = database.transaction(() => {
    const format = database.pragma('user_version', { simple: true });
    if (format === FORMAT) return true;
    if (database.prepare('SELECT 1 FROM sqlite_master').get()) return false;
    database.exec(SCHEMA);
    database.pragma(`user_version = ${FORMAT}`);
    return true;
  });
  return make.immediate();
}

const isUnreadable = (error: unknown): boolean => error instanceof Database.SqliteError && /SQLITE_(NOTADB|CORRUPT)/.test(error.code);
