import { afterEach, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { kairosHere } from '../../support/kairos-here.ts';
import { endAll, startKairos } from '../../support/process.ts';

const CONFIG = `strategies:
  - { id: hold, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`;

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

test('money is booked, reconciled and backed up, and orders are explained, beside a running daemon', async () => {
  folder = new DaemonFolder('booking');
  folder.write('kairos.yaml', CONFIG);
  const cwd = folder.path;
  const kairos = (...words: string[]) => kairosHere(words, { cwd });
  const daemon = startKairos(['run'], { cwd });
  const order = await daemon.until('first order', () => folder.accepted());

  const deposit = await kairos('ledger', 'add', '--currency', 'usd', '--amount', '500', '--reason', 'bank transfer');
  expect(deposit).toMatchObject({ code: 0, stdout: 'booked: deposit of 500 usd\n', stderr: '' });
  expect(await kairos('reconcile', '--actual', 'sek=9999990', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const booked = folder.rows<{ kind: string; currency: string; amount: string }>(
    "SELECT kind, currency, amount FROM ledger WHERE kind IN ('deposit', 'correction') ORDER BY entry_id",
  );
  expect(booked).toEqual([
    { kind: 'deposit', currency: 'usd', amount: '500' },
    { kind: 'correction', currency: 'sek', amount: '-10' },
  ]);
  const openings = folder.rows<{ amount: string }>(
    "SELECT amount FROM ledger WHERE kind = 'opening' AND currency = 'usd' ORDER BY entry_id",
  );
  expect(openings.map(({ amount }) => amount)).toEqual(['1000000', '10000', '-10000']);

  const quiet = async (): Promise<unknown> => JSON.parse((await kairos('why-not', '--json')).stdout);
  const answer = expect.stringMatching(/asked for no order: .*, holding 0\.01$/);
  await expect.poll(quiet).toMatchObject([{ strategy: 'hold', answer }]);
  expect((await kairos('why', order)).stdout).toContain('exactly as quoted');
  expect(JSON.parse((await kairos('positions', '--json')).stdout)).toMatchObject([
    { strategy: 'hold', size: '0.01', estimate: { currency: 'usd' } },
  ]);
  expect(await kairos('journal', 'backup', 'copy.db')).toMatchObject({ code: 0, stderr: '' });
  expect(verifyJournal(`${cwd}/copy.db`)).toMatchObject({ ok: true });

  daemon.signal('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0 });
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
});
