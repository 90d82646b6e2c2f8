import { afterAll, expect, test } from 'vitest';
import { startReceiver } from '../adapters/alerts/receiver.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

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
  const status = async () => JSON.parse((await kairosHere(['status', '--json'], { cwd: folder.path })).stdout);
  let bound = (await status()).time;
  await waitFor(async () => {
    bound = (await status()).time;
    return bound?.halfWidthMs < 300 || undefined;
  });
  expect(bound.halfWidthMs).toBeLessThan(300);
  expect(bound).toMatchObject({ reason: null });
  expect(Math.abs(bound.offsetMs)).toBeLessThanOrEqual(bound.halfWidthMs);
  const text = (await kairosHere(['status'], { cwd: folder.path })).stdout;
  expect(text).toMatch(/^trading {2}on\ntime {5}the service's clock is \d+ ms (ahead of|behind) ours, ± \d+ ms \(2/m);
  daemon.signal('SIGINT');
  expect((await daemon.ended).code).toBe(0);

  const rows = folder.rows<Row>("SELECT kind, reason, at, detail FROM decisions WHERE kind IN ('clock', 'approved') ORDER BY seq");
  expect(rows[0]).toMatchObject({ kind: 'clock', reason: null });
  expect(rows.findIndex(({ kind }) => kind === 'approved')).toBeGreaterThan(0);
  const after = await status();
  expect(after).toMatchObject({ running: false, time: { reason: null, at: rows.findLast(({ kind }) => kind === 'clock')?.at } });
});

test('a service whose answers have no Date: with clock.source date no order leaves, and terminal, page, status, why-not and an alert name the mend, which trades', async () => {
  const other = new DaemonFolder('undated');
  const receiver = await startReceiver();
  try {
    other.write(
      'kairos.yaml',
      `strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]
clock: { source: date }
venue: { dialect: [undated-answers], quotesPerSecond: 10 }
`,
    );
    const cwd = other.path;
    const waiting = startKairos(['run'], { cwd, env: { KAIROS_ALERTS_HTTP_URL: `${receiver.url}/in` } });
    const line = /b cannot trade since .*clock\.source/;
    await waiting.says(line);
    expect((await kairosHere(['why-not', '--strategy', 'b'], { cwd })).stdout).toMatch(
      /^b at \S+: it was NO_TIME.*\n +then .*clock\.source/m,
    );
    expect((await kairosHere(['status'], { cwd })).stdout).toMatch(/^ {4}since .*clock\.source/m);
    const [, page] = await waiting.says(/page +(http:\S+)/);
    expect(await (await fetch(`${page}/api/state`)).json()).toMatchObject({
      strategies: [{ id: 'b', state: { blockedSince: expect.any(String), mend: expect.stringContaining('clock.source') } }],
    });
    const alert = await waitFor(() => receiver.received.find(({ body }) => String(body.title).includes('strategy b cannot trade')));
    expect(alert?.body).toMatchObject({ text: expect.stringContaining('clock.source') });
    waiting.signal('SIGINT');
    const ended = await waiting.ended;
    expect(ended.code).toBe(0);
    expect((ended.stdout + ended.stderr).match(new RegExp(line, 'g'))).toHaveLength(1);
    expect(other.rows('SELECT 1 FROM orders')).toEqual([]);
    const trading = startKairos(['run', '--set', 'clock.source=system'], { cwd });
    await trading.until('an accepted order', () => other.accepted());
    trading.signal('SIGINT');
    expect((await trading.ended).code).toBe(0);
  } finally {
    await endAll();
    await receiver.close();
    other.remove();
  }
});
