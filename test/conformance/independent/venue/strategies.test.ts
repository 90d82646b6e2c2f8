/** Sections 2.1 to 2.4, 3, 4.1, 5.2, 7 and 9 of the specification: strategies. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../support/wait-for.ts';
import { type Answer, ask, askJson, dice, type Headers, type Json, object, text } from './client.ts';
import { Venue } from './venue.ts';

const ROOT = '/strategy-orchestrator/strategies';
const NOBODY = '3f2b8a52-0c4e-4b7e-9a57-2f0e6d3b8c11';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

let venue: Venue;
let bearer: Headers;
let accountId: string;
let product: Json;

/** The create body of 2.1, with every field and the values seen. */
function everyField(): Json {
  return {
    strategyType: 'AI',
    productCode: product.productCode,
    accountId,
    aiModelVariant: 'VFM6',
    aiModelPositionMode: 'LONG',
    executionType: 'SMO_MPL',
    useInitialModelPrice: true,
    initialBaseCurrencySize: 0.01,
    initialQuoteCurrencyAmount: 1000,
    desiredNetProfitPercentage: 1.5,
    useSpikeProtection: false,
    alwaysPassive: true,
    ignoreWarnings: false,
    autoRun: false,
  };
}

const create = (body: Json, headers: Headers = {}) => askJson(venue.url, 'POST', `${ROOT}/action/create`, body, { ...bearer, ...headers });

async function created(fields: Json = {}): Promise<string> {
  const answer = await create({ ...everyField(), ...fields });
  expect(answer.status, answer.text).toBe(201);
  return text(answer.object(), 'strategyId');
}

function put(path: string, headers: Headers = {}, body?: Json): Promise<Answer> {
  if (body) return askJson(venue.url, 'PUT', ROOT + path, body, { ...bearer, ...headers });
  return ask(venue.url, { method: 'PUT', path: ROOT + path, headers: { ...bearer, ...headers } });
}

const act = (id: string, action: string, headers: Headers = {}) => put(`/${id}/action/${action}`, headers);
const remove = (path: string, headers: Headers = {}) =>
  ask(venue.url, { method: 'DELETE', path: ROOT + path, headers: { ...bearer, ...headers } });
const modify = (id: string, body: unknown, headers: Headers = {}) =>
  askJson(venue.url, 'PATCH', `${ROOT}/${id}/action/modify`, body, { ...bearer, ...headers });

/** What the venue keeps of a strategy, by the read-back of the notes. */
async function kept(id: string): Promise<Json | undefined> {
  const answer = await ask(venue.url, { method: 'POST', path: `${ROOT}/find`, headers: bearer });
  expect(answer.status, answer.text).toBe(200);
  return answer.list().find((one) => one.strategyId === id);
}

const status = async (id: string) => object((await kept(id))?.state ?? {}).status;
const fields = async (id: string) =>
  Object.fromEntries(Object.entries(object((await kept(id))?.uiParams ?? {})).map(([name, held]) => [name, object(held).value]));

function accepted(answer: Answer): void {
  expect(answer.status, answer.text).toBe(202);
  expect(answer.text, '202 has no content').toBe('');
}

/** The error body that the notes make known. */
function refused(answer: Answer, expected: number, field?: string): void {
  expect(answer.status, answer.text).toBe(expected);
  const body = answer.object();
  expect(text(body, 'timestamp')).toMatch(ISO);
  expect(body.status).toBe(expected);
  expect(text(body, 'path')).toMatch(/^\//);
  expect(text(body, 'errorCode')).not.toBe('');
  expect(text(body, 'error')).not.toBe('');
  expect(Array.isArray(body.errors)).toBe(true);
  for (const one of (body.errors as unknown[]).map(object)) {
    expect(Array.isArray(one.fields)).toBe(true);
    expect(text(one, 'description')).not.toBe('');
  }
  if (field) expect((body.errors as unknown[]).flatMap((one) => object(one).fields)).toContain(field);
}

beforeAll(async () => {
  venue = await Venue.start({ set: { 'venue.strategyStepMs': '100' } });
  bearer = await venue.bearer();
  const accounts = (await ask(venue.url, { method: 'GET', path: '/as/v3/accounts', headers: bearer })).list();
  accountId = text(accounts.find((one) => one.exchangeCode === 'VB') ?? {}, 'id');
  const products = (await ask(venue.url, { method: 'GET', path: '/mms/v2/productDetails?exchangeCode=VB' })).list();
  product = products.find((one) => one.productCode === 'btcusd') ?? {};
});
afterAll(() => venue?.stop());
beforeEach(async () => accepted(await remove('/deleteAll')));

describe('1 the typical flow', () => {
  test('1 steps 1 to 4: an account, one of its products, and a strategy within its limits is launched', async () => {
    const accounts = (await ask(venue.url, { method: 'GET', path: '/as/v3/accounts', headers: bearer })).list();
    for (const account of accounts) {
      const code = text(account, 'exchangeCode');
      const products = (await ask(venue.url, { method: 'GET', path: `/mms/v2/productDetails?exchangeCode=${code}` })).list();
      for (const one of products) {
        const amount = Math.max(Number(one.minNotionalValue), 100);
        const body = { ...everyField(), accountId: account.id, productCode: one.productCode, initialQuoteCurrencyAmount: amount };
        const answer = await create({ ...body, initialBaseCurrencySize: null });
        expect(answer.status, `${code} ${String(one.productCode)}: ${answer.text}`).toBe(201);
      }
    }
  });

  test('1 step 4: for every size of 60, a strategy is created exactly when it keeps minSize and sizeIncrement (seed 41)', async () => {
    const { int, pick } = dice(41);
    const step = Number(product.sizeIncrement);
    const least = Math.round(Number(product.minSize) / step);
    for (let nth = 0; nth < 60; nth++) {
      const steps = pick([int(1, least - 1), least, least + 1, int(least, 1000), int(1, 3000)]);
      const off = pick([0, 0, 1, 5]);
      const size = Number((steps * step + (off * step) / 10).toFixed(8));
      const answer = await create({ ...everyField(), initialBaseCurrencySize: size, initialQuoteCurrencyAmount: null });
      if (steps >= least && off === 0) expect(answer.status, `${size}: ${answer.text}`).toBe(201);
      else refused(answer, 422, 'initialBaseCurrencySize');
    }
  });

  test('1 step 4: an amount below minNotionalValue is refused, and the least one is taken', async () => {
    const least = Number(product.minNotionalValue);
    const alone = { ...everyField(), initialBaseCurrencySize: null };
    refused(await create({ ...alone, initialQuoteCurrencyAmount: least - 0.01 }), 422, 'initialQuoteCurrencyAmount');
    expect((await create({ ...alone, initialQuoteCurrencyAmount: least })).status).toBe(201);
  });

  test('1 step 4: a price that is off the step of prices is refused', async () => {
    const id = await created();
    refused(await modify(id, { priceLimit: 60_000.001, ignoreWarnings: true }), 422, 'priceLimit');
  });
});

describe('2.1, 2.2 create', () => {
  test('2.1 with every field shown, and the values seen, a strategy is created: 201 with its strategyId and nothing else', async () => {
    const answer = await create(everyField());
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(answer.object())).toEqual(['strategyId']);
    expect(text(answer.object(), 'strategyId')).not.toBe('');
  });

  test('2.1 what is read back is what was sent, field by field', async () => {
    const sent = everyField();
    const id = await created();
    const state = object((await kept(id))?.state);
    const held = { ...(await fields(id)), ...state };
    for (const [name, value] of Object.entries(sent)) {
      if (name !== 'autoRun') expect(held[name], name).toEqual(value);
    }
  });

  test('2.1 one of the two initial sizes is enough', async () => {
    await created({ initialBaseCurrencySize: null });
    await created({ initialQuoteCurrencyAmount: null });
    const { initialBaseCurrencySize: _, ...without } = everyField();
    expect((await create(without)).status).toBe(201);
  });

  test('2.1 a variant of another strategyType is a strategy as well, its own fields kept', async () => {
    const answer = await create({ strategyType: 'TWAP', accountId, productCode: product.productCode, slices: 7 });
    expect(answer.status, answer.text).toBe(201);
    expect(await fields(text(answer.object(), 'strategyId'))).toMatchObject({ slices: 7 });
  });

  test('2.1 autoRun true starts right after the creation; false leaves it created', async () => {
    expect(await status(await created({ autoRun: true }))).toBe('ACTIVE');
    expect(await status(await created({ autoRun: false }))).toBe('CREATED');
  });

  test('2.2 no two strategies share an id', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => created()));
    expect(new Set(ids).size).toBe(20);
  });

  test.each(['strategyType', 'accountId', 'productCode'])(
    '7 a create without %s is refused, and the explanation names it',
    async (field) => {
      const { [field]: _, ...without } = everyField();
      refused(await create(without), 400, field);
      refused(await create({ ...without, [field]: 7 }), 400, field);
    },
  );

  test('7 an AI strategy with neither initial size is refused', async () => {
    const answer = await create({ ...everyField(), initialBaseCurrencySize: null, initialQuoteCurrencyAmount: null });
    expect([400, 422]).toContain(answer.status);
    refused(answer, answer.status, 'initialBaseCurrencySize');
  });

  test.each([
    ['initialBaseCurrencySize', '0.01'],
    ['initialBaseCurrencySize', -0.01],
    ['initialQuoteCurrencyAmount', true],
    ['initialQuoteCurrencyAmount', -1],
    ['desiredNetProfitPercentage', 'much'],
    ['useInitialModelPrice', 'true'],
    ['useSpikeProtection', 1],
    ['alwaysPassive', 'no'],
    ['ignoreWarnings', 0],
    ['autoRun', 'yes'],
    ['aiModelVariant', 6],
    ['aiModelPositionMode', {}],
    ['executionType', []],
  ])('7, 2.1 %s as %j is of another type than the table says: refused, and nothing is created', async (field, value) => {
    refused(await create({ ...everyField(), [field]: value }), 400, field);
    const all = await ask(venue.url, { method: 'POST', path: `${ROOT}/find`, headers: bearer });
    expect(all.list()).toEqual([]);
  });

  test('7 an account or a product that there is not is refused with an explanation', async () => {
    for (const [field, value] of [
      ['accountId', '1'],
      ['productCode', 'nosuch'],
      ['productCode', 'bin-btc-usdt'],
    ] as const) {
      const answer = await create({ ...everyField(), [field]: value });
      expect([400, 422], `${field} ${value}`).toContain(answer.status);
      refused(answer, answer.status, field);
    }
  });

  test('7 a warning refuses a create, unless ignoreWarnings says to go on', async () => {
    const tooMuch = { ...everyField(), initialBaseCurrencySize: null, initialQuoteCurrencyAmount: 900_000_000 };
    refused(await create({ ...tooMuch, ignoreWarnings: false }), 422);
    expect((await create({ ...tooMuch, ignoreWarnings: true })).status).toBe(201);
  });
});

describe('3, 4.1 actions', () => {
  test.each(['start', 'stop', 'pause'])('4.1 PUT %s answers 202 with no content', async (action) => {
    accepted(await act(await created({ autoRun: true }), action));
  });

  test('4.1 PUT schedule-opening-pause takes fromTime and toTime: 202 with no content', async () => {
    const id = await created();
    const soon = { fromTime: '2031-01-01T00:00:00Z', toTime: '2031-01-01T01:00:00.5+02:00' };
    refused(await put(`/${id}/action/schedule-opening-pause`, {}, soon), 422);
    accepted(await put(`/${id}/action/schedule-opening-pause`, {}, { ...soon, toTime: '2031-01-01T03:00:00.5+02:00' }));
  });

  test.each([
    [{ fromTime: '2031-01-01T00:00:00Z' }, 'toTime'],
    [{ toTime: '2031-01-01T00:00:00Z' }, 'fromTime'],
    [{ fromTime: 'tomorrow', toTime: '2031-01-01T00:00:00Z' }, 'fromTime'],
    [{ fromTime: '2031-01-01T00:00:00Z', toTime: '2031-02-30T00:00:00Z' }, 'toTime'],
    [{ fromTime: 1_900_000_000_000, toTime: '2031-01-01T00:00:00Z' }, 'fromTime'],
    [{ fromTime: null, toTime: '2031-01-01T00:00:00Z' }, 'fromTime'],
    [{ fromTime: '2031-01-01', toTime: '2031-01-02T00:00:00Z' }, 'fromTime'],
    [{ fromTime: '2031-01-01T00:00:00', toTime: '2031-01-02T00:00:00Z' }, 'fromTime'],
    [{ fromTime: '2031-01-01T24:00:01Z', toTime: '2031-01-03T00:00:00Z' }, 'fromTime'],
  ])('2.4 schedule-opening-pause needs both as date-time: %j is refused', async (body, field) => {
    refused(await put(`/${await created()}/action/schedule-opening-pause`, {}, body), 400, field);
  });

  test('4.1 PUT flush takes both percentages: 202 with no content', async () => {
    const id = await created({ autoRun: true });
    accepted(await put(`/${id}/action/flush`, {}, { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 }));
    accepted(await put(`/${id}/action/flush`, {}, { longPositionTargetPercentage: 100, shortPositionTargetPercentage: 12.5 }));
  });

  test.each([
    [{ longPositionTargetPercentage: 0 }, 'shortPositionTargetPercentage'],
    [{ shortPositionTargetPercentage: 0 }, 'longPositionTargetPercentage'],
    [{ longPositionTargetPercentage: '0', shortPositionTargetPercentage: 0 }, 'longPositionTargetPercentage'],
    [{ longPositionTargetPercentage: 0, shortPositionTargetPercentage: null }, 'shortPositionTargetPercentage'],
  ])('2.4 flush needs both percentages as numbers: %j is refused', async (body, field) => {
    refused(await put(`/${await created({ autoRun: true })}/action/flush`, {}, body), 400, field);
  });

  test('2.4, 4.1 a flush to 0 and 0 leaves a strategy without a position', async () => {
    const id = await created({ autoRun: true, initialBaseCurrencySize: 1, initialQuoteCurrencyAmount: null });
    const position = async () => Number(object((await kept(id))?.state).longPosition);
    const until = async (holds: (size: number) => boolean) => {
      await waitFor(async () => holds(await position()) || undefined);
      return position();
    };
    expect(await until((size) => size > 0)).toBeGreaterThan(0);
    accepted(await act(id, 'pause'));
    accepted(await put(`/${id}/action/flush`, {}, { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 }));
    expect(await until((size) => size === 0)).toBe(0);
  });

  test('2.4 a flush cannot keep less than nothing or more than all', async () => {
    const id = await created({ autoRun: true });
    for (const share of [-0.01, 100.01, 1e308]) {
      const answer = await put(`/${id}/action/flush`, {}, { longPositionTargetPercentage: share, shortPositionTargetPercentage: 0 });
      expect([400, 422], String(share)).toContain(answer.status);
    }
  });

  test('4.1 resumeAll and pauseAll answer 202 with no content, and reach every strategy', async () => {
    const ids = [await created({ autoRun: true }), await created({ autoRun: true })];
    accepted(await put('/pauseAll'));
    for (const id of ids) expect(await status(id)).toBe('PAUSED');
    accepted(await put('/resumeAll'));
    for (const id of ids) expect(await status(id)).toBe('ACTIVE');
  });

  test('4.1 delete answers 202 with no content, and the strategy is gone', async () => {
    const id = await created();
    const other = await created();
    accepted(await remove(`/${id}/action/delete`));
    expect(await kept(id)).toBeUndefined();
    expect(await kept(other)).toBeDefined();
    refused(await act(id, 'start'), 404);
    refused(await remove(`/${id}/action/delete`), 404);
  });

  test('4.1 deleteAll answers 202 with no content, also when there is none, and none is left', async () => {
    const ids = [await created(), await created()];
    accepted(await remove('/deleteAll'));
    for (const id of ids) expect(await kept(id)).toBeUndefined();
    accepted(await remove('/deleteAll'));
    accepted(await put('/pauseAll'));
    accepted(await put('/resumeAll'));
  });

  test('3 active and paused change into each other, and stopped is the end', async () => {
    const id = await created({ autoRun: true });
    accepted(await act(id, 'pause'));
    expect(await status(id)).toBe('PAUSED');
    accepted(await act(id, 'start'));
    expect(await status(id)).toBe('ACTIVE');
    accepted(await act(id, 'stop'));
    expect(await status(id)).toBe('STOPPED');
    refused(await act(id, 'start'), 422);
    accepted(await put('/resumeAll'));
    expect(await status(id)).toBe('STOPPED');
    accepted(await remove(`/${id}/action/delete`));
  });

  test('4.1 only a root strategy is acted on: its child is refused', async () => {
    const id = await created({ autoRun: true });
    const child = text(object((await kept(id))?.state), 'children');
    const answer = await act(child, 'pause');
    expect([404, 422]).toContain(answer.status);
    expect(await status(id)).toBe('ACTIVE');
  });

  test('4.1 an endpoint is its method and its path: another method does nothing', async () => {
    const id = await created({ autoRun: true });
    for (const [method, path] of [
      ['GET', `/${id}/action/stop`],
      ['POST', `/${id}/action/stop`],
      ['DELETE', `/${id}/action/stop`],
      ['PUT', `/${id}/action/delete`],
      ['POST', '/deleteAll'],
      ['PUT', '/deleteAll'],
      ['GET', '/action/create'],
      ['PUT', `/${id}/action/modify`],
    ] as const) {
      const answer = await ask(venue.url, { method, path: ROOT + path, headers: bearer });
      expect([404, 405], `${method} ${path}`).toContain(answer.status);
    }
    expect(await status(id)).toBe('ACTIVE');
  });
});

describe('4.1 modify', () => {
  test('2.3 priceLimit and ignoreWarnings are taken: 202 with no content', async () => {
    const id = await created();
    accepted(await modify(id, { priceLimit: 60_000, ignoreWarnings: true }));
    expect(await fields(id)).toMatchObject({ priceLimit: 60_000, ignoreWarnings: true });
  });

  test('4.1 modify rule 1: a field that is null is set to null', async () => {
    const id = await created();
    accepted(await modify(id, { priceLimit: 60_000, ignoreWarnings: true }));
    accepted(await modify(id, { priceLimit: null }));
    expect((await fields(id)).priceLimit ?? null).toBeNull();
  });

  test('4.1 modify rule 2: a field that is missing is left as it is', async () => {
    const id = await created();
    accepted(await modify(id, { priceLimit: 60_000, ignoreWarnings: true }));
    const before = await fields(id);
    accepted(await modify(id, {}));
    expect(await fields(id)).toEqual(before);
    accepted(await modify(id, { ignoreWarnings: false }));
    expect(await fields(id)).toEqual({ ...before, ignoreWarnings: false });
  });

  test('4.1 modify rules 1 and 2: after any 40 changes each field is what was last said of it (seed 23)', async () => {
    const { int, pick } = dice(23);
    const id = await created();
    accepted(await modify(id, { ignoreWarnings: true }));
    const model = new Map<string, unknown>(Object.entries(await fields(id)));
    for (let nth = 0; nth < 40; nth++) {
      const change: Json = {};
      if (int(0, 1)) change.priceLimit = pick([null, int(5_900_000, 6_300_000) / 100]);
      if (int(0, 1)) change.alwaysPassive = pick([null, true, false]);
      if (int(0, 1)) change.desiredNetProfitPercentage = pick([null, int(0, 500) / 100]);
      if (int(0, 1)) change.ignoreWarnings = true;
      accepted(await modify(id, change));
      for (const [name, value] of Object.entries(change)) model.set(name, value);
      const now = await fields(id);
      for (const [name, value] of model) expect(now[name] ?? null, `${name} after ${JSON.stringify(change)}`).toEqual(value);
    }
  });

  test('2.3 a refused change changes nothing, not even its good half', async () => {
    const id = await created();
    accepted(await modify(id, { priceLimit: 60_000, ignoreWarnings: true }));
    const before = await fields(id);
    for (const bad of ['1', -1, true, [], {}]) refused(await modify(id, { ignoreWarnings: false, priceLimit: bad }), 400, 'priceLimit');
    for (const raw of [
      '{"priceLimit":1e400,"ignoreWarnings":false}',
      '{"priceLimit":NaN}',
      '{"ignoreWarnings":false,"priceLimit":-1e-9}',
    ]) {
      const headers = { ...bearer, 'Content-Type': 'application/json' };
      refused(await ask(venue.url, { method: 'PATCH', path: `${ROOT}/${id}/action/modify`, headers, body: raw }), 400);
    }
    expect(await fields(id)).toEqual(before);
  });

  test('4.1 modify rule 3: what a strategy is cannot be changed', async () => {
    const id = await created();
    for (const field of ['strategyType', 'accountId', 'productCode']) {
      const answer = await modify(id, { [field]: 'other' });
      expect([400, 422], field).toContain(answer.status);
    }
  });

  test('4.1 modify of a strategy does not touch another', async () => {
    const [id, other] = [await created(), await created()];
    const before = await fields(other);
    accepted(await modify(id, { priceLimit: 60_000, ignoreWarnings: true }));
    expect(await fields(other)).toEqual(before);
  });
});

describe('5.2 bearer token, 7 errors, 9 versions', () => {
  const everyEndpoint = (id: string): [string, string, Json?][] => [
    ['PUT', `${ROOT}/${id}/action/stop`],
    ['PUT', `${ROOT}/${id}/action/start`],
    ['PUT', `${ROOT}/${id}/action/pause`],
    ['PUT', `${ROOT}/${id}/action/schedule-opening-pause`, { fromTime: '2031-01-01T00:00:00Z', toTime: '2031-01-02T00:00:00Z' }],
    ['PUT', `${ROOT}/${id}/action/flush`, { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 }],
    ['PUT', `${ROOT}/resumeAll`],
    ['PUT', `${ROOT}/pauseAll`],
    ['POST', `${ROOT}/action/create`, everyField()],
    ['PATCH', `${ROOT}/${id}/action/modify`, { ignoreWarnings: true }],
    ['DELETE', `${ROOT}/${id}/action/delete`],
    ['DELETE', `${ROOT}/deleteAll`],
    ['POST', `${ROOT}/find`],
  ];

  const send = (method: string, path: string, body: Json | undefined, headers: Headers) =>
    body ? askJson(venue.url, method, path, body, headers) : ask(venue.url, { method, path, headers });

  test('5.2 without a good token no endpoint does anything: 401', async () => {
    const id = await created({ autoRun: true });
    const good = String(bearer.Authorization);
    const [head = '', claims = '', signature = ''] = good.slice('Bearer '.length).split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
    const later = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Json;
    const forged = Buffer.from(JSON.stringify({ ...later, exp: 4_000_000_000 })).toString('base64url');
    const bad: Headers[] = [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer nonsense' },
      { Authorization: `Basic ${good.slice('Bearer '.length)}` },
      { Authorization: `Bearer ${unsigned}` },
      { Authorization: `Bearer ${head}.${forged}.${signature}` },
      { Authorization: `Bearer ${head}.${claims}.${signature.slice(0, -2)}` },
    ];
    for (const [method, path, body] of everyEndpoint(id)) {
      for (const headers of bad) refused(await send(method, path, body, headers), 401);
    }
    expect(await status(id)).toBe('ACTIVE');
  });

  test('5.2 the refresh token is no bearer token', async () => {
    const login = { username: 'paper@example.com', password: 'paper' };
    const signedIn = await askJson(venue.url, 'POST', '/httpserver/main/v2/auth/login', login);
    const refresh = text(signedIn.object(), 'refreshToken');
    refused(await put('/pauseAll', { Authorization: `Bearer ${refresh}` }), 401);
  });

  test('5.2 the sign-in gives a token with its lifetime, and prolongs it; a wrong password gives none', async () => {
    const path = '/httpserver/main/v2/auth/login';
    const signedIn = await askJson(venue.url, 'POST', path, { username: 'paper@example.com', password: 'paper' });
    expect(signedIn.object()).toMatchObject({ expirationTime: expect.any(Number), isAppConnected: expect.any(Boolean) });
    expect(Number(signedIn.object().expirationTime)).toBeLessThan(1e8);
    const prolonged = await askJson(venue.url, 'POST', path, { refreshToken: signedIn.object().refreshToken });
    expect(prolonged.status).toBe(200);
    const until = Number(prolonged.object().expirationTime);
    expect(until > 1e11 ? until / 1000 : until).toBeGreaterThan(Date.now() / 1000);
    const wrong = await askJson(venue.url, 'POST', path, { username: 'paper@example.com', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.authorization).toBeUndefined();
  });

  test('7 an unknown strategyAppId is 404 at every endpoint that has one, with an error body', async () => {
    for (const id of [NOBODY, 'x', '..%2f', '%00', 'a'.repeat(300)]) {
      for (const [method, path, body] of everyEndpoint(id).filter(([, path]) => path.includes('/action/') && !path.endsWith('create'))) {
        const answer = await send(method, path, body, bearer);
        expect([400, 404], `${method} ${path}: ${answer.text}`).toContain(answer.status);
        refused(answer, answer.status);
      }
    }
  });

  test('9 rule 1: every endpoint takes any se-api-version, and none at all', async () => {
    for (const version of ['1', 'v2', '2026-01-01', '', 'any string']) {
      for (const [method, path, body] of everyEndpoint(await created({ autoRun: true }))) {
        const answer = await send(method, path, body, { ...bearer, 'se-api-version': version });
        const stopped = path.endsWith('start') || path.endsWith('pause') || path.includes('schedule') || path.endsWith('flush');
        if (stopped || path.endsWith('modify')) expect([202, 422], path).toContain(answer.status);
        else expect([200, 201, 202], `${method} ${path} with ${version}`).toContain(answer.status);
      }
    }
  });

  test('9 rule 2: another version segment in a path is another path', async () => {
    for (const path of ['/as/v2/accounts', '/as/v4/accounts', '/as/accounts', '/mms/v1/productDetails', '/mms/v3/productDetails']) {
      expect((await ask(venue.url, { method: 'GET', path, headers: bearer })).status, path).toBe(404);
    }
  });
});
