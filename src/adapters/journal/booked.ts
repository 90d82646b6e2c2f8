import type Database from 'better-sqlite3';
import type { PastFill } from '#domain/event.ts';
import { type LedgerRow, ledgerRows } from './paging.ts';
import { fillsOf } from './recovery.ts';
import type { RunRow } from './tables.ts';

/** A part of the ledger, and the executions in it; names are in small letters. */
export interface Booked {
  readonly fills: readonly PastFill[];
  readonly ledger: readonly LedgerRow[];
}

/** What was booked after an entry of the ledger, as it stood at one instant. To be asked through `JournalReader.named`. */
export function bookedAfter(database: Database.Database, entry: number): Booked {
  const read = (): Booked => ({ fills: fillsOf(database, entry), ledger: [...ledgerRows(database, entry)].map(inSmallLetters) });
  return database.transaction(read).deferred();
}

const inSmallLetters = (row: LedgerRow): LedgerRow => ({
  ...row,
  product: row.product?.toLowerCase() ?? null,
  currency: row.currency.toLowerCase(),
});

/** What was said of each order when it was wanted, by its strategy, a rule of its exits or a person; '' where no row knows it. */
export function whysOf(database: Database.Database): (order: string) => string {
  const why = database
    .prepare<[string], string | null>("SELECT json_extract(detail, '$.why') FROM decisions WHERE order_id = ? AND kind = 'intent'")
    .pluck();
  return (order) => why.get(order) ?? '';
}

/** How many orders of a run are in each state. */
export const ordersOf = (database: Database.Database, run: string): { readonly state: string; readonly count: number }[] =>
  database
    .prepare<[string], { state: string; count: number }>(
      'SELECT state, count(*) AS count FROM orders WHERE run_id = ? GROUP BY state ORDER BY count DESC',
    )
    .all(run);

/** When a run began and ended; null where it goes on or crashed. */
export type RunSpan = Pick<RunRow, 'run_id' | 'started_at' | 'ended_at'>;

/** When each run began and ended, oldest first. */
export const runSpans = (database: Database.Database): RunSpan[] =>
  database.prepare<[], RunSpan>('SELECT run_id, started_at, ended_at FROM runs ORDER BY rowid').all();
