import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { alarmWords, profitsText } from '#cli/fleet-table.ts';
import { FaultList, faultsError } from '#config/faults.ts';
import { readFleetList } from '#config/fleet-list.ts';
import { Fleet } from '#daemon/fleet/fleet.ts';
import { openFleetPage } from '#daemon/fleet/fleet-page.ts';
import { placesOf } from '#daemon/fleet/place.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { QueueWatch } from '#research/workers/queue-watch.ts';
import { saidIn } from '#server/fleet/said.ts';
import { alarmsOf } from '../../../web/fleet/alarms.ts';
import { momentText } from '../../../web/words/times.ts';
import { accepted, begin, orderFacts, permits, sent } from '../../adapters/journal/rows.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { freePort } from '../../support/free-port.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { plantedSweep } from '../../support/planted-sweep.ts';
import { printed } from '../../support/printed.ts';

const TOKEN = 'the-token-of-this-daemon';
const READ_TOKEN = 'a-token-that-only-reads';
const ONLY_READS = { error: 'REFUSED', message: 'the token of grafana is for read alone, and this takes operate' };

const STATE = {
  at: '2026-01-01T00:00:00.000Z',
  run: 'run-1',
  mode: 'paper',
  version: '0.1.0',
  pid: 7,
  phase: 'running',
  trading: 'ACTIVE',
  notReady: [],
  unknowns: 2,
  money: { currency: 'usd', equity: 1000, profitOfDay: -3.5, profit: 12 },
  strategies: [
    {
      id: 'flip',
      product: 'btcusd',
      position: '0.01',
      unrealised: 1,
      quoteCcy: 'usd',
      legs: [
        { product: 'btceur', position: '-0.01', unrealised: 2, quoteCcy: 'eur' },
        { product: 'etheur', position: '0', unrealised: 0, quoteCcy: 'eur' },
      ],
      state: { name: 'DISABLED', why: 'it threw', blockedSince: null },
    },
  ],
};

/** A daemon that says what it is told to; what was asked of it, with the tokens that it was shown. */
interface Fake {
  readonly server: Server;
  url: string;
  answer: 'at once' | 'held';
  readonly held: (() => void)[];
  readonly asked: string[];
}

async function fake(port = 0, state: object = STATE): Promise<Fake> {
  const server = createServer((request, response) => {
    const right = request.headers.authorization === `Bearer ${TOKEN}`;
    found.asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization === `Bearer ${READ_TOKEN}`)
      return void (request.url === '/api/token' ? send(200, { right: true, role: 'read' }) : send(403, ONLY_READS));
    if (request.method === 'POST') return void send(right ? 200 : 401, {});
    if (request.url === '/api/state') {
      if (found.answer === 'held') found.held.push(() => send(200, state));
      else send(200, state);
      return;
    }
    send(200, { decisions: [{ seq: 40, at: STATE.at, kind: 'threw', words: 'flip: boom' }], more: false });
  });
  const found: Fake = { server, url: '', answer: 'at once', held: [], asked: [] };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  found.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return found;
}

const entry = (at: string, name: string, token: string | null = null) => ({ at, name, token });

test('only what needs somebody is an alarm: a pause is none, nor what the settings leave out, and a refusal is told beside them, with its limit and since when', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const strategy = (name: string, more: object) => ({
    ...STATE.strategies[0],
    id: name.toLowerCase(),
    state: { name, why: '', mend: '', since, blockedSince: null, ...more },
  });
  const said = saidIn({
    ...{ ...STATE, unknowns: 0 },
    strategies: [
      strategy('PAUSED', { why: 'paused by ann: lunch' }),
      { ...strategy('DISABLED', { why: 'enabled: false in the configuration' }), enabled: false },
      strategy('REFUSED', { why: 'worth 2100 usd, over 2000 usd', mend: 'raise risk.maxOrderValue', blockedSince: since }),
      strategy('NO_FUNDS', { why: 'it costs more than there is', since: null, blockedSince: since }),
    ],
  });
  expect(said?.alarms).toEqual(['no_funds NO_FUNDS: it costs more than there is']);
  expect(said?.waits).toEqual([`refused REFUSED since ${since}: worth 2100 usd, over 2000 usd; raise risk.maxOrderValue`]);
});

test('what cannot be valued in the currency of the account stands beside it, with why', () => {
  const made = (currency: string, profit: number | null, profitOfDay = profit) => ({ currency, profit, profitOfDay });
  const saidOf = (money: object) => saidIn({ ...STATE, money: { ...STATE.money, currency: 'eur', ...money } });
  const said = saidOf({
    profit: -4.47,
    profitOfDay: -3.5,
    unrated: ['sek'],
    made: [made('eur', -4.47), made('sek', -54.67, -50), made('usd', 0)],
    missing: ['no lane gives a rate from sek to eur'],
  });
  expect([said?.profitIn, said?.profitOfDayIn].map(profitsText)).toEqual([
    '\u22124.47 eur and \u221254.67 sek',
    '\u22123.50 eur and \u221250.00 sek',
  ]);
  expect(said?.leftOut).toEqual(['no lane gives a rate from sek to eur']);
  const unpriced = saidOf({ profit: null, profitOfDay: null, made: [made('eur', null)], missing: ['no price of btceur yet'] });
  expect([profitsText(unpriced?.profitIn), unpriced?.leftOut]).toEqual(['n/a eur', ['no price of btceur yet']]);
  expect([profitsText(saidOf({ profit: 1 })?.profitIn), profitsText(undefined)]).toEqual(['1.00 eur', 'n/a']);
});

describe('a fleet', () => {
  let good: Fake;
  let slow: Fake;
  let folder: DaemonFolder;
  beforeAll(async () => {
    [good, slow] = await Promise.all([fake(), fake(0, { ...STATE, run: 'run-2' })]);
    folder = new DaemonFolder('fleet');
  });
  afterAll(() => {
    for (const { server, held } of [good, slow]) {
      for (const answer of held) answer();
      server.close();
      server.closeAllConnections();
    }
    folder.remove();
  });

  test('names what a killed daemon holds, and halts all from a terminal, telling of each that is not known to be halted', async () => {
    const killed = new DaemonFolder('fleet-killed');
    onTestFinished(() => killed.remove());
    mkdirSync(`${killed.path}/var`);
    const journal = SqliteJournal.open({ path: killed.journal, book: 'paper', beforeCommit: () => {} });
    begin(journal);
    const order = orderFacts(1);
    journal.commit([...permits(order), sent(order), accepted(order)]);
    journal.close();
    const fleet = new Fleet(placesOf([entry(killed.path, 'killed')], '/'), systemTimers);
    const { daemons } = await fleet.asked();
    expect(daemons[0]).toMatchObject({ reach: 'silent', why: 'no daemon runs on this journal; sma holds 0.01 of btcusd' });

    const dead = `127.0.0.1:${await freePort()}`;
    vi.stubEnv('KAIROS_OPS_TOKEN', TOKEN);
    // What is mistyped keeps nobody from halting.
    const said = await printed(['fleet', good.url, '--hurry', killed.path, dead, '--halt', 'looks wrong']);
    expect(said).toMatch(
      /^127\.0\.0\.1:\d+: halted\n.*: no daemon was reached: none runs on \S+kairos\.db, and only its next start is halted\n127\.0\.0\.1:\d+: nothing listens there/,
    );
    expect([process.exitCode, killed.rows("SELECT json_extract(detail, '$.why') AS why FROM decisions WHERE kind = 'halted'")]).toEqual([
      1,
      [{ why: 'looks wrong' }],
    ]);
    process.exitCode = undefined;
  });

  test('shows each daemon though one is dead, one is slow and one has another token; a halt of all says of each what came of it', async () => {
    let now = 10_000;
    const timers = { ...systemTimers, monotonicMs: () => now };
    const dead = `127.0.0.1:${await freePort()}`;
    slow.answer = 'held';
    const named = placesOf(
      [
        entry(good.url, 'good', TOKEN),
        entry(good.url, 'wrong', 'another-token-altogether'),
        entry(dead, 'dead', TOKEN),
        entry(slow.url, 'slow'),
        entry(folder.path, 'folder'),
      ],
      '/',
    );
    const fleet = new Fleet(named, timers);
    const waiting = fleet.asked();
    await expect.poll(() => slow.held.length).toBe(1);
    await expect.poll(() => fleet.view().daemons.map(({ reach }) => reach)).toEqual(['answers', 'answers', 'silent', 'asking', 'silent']);
    await expect
      .poll(() => fleet.view().daemons.map(({ access }) => access))
      .toEqual(['token', 'wrong token', 'unknown', 'no token', 'files']);
    now += 3_000;
    expect(fleet.view().daemons[3]?.reach).toBe('slow');
    slow.answer = 'at once';
    for (const answer of slow.held.splice(0)) answer();
    const { daemons } = await waiting;
    expect(daemons.map(({ said }) => said?.profitOfDay ?? null)).toEqual([-3.5, -3.5, null, -3.5, null]);
    expect(daemons[0]?.said?.alarms).toEqual(['2 orders of unknown outcome', 'flip DISABLED: it threw']);
    expect(daemons[0]?.said?.strategies[0]?.legs.map(({ product }) => product)).toEqual(['btceur']);
    expect(daemons[0]?.newestAlarm).toEqual({ at: STATE.at, kind: 'threw', words: 'flip: boom' });
    const [never, away] = [daemons[2], daemons[4]];
    if (!never || !away) throw new Error('five daemons were named');
    expect(never).toMatchObject({ heardAt: null, why: expect.stringContaining('nothing listens there') });
    const since = never.silentSince ?? '';
    expect(alarmsOf(never)).toEqual([`It never answered since ${momentText(since)} (http://${dead}): ${never.why}.`]);
    expect(alarmWords(never)).toEqual([`never answered since ${since} (http://${dead}): ${never.why}`]);
    expect(alarmWords({ ...away, heardAt: STATE.at })).toEqual([`silent since ${STATE.at} (${folder.journal}): ${away.why}`]);

    const { halted } = await fleet.halt(null, { who: 'ann', why: 'test' });
    expect(halted.map(({ name, failed }) => [name, failed])).toEqual([
      ['good', null],
      ['wrong', 'the daemon refuses the token'],
      ['dead', expect.stringContaining('nothing listens there')],
      ['slow', expect.stringContaining('no token is known')],
      ['folder', expect.stringContaining('only its next start is halted')],
    ]);
    await expect(fleet.halt('nobody', { who: 'ann', why: 'test' })).rejects.toThrow('no daemon "nobody"');

    good.server.close();
    good.server.closeAllConnections();
    now += 3_000;
    const { daemons: left, sums } = await fleet.asked();
    const gone = left[0];
    expect([gone?.reach, gone?.said?.run, gone?.silentSince]).toEqual(['silent', 'run-1', gone?.heardAt]);
    // Its day may be long over: what today came to is not known.
    expect(sums.map(({ profitOfDayIn }) => profitsText(profitOfDayIn))).toEqual(['n/a usd']);
    expect(sums[0]?.profitIn[0]?.profit).not.toBeNull();
    good = await fake(Number(new URL(good.url).port));
    now += 3_000;
    expect((await fleet.asked()).daemons[0]).toMatchObject({ reach: 'answers', silentSince: null, why: null });
  });

  test('a token that only reads is no token to halt with: the daemon says so before anybody needs it', async () => {
    const fleet = new Fleet(placesOf([entry(good.url, 'reads', READ_TOKEN), entry(good.url, 'halts', TOKEN)], '/'), systemTimers);
    const { daemons } = await fleet.asked();
    expect(daemons.map(({ access }) => access)).toEqual(['read token', 'token']);
    const [reads] = daemons;
    if (!reads) throw new Error('two daemons were named');
    expect(alarmsOf(reads)[0]).toBe('Its token is for read alone: it cannot be halted from here.');
    expect(alarmWords(reads)[0]).toBe('its token is for read alone: it cannot be halted from here');
    const { halted } = await fleet.halt(null, { who: 'ann', why: 'test' });
    expect(halted.map(({ failed }) => failed)).toEqual([`the daemon refused (403): ${ONLY_READS.message}`, null]);
  });

  test('real money is added to no paper money: one sum for each mode, the live one first', async () => {
    const money = (mode: string, currency: string, profit: number | null) =>
      fake(0, {
        ...STATE,
        run: `run of ${mode} ${profit}`,
        mode,
        money: { ...STATE.money, unrated: [], missing: [], currency, profitOfDay: profit, profit, made: [] },
      });
    const fakes = await Promise.all([money('paper', 'usd', -50), money('live', 'usd', -0.04), money('paper', 'usd', -2.5)]);
    onTestFinished(() => {
      for (const { server } of fakes) {
        server.close();
        server.closeAllConnections();
      }
    });
    const urls = fakes.map(({ url }) => url);
    const made = (profit: number, without: readonly string[] = []) => ({
      ...{ profitOfDayIn: [{ currency: 'usd', profit }], profitIn: [{ currency: 'usd', profit }] },
      without,
    });
    const { sums } = JSON.parse(await printed(['fleet', ...urls, '--json']));
    expect(sums).toEqual([
      { mode: 'live', ...made(-0.04) },
      { mode: 'paper', ...made(-52.5) },
    ]);
    expect(await printed(['fleet', ...urls, '--once'])).toMatch(
      /^all live: today \u22120\.04 usd, in all \u22120\.04 usd\nall paper: today \u221252\.50 usd/m,
    );

    // One that is named twice counts once; one that was never heard is told as left out.
    const dead = `127.0.0.1:${await freePort()}`;
    const again = [...urls, urls[1]?.replace('127.0.0.1', 'localhost') ?? '', dead];
    expect(JSON.parse(await printed(['fleet', ...again, '--json'])).sums).toEqual([
      { mode: 'live', ...made(-0.04, [dead]) },
      { mode: 'paper', ...made(-52.5, [dead]) },
    ]);
    expect(await printed(['fleet', ...again, '--once'])).toMatch(
      new RegExp(`^all live: today \u22120\\.04 usd, in all \u22120\\.04 usd; without ${dead}, not heard yet$`, 'm'),
    );
  });

  test('its page takes halts with its own token alone, and nothing from another site', async () => {
    const target = {
      view: () => ({ at: STATE.at, daemons: [], sums: [], sweeps: null }),
      halt: async () => ({ halted: [{ name: 'a', failed: null, journals: [] }] }),
      askSweep: async () => {},
    };
    const { url, close } = await openFleetPage({ port: 0, token: 'token-of-the-fleet', target, timers: systemTimers });
    const halt = (headers: Record<string, string>, body = '{"who":"ann","why":"x","daemon":null}') =>
      plainRequest(`${url}/api/halt`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    const own = { authorization: 'Bearer token-of-the-fleet' };
    const answers = await Promise.all([
      halt(own),
      halt({ authorization: `Bearer ${TOKEN}` }),
      halt({ ...own, origin: 'http://evil.example' }),
      halt({ ...own, host: 'evil.example' }),
      halt({ ...own, 'content-type': 'text/plain' }),
      halt(own, '{"daemons":[],"why":"two\\nlines"}'),
      plainRequest(`${url}/api/fleet`, { headers: { origin: 'http://evil.example' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 403, 200, 200, 403]);
    await close();
  });

  test('sweeps of a queue stand beside the daemons; they are paused, resumed and stopped with the token of the page alone; key and password reach no browser', async () => {
    const key = new QueueKey('a key that only this machine may know');
    const { queue, watch } = await plantedSweep(key);
    const several = new Fleet([], systemTimers, watch);
    expect((await several.asked()).sweeps).toMatchObject({
      place: '10.0.0.5:6379',
      why: null,
      sweeps: [{ sweep: '3f2a91c07be4', finished: 1_200, wanted: 2_784, workers: 1, paused: false, best: { netProfit: 81.5 } }],
      workers: [{ worker: 'worker-9', sweeps: ['3f2a91c07be4'] }],
      ended: [{ how: 'stopped', played: 43 }],
    });
    const { url, close } = await openFleetPage({ port: 0, token: 'token-of-the-fleet', target: several, timers: systemTimers });
    const ask = (body: object, token = 'token-of-the-fleet') =>
      plainRequest(`${url}/api/sweep`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ who: 'ann', why: 'x', ...body }),
      });
    const [sweep, gone] = ['3f2a91c07be4', '000000000000'];
    const refused = await Promise.all([
      ask({ sweep, ask: 'pause' }, TOKEN),
      ask({ sweep: gone, ask: 'stop' }),
      ask({ sweep, ask: 'delete' }),
      plainRequest(`${url}/api/sweep`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 404, 400, 401]);
    expect([...(await queue.notices('pauses')), ...(await queue.notices('stops'))]).toEqual([]);
    expect((await ask({ sweep, ask: 'pause' })).status).toBe(200);
    expect(key.read('pause', (await queue.notices('pauses')).get(sweep) ?? '')).toBe(sweep);
    expect((await ask({ sweep, ask: 'resume' })).status).toBe(200);
    expect([...(await queue.notices('pauses'))]).toEqual([]);
    expect((await ask({ sweep, ask: 'stop' })).status).toBe(200);
    expect(key.read('stop', (await queue.notices('stops')).get(sweep) ?? '')).toBe(sweep);
    expect((await plainRequest(`${url}/api/fleet`, {})).body).not.toMatch(/a key that only|coordinator":"c"|7480/);
    await close();
  });

  test('a queue that does not answer is told as such, and keeps nobody', async () => {
    const { queue, watch } = await plantedSweep(new QueueKey('a key that only this machine may know'));
    await watch.poll();
    queue.notices = () => Promise.reject(new Error('Connection is closed.'));
    await expect(watch.ask('3f2a91c07be4', 'pause')).rejects.toThrow('Connection is closed.');
    const hung = new QueueWatch({
      ...{ queue, key: new QueueKey('a key that only this machine may know'), place: 'here:1' },
      timers: { monotonicMs: () => now, after: (_ms, run) => systemTimers.after(5, run) },
    });
    queue.notices = () => new Promise(() => {});
    let now = 0;
    expect(hung.view()).toMatchObject({ why: null, sweeps: [] });
    now = 6_000;
    expect(hung.view()).toMatchObject({ why: 'it does not answer' });
    await expect(hung.ask('3f2a91c07be4', 'pause')).rejects.toThrow('the queue at here:1 does not answer');
  });

  test('a list names places, tokens from files and the environment; what is wrong is one line', () => {
    const read = (file: string) => {
      const faults = new FaultList();
      const entries = readFleetList(file, { cwd: folder.path, env: { ETH: 'token-of-eth-daemon' }, faults });
      if (!faults.isEmpty) throw faultsError(faults.all);
      return entries;
    };
    mkdirSync(`${folder.path}/btc/var`, { recursive: true });
    writeFileSync(`${folder.path}/btc-token`, `${TOKEN}\n`, { mode: 0o600 });
    folder.write(
      'fleet.yaml',
      'daemons:\n  - { at: btc }\n  - { name: eth, at: "http://localhost:8081/", tokenEnv: ETH }\n  - { name: sol, at: ":8082", tokenFile: btc-token }\n',
    );
    expect(placesOf(read('fleet.yaml'), folder.path)).toEqual([
      { name: 'btc', place: { kind: 'folder', path: `${folder.path}/btc` } },
      { name: 'eth', place: { kind: 'address', url: 'http://localhost:8081', token: 'token-of-eth-daemon' } },
      { name: 'sol', place: { kind: 'address', url: 'http://127.0.0.1:8082', token: TOKEN } },
    ]);
    folder.write('wrong.yaml', 'daemons:\n  - { at: btc }\n  - { name: eth, adress: x }\n');
    expect(() => read('wrong.yaml')).toThrow(/^wrong\.yaml:3: daemons\[1\]\.adress: unknown setting/);
    folder.write('unset.yaml', 'daemons: [{ at: btc, tokenEnv: NONE }]\n');
    expect(() => read('unset.yaml')).toThrow('the variable NONE is not set');
    const place = (at: string) => () => placesOf([entry(at, 'x')], folder.path);
    expect(place('http://10.0.0.1:8080')).toThrow('comes by a tunnel');
    expect(place('http://me:secret@127.0.0.1:8080')).toThrow('must be http://127.0.0.1:PORT');
    expect(place('nowhere')).toThrow('neither an address');
    expect(() => placesOf([entry(':1', 'x'), entry(':2', 'x')], '/')).toThrow('two daemons are called x');
  });
});
