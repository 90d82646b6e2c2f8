import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { rotateWhenDue } from '#daemon/run/opening.ts';
import { accepted, begun, folder, orderFacts, permits, RUN, START, sent, unknown } from '../../adapters/journal/rows.ts';

const BACKUP = { dir: null, everyMs: null, keep: 1 };

async function startOn(file: string, decisions: number | null): Promise<readonly string[]> {
  const told: string[] = [];
  await rotateWhenDue({ path: file, backup: BACKUP, rotate: { decisions, monthly: false } }, START, (level, text) =>
    told.push(`${level}: ${text}`),
  );
  return told;
}

const archives = (file: string): readonly string[] => readdirSync(path.dirname(file)).filter((name) => name.includes('.archive-'));

test('a start rotates a journal that has enough decisions, once, and tells where they are', async () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  for (let n = 1; n <= 50; n += 1) journal.commit([...permits(orderFacts(n)), sent(orderFacts(n)), accepted(orderFacts(n))]);
  journal.end(RUN, 'stopped');
  journal.close();
  expect(await startOn(file, null)).toEqual([]);
  expect(await startOn(file, 201)).toEqual([]);
  expect(archives(file)).toEqual([]);
  const [told] = await startOn(file, 200);
  expect(told).toMatch(/^info: \d+ decisions of earlier runs are in .*kairos\.db\.archive-200 from now on$/);
  expect(await startOn(file, 200)).toEqual([]);
  expect(archives(file)).toEqual(['kairos.db.archive-200']);
  expect(verifyJournal(file)).toMatchObject({ ok: true, decisions: 200, orders: 50 });
});

test('an order of unknown outcome puts it off, which is told, and the run begins', async () => {
  const file = path.join(folder(), 'kairos.db');
  const journal = begun(file);
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), unknown(order)]);
  journal.close();
  expect(await startOn(file, 4)).toEqual([expect.stringMatching(/^warn: rotation of the journal: 1 orders have no outcome yet/)]);
  expect(archives(file)).toEqual([]);
  expect(verifyJournal(file)).toMatchObject({ ok: true });
});
