import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { performAcceptance } from '#daemon/operations/acceptance.ts';
import { readMoney } from '#daemon/operations/report/money.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { refusedText } from '#daemon/run/threads/webhooks.ts';
import { KairosError } from '#domain/errors.ts';
import { seeded } from '#domain/seeded.ts';
import type { Journal } from '#ports/journal.ts';
import { profitBy } from '#report/profit.ts';
import { parityOf } from '#research/parity/parity.ts';
import { DaemonFolder } from '../../../support/daemon-folder.ts';
import { freePort } from '../../../support/free-port.ts';
import { guardedJournal } from '../../../support/guarded-journal.ts';
import { UNWATCHED } from '../../../support/unwatched.ts';
import { deliver, depositBody, transfer, webhookHeaders } from '../../../support/webhooks.ts';

let folder: DaemonFolder;
let running: Daemon | undefined;
afterEach(async () => {
  await running?.stop('test', 'over');
  running = undefined;
  folder.remove();
});

interface Started {
  readonly url: string;
  readonly notices: string[];
  readonly daemon: Daemon;
}

interface Given {
  readonly env?: NodeJS.ProcessEnv;
  readonly wrapJournal?: (journal: Journal) => Journal;
  readonly isRecorded?: boolean;
}

const settingsOf = ({ env = {}, isRecorded = false }: Given = {}) => {
  const file = folder.write(
    'kairos.yaml',
    `journal: { path: ${folder.journal} }
recording: { enabled: ${isRecorded}, dir: ${folder.recordings} }
webhooks: { enabled: true, port: 0 }
venue: { database: ':memory:' }
`,
  );
  return loadConfig({ files: [file], env, cwd: folder.path, live: false });
};

async function start(given: Given = {}): Promise<Started> {
  const notices: string[] = [];
  const daemon = await Daemon.start({
    config: settingsOf(given),
    strategyFolders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES },
    timers: systemTimers,
    notice: (level, text) => notices.push(`${level}: ${text}`),
    onFault: (error) => notices.push(`fault: ${String(error)}`),
    beside: UNWATCHED,
    ...(given.wrapJournal && { wrapJournal: given.wrapJournal }),
  });
  running = daemon;
  return { url: daemon.listensAt.webhooksUrl ?? '', notices, daemon };
}

const kept = () =>
  folder.rows<{ status: string; transfer_id: string | null }>('SELECT status, transfer_id FROM notifications ORDER BY rowid');
const deposits = () =>
  folder.rows<{ amount: string }>("SELECT book, currency, amount FROM ledger WHERE kind = 'deposit' ORDER BY entry_id");

test('a deposit at the venue arrives by webhook, is in the ledger, and is no profit', async () => {
  folder = new DaemonFolder('webhooks-venue');
  const port = await freePort();
  const file = folder.write(
    'kairos.yaml',
    `journal: { path: ${folder.journal} }
recording: { enabled: false }
webhooks: { enabled: true, port: ${port} }
venue: { database: ':memory:', webhooks: { url: 'http://127.0.0.1:${port}/webhooks' } }
`,
  );
  const config = loadConfig({ files: [file], env: {}, cwd: folder.path, live: false });
  const strategyFolders = { cwd: folder.path, packaged: PACKAGED_STRATEGIES };
  const quiet = { notice: () => {}, onFault: () => {}, beside: UNWATCHED };
  running = await Daemon.start({ config, strategyFolders, timers: systemTimers, ...quiet });
  const body = JSON.stringify({ userId: '1205', currency: 'usd', amount: '5000' });
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${running.opened.service.baseUrl}/venue/deposits`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  await vi.waitFor(() => expect(deposits()).toEqual([{ book: 'treasury', currency: 'usd', amount: '5000' }]), {
    timeout: 100_000,
    interval: 20,
  });
  await running.stop('test', 'seen enough');
  const money = readMoney(config.settings);
  expect(folder.rows("SELECT sum(amount) AS usd FROM ledger WHERE currency = 'usd'")).toEqual([{ usd: 1_005_000 }]);
  expect(profitBy('day', money, money.ledger).filter(({ profit }) => !profit.isZero())).toEqual([]);
});

test('F38 I16: one delivery 100 times, 20 at once, is one row of the ledger, and the run plays again to the same', async () => {
  folder = new DaemonFolder('webhooks');
  const { url, daemon } = await start({ isRecorded: true });
  const body = depositBody(transfer(1));
  const statuses = new Set<number>();
  for (let round = 0; round < 5; round++) {
    for (const status of await Promise.all(Array.from({ length: 20 }, () => deliver(url, body)))) statuses.add(status);
  }
  expect([...statuses]).toEqual([204]);
  expect(kept()).toEqual([{ status: 'booked', transfer_id: transfer(1) }]);
  expect(deposits()).toEqual([{ book: 'treasury', currency: 'btc', amount: '0.0125' }]);
  await daemon.stop('test', 'seen enough');
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true, notifications: 1 });
  const { settings } = settingsOf({ isRecorded: true });
  const parity = await parityOf({ settings, run: 'last', folders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES } });
  expect(parity).toMatchObject({ equal: true, difference: undefined });
  // F40 F42: what was delivered before a restart is known after it, however old its timestamp is.
  const again = await start();
  expect([await deliver(again.url, body), await deliver(again.url, body, { timestamp: Date.now() - 3_600_000 })]).toEqual([204, 204]);
  expect(deposits()).toHaveLength(1);
});

test('F41 I16: while another program holds the journal nothing is acknowledged, and a later delivery has its one effect', async () => {
  folder = new DaemonFolder('webhooks-busy');
  let busy = false;
  const { url } = await start({
    wrapJournal: (journal) => {
      const guard = (): void => {
        if (busy) throw new KairosError('JOURNAL_BUSY', 'held');
      };
      return guardedJournal(journal, { commit: guard, write: guard, flush: guard });
    },
  });
  busy = true;
  expect([await deliver(url, depositBody(transfer(1))), await deliver(url, depositBody(transfer(1)))]).toEqual([503, 503]);
  expect(await deliver(url, depositBody(transfer(2)))).toBe(503);
  expect(deposits()).toEqual([]);
  busy = false;
  expect([await deliver(url, depositBody(transfer(1))), await deliver(url, depositBody(transfer(2)))]).toEqual([204, 204]);
  expect(deposits()).toHaveLength(2);
});

test('F41: a journal that cannot commit is a fault: 503, nothing acknowledged, trading halted', async () => {
  folder = new DaemonFolder('webhooks-fault');
  let broken = false;
  const { url, notices } = await start({
    wrapJournal: (journal) =>
      guardedJournal(journal, {
        write() {
          if (broken) throw new KairosError('JOURNAL_FAULT', 'the disk takes nothing');
        },
      }),
  });
  broken = true;
  expect(await deliver(url, depositBody(transfer(1)))).toBe(503);
  expect(notices.filter((line) => line.startsWith('fault'))).toHaveLength(1);
  broken = false;
});

test('F44: both secrets are accepted while the service changes over, afterwards the new one alone', async () => {
  folder = new DaemonFolder('webhooks-rotation');
  const secret = Buffer.alloc(32, 7).toString('base64');
  const previous = Buffer.alloc(32, 8).toString('base64');
  const statuses = async (url: string, n: number) => [
    await deliver(url, depositBody(transfer(n)), { secret }),
    await deliver(url, depositBody(transfer(n + 1)), { secret: previous }),
    await deliver(url, depositBody(transfer(n + 2))),
  ];
  const overlap = await start({ env: { KAIROS_WEBHOOKS_SECRET: secret, KAIROS_WEBHOOKS_SECRET_PREVIOUS: previous } });
  expect(await statuses(overlap.url, 1)).toEqual([204, 204, 401]);
  await overlap.daemon.stop('test', 'over');
  const after = await start({ env: { KAIROS_WEBHOOKS_SECRET: secret } });
  expect(await statuses(after.url, 11)).toEqual([204, 401, 401]);
  expect(deposits()).toHaveLength(3);
});

test('F39: a late deposit is kept aside with one alert, and booked when a person accepts it, with the daemon and without', async () => {
  folder = new DaemonFolder('webhooks-late');
  const { url, notices, daemon } = await start();
  const timestamp = Date.now() - 16_000;
  const late = async (n: number) => [
    await deliver(url, depositBody(transfer(n)), { timestamp }),
    await deliver(url, depositBody(transfer(n)), { timestamp }),
    await deliver(url, depositBody(transfer(n)), { timestamp }),
  ];
  expect([await late(1), await late(2)]).toEqual([
    [400, 204, 204],
    [400, 204, 204],
  ]);
  expect(kept().map(({ status }) => status)).toEqual(['late', 'late']);
  expect(deposits()).toEqual([]);
  expect(notices.filter((line) => line.startsWith('error')).length).toBe(2);
  const [first = '', second = ''] = folder.rows<{ id: string }>('SELECT id FROM notifications ORDER BY rowid').map(({ id }) => id);
  const { settings } = settingsOf();
  const accept = (id: string) => performAcceptance({ id, who: 'ann', why: 'it is in the account' }, settings, Date.now());
  await accept(first);
  expect(deposits()).toHaveLength(1);
  await expect(accept(first)).rejects.toThrow(/is booked; only a late one/);
  await expect(accept('n0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await daemon.stop('test', 'over');
  running = undefined;
  await accept(second);
  await expect(accept(second)).rejects.toMatchObject({ code: 'ACT_REFUSED' });
  expect(kept().map(({ status }) => status)).toEqual(['booked', 'booked']);
  expect(deposits()).toHaveLength(2);
  expect(verifyJournal(folder.journal)).toMatchObject({ ok: true, notifications: 2 });
});

test('L4 F40: many notifications, each many times over in any order and at once, have one effect each', async () => {
  folder = new DaemonFolder('webhooks-retries');
  const { url } = await start();
  const { origin, pathname: path } = new URL(url);
  const service = new Pool(origin, { connections: 32, pipelining: 1 });
  const draws = seeded('retries');
  const turns = Array.from({ length: 50 * 10 }, (_, turn) => ({ n: turn % 50, at: draws.next() })).sort((a, b) => a.at - b.at);
  const statuses = new Set<number>();
  let next = 0;
  const send = async (): Promise<void> => {
    for (let turn = turns[next++]; turn; turn = turns[next++]) {
      const body = depositBody(transfer(turn.n), { amount: '1' });
      const { statusCode, body: answer } = await service.request({ path, method: 'POST', headers: webhookHeaders(body), body });
      await answer.dump();
      statuses.add(statusCode);
    }
  };
  await Promise.all(Array.from({ length: 32 }, send));
  await service.close();
  expect([...statuses]).toEqual([204]);
  expect([kept().length, deposits().length]).toEqual([50, 50]);
});

test('L4: 500 webhooks a second, each with one effect', async () => {
  folder = new DaemonFolder('webhooks-load');
  const { url } = await start();
  const { origin, pathname: path } = new URL(url);
  // As many at once as the paper venue sends.
  const service = new Pool(origin, { connections: 32, pipelining: 1 });
  const post = async (n: number): Promise<number> => {
    const body = depositBody(transfer(n), { amount: '1' });
    const { statusCode, body: answer } = await service.request({ path, method: 'POST', headers: webhookHeaders(body), body });
    await answer.dump();
    return statusCode;
  };
  const statuses: Promise<number>[] = [];
  const begin = performance.now();
  for (let n = 0; n < 500; n++) {
    const earlyMs = begin + n * 2 - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    statuses.push(post(n));
  }
  const found = new Set(await Promise.all(statuses));
  await service.close();
  expect(found).toEqual(new Set([204]));
  expect(new Set(kept().map(({ transfer_id }) => transfer_id)).size).toBe(500);
  expect(deposits()).toHaveLength(500);
});

test('a wrong signature is an error that names the secret, once, until one was right', () => {
  const levels = [false, true].map((isSettled) => refusedText({ BODY: 1, SIGNATURE: 2 }, isSettled).level);
  expect([...levels, refusedText({ BODY: 1 }, false).level]).toEqual(['error', 'warn', 'warn']);
  expect(refusedText({ SIGNATURE: 2 }, false).text).toMatch(/^webhooks: refused 2 \(SIGNATURE\); .*webhooks\.secret/);
});
