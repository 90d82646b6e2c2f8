import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { journalFiles } from '#adapters/journal/files.ts';
import { Lease } from '#adapters/journal/lease.ts';
import { begun, folder, openFilesIn, openJournal, orderFacts, permits } from './rows.ts';

const filesOf = (path = join(folder(), 'kairos.db')) => journalFiles(path);

test('the lease goes with close, and a process may open its journal again', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  expect(readFileSync(`${path}.lease.pid`, 'utf8')).toBe(`${process.pid}\n`);
  expect(() => openJournal(path)).toThrow(/is held by process/);
  journal.close();
  expect(existsSync(`${path}.lease.pid`)).toBe(false);
  openJournal(path).close();
});

test('F49 while a process takes the lease, nobody is told the number of the one that was killed before', () => {
  const files = journalFiles(join(folder(), 'taken.db'));
  writeFileSync(files.pid, '4242\n');
  const seen: (number | null | undefined)[] = [];
  // Looked at whenever the file of the number is about to be touched.
  const lease = Lease.acquire(
    {
      ...files,
      get pid() {
        seen.push(Lease.holder(files)?.pid);
        return files.pid;
      },
    },
    process.pid,
  );
  expect([seen, Lease.holder(files)?.pid]).toEqual([[undefined, null], process.pid]);
  lease.release();
  expect([Lease.holder(files), existsSync(files.pid)]).toEqual([null, false]);
});

test('F50 a lease whose file was taken away is noticed: another process could have taken its own', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  renameSync(`${path}.lease`, `${path}.gone`);
  journal.commit(permits(orderFacts(1)));
  expect(() => journal.flush()).toThrow(/lease was moved/);
  rmSync(`${path}.gone`);
});

test.each([
  ['4242\n', 4242, 'process 4242'],
  ['', null, 'another process'],
  ['nobody', null, 'another process'],
  ['0', null, 'another process'],
  ['-7', null, 'another process'],
  ['1.5', null, 'another process'],
  [null, null, 'another process'],
])('F49 who holds a lease is told by the number beside it (%j), and the lease holds without one', (text, pid, who) => {
  const files = filesOf();
  const lease = Lease.acquire(files, 1);
  if (text === null) rmSync(files.pid);
  else writeFileSync(files.pid, text);
  expect(Lease.holder(files)).toEqual({ pid });
  const message = `journal ${files.named} is held by ${who}: stop the daemon first, or set journal.path to another file`;
  expect(() => Lease.acquire(files, 2)).toThrow(expect.objectContaining({ code: 'JOURNAL_LEASED', message }));
  lease.release();
  expect([Lease.holder(files), existsSync(files.pid), openFilesIn(dirname(files.lease))]).toEqual([null, false, []]);
});

test('a lease that was given back takes nothing from the next one', () => {
  const files = filesOf();
  expect(Lease.holder(files)).toBeNull();
  const first = Lease.acquire(files, 1);
  first.release();
  const second = Lease.acquire(files, 2);
  first.release();
  expect(Lease.holder(files)).toEqual({ pid: 2 });
  second.release();
});

test('a file of another kind in its place is said, and left as it is', () => {
  const files = filesOf();
  writeFileSync(files.lease, 'a letter to a friend, of some length');
  expect(() => Lease.acquire(files, 1)).toThrow(/is not an SQLite file/);
  expect(() => Lease.holder(files)).toThrow(/file is not a database/);
  expect([readFileSync(files.lease, 'utf8').slice(0, 8), openFilesIn(dirname(files.lease))]).toEqual(['a letter', []]);
});

test('where the number cannot be written there is no lease, and nobody is kept out', () => {
  const files = filesOf();
  mkdirSync(`${files.pid}.new`);
  expect(() => Lease.acquire(files, 1)).toThrow(/cannot be opened \(.*EISDIR/);
  expect([Lease.holder(files), openFilesIn(dirname(files.lease))]).toEqual([null, []]);
  rmdirSync(`${files.pid}.new`);
  Lease.acquire(files, 1).release();
});

test('F50 it is intact as long as its file is the one that was taken', () => {
  const files = filesOf();
  const lease = Lease.acquire(files, 1);
  const seen = [lease.isIntact];
  renameSync(files.lease, `${files.lease}.away`);
  seen.push(lease.isIntact);
  writeFileSync(files.lease, '');
  seen.push(lease.isIntact);
  renameSync(`${files.lease}.away`, files.lease);
  expect([...seen, lease.isIntact]).toEqual([true, false, false, true]);
  lease.release();
});
