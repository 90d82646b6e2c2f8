import type Database from 'better-sqlite3';
import type { DecisionRecord } from './records.ts';
import type { LedgerEntry } from './tables.ts';

const PAGE = 1_000;

/** Walks `decisions` in order, after row `after`, a page at a time, so that no read transaction stands for long (F53). */
export function decisionsAfter(database: Database.Database, after: number): Generator<DecisionRecord, void> {
  const page = database.prepare<[number, number], DecisionRecord>('SELECT * FROM decisions WHERE seq > ? ORDER BY seq LIMIT ?');
  return paged(page, after, ({ seq }) => seq);
}

/** A row of `ledger` with its number. */
export interface LedgerRow {
  readonly entry_id: number;
  readonly run_id: string;
  readonly at: string;
  readonly book: string;
  readonly product: string | null;
  readonly kind: LedgerEntry['kind'];
  readonly currency: string;
  readonly amount: string;
  readonly order_id: string | null;
}

/** Walks `ledger` in order, after entry `after`, a page at a time; rows added while it walks are met as well. */
export function ledgerRows(database: Database.Database, after = 0): Generator<LedgerRow, void> {
  const page = database.prepare<[number, number], LedgerRow>('SELECT * FROM ledger WHERE entry_id > ? ORDER BY entry_id LIMIT ?');
  return paged(page, after, ({ entry_id }) => entry_id);
}

function* paged<Row>(page: Database.Statement<[number, number], Row>, after: number, numberOf: (row: Row) => number): Generator<Row, void> {
  for (let last = after; ; ) {
    const rows = page.all(last, PAGE);
    yield* rows;
    const end = rows.at(-1);
    if (!end) return;
    last = numberOf(end);
  }
}

/** Names of older journals are in capitals. */
export const inSmallLetters = (row: LedgerRow): LedgerRow => ({
  ...row,
  product: row.product?.toLowerCase() ?? null,
  currency: row.currency.toLowerCase(),
});
