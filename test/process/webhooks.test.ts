import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { endAll, type Started, startKairos } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { deliver, depositBody, transfer } from '../support/webhooks.ts';

/** Connections that the receiver lets in at a time. */
const LIMIT = 512;

let folder: DaemonFolder;
let url = '';

beforeEach(async () => {
  folder = new DaemonFolder('webhook-kills');
  const port = await freePort();
  url = `http://127.0.0.1:${port}/webhooks`;
  folder.write(
    'kairos.yaml',
    `recording: { enabled: false }
webhooks: { enabled: true, port: ${port} }
strategies:
  - { id: coin, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { everySeconds: 1 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off }
log: { level: warn }
`,
  );
});
afterEach(async () => {
  await endAll();
  folder.remove();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const daemon = startKairos(['run'], { cwd: folder.path, env, ipc: true });
  await daemon.ready();
  return daemon;
}

/** The status, or null where the connection ended without one. */
const tryToDeliver = (n: number): Promise<number | null> => deliver(url, depositBody(transfer(n), { amount: '1' })).catch(() => null);

const deposits = (): number => folder.rows<{ n: number }>("SELECT count(*) AS n FROM ledger WHERE kind = 'deposit'")[0]?.n ?? 0;
const transfers = (): readonly string[] =>
  folder.rows<{ id: string }>('SELECT transfer_id AS id FROM notifications ORDER BY 1').map(({ id }) => id);

test('F42 I16: killed between the commit and the answer, the redelivery is answered and has no second effect', async () => {
  const preload = fileURLToPath(new URL('../support/kill-before-answer.ts', import.meta.url));
  const killed = await start({ NODE_OPTIONS: `--import=${preload}` });
  expect(await tryToDeliver(1)).toBeNull();
  expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
  expect([deposits(), transfers()]).toEqual([1, [transfer(1)]]);
  const again = await start();
  expect([await tryToDeliver(1), await tryToDeliver(1), await tryToDeliver(2)]).toEqual([204, 204, 204]);
  expect([deposits(), transfers()]).toEqual([2, [transfer(1), transfer(2)]]);
  again.signal('SIGINT');
  expect(await again.ended).toMatchObject({ code: 0 });
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true, notifications: 2 });
});

test('F42 F45 I16: killed in the midst of many, whatever was answered with success is kept, and each has one effect in the end', async () => {
  const count = 200;
  const answered = new Set<number>();
  for (let kills = 0; kills < 3; kills++) {
    const daemon = await start();
    let successes = 0;
    const under = Array.from({ length: count }, async (_, n) => {
      await pause(n * 2);
      if ((await tryToDeliver(n)) !== 204) return;
      answered.add(n);
      successes += 1;
    });
    await waitFor(() => (successes > 20 * (kills + 1) ? true : undefined));
    await daemon.kill();
    await Promise.all(under);
    const kept = new Set(transfers());
    expect([...answered].filter((n) => !kept.has(transfer(n)))).toEqual([]);
    expect(deposits()).toBe(kept.size);
  }
  const last = await start();
  for (let n = 0; n < count; n++) expect(await tryToDeliver(n)).toBe(204);
  expect([deposits(), transfers().length]).toEqual([count, count]);
  last.signal('SIGINT');
  expect(await last.ended).toMatchObject({ code: 0 });
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true, notifications: count });
});

test('F43: 5,000 sockets without a word: no more than the limit are let in, those are cut, and orders go on beside them', async () => {
  const daemon = await start();
  const accepted = (): number => folder.rows<{ n: number }>("SELECT count(*) AS n FROM orders WHERE state = 'accepted'")[0]?.n ?? 0;
  await daemon.until('order that was accepted', () => (accepted() > 0 ? true : undefined));
  const { port } = new URL(url);
  const descriptors = (): number => (process.platform === 'linux' ? readdirSync(`/proc/${daemon.pid}/fd`).length : 0);
  const before = descriptors();
  let cut = 0;
  const sockets = Array.from({ length: 5_000 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', (said) => {
      if (said.toString('latin1').startsWith('HTTP/1.1 408')) cut += 1;
    });
    return socket;
  });
  try {
    // Those below the limit on connections have their five seconds; the others are not let in, some of them by the kernel
    // without a word, so that nobody waits for their end: how many are, the daemon's descriptors say.
    let most = 0;
    await daemon.until('end of those that were let in', () => {
      most = Math.max(most, descriptors() - before);
      return cut >= LIMIT ? true : undefined;
    });
    expect(most).toBeLessThanOrEqual(LIMIT + 50);
    const begun = accepted();
    await daemon.until('order beside the sockets', () => (accepted() > begun ? true : undefined));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  expect(await tryToDeliver(1)).toBe(204);
  daemon.signal('SIGINT');
  const { stdout, stderr } = await daemon.ended;
  expect(stdout + stderr).not.toContain('EMFILE');
});
