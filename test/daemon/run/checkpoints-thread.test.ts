import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { readMark } from '#adapters/journal/high-water.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { keepCheckpoints } from '#daemon/run/checkpoints-thread.ts';
import { begun, folder, row } from '../../adapters/journal/rows.ts';

test('L3 the log is moved to the file beside the writer, which goes on, and nothing is lost', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const notices: string[] = [];
  const stop = keepCheckpoints(path, (_level, text) => notices.push(text));
  const begunSize = statSync(path).size;
  let rows = 0;
  const write = () => {
    rows += 1;
    journal.commit([row('stopped', { who: 'ann', why: 'x'.repeat(2000) })]);
  };
  for (let n = 0; n < 50; n++) write();
  await vi.waitFor(
    () => {
      write();
      expect(statSync(path).size).toBeGreaterThan(begunSize);
    },
    { timeout: 100_000, interval: 20 },
  );
  for (let n = 0; n < 50; n++) write();
  journal.flush();
  expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: rows });
  expect(readMark(`${path}.mark`)?.seq).toBe(rows);
  await stop();
  expect(notices).toEqual([]);
});

test('F53 another program that reads and does not end: it is told once, and commits go on; then the log is moved again', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const notices: string[] = [];
  const foreign = new Database(path, { readonly: true });
  foreign.exec('BEGIN');
  foreign.prepare('SELECT count(*) FROM decisions').get();
  const stop = keepCheckpoints(path, (_level, text) => notices.push(text));
  const mebibytes = (count: number): void => {
    for (let n = 0; n < count; n++) journal.commit([row('stopped', { who: 'ann', why: 'x'.repeat(1024 * 1024) })]);
  };
  mebibytes(66);
  await vi.waitFor(() => expect(notices).toHaveLength(1), { timeout: 100_000, interval: 20 });
  mebibytes(2);
  const before = statSync(path).size;
  foreign.close();
  await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(before + 60 * 1024 * 1024), { timeout: 100_000, interval: 20 });
  expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: 68 });
  await stop();
  expect(notices).toEqual([expect.stringContaining('another program that reads the journal')]);
});
