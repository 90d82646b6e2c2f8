import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readMark } from '../../../src/journal/high-water.ts';
import { verifyJournal } from '../../../src/journal/verify.ts';
import { keepCheckpoints } from '../../../src/wiring/daemon/checkpoints-thread.ts';
import { begun, folder, row } from '../../journal/rows.ts';

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
    { timeout: 20_000, interval: 20 },
  );
  for (let n = 0; n < 50; n++) write();
  journal.flush();
  expect(verifyJournal(path)).toMatchObject({ ok: true, decisions: rows });
  expect(readMark(`${path}.mark`)?.seq).toBe(rows);
  await stop();
  expect(notices).toEqual([]);
});
