import { expect, test } from 'vitest';
import { decisionsAfter, ledgerRows } from '#adapters/journal/paging.ts';
import { JournalInMemory } from './in-memory.ts';
import { RUN } from './rows.ts';

/** A journal of more rows than two pages have. */
function long(): JournalInMemory['database'] {
  const { database } = JournalInMemory.of();
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)';
  database.exec(`${many} INSERT INTO decisions (seq, run_id, at, inbox_seq, kind, detail, prev_hash, hash)
    SELECT i, '${RUN}', '', i, 'hold', '{}', '', '' FROM n`);
  database.exec(
    `${many} INSERT INTO ledger (run_id, at, book, kind, currency, amount) SELECT '${RUN}', '', 'sma', 'fee', 'usd', '-1' FROM n`,
  );
  return database;
}

test('a walk goes on over the end of each page, to the last row', () => {
  const database = long();
  expect(Array.from(decisionsAfter(database, 0), ({ seq }) => seq)).toEqual(Array.from({ length: 2001 }, (_, n) => n + 1));
  expect(Array.from(ledgerRows(database), ({ entry_id }) => entry_id)).toEqual(Array.from({ length: 2001 }, (_, n) => n + 1));
  expect([[...decisionsAfter(database, 2000)].length, [...ledgerRows(database, 1000)].length]).toEqual([1, 1001]);
});
