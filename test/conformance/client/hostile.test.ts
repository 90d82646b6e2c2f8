import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { refusalIn, refusalText } from '#adapters/service-client/rest/refusal-text.ts';
import { askAndLook } from '#daemon/operations/remote/remote-service.ts';
import { type RemoteAnswer, type RemoteAsk, remoteAskOf } from '#domain/remote.ts';
import { freePort } from '../../support/free-port.ts';
import { type Behave, client, hasty, json, racing, service } from './harness.ts';

const ID = 'a1';
const CREATE: RemoteAsk = { action: 'create', fields: { strategyType: 'AI', productCode: 'btcusd', accountId: '1' } };
const PAUSE: RemoteAsk = { action: 'pause', strategyId: ID };
const FLUSH: RemoteAsk = { action: 'flush', strategyId: ID, longPositionTargetPercentage: 50, shortPositionTargetPercentage: 50 };

const html: Behave = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>hello');
const status =
  (code: number, headers: Record<string, string> = {}): Behave =>
  (_request, response) =>
    void response.writeHead(code, headers).end();
const drop: Behave = (_request, _response, raw) => void raw.socket.destroy();
const silent: Behave = () => {};
const torn: Behave = (_request, response) => {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' }).write('{"strategyId":');
  setImmediate(() => response.destroy());
};
const huge: Behave = (_request, response) => response.writeHead(201).end(`{"strategyId":"a","x":"${'y'.repeat(10 * 1024 * 1024)}"}`);
const said =
  (code: number, body: unknown): Behave =>
  (_request, response: ServerResponse) =>
    json(response, code, body);

/** What came, what is known then, and how often it was asked for. Real sockets, and nothing waits longer than a quarter second. */
test.each<[string, RemoteAsk, string, Behave, string, number]>([
  ['F16', CREATE, 'no answer', silent, 'unknown', 1],
  ['F16', CREATE, 'a lost connection', drop, 'unknown', 1],
  ['F16', CREATE, '500', status(500), 'unknown', 1],
  ['F16', CREATE, '503', status(503), 'unknown', 1],
  ['F16', CREATE, '408', status(408), 'unknown', 1],
  ['F16', CREATE, '409', status(409), 'unknown', 1],
  ['F16 F11', CREATE, 'a redirect', status(307, { location: '/elsewhere' }), 'unknown', 1],
  ['F16', CREATE, 'a 201 that breaks off', torn, 'unknown', 1],
  ['F16', CREATE, 'a 201 of 10 MB', huge, 'unknown', 1],
  ['F16', CREATE, 'an HTML page with 200', html, 'unknown', 1],
  ['F16', CREATE, 'a 201 without an id', said(201, {}), 'unknown', 1],
  ['F16', CREATE, 'a 201 whose id is a path', said(201, { strategyId: '../x' }), 'unknown', 1],
  ['F16', CREATE, 'a 201 whose id is a list', said(201, { strategyId: ['x'] }), 'unknown', 1],
  ['F16', CREATE, '400', said(400, {}), 'failed', 1],
  ['F16', CREATE, '401', said(401, {}), 'failed', 1],
  ['F16', CREATE, '422', said(422, {}), 'failed', 1],
  ['F16', CREATE, '429', status(429), 'failed', 1],
  ['F16', CREATE, 'a 201 with an id that is a number', said(201, { strategyId: 17 }), 'confirmed', 1],
  ['F17', PAUSE, '200 without a body', status(200), 'asked', 1],
  ['F17', PAUSE, '202 with a body', said(202, { strategyId: ID }), 'asked', 1],
  ['F17', PAUSE, 'an HTML page with 200', html, 'unverified', 1],
  ['F17', PAUSE, 'a failure with 200', said(200, { status: 500, error: 'INTERNAL' }), 'unverified', 1],
  ['F17', PAUSE, 'a 201 that breaks off', torn, 'unverified', 1],
  ['F17', FLUSH, 'an HTML page with 200', html, 'unverified', 1],
  ['F17 F11', PAUSE, 'a redirect', status(302, { location: '/elsewhere' }), 'unverified', 1],
  ['F17', PAUSE, '429 until later than it may be asked', status(429, { 'retry-after': '30' }), 'failed', 1],
  ['F17', FLUSH, '429', status(429), 'failed', 1],
  ['F17', PAUSE, '404', said(404, {}), 'failed', 1],
  ['F17', PAUSE, '422', said(422, {}), 'failed', 1],
  ['F17', FLUSH, 'no answer: a flush counts from the position of the moment', silent, 'unverified', 1],
  ['F17', FLUSH, 'a lost connection', drop, 'unverified', 1],
  ['F17', FLUSH, '503', status(503), 'unverified', 1],
  ['F17', FLUSH, '422', said(422, {}), 'failed', 1],
])('%s %j answered with %s', async (_number, asked, _what, behave, expected, times) => {
  const { baseUrl, heard } = await service(behave);
  const answer = await client(baseUrl, { token: 't' }).strategies.ask(asked);
  expect([answer.status, heard.length]).toEqual([expected, times]);
});

test('F16 F01 a create that met nobody was not taken', async () => {
  const answer = await client(`http://127.0.0.1:${await freePort()}`, { token: 't' }).strategies.ask(CREATE);
  expect(answer).toMatchObject({ status: 'failed', httpStatus: null });
});

test.each([
  ['lost connections', drop],
  ['5xx', status(502)],
])('F17 a pause that only meets %s is asked for again until its deadline, and then nobody knows', async (_what, behave) => {
  const { baseUrl, heard } = await service(behave);
  const answer = await client(baseUrl, { token: 't' }, { timers: racing() }).strategies.ask(PAUSE);
  expect(answer.status).toBe('unverified');
  expect(heard.length).toBeGreaterThan(1);
  expect(new Set(heard.map(({ method, path }) => `${method} ${path}`)).size).toBe(1);
});

test.each<[string, RemoteAsk, number, unknown]>([
  ['delete', { action: 'delete', strategyId: ID }, 404, []],
  ['stop', { action: 'stop', strategyId: ID }, 422, [{ strategyId: ID, state: { status: 'STOPPED' } }]],
])(
  'F17 a %s that was taken without an answer is refused the second time: what is read back decides',
  async (_what, asked, refusal, left) => {
    let tries = 0;
    const { baseUrl } = await service((request, response, raw) => {
      if (request.path.includes('find')) return json(response, 200, left);
      tries += 1;
      if (tries === 1) drop(request, response, raw);
      else json(response, refusal, {});
    });
    const told: RemoteAnswer[] = [];
    await askAndLook(asked, { strategies: client(baseUrl, { token: 't' }).strategies, timers: hasty }, (answer) => told.push(answer));
    expect(told).toMatchObject([{ status: 'unverified' }, { status: 'confirmed', httpStatus: refusal }]);
  },
);

test.each<[string, Behave, string, RemoteAsk, readonly string[]]>([
  ['a page of a sign-in', html, 'ACTIVE', { action: 'pauseAll' }, ['unverified null', 'unverified null']],
  ['a failure', said(200, { error: 'could not pause 3 of 5' }), 'ACTIVE', { action: 'pauseAll' }, ['unverified null', 'unverified null']],
  ['the strategy itself', said(200, { strategyId: ID }), 'PAUSED', PAUSE, ['unverified null', 'confirmed null']],
  ['nothing', status(200), 'PAUSED', PAUSE, ['asked 200', 'confirmed 200']],
])(
  'F17 a 200 with %s: a body is not the answer of an action, and what is read back decides',
  async (_what, behave, state, asked, expected) => {
    const { baseUrl } = await service((request, response, raw) =>
      request.path.includes('find') ? json(response, 200, [{ strategyId: ID, state: { status: state } }]) : behave(request, response, raw),
    );
    const told: RemoteAnswer[] = [];
    await askAndLook(asked, { strategies: client(baseUrl, { token: 't' }).strategies, timers: hasty }, (answer) => told.push(answer));
    expect(told.map(({ status: known, httpStatus }) => `${known} ${httpStatus}`)).toEqual(expected);
    if (told[0]?.httpStatus === null) expect(told[0].response).toMatch(/^answered 200 with a body, where .* has none: (<!doctype|\{")/);
  },
);

test.each<[RemoteAsk['action'], Record<string, string>, string]>([
  ['pause', { status: 'ACTIVE', previousStatus: 'PAUSED' }, 'unverified'],
  ['stop', { actual: 'ACTIVE', requested: 'STOPPED' }, 'unverified'],
  ['start', { status: 'PAUSED', children: 'ACTIVE' }, 'unverified'],
  ['pause', { status: 'PAUSED', wanted: 'PAUSED', mode: 'LIVE' }, 'confirmed'],
  ['stop', { status: 'ACTIVE', wanted: 'PAUSED' }, 'unverified'],
])('F17 a %s of which %j is read back is %s: words that contradict each other say nothing', async (action, state, status) => {
  const { baseUrl } = await service((request, response) =>
    request.path.includes('find') ? json(response, 200, [{ strategyId: ID, state }]) : void response.writeHead(202).end(),
  );
  const told: string[] = [];
  await askAndLook(
    remoteAskOf(action, { strategyId: ID }),
    { strategies: client(baseUrl, { token: 't' }).strategies, timers: hasty },
    (answer) => told.push(answer.status),
  );
  expect(told).toEqual(['asked', status]);
});

test.each([
  ['an HTML page', html, 'SERVICE_UNREADABLE'],
  ['an object', said(200, {}), 'SERVICE_UNREADABLE'],
  ['null', said(200, null), 'SERVICE_UNREADABLE'],
  ['a redirect', status(301, { location: '/' }), 'SERVICE_REFUSED'],
  ['403', said(403, { error: 'no' }), 'SERVICE_REFUSED'],
])('find answered with %s is one clear line', async (_what, behave, code) => {
  const { baseUrl } = await service(behave);
  await expect(client(baseUrl, { token: 't' }).strategies.find(expect.unreachable)).rejects.toMatchObject({ code });
});

test('4.2 4.3 a list of 10 MB is not taken', async () => {
  const { baseUrl } = await service((_request, response) => void response.end(`["${'y'.repeat(10 * 1024 * 1024)}"]`));
  const made = client(baseUrl, { token: 't' }, { timers: racing() });
  await expect(made.products()).rejects.toMatchObject({ code: expect.stringMatching(/^SERVICE_UN/) });
  await expect(made.accounts()).rejects.toMatchObject({ code: expect.stringMatching(/^SERVICE_UN/) });
});

test('4.3 5.3 products are asked for without a token; one that is there is sent', async () => {
  const { baseUrl, heard } = await service(said(200, []));
  await client(baseUrl, { username: 'u', password: 'p' }).products();
  await client(baseUrl, { token: 't' }).products('VB');
  expect(heard.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ['GET', '/mms/v2/productDetails', undefined],
    ['GET', '/mms/v2/productDetails?exchangeCode=VB', 'Bearer t'],
  ]);
});

test('7.7 note: a refusal is told field by field, in one line, whatever else is in it', () => {
  const body = JSON.stringify({
    timestamp: '2026-01-01T00:00:00Z',
    status: 422,
    path: '/x',
    errorCode: 'LIMITS',
    error: 'limits\nbroken',
    errors: [
      { fields: ['size', 'orderMaxSize'], description: 'is below\u001b[31m minSize', rejectedValue: 1e-9 },
      { firstField: 'priceLimit' },
    ],
  });
  expect(refusalIn(body)?.fields).toEqual([
    { fields: ['size', 'orderMaxSize'], description: expect.stringContaining('minSize'), rejectedValue: 1e-9 },
    { fields: ['priceLimit'], description: '' },
  ]);
  const text = refusalText(body);
  expect(text).toMatch(/LIMITS; size, orderMaxSize: is below/);
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(refusalIn('<html>')).toBeNull();
  expect(refusalIn('[]')).toBeNull();
  expect(refusalIn('{"errors":"many"}')).toEqual({ error: '', fields: [] });
});
