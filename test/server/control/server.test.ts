import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ErrorCode, KairosError } from '#domain/errors.ts';
import type { ManualTask } from '#domain/manual-request.ts';
import type { RemoteTask } from '#domain/remote.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import { type OpsServer, openOps } from '#server/control/server.ts';
import type { OpsTarget } from '#server/control/target.ts';
import { OpsDouble } from '../../support/ops-double.ts';
import { type PlainAnswer, type PlainRequest, plainRequest } from '../../support/plain-request.ts';
import { ROOT } from '../../support/root.ts';

const TOKEN = 'a-token-that-nobody-guesses';

const taskOf = (act: ManualTask['act'], { who, why }: WhoWhy): ManualTask => ({
  ...{ id: '7', act, who, why, ended: false, refused: null, parts: [] },
});

const REMOTE: RemoteTask = {
  id: '9-r1',
  action: 'remote.pause',
  arguments: {},
  status: 'asked',
  httpStatus: null,
  response: '',
  ended: false,
  refused: null,
};

function refuse(code: ErrorCode, message: string): never {
  throw new KairosError(code, message);
}

let reasons: readonly string[];

/** What the daemon says to what is not simply done. */
const ANSWERS: Partial<OpsTarget> = {
  notReady: () => reasons,
  pause: ({ strategy }) => (strategy === 'nobody' ? refuse('NOT_FOUND', 'the daemon runs no strategy "nobody"') : {}),
  accept: ({ id }) => (id === 'n7' ? {} : refuse('ACT_REFUSED', `notification ${id} is booked; only a late one can be accepted`)),
  resolve: ({ order }) => (order === '9-9' ? refuse('NOT_OPEN', 'order 9-9 has no unknown outcome') : {}),
  schedule: ({ name }) => (name === 'none' ? refuse('NOT_FOUND', "the daemon's schedule has no line") : {}),
  close: (asked) => taskOf('close', asked),
  flatten: (asked) => taskOf('flatten', asked),
  order: (asked) => (asked.product === 'halted' ? refuse('ACT_REFUSED', 'order is refused: trading is halted') : taskOf('order', asked)),
  byHandTask: (id) => (id === '7' ? taskOf('close', by) : undefined),
  remoteTask: (id) => (id === REMOTE.id ? REMOTE : undefined),
  backtest: ({ strategy, vary }) => ({ kind: vary.length === 0 ? 'backtest' : 'sweep', strategy }),
  'stop-backtest': () => refuse('ACT_REFUSED', 'no backtest plays'),
  drill: ({ who, why }) => ({ verdict: 'passed', outcome: `${who}: ${why}` }),
};

let now = 0;
let heard: OpsDouble['heard'];
let target: OpsTarget;
let ops: OpsServer;
let port: number;

beforeEach(async () => {
  ({ heard, target } = new OpsDouble(ANSWERS));
  reasons = [];
  now = 0;
  ops = await openOps({ host: '127.0.0.1', port: null, token: TOKEN, target, timers: { monotonicMs: () => now } });
  port = Number(new URL(ops.url).port);
});

afterEach(() => ops.close());

interface Ask extends PlainRequest {
  readonly path?: string;
}

const GOOD = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** A request as a hostile page or program could make it: nothing is added but what is said. */
function ask({ method = 'GET', path = '/healthz', headers = {}, body }: Ask): Promise<PlainAnswer> {
  const given = { host: `127.0.0.1:${port}`, ...headers };
  return plainRequest(`http://127.0.0.1:${port}${path}`, { method, headers: given, ...(body !== undefined && { body }) });
}

const post = (name: string, body: string = '{}', headers: Readonly<Record<string, string>> = GOOD): Promise<PlainAnswer> =>
  ask({ method: 'POST', path: `/api/${name}`, headers, body });

/** Says something to a port and closes the connection, in a thread of its own. */
const SAYS_AND_GOES = `
const { workerData: { port, text, gone } } = require('node:worker_threads');
const socket = require('node:net').connect(port, '127.0.0.1', () => socket.end(text));
socket.on('finish', () => {
  Atomics.store(gone, 0, 1);
  Atomics.notify(gone, 0);
});
`;

test('an act whose asker went while the daemon stood still is not done; a halt is', async () => {
  for (const name of ['pause', 'resume', 'halt']) {
    const head = `POST /api/${name} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
    const gone = new Int32Array(new SharedArrayBuffer(4));
    const asker = new Worker(SAYS_AND_GOES, { eval: true, workerData: { port, text: `${head}\r\nContent-Length: 2\r\n\r\n{}`, gone } });
    const left = new Promise((resolve) => asker.once('exit', resolve));
    expect(Atomics.wait(gone, 0, 0, 60_000)).not.toBe('timed-out');
    await left;
  }
  expect(heard.map(([act]) => act)).toEqual(['halt']);
});

describe('named tokens', () => {
  const tokens = [
    { name: 'grafana', role: 'read', token: 'a-token-that-only-reads' },
    { name: 'ann', role: 'operate', token: 'a-token-that-operates' },
    { name: 'bob', role: 'arm', token: 'a-token-that-also-arms' },
  ] as const;
  const by = (name: string) => ({ ...GOOD, authorization: `Bearer ${tokens.find((one) => one.name === name)?.token}` });
  const arm = '{"configHash": "0a"}';

  beforeEach(async () => {
    await ops.close();
    ops = await openOps({ host: '127.0.0.1', port: null, token: TOKEN, tokens, target, timers: { monotonicMs: () => now } });
    port = Number(new URL(ops.url).port);
  });

  test('each does what its role is for, under its own name whatever the body says', async () => {
    expect(await post('pause', '{"who": "the boss"}', by('ann'))).toMatchObject({ status: 200 });
    expect(await post('halt', 'prices look wrong', by('ann'))).toMatchObject({ status: 200 });
    expect(await post('arm', arm, by('bob'))).toMatchObject({ status: 200 });
    expect(await post('pause', '{"who": "the boss"}')).toMatchObject({ status: 200 });
    expect(await ask({ method: 'POST', path: '/api/pause', headers: { authorization: by('ann').authorization } })).toMatchObject({
      status: 200,
    });
    for (const body of ['"one"', '[]', '5', 'null']) expect(await post('resume', body, by('ann'))).toMatchObject({ status: 400 });
    expect(heard.map(([act, { who, why }]) => [act, who, why])).toEqual([
      ['pause', 'ann', 'by the control API'],
      ['halt', 'ann', 'prices look wrong'],
      ['arm', 'bob', 'by the control API'],
      ['pause', 'the boss', 'by the control API'],
      ['pause', 'ann', 'by the control API'],
    ]);
  });

  test('what is beyond its role is refused without effect, however the path is written', async () => {
    expect(await post('token', '{}', by('grafana'))).toMatchObject({ status: 200, body: expect.stringContaining('"role":"read"') });
    for (const name of ['pause', 'halt']) expect(await post(name, '{}', by('grafana'))).toMatchObject({ status: 403 });
    expect(await post('arm', arm, by('ann'))).toMatchObject({ status: 403, body: expect.stringContaining('ann is for operate alone') });
    expect((await ask({ method: 'POST', path: '/api/%61rm', headers: by('ann'), body: arm })).status).not.toBe(200);
    expect(await post('pause', '{}', { ...GOOD, authorization: 'Bearer a-token-that-nobody-has' })).toMatchObject({ status: 401 });
    expect(heard.map(([act]) => act)).toEqual(['token']);
  });
});

test('a look of the watcher is told, and no other', async () => {
  let looks = 0;
  await ops.close();
  const onWatched = () => {
    looks += 1;
  };
  ops = await openOps({ host: '127.0.0.1', port: null, token: TOKEN, target, onWatched, timers: { monotonicMs: () => now } });
  port = Number(new URL(ops.url).port);
  await ask({});
  await ask({ headers: { 'user-agent': 'curl/8' } });
  expect(looks).toBe(0);
  expect(await ask({ headers: { 'user-agent': 'kairos-watch' } })).toMatchObject({ status: 200 });
  expect(looks).toBe(1);
});

describe('looking', () => {
  test('tells whether it lives, whether it is ready and why not, and its state', async () => {
    expect(await ask({})).toMatchObject({ status: 200, body: '{"alive":true}' });
    expect(await ask({ path: '/readyz' })).toMatchObject({ status: 200, body: '{"ready":true,"reasons":[]}' });
    reasons = ['trading is halted'];
    expect(await ask({ path: '/readyz' })).toMatchObject({ status: 503, body: '{"ready":false,"reasons":["trading is halted"]}' });
    expect(await ask({ path: '/api/state' })).toMatchObject({ status: 200, body: '{"halted":false}' });
    expect(await ask({ path: '/api/why-not' })).toMatchObject({ status: 200, body: '{"answers":[]}' });
  });

  test.each(['/api/halt', '/api/resume?strategy=one', '/api/enable'])('I35 GET %s changes nothing', async (path) => {
    expect(await ask({ path, headers: GOOD })).toMatchObject({ status: 404 });
    expect(heard).toEqual([]);
  });
});

describe('asking', () => {
  test.each<[string, object, number]>([
    ['accepted as quoted', { order: '7-1', as: 'accepted', who: 'ann', why: 'it is there' }, 200],
    ['accepted with figures', { order: '7-1', as: 'accepted', price: '61001', fee: '0' }, 200],
    ['rejected', { order: '7-1', as: 'rejected' }, 200],
    ['an order that is settled', { order: '9-9', as: 'rejected' }, 409],
    ['figures of a rejected one', { order: '7-1', as: 'rejected', price: '1' }, 400],
    ['no outcome', { order: '7-1' }, 400],
    ['a number as a figure', { order: '7-1', as: 'accepted', price: 1 }, 400],
    ['a foreign field', { order: '7-1', as: 'rejected', cause: 'x' }, 400],
  ])('I35: an order of unknown outcome is settled, with the token: %s', async (_what, body, status) => {
    expect(await post('resolve', JSON.stringify(body), { 'content-type': 'application/json' })).toMatchObject({ status: 401 });
    expect(await post('resolve', JSON.stringify(body))).toMatchObject({ status });
    expect(heard).toHaveLength(status === 200 ? 1 : 0);
  });

  test('I35: a notification is accepted by its id, with the token; one that is not late is refused', async () => {
    expect(await post('accept', '{"id":"n7","who":"ann","why":"it is in the account"}')).toMatchObject({ status: 200 });
    expect(await post('accept', '{"id":"n8"}')).toMatchObject({ status: 409 });
    expect(await post('accept', '{"id":7}')).toMatchObject({ status: 400 });
    expect(await post('accept', '{"id":"n7","amount":"1"}')).toMatchObject({ status: 400 });
    expect(heard).toEqual([['accept', { id: 'n7', who: 'ann', why: 'it is in the account' }]]);
  });

  test('a line of the schedule is asked for by its name', async () => {
    expect(await post('schedule', '{"name":"evening","who":"ann","why":"leaving"}')).toMatchObject({ status: 200 });
    expect(await post('schedule', '{"name":"none"}')).toMatchObject({ status: 404 });
    expect(await post('schedule', '{"name":"../x"}')).toMatchObject({ status: 400 });
    expect(await post('schedule', '{"name":"evening","at":"now"}')).toMatchObject({ status: 400 });
    expect(heard).toEqual([['schedule', { name: 'evening', who: 'ann', why: 'leaving' }]]);
  });

  test('each act arrives with who and why, and is answered once it is done', async () => {
    expect(await post('halt', '{"who":"ann","why":"prices look wrong"}')).toMatchObject({ status: 200 });
    expect(await post('resume')).toMatchObject({ status: 200 });
    expect(await post('pause', '{"strategy":"one","who":"ann"}')).toMatchObject({ status: 200 });
    expect(await post('enable', '{"strategy":"one"}')).toMatchObject({ status: 200 });
    expect(await post('arm', '{"configHash":"c"}')).toMatchObject({ status: 200 });
    expect(heard).toEqual([
      ['halt', { who: 'ann', why: 'prices look wrong' }],
      ['resume', { strategy: null, ...by }],
      ['pause', { strategy: 'one', who: 'ann', why: 'by the control API' }],
      ['enable', { strategy: 'one', ...by }],
      ['arm', { configHash: 'c', build: '', ...by }],
    ]);
  });

  test('movements of money arrive as decimals, with who and why', async () => {
    const entries = [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '500.10' }];
    expect(await post('book', JSON.stringify({ who: 'ann', why: 'bank transfer', entries }))).toMatchObject({ status: 200 });
    expect(heard).toEqual([['book', { who: 'ann', why: 'bank transfer', entries: [{ ...entries[0], amount: '500.1' }] }]]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no movement', []],
    ['an amount that is a number', [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: 5 }]],
    ['an exponent', [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '1e3' }]],
    ['zero', [{ kind: 'correction', book: 'treasury', currency: 'usd', amount: '0' }]],
    ['a deposit below zero', [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '-5' }]],
    ['a withdrawal above zero', [{ kind: 'withdrawal', book: 'treasury', currency: 'usd', amount: '5' }]],
    ['a fill', [{ kind: 'fill', book: 'treasury', currency: 'usd', amount: '5' }]],
    ["a strategy's book", [{ kind: 'deposit', book: 'one', currency: 'usd', amount: '5' }]],
    ['a field that nobody knows', [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount: '5', order: '1-1' }]],
  ])('B05 %s is not booked', async (_, entries) => {
    expect(await post('book', JSON.stringify({ who: 'ann', why: 'x', entries }))).toMatchObject({ status: 400 });
    expect(heard).toEqual([]);
  });

  test('a backtest and a sweep are begun, and a stop says where there is nothing to stop', async () => {
    expect(JSON.parse((await post('backtest', '{"strategy":"one","hours":24}')).body)).toMatchObject({ kind: 'backtest', strategy: 'one' });
    expect(JSON.parse((await post('backtest', '{"strategy":"one","vary":["fast=5..25:5"]}')).body)).toMatchObject({ kind: 'sweep' });
    expect(await post('stop-backtest')).toMatchObject({ status: 409, body: expect.stringContaining('no backtest plays') });
  });

  test('a drill is answered with what it came to', async () => {
    const { status, body } = await post('drill', '{"who":"ann","why":"every Monday"}');
    expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 200, verdict: 'passed', outcome: 'ann: every Monday' });
  });

  test.each<[string, string, string, number]>([
    ['no JSON', 'resume', '{"who":', 400],
    ['a field that is given twice', 'resume', '{"who":"ann","why":"fine","strategy":"one","strategy":null}', 400],
    ['an empty body', 'resume', '', 400],
    ['a list', 'resume', '[]', 400],
    ['a field of another act', 'drill', '{"strategy":"one"}', 400],
    ['an unknown field', 'resume', '{"all":true}', 400],
    ['a name that breaks lines', 'resume', '{"who":"ann\\nbob"}', 400],
    ['a strategy that is no text', 'pause', '{"strategy":1}', 400],
    ['a release of null', 'resume', '{"strategy":null}', 400],
    ['a release of no name', 'resume', '{"strategy":""}', 400],
    ['a release of a number', 'resume', '{"strategy":5}', 400],
    ['a release of a list', 'resume', '{"strategy":[]}', 400],
    ['enable without a strategy', 'enable', '{}', 400],
    ['B11 a prototype', 'resume', '{"__proto__":{"who":"x"}}', 400],
    ['a backtest of no time', 'backtest', '{"strategy":"one","hours":0}', 400],
    ['a parameter that is none', 'backtest', '{"strategy":"one","vary":["--data=x"]}', 400],
    ['a strategy that is not there', 'pause', '{"strategy":"nobody"}', 404],
    ['B13 a body beyond 4 KiB', 'resume', JSON.stringify({ why: 'x'.repeat(5_000) }), 413],
  ])('%s is refused in one line', async (_what, act, body, status) => {
    const answer = await post(act, body);
    expect(answer.status).toBe(status);
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['error', 'message']);
    expect(heard).toEqual([]);
  });
});

describe('a halt with the right token is refused for no form', () => {
  const plain = 'by the control API';
  const long = 'x'.repeat(100_000);

  test.each<[string, string | undefined, string | undefined, { who?: string; why: string }]>([
    ['a reason beyond 200 characters', JSON.stringify({ why: 'x'.repeat(201) }), undefined, { why: 'x'.repeat(200) }],
    ['two lines', '{"who":"ann\\nbob","why":"one\\ntwo"}', undefined, { who: 'ann bob', why: 'one two' }],
    ['no body', undefined, undefined, { why: plain }],
    ['an empty body', '', undefined, { why: plain }],
    ['no type', '{"why":"news"}', '', { why: 'news' }],
    ['plain text', 'prices look wrong', 'text/plain', { why: 'prices look wrong' }],
    ['a form', 'why=news', 'application/x-www-form-urlencoded', { why: 'why=news' }],
    ['a type that is none', '{"why":"news"}', 'json', { why: 'news' }],
    ['a field that nobody knows', '{"strategy":"one","who":"ann","why":"news"}', undefined, { who: 'ann', why: 'news' }],
    ['half of a body', '{"who":', undefined, { why: '{"who":' }],
    ['a list', '[]', undefined, { why: plain }],
    ['numbers', '{"who":1,"why":2}', undefined, { why: plain }],
    ['a prototype', '{"__proto__":{"who":"x"},"why":"news"}', undefined, { why: 'news' }],
    ['a body beyond every limit', JSON.stringify({ why: long }), undefined, { why: `{"why":"${long}`.slice(0, 200) }],
  ])('%s', async (_what, body, type, by) => {
    const { authorization } = GOOD;
    const headers = type === '' ? { authorization } : { authorization, 'content-type': type ?? GOOD['content-type'] };
    const { status } = await ask({ method: 'POST', path: '/api/halt', headers, ...(body !== undefined && { body }) });
    expect(status).toBe(200);
    expect(heard).toEqual([['halt', { who: 'api', ...by }]]);
  });

  test('a slash at the end of the path', async () => {
    expect(await ask({ method: 'POST', path: '/api/halt/', headers: GOOD, body: '{"why":"news"}' })).toMatchObject({ status: 200 });
    expect(heard).toEqual([['halt', { who: 'api', why: 'news' }]]);
  });

  test('a scheme in small letters, and an expectation that nobody knows', async () => {
    const headers = { authorization: `bearer  ${TOKEN}`, expect: 'wonders' };
    expect(await ask({ method: 'POST', path: '/api/halt', headers, body: 'news' })).toMatchObject({ status: 200 });
    expect(heard).toEqual([['halt', { who: 'api', why: 'news' }]]);
  });

  test('a body that breaks off', async () => {
    const socket = connect(port, '127.0.0.1', () => {
      const head = `POST /api/halt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 50\r\n\r\n`;
      socket.write(`${head}it burns`, () => socket.destroySoon());
    });
    await vi.waitFor(() => expect(heard).toEqual([['halt', { who: 'api', why: 'it burns' }]]), 100_000);
  });
});

describe('F73 B33: who may not ask, may not', () => {
  const foreignHosts = ['evil.example', '127.0.0.1.evil.example', '127.0.0.1', '127.0.0.1:1', 'localhost', '[::1]'];

  test.each(foreignHosts)('Host %j gets nothing, not even a look', async (host) => {
    for (const path of ['/healthz', '/readyz', '/api/state', '/api/why-not']) {
      const answer = await ask({ path, headers: { host } });
      expect([400, 403]).toContain(answer.status);
      expect(answer.body).not.toContain('alive');
    }
    expect([400, 403]).toContain((await post('halt', '{}', { ...GOOD, host })).status);
    expect(heard).toEqual([]);
  });

  test.each(['HTTP/1.0\r\n', 'HTTP/1.1\r\n', 'HTTP/1.1\r\nHost:\r\n'])('a request without a Host is refused: %j', async (rest) => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(`GET /api/state ${rest}Connection: close\r\n\r\n`));
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.[01] (400|403) /);
    expect(answer).not.toContain('halted');
  });

  test.each(['null', 'http://evil.example', 'https://127.0.0.1', 'http://127.0.0.1:1', 'file://'])(
    'Origin %j gets nothing',
    async (origin) => {
      expect(await post('halt', '{}', { ...GOOD, origin })).toMatchObject({ status: 403 });
      expect(await ask({ path: '/api/state', headers: { origin } })).toMatchObject({ status: 403 });
      expect(heard).toEqual([]);
    },
  );

  test('our own names pass, with and without Origin, and no answer allows another site to read', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const headers = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
      const answer = await ask({ headers });
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
    }
    const preflight = {
      method: 'OPTIONS',
      path: '/api/halt',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    };
    expect((await ask(preflight)).status).toBe(403);
  });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['no token', { 'content-type': 'application/json' }, 401],
    ['a wrong token', { ...GOOD, authorization: 'Bearer wrong' }, 401],
    ['a token cut short', { ...GOOD, authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
  ])('%s changes nothing', async (_what, headers, status) => {
    expect(await post('halt', '{}', headers)).toMatchObject({ status });
    expect(heard).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a form', { ...GOOD, 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text, as a form may send it', { ...GOOD, 'content-type': 'text/plain' }],
    ['no type', { authorization: GOOD.authorization }],
  ])('%s resumes nothing', async (_what, headers) => {
    expect(await post('resume', '{}', headers)).toMatchObject({ status: 415 });
    expect(heard).toEqual([]);
  });

  test('who guesses tokens is told to wait, and who knows it is let in all the while', async () => {
    const guess = async () => (await post('halt', '{}', { ...GOOD, authorization: 'Bearer guess' })).status;
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) statuses.push(await guess());
    expect(statuses).toEqual([...new Array<number>(10).fill(401), 429, 429]);
    expect(await post('halt')).toMatchObject({ status: 200 });
    now = 60_000;
    expect(await guess()).toBe(401);
    expect(heard).toHaveLength(1);
  });
});

/** Where no daemon of another test takes a port or gives one back. */
const OWN_HOST = '127.0.0.9';

test('B37 F63 a port that is taken is an error where it was set, and the next one is used where it was not', async () => {
  const options = { host: OWN_HOST, token: TOKEN, target, timers: { monotonicMs: () => 0 } };
  const first = await openOps({ ...options, port: null });
  const taken = Number(new URL(first.url).port);
  await expect(openOps({ ...options, port: taken })).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: expect.stringContaining(`ops.port: cannot listen on ${OWN_HOST}:${taken}`),
  });
  const second = await openOps({ ...options, port: null });
  expect(Number(new URL(second.url).port)).toBeGreaterThan(taken);
  await first.close();
  await second.close();
});

test('the port of the run before is taken again where it is free, and another where it is not', async () => {
  const options = { host: OWN_HOST, port: null, token: TOKEN, target, timers: { monotonicMs: () => 0 } };
  const first = await openOps(options);
  const formerPort = Number(new URL(first.url).port);
  const beside = await openOps({ ...options, formerPort });
  expect(beside.url).not.toBe(first.url);
  await first.close();
  await beside.close();
  const again = await openOps({ ...options, formerPort: Number(new URL(beside.url).port) });
  expect(again.url).toBe(beside.url);
  await again.close();
});

const by = { who: 'api', why: 'by the control API' };

describe('manual requests', () => {
  test.each<['close' | 'flatten' | 'order', object, object]>([
    ['close', { strategy: 's' }, { strategy: 's', product: null, pct: 100, ...by }],
    [
      'close',
      { strategy: 's', pct: 33.5, product: 'btcusd', who: 'ann', why: 'news' },
      { strategy: 's', product: 'btcusd', pct: 33.5, who: 'ann', why: 'news' },
    ],
    ['close', { strategy: 's', end: true }, { strategy: 's', product: null, pct: 100, end: true, ...by }],
    ['flatten', {}, { resume: false, ...by }],
    ['flatten', { end: true }, { resume: false, end: true, ...by }],
    ['order', { product: 'btcusd', side: 'buy', size: '0.010' }, { product: 'btcusd', side: 'buy', amount: { base: '0.01' }, ...by }],
    ['order', { product: 'btcusd', side: 'sell', value: '99' }, { product: 'btcusd', side: 'sell', amount: { quote: '99' }, ...by }],
  ])('%s %j is passed on, and can be asked after', async (act, body, asked) => {
    const answer = await ask({ method: 'POST', path: `/api/${act}`, headers: GOOD, body: JSON.stringify(body) });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, taskOf(act, { ...by, ...asked })]);
    expect(heard).toEqual([[act, asked]]);
    expect((await ask({ path: '/api/by-hand/7' })).status).toBe(200);
    expect((await ask({ path: '/api/by-hand/8' })).status).toBe(404);
  });

  test.each<[string, string, number]>([
    ['close', '{}', 400],
    ['close', '{"strategy":"s","pct":0}', 400],
    ['close', '{"strategy":"s","pct":101}', 400],
    ['close', '{"strategy":"s","pct":1e999}', 400],
    ['close', '{"strategy":"s","extra":1}', 400],
    ['flatten', '{"resume":"yes"}', 400],
    ['order', '{"product":"btcusd","side":"buy"}', 400],
    ['order', '{"product":"btcusd","side":"BUY","size":"1"}', 400],
    ['order', '{"product":"btcusd","side":"buy","size":1}', 400],
    ['order', '{"product":"btcusd","side":"buy","size":"0"}', 400],
    ['order', '{"product":"btcusd","side":"buy","size":"1e3"}', 400],
    ['order', '{"product":"btcusd","side":"buy","size":"1","value":"1"}', 400],
    ['order', '{"product":"btcusd","side":"buy","size":"0.0q"}', 400],
    ['order', '{"product":"halted","side":"buy","size":"1"}', 409],
  ])('B01 B05 B08 %s %s is refused', async (act, body, status) => {
    const answer = await ask({ method: 'POST', path: `/api/${act}`, headers: GOOD, body });
    expect(answer.status).toBe(status);
    expect(heard).toEqual([]);
  });

  test('F73 without the token nothing is asked', async () => {
    const answer = await ask({ method: 'POST', path: '/api/flatten', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect([answer.status, heard]).toEqual([401, []]);
  });

  test('what is asked of the strategies at the service is passed on, and can be asked after', async () => {
    const asked = { action: 'pause', arguments: { strategyId: 'a1' }, who: 'ann', why: 'to see' };
    const answer = await ask({ method: 'POST', path: '/api/remote', headers: GOOD, body: JSON.stringify(asked) });
    expect(answer.status).toBe(200);
    expect(heard).toEqual([['remote', { who: 'ann', why: 'to see', asked: { action: 'pause', strategyId: 'a1' } }]]);
    expect((await ask({ path: '/api/remote/9-r1' })).status).toBe(200);
    expect((await ask({ path: '/api/remote/9-r2' })).status).toBe(404);
    // The known fields are named, also where the body is made into another.
    const known = expect.stringContaining('there are who, why, action, arguments, confirm');
    expect(await post('remote', JSON.stringify({ ...asked, verb: 'pause' }))).toMatchObject({ status: 400, body: known });
  });

  test.each<[string, object]>([
    ['remote', { action: 'deleteAll' }],
    ['remote', { action: 'delete', arguments: { strategyId: 'a' } }],
    ['remote', { action: 'flush', arguments: { strategyId: 'a', longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 } }],
    [
      'remote',
      {
        action: 'flush',
        arguments: { strategyId: 'a', longPositionTargetPercentage: 101, shortPositionTargetPercentage: 0 },
        confirm: true,
      },
    ],
    ['remote', { action: 'pause', arguments: { strategyId: '../x' } }],
    ['remote', { action: 'pause', arguments: [] }],
    ['remote', { action: 'pause', arguments: { strategyId: 'a' }, extra: 1 }],
    ['remote', {}],
    ['settle-create', { actionId: '1', strategyId: '../x' }],
    ['settle-create', { actionId: '1' }],
  ])('B41 %s %j is refused: what destroys needs a confirmation, and nothing may rewrite a path', async (act, body) => {
    const answer = await ask({ method: 'POST', path: `/api/${act}`, headers: GOOD, body: JSON.stringify(body) });
    expect([answer.status, heard]).toEqual([400, []]);
  });
});

describe('behind a reverse proxy that does what docs/how-to/behind-a-reverse-proxy.md says', () => {
  const page = readFileSync(path.join(ROOT, 'docs/how-to/behind-a-reverse-proxy.md'), 'utf8');
  const ours = (text: string): string => text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const [, own = '', ourOrigin = ''] = /^ +(https:\S+) +(http:\S+);$/m.exec(page) ?? [];

  /** What nginx makes of a request's headers, by the page's lines. */
  function translated(headers: Readonly<Record<string, string>>): Record<string, string> {
    const values: Record<string, string> = { $kairos_origin: headers.origin === own ? ours(ourOrigin) : (headers.origin ?? '') };
    const set = [...page.matchAll(/^ +proxy_set_header (\w+) (\S+);$/gm)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      values[value] ?? ours(value),
    ]);
    const sent: Record<string, string> = { ...headers, ...Object.fromEntries(set) };
    // An empty value is not passed on.
    return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
  }

  test('its own page acts, a page of another site does not, and a request that was not translated is refused', async () => {
    const act = (headers: Record<string, string>) =>
      ask({ method: 'POST', path: '/api/halt', headers: { ...GOOD, ...headers }, body: '{}' });
    const outside = { host: 'desk.example', origin: own };
    expect(own).toBe('https://desk.example');
    expect((await ask({ headers: translated({ host: 'desk.example' }) })).status).toBe(200);
    expect((await act(translated(outside))).status).toBe(200);
    expect((await act(translated({ ...outside, origin: 'https://evil.example' }))).status).toBe(403);
    expect((await act(outside)).status).toBe(403);
    expect(heard).toHaveLength(1);
  });
});
