import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { runId } from '#domain/names.ts';
import { accepted, folder, openJournal, orderFacts, permits, sent } from '../adapters/journal/rows.ts';
import { printed } from '../support/printed.ts';

const RUN = runId('20261121T030000Z-000001');
const CONFIG = `mode: live
service: { baseUrl: 'https://broker.example', userId: '1205' }
account: { opening: { usd: 900 } }
strategies:
  - { id: here, use: buy-and-hold, product: btcusd, amount: { base: 0.01 }, budget: { usd: 1000 } }
risk: { maxOrderValue: { usd: 500 }, maxPositionValue: { usd: 901 }, maxTotalValue: { usd: 900 } }
`;

let dir: string;
let journal: SqliteJournal;

beforeEach(() => {
  dir = folder();
  const journalPath = join(dir, 'kairos.db');
  writeFileSync(join(dir, 'kairos.yaml'), `${CONFIG}journal: { path: ${journalPath} }\n`);
  journal = openJournal(journalPath);
  journal.beginRun({ run: RUN, at: 0, mode: 'live', version: '0.1.0', configHash: 'h', configJson: '{}' });
});

/** What `kairos arm --yes` notes and says, or why it fails. */
async function arm(...words: string[]): Promise<{ readonly notes: string; readonly said: string }> {
  journal.end(RUN, 'stopped');
  journal.close();
  let notes = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    notes += String(chunk);
    return true;
  });
  try {
    const said = await printed(['arm', '--yes', ...words, '--config', join(dir, 'kairos.yaml')]).catch((failed: Error) => failed.message);
    return { notes, said };
  } finally {
    spy.mockRestore();
  }
}

test('row 8: arm says where, for whom and with what, and which limits are more than the account holds', async () => {
  const { notes } = await arm();
  const lines = notes.split('\n');
  for (const line of [
    'service: https://broker.example',
    'user: 1205',
    'mode: LIVE: real money',
    'strategy here: buy-and-hold on btcusd, 0.01 base an order, budget 1000 usd',
    'risk.maxPositionValue is 901 usd, and the account holds 900 (account.opening)',
    'the sum of the budgets is 1000 usd, and the account holds 900 (account.opening)',
  ])
    expect(lines).toContain(line);
  expect(notes).not.toMatch(/maxOrderValue is|maxTotalValue is/);
});

test('row 8: where nothing was rehearsed, arming live needs a word', async () => {
  expect((await arm()).said).toMatch(/^nothing was armed: .*`kairos rehearse PRODUCT --live` first, or `kairos arm --unrehearsed`$/);
});

test.each<[string, readonly string[], boolean]>([
  ['the word', ['--unrehearsed'], false],
  ['an order of a strategy that was executed', [], true],
])('row 8: it is armed with %s', async (_, words, isTraded) => {
  const order = orderFacts(1, { strategy: 'here' });
  if (isTraded) journal.commit([...permits(order), sent(order), accepted(order)]);
  expect((await arm(...words)).said).toContain('armed');
});
