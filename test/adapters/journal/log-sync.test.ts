import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readMark } from '#adapters/journal/high-water.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { begun, folder, orderFacts, permits, row } from './rows.ts';

const count = (path: string): number => {
  const database = new Database(path, { readonly: true });
  const rows = Number(database.prepare('SELECT count(*) FROM decisions').pluck().get());
  database.close();
  return rows;
};

test('F42 what was written without waiting for the disk is there for whoever comes after a kill, in the one chain', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.defer([row('stopped', { who: 'ann', why: 'one' })]);
  expect(count(path)).toBe(0);
  journal.write();
  journal.commit(permits(orderFacts(1)));
  journal.defer([row('stopped', { who: 'ann', why: 'two' })]);
  journal.write();
  syncWritten(path);
  // The files as a SIGKILL leaves them.
  const left = join(folder(), 'kairos.db');
  for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${left}${end}`);
  expect(count(left)).toBe(4);
  expect(verifyJournal(left)).toMatchObject({ ok: true, decisions: 4 });
});

test('F50 the high-water mark stays behind what may not be on the disk yet, and follows with the next commit', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit([row('stopped', { who: 'ann', why: 'on the disk' })]);
  journal.defer([row('stopped', { who: 'ann', why: 'on its way' })]);
  journal.write();
  journal.flush();
  expect([readMark(`${path}.mark`)?.seq, count(path)]).toEqual([1, 2]);
  journal.commit([row('stopped', { who: 'ann', why: 'behind it' })]);
  journal.flush();
  expect(readMark(`${path}.mark`)?.seq).toBe(3);
});

test('a write that fails keeps its rows, and commits wait for the disk again after it', () => {
  const path = join(folder(), 'kairos.db');
  let fails = false;
  const journal = begun(path, {
    beforeCommit: () => {
      if (fails) throw new Error('no room');
    },
  });
  journal.defer([row('stopped', { who: 'ann', why: 'kept' })]);
  fails = true;
  expect(() => journal.write()).toThrow('no room');
  fails = false;
  journal.commit([]);
  journal.flush();
  expect([count(path), readMark(`${path}.mark`)?.seq]).toEqual([1, 1]);
});

test('F50 a log that is gone is an error, never taken for synced', () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit(permits(orderFacts(1)));
  rmSync(`${path}-wal`);
  expect(() => syncWritten(path)).toThrow(/ENOENT/);
  expect(readFileSync(path).length).toBeGreaterThan(0);
});
