import type Database from 'better-sqlite3';
import { KairosError } from '#domain/errors.ts';
import { nearest } from '#domain/nearest.ts';
import { refuseArchived } from './archives.ts';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';
import { owedOrders } from './owed-orders.ts';
import { decisionsAfter, type LedgerRow, ledgerRows } from './paging.ts';
import type { DecisionRecord } from './records.ts';
import type { OrderRow, RunRow } from './tables.ts';

/** The rows of one run as of the moment they were opened, read-only, also while a daemon writes more. No read transaction stands meanwhile (F53). */
export class RunRows {
  readonly run: RunRow;
  /** Orders by id. */
  readonly orders: ReadonlyMap<string, OrderRow>;
  private readonly path: string;
  private readonly database: Database.Database;
  private readonly first: number;
  private readonly last: number;
  private readonly lastEntry: number;

  private constructor(database: Database.Database, path: string, run: RunRow) {
    this.path = path;
    this.database = database;
    this.run = run;
    const number = (sql: string): number => Number(database.prepare(sql).pluck().get());
    this.last = number('SELECT ifnull(max(seq), 0) FROM decisions');
    this.lastEntry = number('SELECT ifnull(max(entry_id), 0) FROM ledger');
    const first = database.prepare<[string], number | null>('SELECT min(seq) FROM decisions WHERE run_id = ?').pluck();
    this.first = first.get(run.run_id) ?? this.last;
    const orders = database.prepare<[string], OrderRow>('SELECT * FROM orders WHERE run_id = ? ORDER BY rowid').all(run.run_id);
    const owed = owedOrders(database).filter(({ run_id }) => run_id === run.run_id);
    this.orders = new Map([...orders, ...owed].map((row) => [row.order_id, row]));
  }

  /**
   * Opens the rows of a run, named by its id or as `last`. Throws NOT_FOUND where there is no such run or an archive has it, and what opening
   * a journal throws.
   */
  static open(path: string, name: string): RunRows {
    const database = openForReading(journalFiles(path));
    try {
      return database.transaction(() => {
        const run = runNamed(database, name);
        refuseArchived(database, path, run.run_id);
        return new RunRows(database, path, run);
      })();
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Decisions in the order they were journaled. */
  *decisions(): Generator<DecisionRecord, void> {
    for (const record of decisionsAfter(this.database, this.first - 1)) {
      if (record.seq > this.last) return;
      if (record.run_id === this.run.run_id) yield record;
    }
  }

  /** Decisions of other runs about orders of this run, in their order. */
  wordsOfOthers(): readonly DecisionRecord[] {
    return this.database
      .prepare<[string, string, number], DecisionRecord>(
        `SELECT d.* FROM decisions d JOIN orders o ON o.order_id = d.order_id WHERE o.run_id = ? AND d.run_id <> ? AND d.seq <= ? ORDER BY d.seq`,
      )
      .all(this.run.run_id, this.run.run_id, this.last);
  }

  *ledger(): Generator<LedgerRow, void> {
    for (const row of ledgerRows(this.database)) {
      if (row.entry_id > this.lastEntry) return;
      if (row.run_id === this.run.run_id) yield row;
    }
  }

  /** Throws NOT_FOUND where a rotation has moved the run's decisions since: some may lack in what was read. For whoever has read them. */
  refuseArchived(): void {
    refuseArchived(this.database, this.path, this.run.run_id);
  }

  close(): void {
    this.database.close();
  }
}

function runNamed(database: Database.Database, name: string): RunRow {
  const found =
    name === 'last'
      ? database.prepare<[], RunRow>('SELECT * FROM runs ORDER BY rowid DESC LIMIT 1').get()
      : database.prepare<[string], RunRow>('SELECT * FROM runs WHERE run_id = ?').get(name);
  if (found) return found;
  const ids = database.prepare<[], string>('SELECT run_id FROM runs ORDER BY rowid').pluck().all();
  if (ids.length === 0) throw new KairosError('NOT_FOUND', `the journal ${database.name} has no run yet`);
  const near = nearest(name, ids, Math.max(2, Math.floor(name.length / 3))) ?? ids.at(-1);
  throw new KairosError(
    'NOT_FOUND',
    `the journal ${database.name} has no run ${JSON.stringify(name)}; there is ${near} (kairos journal runs)`,
  );
}
