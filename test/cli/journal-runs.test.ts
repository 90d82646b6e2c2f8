import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { runId } from '#domain/names.ts';
import { accepted, begin, begun, folder, openJournal, orderFacts, permits, RUN, START, sent } from '../adapters/journal/rows.ts';
import { printed } from '../support/printed.ts';

const NEXT = runId('20261121T040000Z-000002');

/** What `kairos journal runs` prints, and its notes. */
async function runs(path: string, ...words: string[]): Promise<{ readonly out: string; readonly notes: string }> {
  const note = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => note.mockRestore());
  const out = await printed(['journal', 'runs', ...words, '--set', `journal.path=${path}`]);
  return { out, notes: note.mock.calls.map(([text]) => String(text)).join('') };
}

test('a run whose decisions a rotation has moved has no count of the few that are left, and its orders all the same', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  for (const order of [orderFacts(1), orderFacts(2)]) journal.commit([...permits(order), sent(order), accepted(order)]);
  journal.end(RUN, 'stopped');
  journal.close();
  expect((await runs(path)).out).toMatch(/stopped +8 +2 +2$/m);
  await rotateAtRest(path, START + 60_000);
  const { out, notes } = await runs(path);
  expect(out).toMatch(/stopped +archived +2 +2$/m);
  expect(notes).toContain('are in the archive');
  expect(JSON.parse((await runs(path, '--json')).out)).toMatchObject([{ decisions: null, orders: 2 }]);
});

test('the end of a crashed run is told as the time of its last row, which it is', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), accepted(order)]);
  journal.close();
  expect((await runs(path)).notes).toBe('');
  const next = openJournal(path);
  begin(next, NEXT);
  next.end(NEXT, 'stopped');
  next.close();
  expect((await runs(path)).notes).toBe('a crashed run ended at its last row, which may be that of a command after it\n');
});
