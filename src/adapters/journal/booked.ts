import type Database from 'better-sqlite3';
import type { PastFill } from '#domain/event.ts';
import { firstWhere } from '#domain/first-where.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { inSmallLetters, type LedgerRow, ledgerRows } from './paging.ts';
import { fillsOf } from './recovery.ts';
import { BESIDE_ORDERS } from './schema.ts';
import type { RunRow } from './tables.ts';
import type { RunCounts } from './trade-store.ts';

/** A part of the ledger, and the executions in it; names are in small letters. */
export interface LedgerPart {
  readonly fills: readonly PastFill[];
  readonly ledger: readonly LedgerRow[];
}

/** Which entries are wanted: no more than `limit`, and none from the first of another run on. */
interface BookedQuery {
  readonly limit?: number;
  readonly run?: string;
}

/** What was booked after an entry of the ledger, as it stood at one instant. To be asked through `JournalReader.named`. */
export function bookedAfter(
  database: Database.Database,
  entry: number,
  { limit = Number.MAX_SAFE_INTEGER, run }: BookedQuery = {},
): LedgerPart {
  const read = (): LedgerPart => {
    const ledger: LedgerRow[] = [];
    for (const row of ledgerRows(database, entry)) {
      if (run !== undefined && row.run_id !== run) break;
      if (ledger.push(inSmallLetters(row)) >= limit) break;
    }
    return { fills: fillsOf(database, entry, ledger.at(-1)?.entry_id ?? entry), ledger };
  };
  return database.transaction(read).deferred();
}

/** The fills of a stretch of time, the first included, the second not, in order. The ledger is in order of time. */
export function fillsBetween(
  database: Database.Database,
  { from, to }: { readonly from: Millis; readonly to: Millis },
): readonly PastFill[] {
  return fillsOf(database, entryBefore(database, from), entryBefore(database, to));
}

/** The last entry of the ledger before a time; 0 where there is none. Some twenty are looked at. */
export function entryBefore(database: Database.Database, at: Millis): number {
  const next = database.prepare<[number], { entry_id: number; at: string }>(
    'SELECT entry_id, at FROM ledger WHERE entry_id >= ? ORDER BY entry_id LIMIT 1',
  );
  const time = isoTime(Math.min(at, LAST_TIME));
  const after = firstWhere(1, lastEntry(database) + 1, (entry) => {
    const row = next.get(entry);
    return !row || row.at >= time;
  });
  return after - 1;
}

/** The last time that text can say. */
const LAST_TIME = Date.UTC(9999, 0);

const lastEntry = (database: Database.Database): number =>
  database.prepare<[], number>('SELECT entry_id FROM ledger ORDER BY entry_id DESC LIMIT 1').pluck().get() ?? 0;

/** The last rows of a journal: of the ledger, the decisions, the orders. */
export interface JournalEnds {
  readonly entry: number;
  readonly seq: number;
  readonly order: number;
}

/** The present ends of a journal. */
export function endsOf(database: Database.Database): JournalEnds {
  const last = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    entry: lastEntry(database),
    seq: last('SELECT seq FROM decisions ORDER BY seq DESC LIMIT 1'),
    order: last('SELECT rowid FROM main.orders ORDER BY rowid DESC LIMIT 1'),
  };
}

/** How many rows each run has behind some ends, up to and with others. */
export function countsBetween(database: Database.Database, from: JournalEnds, to: JournalEnds): readonly RunCounts[] {
  const count = (sql: string, ...span: [number, number]) =>
    database.prepare<[number, number], { run: string; count: number }>(sql).all(...span);
  const decisions = count(
    'SELECT run_id AS run, count(*) AS count FROM decisions WHERE seq > ? AND seq <= ? GROUP BY run_id',
    from.seq,
    to.seq,
  );
  const orders = count(
    'SELECT run_id AS run, count(*) AS count FROM main.orders WHERE rowid > ? AND rowid <= ? GROUP BY run_id',
    from.order,
    to.order,
  );
  const accepted = count(
    `SELECT o.run_id AS run, count(*) AS count FROM ledger b CROSS JOIN ledger q ON q.entry_id = b.entry_id + 1 CROSS JOIN orders o ON o.order_id = b.order_id
     WHERE b.entry_id > ? AND b.entry_id <= ? AND b.kind = 'fill' AND q.kind = 'fill' AND q.order_id = b.order_id GROUP BY o.run_id`,
    from.entry,
    to.entry,
  );
  const none = { decisions: 0, orders: 0, accepted: 0 };
  return [
    ...decisions.map(({ run, count }) => ({ ...none, run, decisions: count })),
    ...orders.map(({ run, count }) => ({ ...none, run, orders: count })),
    ...accepted.map(({ run, count }) => ({ ...none, run, accepted: count })),
  ];
}

/** What tells a journal from another one, and from an older copy of it: its first run, and an entry of its ledger. */
export function fingerprint(database: Database.Database, entry: number): string {
  const first = database.prepare<[], object>('SELECT run_id, started_at FROM runs ORDER BY rowid LIMIT 1').get();
  const row = database.prepare<[number], object>('SELECT run_id, at, book, amount, order_id FROM ledger WHERE entry_id = ?').get(entry);
  return JSON.stringify([first ?? null, row ?? null]);
}

/** What was said of each order when it was wanted, by its strategy, a rule of its exits or a person; '' where no row knows it. */
export function whysOf(database: Database.Database): (order: string) => string {
  const why = database
    .prepare<[string], string | null>("SELECT json_extract(detail, '$.why') FROM decisions WHERE order_id = ? AND kind = 'intent'")
    .pluck();
  return (order) => why.get(order) ?? '';
}

/** The state of an order; `drill` for one that a halt drill tried and the gate kept back. */
const COUNTED_STATE = `iif(state = 'not_sent' AND order_id IN (
  SELECT json_extract(detail, '$.orderId') FROM decisions WHERE kind = 'drill' AND ${BESIDE_ORDERS}), 'drill', state)`;

/** How many orders are in each state, those of drills apart. */
export const ordersByState = (database: Database.Database): { readonly state: string; readonly count: number }[] =>
  database
    .prepare<[], { state: string; count: number }>(`SELECT ${COUNTED_STATE} AS state, count(*) AS count FROM orders GROUP BY 1 ORDER BY 1`)
    .all();

/** How many orders of a run are in each state, those of drills apart. */
export const ordersOf = (database: Database.Database, run: string): { readonly state: string; readonly count: number }[] =>
  database
    .prepare<[string], { state: string; count: number }>(
      `SELECT ${COUNTED_STATE} AS state, count(*) AS count FROM orders WHERE run_id = ? GROUP BY 1 ORDER BY count DESC`,
    )
    .all(run);

/** When a run began and ended; null where it goes on or crashed. */
export type RunSpan = Pick<RunRow, 'run_id' | 'started_at' | 'ended_at'>;

/** When each run began and ended, oldest first. */
export const runSpans = (database: Database.Database): RunSpan[] =>
  database.prepare<[], RunSpan>('SELECT run_id, started_at, ended_at FROM runs ORDER BY rowid').all();

/** All runs, oldest first. */
export const runRows = (database: Database.Database): RunRow[] => database.prepare<[], RunRow>('SELECT * FROM runs ORDER BY rowid').all();
