import { afterAll, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';

const folder = new DaemonFolder('clock');

afterAll(async () => {
  await endAll();
  folder.remove();
});

interface Row {
  readonly kind: string;
  readonly reason: string | null;
  readonly at: string;
  readonly detail: string;
}

test('the dates of the service are enough to trade on: one for the first order, and better with each', async () => {
  folder.write(
    'kairos.yaml',
    `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { everySeconds: 1 } }
clock: { source: date }
risk: { maxOrdersPerMinute: off }
`,
  );
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.until('an accepted order', () => folder.accepted());
  const status = async () => JSON.parse((await runKairos(['status', '--json'], { cwd: folder.path })).stdout);
  let bound = (await status()).time;
  for (let looks = 0; looks < 60 && !(bound?.halfWidthMs < 300); looks += 1) bound = (await status()).time;
  expect(bound.halfWidthMs).toBeLessThan(300);
  expect(bound).toMatchObject({ reason: null });
  expect(Math.abs(bound.offsetMs)).toBeLessThanOrEqual(bound.halfWidthMs);
  const text = (await runKairos(['status'], { cwd: folder.path })).stdout;
  expect(text).toMatch(/^trading {2}on\ntime {5}the service's clock is \d+ ms (ahead of|behind) ours, ± \d+ ms \(2/m);
  daemon.signal('SIGINT');
  expect((await daemon.ended).code).toBe(0);

  const rows = folder.rows<Row>("SELECT kind, reason, at, detail FROM decisions WHERE kind IN ('clock', 'approved') ORDER BY seq");
  expect(rows[0]).toMatchObject({ kind: 'clock', reason: null });
  expect(rows.findIndex(({ kind }) => kind === 'approved')).toBeGreaterThan(0);
  const after = await status();
  expect(after).toMatchObject({ running: false, time: { reason: null, at: rows.findLast(({ kind }) => kind === 'clock')?.at } });
}, 60_000);
