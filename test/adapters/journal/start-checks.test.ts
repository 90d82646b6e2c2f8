import { expect, test } from 'vitest';
import { journalFiles } from '#adapters/journal/files.ts';
import { CHECKED, checkEnd } from '#adapters/journal/start-checks.ts';
import { JournalInMemory } from './in-memory.ts';
import { row } from './order-rows.ts';

const holds = (count: number) => Array.from({ length: count }, (_, n) => row('hold', { why: `${n}`, signals: {} }));

test.each([
  ['as many rows as a start checks', 0, 1],
  ['one more', 1, 2],
  ['a few more', 3, 4],
])('F51 of a journal with %s a start looks at the newest, no more and no fewer', (_, more, first) => {
  const journal = JournalInMemory.of(...holds(CHECKED + more));
  const check = () => checkEnd(journal.database, journalFiles(':memory:'));
  check();
  journal.database.exec(`UPDATE decisions SET reason = 'HOLD' WHERE seq = ${first - 1}`);
  check();
  journal.database.exec(`UPDATE decisions SET reason = 'HOLD' WHERE seq = ${first}`);
  expect(check).toThrow(`decisions row ${first}: its hash does not match`);
});
