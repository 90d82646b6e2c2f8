import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { KEY, SECRET, SETTINGS } from '../paper-venue/venue-rig.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { kairosHere, unhurriedHere } from '../support/kairos-here.ts';
import { type OtherService, otherService, STRANGER, type Ways } from '../support/other-service.ts';
import { endAll, KAIROS, runKairos, Started, startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';

/** A service on loopback that is no Kairos venue, such as a TLS sidecar, stunnel or `ssh -L` in front of a real one. */
let service: OtherService;
let venue: Venue;
let folder: DaemonFolder;
beforeEach(async () => {
  folder = new DaemonFolder('modes');
  // Another takes its place at its address: a port that nobody is given meanwhile.
  venue = await startVenue({ ...VENUE, port: await freePort() }, systemTimers);
});
afterEach(async () => {
  await endAll();
  await service.close();
  await venue.close();
  folder.remove();
});

const VENUE = { ...SETTINGS, capabilities: ['balances'], quotesPerSecond: 10, validityMs: 10_000 } as const;

const CONFIG = `account: { currency: usd, opening: { usd: 100000 } }
strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, budget: { usd: 50000 }, params: { everySeconds: 1 } }
risk: { maxOrderValue: 5000, maxPositionValue: 20000, maxDayValue: off, maxDayLoss: off, maxDrawdownPct: off, maxOrdersPerMinute: off }
`;

async function at(ways: Ways, config: string) {
  service = await otherService(venue.port, ways);
  folder.write('kairos.yaml', config);
  const env = {
    KAIROS_BASE_URL: service.url,
    KAIROS_USER_ID: '1205',
    KAIROS_API_KEY: KEY,
    // The venue's, spelled otherwise: Kairos refuses the well-known text where money is real.
    KAIROS_API_SECRET: SECRET.replace('=', ''),
  };
  return { cwd: folder.path, env };
}

const posted = () => service.asked.filter((line) => line.startsWith('POST '));

test('a service on loopback that is no Kairos venue is dry without the word, and the start says why', async () => {
  const place = await at(STRANGER, CONFIG);
  const daemon = startKairos(['run'], place);
  await daemon.until('an order that was executed here', () => folder.accepted());
  await daemon.says(/^ {2}orders +executed in this process .*; none is sent: it has not proved to be a Kairos venue of yours/m);
  expect(folder.rows('SELECT mode, book FROM runs')).toEqual([{ mode: 'dry', book: `dry ${service.url} 1205` }]);
  expect(posted()).toEqual([]);
  expect(service.headers.flatMap((headers) => Object.keys(headers)).filter((name) => name.startsWith('x-api'))).toEqual([]);
  expect((await kairosHere(['status'], place)).stdout).toMatch(/^DRY: no order is sent\n/);
  const rehearsed = await unhurriedHere(['rehearse', 'btcusd', '--yes'], place);
  expect([rehearsed.code, rehearsed.stdout]).toEqual([
    0,
    expect.stringContaining("nothing was sent in dry mode: the answers are Kairos's own"),
  ]);
  expect(rehearsed.stdout).not.toMatch(/as the answers? says?|service\.outcomes|reconcile/);
  expect(posted()).toEqual([]);
});

test('one that proves to be a Kairos venue is paper, and no order is signed by a key of the user', async () => {
  const { cwd, env } = await at({}, CONFIG);
  const daemon = startKairos(['run'], { cwd, env: { ...env, KAIROS_API_KEY: 'a-key-for-real-money' } });
  await daemon.until('an accepted order', () => folder.accepted());
  expect(service.asked[0]).toMatch(/^GET \/venue\/proof\?nonce=/);
  expect(folder.rows('SELECT mode, book FROM runs')).toEqual([{ mode: 'paper', book: 'paper' }]);
  expect(posted()).not.toEqual([]);
  expect(JSON.stringify(service.headers)).not.toContain('a-key-for-real-money');
});

test('what takes the place of the venue hears of no order and no key, and the venue is traded on again when it is back', async () => {
  const { cwd, env } = await at({}, CONFIG);
  await service.close();
  const { port } = venue;
  const daemon = startKairos(['run'], { cwd, env: { ...env, KAIROS_BASE_URL: venue.url } });
  await daemon.until('an accepted order', () => folder.accepted());
  const behind = await startVenue(VENUE, systemTimers);
  // Nothing is on its way while the venue goes: the outcome of such an order would stay unknown, and its product closed, as it should.
  expect(await kairosHere(['halt'], { cwd, env })).toMatchObject({ code: 0 });
  await daemon.until('an answer to each order', () => folder.productsInFlight().length === 0 || undefined);
  await venue.close();
  // It has everything that a strategy buys on, and only cannot prove what it is.
  service = await otherService(behind.port, STRANGER, port);
  expect(await kairosHere(['resume'], { cwd, env })).toMatchObject({ code: 0 });
  await daemon.says(/no connection can be opened ahead: .* is no Kairos venue of yours/);
  await daemon.until('several tries', () => service.asked.length > 8 || undefined);
  expect(service.asked.filter((line) => !/^GET \/venue\/proof\?nonce=[0-9a-f]{64}$/.test(line))).toEqual([]);
  expect(new Set(service.headers.flatMap((headers) => Object.keys(headers)))).toEqual(new Set(['host', 'connection']));
  await service.close();
  await behind.close();
  venue = await startVenue({ ...VENUE, port }, systemTimers);
  const [{ count } = { count: 0 }] = folder.rows<{ count: number }>("SELECT count(*) AS count FROM orders WHERE state = 'accepted'");
  await daemon.until('an accepted order', () => folder.rows(`SELECT 1 FROM orders WHERE state = 'accepted' LIMIT 1 OFFSET ${count}`)[0]);
  expect(venue.executions()).not.toEqual([]);
});

test.each([
  ['the setting', `mode: live\n${CONFIG}`, [], {}, /^kairos: mode: live needs a word at the start as well.*nothing was sent\n$/],
  [
    '--live',
    CONFIG,
    ['--live'],
    {},
    /^kairos: --live or KAIROS_LIVE=yes is given, and the settings do not say `mode: live`.*nothing was sent\n$/,
  ],
  ['KAIROS_LIVE', `mode: dry\n${CONFIG}`, [], { KAIROS_LIVE: 'yes' }, /^kairos: --live or KAIROS_LIVE=yes is given.*nothing was sent\n$/],
  ['KAIROS_LIVE misspelt', `mode: live\n${CONFIG}`, [], { KAIROS_LIVE: 'true' }, /^kairos: KAIROS_LIVE: must be yes or no, not true\n$/],
])('live needs two keys: %s alone starts nothing', async (_key, config, words, word, line) => {
  const { cwd, env } = await at(STRANGER, config);
  expect(await runKairos(['run', ...words], { cwd, env: { ...env, ...word } })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(line),
  });
  expect(posted()).toEqual([]);
  expect(folder.files()).toEqual(['kairos.yaml']);
});

const shipped = (name: string): string => readFileSync(path.join(ROOT, 'deploy', name), 'utf8');
const pairs = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));

/** What a way to keep a bot running starts, and with which environment, where it is told to trade live. The walk has pm2 and systemd. */
const FORMS: Readonly<Record<string, () => { readonly words: readonly string[]; readonly env: Record<string, string> }>> = {
  'a terminal': () => ({ words: [process.execPath, KAIROS, 'run', '--live'], env: {} }),
  'docker with KAIROS_LIVE=yes in its environment': () => {
    const image = shipped('docker/Dockerfile');
    const listed = (name: string): string[] => JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(image)?.[1] ?? '[]');
    const words = [...listed('ENTRYPOINT'), ...listed('CMD')].map((word) => (word === 'kairos' ? KAIROS : word));
    return { words: [process.execPath, ...words], env: { ...pairs(/^ENV (.*)$/m.exec(image)?.[1] ?? ''), KAIROS_LIVE: 'yes' } };
  },
};

test.each(Object.entries(FORMS))('live under %s: it sends once it is armed, and not before', async (_form, form) => {
  const { cwd, env } = await at(STRANGER, `mode: live\n${CONFIG}`);
  const { words, env: own } = form();
  const [command = '', ...args] = words;
  const daemon = new Started(command, args, { cwd, env: { ...env, ...own } });
  await daemon.until('a decision of a strategy', () => folder.rows("SELECT 1 FROM decisions WHERE kind = 'refused'")[0]);
  await daemon.says(/LIVE/);
  expect(posted()).toEqual([]);
  expect(await kairosHere(['arm', '--yes', '--unrehearsed'], { cwd, env })).toMatchObject({ code: 0 });
  await daemon.until('an accepted order', () => folder.accepted());
  expect(posted()).not.toEqual([]);
  expect(venue.executions()).not.toEqual([]);
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('the first hour has an order: rehearsed while DISARMED, then armed', async () => {
  const { cwd, env } = await at(STRANGER, `mode: live\n${CONFIG}`);
  const auto = await runKairos(['run', '--live', '--set', 'trading.arm=auto'], { cwd, env });
  expect(auto).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/trading\.arm: auto, and nothing was rehearsed here, a purchase and its sale/),
  });
  const daemon = startKairos(['run', '--live'], { cwd, env });
  await daemon.until('a decision of a strategy', () => folder.rows("SELECT 1 FROM decisions WHERE kind = 'refused'")[0]);
  const guess = 'the currency of fees is a guess';
  const page = publishedIn(controlFiles(folder.journal).ops)?.url ?? '';
  const arming = async () => (await fetch(`${page}/api/arm`)).json();
  const said = async (...words: string[]): Promise<string> => (await kairosHere(words, { cwd, env })).stdout;
  await daemon.says(new RegExp(guess));
  expect([await said('status'), await said('doctor')].map((text) => text.includes(guess))).toEqual([true, true]);
  expect(await kairosHere(['arm', '--yes'], { cwd, env })).toMatchObject({ code: 3, stderr: expect.stringContaining('kairos rehearse') });
  expect(await arming()).toMatchObject({ unrehearsed: true });
  expect(posted()).toEqual([]);
  expect(await unhurriedHere(['rehearse', 'btcusd', '--live', '--yes'], { cwd, env })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^service\.outcomes: 201 means accepted, as the answers say; nothing is to be set$/m),
  });
  // More where the machine did not keep up, and it was rehearsed again.
  expect(posted().length).toBeGreaterThanOrEqual(2);
  expect(await arming()).toMatchObject({ unrehearsed: false });
  // The answers tell the fee with its currency.
  expect([await said('status'), await said('doctor')].map((text) => text.includes(guess))).toEqual([false, false]);
  expect(await kairosHere(['arm', '--yes'], { cwd, env })).toMatchObject({ code: 0 });
  await daemon.until('an order of a strategy', () => folder.rows("SELECT 1 FROM orders WHERE strategy = 'flip' AND state = 'accepted'")[0]);
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('a rehearsal learns by the balances what an answer means, and prints the setting', async () => {
  const taken: Ways = { answer: (said, asked) => (asked.method === 'POST' ? { ...said, status: 202, body: '' } : said) };
  const { cwd, env } = await at(taken, 'strategies: []\nservice: { capabilities: [balances] }\naccount: { opening: { usd: 100000 } }\n');
  const daemon = startKairos(['run'], { cwd, env });
  await daemon.says(/\/healthz/);
  const rehearsed = await unhurriedHere(['rehearse', 'btcusd', '--yes'], { cwd, env });
  expect(rehearsed).toMatchObject({ code: 1, stdout: expect.stringContaining('it was executed, as the account shows') });
  expect(rehearsed.stdout).toMatch(/^service:\n {2}outcomes:\n {4}"?202"?: accepted$/m);
  const [, resolve = ''] = /`?kairos (journal resolve \S+ --as accepted)/.exec(rehearsed.stdout) ?? [];
  // As it is printed, also where nobody can answer.
  expect(await kairosHere(resolve.split(' '), { cwd, env })).toMatchObject({ code: 0 });
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('a service on loopback that is not there yet is no mode at all: a supervisor starts again until it is', async () => {
  const { cwd, env } = await at({}, CONFIG);
  const silent = `http://127.0.0.1:${await freePort()}`;
  expect(await runKairos(['run', '--set', `service.baseUrl=${silent}`], { cwd, env })).toMatchObject({
    code: 1,
    stderr: `kairos: nothing answers at ${silent}, so whether that is a Kairos venue is not known: start it first\n`,
  });
  expect(folder.files()).toEqual(['kairos.yaml']);
});
