import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, begun, folder, openFilesIn, orderFacts, permits, row } from './rows.ts';

function written(orders = 3): string {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  for (let n = 1; n <= orders; n++) journal.commit([...permits(orderFacts(n)), accepted(orderFacts(n))]);
  journal.close();
  return path;
}

test('a backup is one whole file of the owner, and a daemon goes on from it', async () => {
  const path = written();
  const to = join(folder(), 'deep', 'copy.db');
  expect(await backupJournal(path, to)).toMatchObject({ ok: true, decisions: 9, orders: 3, ledger: 9 });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(to, '..'))).toEqual(['copy.db']);
  expect(verifyJournal(to)).toEqual(verifyJournal(path));
  // It needs no write-ahead log beside it, as the header says.
  expect([...readFileSync(to).subarray(18, 20)]).toEqual([1, 1]);
  expect([...openFilesIn(dirname(path)), ...openFilesIn(dirname(to))]).toEqual([]);
  const again = SqliteJournal.open({ path: to, book: 'paper', beforeCommit: () => {} });
  onTestFinished(() => again.close());
  expect(again.recover(0).books.books).toMatchObject([{ entries: 3 }]);
});

test('F52 what a copy that was cut off has left is removed, and the older backup stands until then', async () => {
  const path = written();
  const to = join(folder(), 'copy.db');
  await backupJournal(path, to);
  const before = readFileSync(to);
  writeFileSync(`${to}.partial`, 'half a co');
  writeFileSync(`${to}.partial-journal`, 'x');
  expect(readFileSync(to).equals(before)).toBe(true);
  await backupJournal(path, to);
  expect(existsSync(`${to}.partial`) || existsSync(`${to}.partial-journal`)).toBe(false);
});

// A copy that starts over at each commit is never done: the bound is the test's own time, not a number of commits.
test('F52 a daemon that commits all the time holds no backup up, though it is of many pages', { timeout: 60_000 }, async ({ signal }) => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit([row('hold', { why: 'x'.repeat(1e6), signals: {} })]);
  let isDone = false;
  const copied = backupJournal(path, join(folder(), 'copy.db')).finally(() => {
    isDone = true;
  });
  while (!isDone && !signal.aborted) {
    journal.commit([row('hold', { why: 'on and on', signals: {} })]);
    await new Promise(setImmediate);
  }
  await expect(copied).resolves.toMatchObject({ ok: true });
});

test('F51 a journal that is not whole replaces no backup', async () => {
  const path = written();
  const to = join(folder(), 'copy.db');
  await backupJournal(path, to);
  const before = readFileSync(to);
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(path);
  database.exec("UPDATE decisions SET reason = 'BUDGET' WHERE seq = 5");
  database.close();
  await expect(backupJournal(path, to)).rejects.toThrow(
    expect.objectContaining({ code: 'JOURNAL_BROKEN', message: expect.stringContaining('row 5') }),
  );
  expect(readFileSync(to).equals(before)).toBe(true);
  expect(existsSync(`${to}.partial`)).toBe(false);
  expect([...openFilesIn(dirname(path)), ...openFilesIn(dirname(to))]).toEqual([]);
});

test('a backup whose folder cannot be made is told in one line that says what and how to mend', async () => {
  const path = written();
  const file = join(folder(), 'a-file');
  writeFileSync(file, '');
  await expect(backupJournal(path, join(file, 'copy.db'))).rejects.toThrow(
    expect.objectContaining({
      code: 'BACKUP_FAILED',
      message: expect.stringContaining('could not be written'),
      cause: expect.any(Error),
    }),
  );
  expect(verifyJournal(path)).toMatchObject({ ok: true });
});

test.each<[string, (path: string) => string]>([
  ['the journal itself', (path) => path],
  [
    'the journal by another name',
    (path) => {
      linkSync(path, `${path}.name`);
      return `${path}.name`;
    },
  ],
  [
    'a folder',
    (path) => {
      mkdirSync(`${path}.d`);
      return `${path}.d`;
    },
  ],
])('%s is no place for a backup', async (_, to) => {
  const path = written();
  await expect(backupJournal(path, to(path))).rejects.toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(verifyJournal(path)).toMatchObject({ ok: true });
});

test('a backup tells how much of it is checked', async () => {
  const holds = Array.from({ length: 500 }, () => row('hold', { why: 'wait', signals: {} }));
  const shares: number[] = [];
  await backupJournal(JournalInMemory.of(...holds).kept(), join(folder(), 'copy.db'), (share) => shares.push(share));
  expect(shares).toEqual([1]);
});
