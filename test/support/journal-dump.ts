import { openForReading } from '#adapters/journal/database.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { decisionsAfter, ledgerRows } from '#adapters/journal/paging.ts';
import type { DecisionRecord } from '#adapters/journal/records.ts';
import type { OrderRow } from '#adapters/journal/tables.ts';

interface DumpOptions {
  readonly path: string;
  /** Only rows of this run; without it the whole journal. */
  readonly run?: string;
}

/**
 * The canonical dump: `decisions`, `orders` and `ledger` as JSON lines, numbered from 1, without what differs between
 * two runs that decided the same (`run_id`, `seq`, `prev_hash`, `hash`). Same seed, configuration and recording: same
 * lines. Throws what opening a journal throws.
 */
export function* dumpJournal({ path, run }: DumpOptions): Generator<string, void> {
  const database = openForReading(journalFiles(path));
  const wanted = (row: { readonly run_id: string }) => run === undefined || row.run_id === run;
  try {
    let n = 0;
    for (const row of decisionsAfter(database, 0)) {
      if (!wanted(row)) continue;
      n += 1;
      yield decisionLine(n, row);
    }
    n = 0;
    for (const row of database.prepare<[], OrderRow>('SELECT * FROM orders ORDER BY rowid').all()) {
      if (!wanted(row)) continue;
      n += 1;
      const { run_id, ...columns } = row;
      yield JSON.stringify({ table: 'orders', n, ...columns });
    }
    n = 0;
    for (const row of ledgerRows(database)) {
      if (!wanted(row)) continue;
      n += 1;
      const { run_id, entry_id, ...columns } = row;
      yield JSON.stringify({ table: 'ledger', n, ...columns });
    }
  } finally {
    database.close();
  }
}

/** The detail stays text, as it is hashed: two details are the same when their texts are. */
function decisionLine(n: number, row: DecisionRecord): string {
  const { run_id, seq, prev_hash, hash, ...columns } = row;
  return JSON.stringify({ table: 'decisions', n, ...columns });
}
