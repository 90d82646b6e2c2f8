import type Database from 'better-sqlite3';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookAmount } from '#domain/event.ts';
import { type BookCorrection, type BookedFill, BooksSoFar, NO_BOOKS, type PastBooks } from '#domain/past-books.ts';
import type { Side } from '#domain/quote.ts';
import { chainBegin } from './archives.ts';
import { BESIDE_ORDERS, IS_ANEW } from './schema.ts';

/** The last rows of `decisions` and `ledger` that a state covers. */
export interface RowEnd {
  readonly seq: number;
  readonly entry: number;
}

/** Kinds of decisions of which only the last of each strategy or product counts, and plans at work. */
type Lasting = 'exit' | 'state' | 'peak' | 'learned' | 'working';

/**
 * What all rows up to an end come to, where a start would otherwise have to read them all. Kept in `snapshots` as JSON: whoever
 * changes what it holds, or how it follows from the rows, empties that table in a step of the schema.
 */
export interface JournalState {
  readonly books: PastBooks;
  /** What moved in the account besides opening balances, by currency, decimal text. */
  readonly flows: Readonly<Record<string, string>>;
  /** Opening balances, one a book and currency, in the order in which they were first booked. */
  readonly openings: readonly BookAmount[];
  /** Numbers of the rows that count, by their subject, sorted by it. */
  readonly rows: Readonly<Record<Lasting, Readonly<Record<string, number>>>>;
}

/** The end of no rows. */
export const NO_ROWS: RowEnd = { seq: 0, entry: 0 };

/** Before the first row. */
export const NO_STATE: JournalState = {
  books: NO_BOOKS,
  flows: {},
  openings: [],
  rows: { exit: {}, state: {}, peak: {}, learned: {}, working: {} },
};

/** The present ends of a journal's tables. */
export function rowEnd(database: Database.Database): RowEnd {
  const last = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    seq: last('SELECT seq FROM decisions ORDER BY seq DESC LIMIT 1'),
    entry: last('SELECT entry_id FROM ledger ORDER BY entry_id DESC LIMIT 1'),
  };
}

/** The rows behind `from`, up to and with `to`. */
interface Span {
  readonly from: RowEnd;
  readonly to: RowEnd;
}

/**
 * What the rows up to `to` come to, given what those up to `from` came to: the same as reading all of them. Reads the tables
 * that follow from the decisions, which `journal verify` holds against them. Writes nothing.
 */
export function stateAfter(database: Database.Database, before: JournalState, span: Span): JournalState {
  return {
    books: booksAfter(database, before.books, span),
    flows: flowsAfter(database, before.flows, span),
    openings: openingsAfter(database, before.openings, span),
    rows: rowsAfter(database, before.rows, span),
  };
}

interface FillRow {
  readonly entry: number;
  readonly id: string;
  readonly at: string;
  readonly strategy: string;
  readonly product: string;
  readonly side: Side;
  readonly base_ccy: string;
  readonly quote_ccy: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly fee_ccy: string;
}

/** What changed a position besides its fills. */
interface AdjustmentRow extends BookCorrection {
  readonly entry: number;
  readonly kind: 'correction' | 'financing';
}

/** A fill moved the base currency, then the quote currency, then the fee: three entries in a row, and its order has the figures. */
const FILLS = `SELECT b.entry_id AS entry, b.order_id AS id, b.at, o.strategy, lower(o.product) AS product, o.side, b.currency AS base_ccy, q.currency AS quote_ccy, o.price, o.size, o.value, o.fee, o.fee_ccy
  FROM ledger b CROSS JOIN ledger q ON q.entry_id = b.entry_id + 1 CROSS JOIN orders o ON o.order_id = b.order_id
  WHERE b.kind = 'fill' AND q.kind = 'fill' AND q.order_id = b.order_id AND b.entry_id > ? AND b.entry_id <= ? ORDER BY b.entry_id`;

/** Corrections and financing of positions; corrections of the treasury name no product. */
const ADJUSTMENTS = `SELECT entry_id AS entry, kind, book AS strategy, lower(product) AS product, lower(currency) AS currency, amount FROM ledger
  WHERE kind IN ('correction', 'financing') AND product IS NOT NULL AND entry_id > ? AND entry_id <= ? ORDER BY entry_id`;

/** A row from which losses are counted anew. */
interface AnewRow {
  readonly seq: number;
  readonly at: string;
  /** The last entry before it, where a rotation has noted it (`noteAnew`). */
  readonly entry: number | null;
}

const ANEW = `SELECT seq, at, (SELECT w.seq FROM watermarks w WHERE w.name = 'anew ' || decisions.seq) AS entry
  FROM decisions WHERE ${IS_ANEW} AND seq > ? AND seq <= ? ORDER BY seq`;

/** The row that booked an order's fill. An archive may have it. */
const BOOKED_BY = `SELECT min(seq) FROM decisions WHERE order_id = ? AND (kind = 'accepted' OR kind = 'resolved' AND detail ->> 'as' = 'accepted')`;

/** The rows of a span from which losses are counted anew, each told once. */
class Beginnings {
  private readonly rows: AnewRow[];
  private readonly bookedBy: Database.Statement<[string], number | null>;
  private readonly archived: number;

  constructor(database: Database.Database, { from, to }: Span) {
    this.rows = database.prepare<[number, number], AnewRow>(ANEW).all(from.seq, to.seq);
    this.bookedBy = database.prepare<[string], number | null>(BOOKED_BY).pluck();
    this.archived = chainBegin(database).seq;
  }

  /** True once all are told. */
  get areTold(): boolean {
    return this.rows.length === 0;
  }

  /** Those before a fill; fills must come in order. */
  before(fill: FillRow): readonly AnewRow[] {
    const next = this.rows.findIndex((row) => !this.isBefore(row, fill));
    return this.rows.splice(0, next === -1 ? this.rows.length : next);
  }

  /** Those behind the last fill. */
  rest(): readonly AnewRow[] {
    return this.rows.splice(0);
  }

  private isBefore({ seq, at, entry }: AnewRow, fill: FillRow): boolean {
    if (entry !== null) return entry < fill.entry;
    const booked = this.bookedBy.get(fill.id) ?? null;
    if (booked !== null) return seq < booked;
    // An archive has the fill. Where it has both, and its rotation noted nothing, only their times are left.
    return seq <= this.archived && at < fill.at;
  }
}

/** Notes which entries lie before each row that counts losses anew: the rows that say it are about to go to an archive. */
export function noteAnew(database: Database.Database): void {
  const end = rowEnd(database);
  const beginnings = new Beginnings(database, { from: NO_ROWS, to: end });
  const noted = new Map<number, number>();
  for (const fill of database.prepare<[number, number], FillRow>(FILLS).iterate(0, end.entry)) {
    if (beginnings.areTold) break;
    for (const { seq } of beginnings.before(fill)) noted.set(seq, fill.entry - 1);
  }
  for (const { seq } of beginnings.rest()) noted.set(seq, end.entry);
  const note = database.prepare('INSERT OR IGNORE INTO watermarks (name, seq) VALUES (?, ?)');
  for (const [seq, entry] of noted) note.run(`anew ${seq}`, entry);
}

function booksAfter(database: Database.Database, before: PastBooks, span: Span): PastBooks {
  const { from, to } = span;
  const books = new BooksSoFar(before);
  const beginnings = new Beginnings(database, span);
  const adjustments = database.prepare<[number, number], AdjustmentRow>(ADJUSTMENTS).all(from.entry, to.entry);
  let done = 0;
  const adjust = (before: number): void => {
    for (let next = adjustments[done]; next && next.entry < before; next = adjustments[done]) {
      if (next.kind === 'financing') books.financed(next);
      else books.corrected(next);
      done += 1;
    }
  };
  for (const row of database.prepare<[number, number], FillRow>(FILLS).iterate(from.entry, to.entry)) {
    adjust(row.entry);
    if (beginnings.before(row).length > 0) books.countAnew();
    books.add(bookedFill(row));
  }
  adjust(Number.POSITIVE_INFINITY);
  if (beginnings.rest().length > 0) books.countAnew();
  return books.text();
}

function bookedFill({
  at,
  entry: _entry,
  id: _id,
  strategy,
  product,
  base_ccy: baseCcy,
  quote_ccy: quoteCcy,
  fee_ccy: feeCcy,
  ...figures
}: FillRow): BookedFill {
  return { strategy, product, at: Date.parse(at), fill: { ...figures, baseCcy, quoteCcy, feeCcy } };
}

function flowsAfter(database: Database.Database, before: JournalState['flows'], { from, to }: Span): Record<string, string> {
  const sums = new Map(Object.entries(before));
  for (const [currency, amount] of Object.entries(flowsOf(database, { after: from.entry, upTo: to.entry }))) {
    sums.set(currency, plus(sums.get(currency), amount).toString());
  }
  return byKey(sums);
}

function openingsAfter(database: Database.Database, before: readonly BookAmount[], { from, to }: Span): BookAmount[] {
  const sums = new Map(before.map((row) => [JSON.stringify([row.book, row.currency]), row]));
  const rows = database.prepare<[number, number], BookAmount>(
    "SELECT book, lower(currency) AS currency, amount FROM ledger WHERE kind = 'opening' AND entry_id > ? AND entry_id <= ? ORDER BY entry_id",
  );
  for (const row of rows.iterate(from.entry, to.entry)) {
    const key = JSON.stringify([row.book, row.currency]);
    sums.set(key, { ...row, amount: plus(sums.get(key)?.amount, row.amount).toString() });
  }
  return [...sums.values()];
}

const plus = (before: string | undefined, amount: string): Decimal => decimalOf(before ?? '0').plus(amount);

/** One order, whatever came first: snapshots of the same rows are equal. */
const byKey = <Value>(values: ReadonlyMap<string, Value>): Record<string, Value> =>
  Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

const ofEach = <From, To>(rows: Readonly<Record<Lasting, From>>, to: (rows: From) => To): Record<Lasting, To> => ({
  exit: to(rows.exit),
  state: to(rows.state),
  peak: to(rows.peak),
  learned: to(rows.learned),
  working: to(rows.working),
});

interface LastRow {
  readonly kind: Exclude<Lasting, 'working'>;
  readonly strategy: string | null;
  readonly product: string | null;
  readonly seq: number;
}

function rowsAfter(database: Database.Database, before: JournalState['rows'], { from, to }: Span): JournalState['rows'] {
  const rows = ofEach(before, (numbers) => new Map(Object.entries(numbers)));
  const lastRows = database.prepare<[number, number], LastRow>(
    `SELECT kind, strategy, lower(product) AS product, max(seq) AS seq FROM decisions WHERE kind IN ('exit', 'state', 'peak', 'learned') AND ${BESIDE_ORDERS}
     AND seq > ? AND seq <= ? GROUP BY kind, strategy, 3 ORDER BY seq`,
  );
  for (const { kind, strategy, product, seq } of lastRows.iterate(from.seq, to.seq)) {
    const about = kind === 'state' ? [strategy] : kind === 'learned' ? [product] : [strategy, product];
    rows[kind].set(JSON.stringify(about), seq);
  }
  const works = database.prepare<[number, number], { readonly kind: 'working' | 'worked'; readonly work: string; readonly seq: number }>(
    `SELECT kind, detail ->> 'work' AS work, seq FROM decisions WHERE kind IN ('working', 'worked') AND ${BESIDE_ORDERS}
     AND seq > ? AND seq <= ? ORDER BY seq`,
  );
  for (const { kind, work, seq } of works.iterate(from.seq, to.seq)) {
    if (kind === 'working') rows.working.set(work, seq);
    else rows.working.delete(work);
  }
  return ofEach(rows, byKey);
}

/** Sums of amounts with as many decimal places, without their point, in two parts of which neither can overflow. */
interface Sum {
  readonly currency: string;
  readonly places: bigint;
  readonly high: bigint;
  readonly low: bigint;
}

interface Amount {
  readonly currency: string;
  readonly amount: string;
}

/** Amounts that SQLite adds exactly, as integers: plain digits that fit 64 bits. */
const PLAIN = `length(amount) <= 18 AND amount NOT GLOB '*[^-.0-9]*'`;
const OWN = `kind <> 'opening' AND entry_id > @after AND entry_id <= @upTo`;
const PART = 1_000_000_000n;

/** Rows of the ledger: behind one, up to another. */
interface Entries {
  readonly after: number;
  readonly upTo: number;
}

/** Everything that those entries booked but opening balances, added up by currency, as decimal text. Journals of years have millions of them. */
export function flowsOf(database: Database.Database, entries: Entries): Record<string, string> {
  const totals = new Map<string, Decimal>();
  const add = (currency: string, amount: Decimal): void => {
    totals.set(currency, (totals.get(currency) ?? ZERO).plus(amount));
  };
  const sums = database
    .prepare<[Entries], Sum>(
      `SELECT currency, places, sum(digits / ${PART}) AS high, sum(digits % ${PART}) AS low
       FROM (SELECT lower(currency) AS currency, CAST(replace(amount, '.', '') AS INTEGER) AS digits,
               CASE instr(amount, '.') WHEN 0 THEN 0 ELSE length(amount) - instr(amount, '.') END AS places
             FROM ledger WHERE ${OWN} AND ${PLAIN}) GROUP BY currency, places`,
    )
    .safeIntegers()
    .all(entries);
  for (const { currency, places, high, low } of sums) add(currency, decimalOf(`${high * PART + low}e-${places}`));
  const others = database.prepare<[Entries], Amount>(
    `SELECT lower(currency) AS currency, amount FROM ledger WHERE ${OWN} AND NOT (${PLAIN})`,
  );
  for (const { currency, amount } of others.all(entries)) add(currency, decimalOf(amount));
  return Object.fromEntries([...totals].map(([currency, total]) => [currency, total.toString()]));
}
