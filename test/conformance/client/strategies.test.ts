import { expect, test } from 'vitest';
import { argumentsOf, type RemoteAsk, remoteAskOf } from '#domain/remote.ts';
import { client, json, service } from './harness.ts';

const ID = '3940beb5-46cd-4beb-a55f-a1b893afeaf1';
const ROOT = '/strategy-orchestrator/strategies';
const AI = {
  strategyType: 'AI',
  productCode: 'btcusd',
  accountId: '70312',
  aiModelVariant: 'VFM6',
  aiModelPositionMode: 'LONG',
  executionType: 'SMO_MPL',
  useInitialModelPrice: true,
  initialBaseCurrencySize: 0.01,
  initialQuoteCurrencyAmount: 500,
  desiredNetProfitPercentage: 1.5,
  useSpikeProtection: false,
  alwaysPassive: false,
  ignoreWarnings: false,
};
const times = { fromTime: '2026-12-24T12:00:00Z', toTime: '2026-12-27T00:00:00Z' };
const shares = { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 12.5 };

/** Each endpoint of 4.1 as it is sent: method, path below the strategies, body, and whether `se-api-version` is listed for it. */
test.each<[string, RemoteAsk, string, string, object | null, boolean]>([
  ['4.1.create', { action: 'create', fields: AI }, 'POST', '/action/create', { ...AI, autoRun: false }, false],
  [
    '4.1.modify',
    { action: 'modify', strategyId: ID, changes: { priceLimit: null } },
    'PATCH',
    `/${ID}/action/modify`,
    { priceLimit: null },
    true,
  ],
  ['4.1.start', { action: 'start', strategyId: ID }, 'PUT', `/${ID}/action/start`, null, true],
  ['4.1.stop', { action: 'stop', strategyId: ID }, 'PUT', `/${ID}/action/stop`, null, true],
  ['4.1.pause', { action: 'pause', strategyId: ID }, 'PUT', `/${ID}/action/pause`, null, true],
  ['4.1.delete', { action: 'delete', strategyId: ID }, 'DELETE', `/${ID}/action/delete`, null, true],
  ['4.1.flush', { action: 'flush', strategyId: ID, ...shares }, 'PUT', `/${ID}/action/flush`, shares, true],
  [
    '4.1.schedule-opening-pause',
    { action: 'schedule-opening-pause', strategyId: ID, ...times },
    'PUT',
    `/${ID}/action/schedule-opening-pause`,
    times,
    true,
  ],
  ['4.1.pauseAll', { action: 'pauseAll' }, 'PUT', '/pauseAll', null, true],
  ['4.1.resumeAll', { action: 'resumeAll' }, 'PUT', '/resumeAll', null, true],
  ['4.1.deleteAll', { action: 'deleteAll' }, 'DELETE', '/deleteAll', null, true],
])(
  '%s 5.2 9.1 is sent as specified: path, body, bearer token, and se-api-version only where it is listed',
  async (_row, asked, method, path, body, versioned) => {
    const { baseUrl, heard } = await service((_request, response) => {
      if (asked.action === 'create') json(response, 201, { strategyId: ID });
      else response.writeHead(202).end();
    });
    const answer = await client(baseUrl, { token: 'abc.def.ghi', apiVersion: '2.0' }).strategies.ask(asked);
    const [request] = heard;
    expect(heard).toHaveLength(1);
    expect([request?.method, request?.path]).toEqual([method, `${ROOT}${path}`]);
    expect(request?.headers.authorization).toBe('Bearer abc.def.ghi');
    expect(request?.headers['se-api-version']).toBe(versioned ? '2.0' : undefined);
    expect(request?.headers['content-type']).toBe(body === null ? undefined : 'application/json');
    expect(request?.body === '' ? null : JSON.parse(request?.body ?? '')).toEqual(body);
    expect(answer).toMatchObject(
      asked.action === 'create' ? { status: 'confirmed', httpStatus: 201 } : { status: 'asked', httpStatus: 202 },
    );
    // What is journaled of it makes the same request again.
    expect(remoteAskOf(asked.action, argumentsOf(asked))).toEqual(asked);
  },
);

test('5.2 9.1 without a token and a version neither header is sent, and a 401 is the answer', async () => {
  const { baseUrl, heard } = await service((_request, response) => json(response, 401, { error: 'no token' }));
  const answer = await client(baseUrl).strategies.ask({ action: 'pauseAll' });
  expect(answer).toMatchObject({ status: 'failed', httpStatus: 401 });
  expect(heard.map(({ headers }) => [headers.authorization, headers['se-api-version']])).toEqual([[undefined, undefined]]);
});

test('note: find posts without a body, and reads records of which only the id is needed', async () => {
  const { baseUrl, heard } = await service((_request, response) =>
    json(response, 200, [
      {
        strategyId: 'a',
        version: 3,
        engineVer: 1,
        eventTime: '2026-01-01T00:00:00Z',
        state: { status: 'PAUSED', n: 4 },
        uiParams: { x: { value: 1 } },
      },
      { strategyId: 'b', unknown: [1] },
      { version: 1 },
      'nonsense',
    ]),
  );
  const unread: string[] = [];
  const found = await client(baseUrl, { token: 't', apiVersion: '2.0' }).strategies.find((why) => unread.push(why));
  expect(unread).toEqual([expect.stringContaining('2 of 4 strategies without a strategyId')]);
  expect(found).toEqual([
    { strategyId: 'a', version: 3, eventTime: '2026-01-01T00:00:00Z', state: { status: 'PAUSED', n: '4' }, uiParams: { x: { value: 1 } } },
    { strategyId: 'b', version: null, eventTime: null, state: {}, uiParams: {} },
  ]);
  expect(heard.map(({ method, path, body, headers }) => [method, path, body, headers['se-api-version']])).toEqual([
    ['POST', `${ROOT}/find`, '', undefined],
  ]);
});

test('note: a service without find is gone on with', async () => {
  const { baseUrl } = await service((_request, response) => json(response, 404, {}));
  expect(await client(baseUrl, { token: 't' }).strategies.find(expect.unreachable)).toBeNull();
});

/** What JSON would carry wrong, or the path. */
test.each<[string, string, Record<string, unknown>]>([
  ['B01', 'create', { fields: { strategyType: 'AI', initialBaseCurrencySize: Number.NaN } }],
  ['B01', 'modify', { strategyId: ID, changes: { priceLimit: Number.POSITIVE_INFINITY } }],
  ['B01', 'create', { fields: { strategyType: 'SMO', legs: [{ size: Number.NEGATIVE_INFINITY }] } }],
  ['B02', 'modify', { strategyId: ID, changes: { priceLimit: -0 } }],
  ['B08', 'create', { fields: { strategyType: 'AI', size: undefined } }],
  ['B08', 'modify', { strategyId: ID, changes: {} }],
  ['B11', 'create', { fields: JSON.parse('{"strategyType":"AI","__proto__":{"x":1}}') }],
  ['B11', 'create', { fields: { strategyType: 'AI', constructor: 1 } }],
  ['B12', 'create', { fields: { strategyType: 'AI', a: { b: { c: { d: { e: { f: 1 } } } } } } }],
  ['B16', 'create', { fields: ['AI'] }],
  ['B16', 'modify', { strategyId: ID, changes: 'x' }],
  ['F16', 'create', { fields: { strategyType: 'AI', autoRun: true } }],
  ['B21', 'pause', { strategyId: '../../pauseAll' }],
  ['B21', 'pause', { strategyId: '' }],
  ['B21', 'pause', { strategyId: `${ID}?x=1` }],
  ['B21', 'pause', { strategyId: 'a\r\nb' }],
  ['B22', 'delete', { strategyId: '..' }],
  ['B23', 'schedule-opening-pause', { strategyId: ID, fromTime: '2026-12-24T12:00:00', toTime: times.toTime }],
  ['B23', 'schedule-opening-pause', { strategyId: ID, fromTime: '2026-13-24T12:00:00Z', toTime: times.toTime }],
  ['B24', 'schedule-opening-pause', { strategyId: ID, fromTime: times.toTime, toTime: times.fromTime }],
  ['B24', 'schedule-opening-pause', { strategyId: ID, fromTime: times.toTime, toTime: times.toTime }],
  ['B41', 'flush', { strategyId: ID, longPositionTargetPercentage: Number.NaN, shortPositionTargetPercentage: 0 }],
  ['B41', 'flush', { strategyId: ID, longPositionTargetPercentage: -1, shortPositionTargetPercentage: 0 }],
  ['B41', 'flush', { strategyId: ID, longPositionTargetPercentage: 0, shortPositionTargetPercentage: 100.1 }],
  ['B41', 'flush', { strategyId: ID, longPositionTargetPercentage: 0 }],
  ['B18', 'pauseAll', { strategyId: ID }],
  ['B18', 'explode', {}],
])('%s I12 %s of %j is refused before anything is sent', (_number, action, said) => {
  expect(() => remoteAskOf(action, said)).toThrow(expect.objectContaining({ code: 'REMOTE_INVALID' }));
});
