import { describe, expect, test } from 'vitest';
import { AI, type Bench, bench, errorBody, STRATEGIES } from './harness.ts';

async function created(there: Bench, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await there.strategy('POST', '/action/create', { ...AI, ...changes });
  expect(status).toBe(201);
  return String(json.strategyId);
}

async function found(there: Bench, query = ''): Promise<Record<string, unknown>[]> {
  return JSON.parse((await there.strategy('POST', `/find${query}`)).text);
}

const TIMES = { fromTime: '2026-01-01T00:10:00Z', toTime: '2026-01-01T01:10:00+00:00' };
const FLAT = { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 };

describe('2.1 strategy create input', () => {
  const fields: [field: string, good: unknown, bad: unknown][] = [
    ['strategyType', 'AI', 7],
    ['productCode', 'btcusd', 7],
    ['accountId', '70312', 70312],
    ['aiModelVariant', 'VFM6', 6],
    ['aiModelPositionMode', 'LONG', true],
    ['executionType', 'SMO_MPL', []],
    ['useInitialModelPrice', true, 'true'],
    ['initialBaseCurrencySize', 0.02, '0.02'],
    ['initialQuoteCurrencyAmount', 50, '50'],
    ['desiredNetProfitPercentage', 2.5, '2.5'],
    ['useSpikeProtection', true, 1],
    ['alwaysPassive', true, 'yes'],
    ['ignoreWarnings', true, 0],
    ['autoRun', true, 'on'],
  ];
  test.each(fields)('2.1.%s is taken as %j and refused as %j, 400 naming the field', async (field, good, bad) => {
    const there = await bench();
    expect((await there.strategy('POST', '/action/create', { ...AI, [field]: good })).status).toBe(201);
    const refused = await there.strategy('POST', '/action/create', { ...AI, [field]: bad });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ ...errorBody(400, `${STRATEGIES}/action/create`), errors: [{ fields: [field] }] });
    expect(await found(there)).toHaveLength(1);
  });

  test.each([
    ['initialBaseCurrencySize below minSize', { initialBaseCurrencySize: 0.00009 }, 'initialBaseCurrencySize'],
    ['initialBaseCurrencySize off sizeIncrement', { initialBaseCurrencySize: 0.010005 }, 'initialBaseCurrencySize'],
    ['initialQuoteCurrencyAmount below minNotionalValue', { initialQuoteCurrencyAmount: 4.99 }, 'initialQuoteCurrencyAmount'],
    ['priceLimit off priceIncrement', { priceLimit: 61_000.005 }, 'priceLimit'],
  ])('1.flow.4 and 8.8 %s: 422', async (_name, changes, field) => {
    const refused = await (await bench()).strategy('POST', '/action/create', { ...AI, ...changes });
    expect(refused).toMatchObject({
      status: 422,
      json: { ...errorBody(422, `${STRATEGIES}/action/create`), errors: [{ fields: [field] }] },
    });
  });

  test('note: strategyType, accountId and productCode are required, and one of the initial amounts', async () => {
    const there = await bench();
    for (const field of ['strategyType', 'accountId', 'productCode']) {
      expect((await there.strategy('POST', '/action/create', { ...AI, [field]: undefined })).status).toBe(400);
    }
    const neither = { ...AI, initialBaseCurrencySize: undefined, initialQuoteCurrencyAmount: undefined };
    expect((await there.strategy('POST', '/action/create', neither)).status).toBe(422);
    expect((await there.strategy('POST', '/action/create', { ...AI, initialBaseCurrencySize: undefined })).status).toBe(201);
  });

  test('note: other variants are open', async () => {
    const there = await bench();
    for (const strategyType of ['SMO', 'Slicer', 'TWAP', 'TARB', 'ALO', 'TMM', 'Follower', 'SomethingNew']) {
      const body = { strategyType, accountId: '70312', productCode: 'btcusd', ofItsOwn: 12 };
      expect((await there.strategy('POST', '/action/create', body)).status).toBe(201);
    }
  });
});

test('2.2.strategyId is a text, and names the strategy in every path', async () => {
  const there = await bench();
  const { json } = await there.strategy('POST', '/action/create', AI);
  expect(json).toEqual({ strategyId: expect.any(String) });
  expect((await there.strategy('PUT', `/${json.strategyId}/action/start`)).status).toBe(202);
});

describe('2.3 strategy modify input', () => {
  test.each([
    ['priceLimit', 61_000, 'x'],
    ['ignoreWarnings', true, 'x'],
  ])('2.3.%s is taken as %j and refused as %j', async (field, good, bad) => {
    const there = await bench();
    const id = await created(there);
    expect((await there.strategy('PATCH', `/${id}/action/modify`, { [field]: good })).status).toBe(202);
    expect((await there.strategy('PATCH', `/${id}/action/modify`, { [field]: bad })).status).toBe(400);
    expect((await found(there))[0]).toMatchObject({ uiParams: { [field]: { value: good } } });
  });
});

describe('2.4 action inputs', () => {
  test.each([
    ['schedule-opening-pause', 'fromTime', TIMES],
    ['schedule-opening-pause', 'toTime', TIMES],
    ['flush', 'longPositionTargetPercentage', FLAT],
    ['flush', 'shortPositionTargetPercentage', FLAT],
  ])('2.4.%s.%s is required', async (action, field, body) => {
    const there = await bench();
    const id = await created(there);
    expect((await there.strategy('PUT', `/${id}/action/${action}`, body)).status).toBe(202);
    for (const value of [undefined, null, 'soon', {}]) {
      const refused = await there.strategy('PUT', `/${id}/action/${action}`, { ...body, [field]: value });
      expect(refused).toMatchObject({ status: 400, json: { errors: [{ fields: [field] }] } });
    }
  });

  test('note B24: fromTime before toTime, else 422; a zone is needed, else 400', async () => {
    const there = await bench();
    const id = await created(there);
    const asked = (fromTime: string, toTime: string) => there.strategy('PUT', `/${id}/action/schedule-opening-pause`, { fromTime, toTime });
    expect((await asked(TIMES.toTime, TIMES.fromTime)).status).toBe(422);
    expect((await asked(TIMES.toTime, TIMES.toTime)).status).toBe(422);
    expect((await asked('2026-03-29T02:30:00', '2026-03-29T03:30:00')).status).toBe(400);
    expect((await asked('2026-02-30T00:00:00Z', '2026-03-29T03:30:00Z')).status).toBe(400);
    expect((await asked('2026-01-01T00:00:00.123456789Z', '9999-12-31T23:59:59Z')).status).toBe(202);
  });

  test.each([[-1], [100.1], [1e21], [-0.0001]])('note B41: a flush to %j percent: 422', async (percent) => {
    const there = await bench();
    const id = await created(there);
    for (const field of Object.keys(FLAT)) {
      const refused = await there.strategy('PUT', `/${id}/action/flush`, { ...FLAT, [field]: percent });
      expect(refused).toMatchObject({ status: 422, json: { errors: [{ fields: [field] }] } });
    }
  });
});

describe('4.1 strategy endpoints', () => {
  const rows: [name: string, method: string, path: string, body?: unknown][] = [
    ['stop', 'PUT', '/{id}/action/stop'],
    ['start', 'PUT', '/{id}/action/start'],
    ['pause', 'PUT', '/{id}/action/pause'],
    ['schedule-opening-pause', 'PUT', '/{id}/action/schedule-opening-pause', TIMES],
    ['flush', 'PUT', '/{id}/action/flush', FLAT],
    ['resumeAll', 'PUT', '/resumeAll'],
    ['pauseAll', 'PUT', '/pauseAll'],
    ['modify', 'PATCH', '/{id}/action/modify', { priceLimit: 61_000 }],
    ['delete', 'DELETE', '/{id}/action/delete'],
    ['deleteAll', 'DELETE', '/deleteAll'],
  ];
  test.each(rows)(
    '4.1.%s and 3.202: %s %s answers 202 without content, with se-api-version or without',
    async (_name, method, path, body) => {
      const there = await bench();
      for (const version of [[], [['se-api-version', '1.0']]] as const) {
        const id = await created(there, { autoRun: true });
        const answer = await there.strategy(method, path.replace('{id}', id), body, version);
        expect([answer.status, answer.text]).toEqual([202, '']);
      }
    },
  );

  test.each(rows)('5.2.%s needs a bearer token: %s %s answers 401 without, and does nothing', async (_name, method, path, body) => {
    const there = await bench();
    const id = await created(there, { autoRun: true });
    const before = await found(there);
    const target = `${STRATEGIES}${path.replace('{id}', id)}`;
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    for (const headers of [[], [['Authorization', 'Bearer a.b.c']], [['Authorization', 'Basic cGFwZXI6cGFwZXI=']]] as const) {
      const refused = await there.send({ method, path: target, headers: [['Content-Type', 'application/json'], ...headers], ...text });
      expect(refused).toMatchObject({ status: 401, json: errorBody(401, target) });
    }
    expect(await found(there)).toEqual(before);
  });

  test.each(rows.filter(([, , path]) => path.includes('{id}')))(
    '4.1.%s of an unknown strategyAppId: %s %s answers 404',
    async (_name, method, path, body) => {
      const there = await bench();
      for (const id of ['5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11', 'x', '%2e%2e', 'constructor', '__proto__', 'a'.repeat(3000)]) {
        const target = path.replace('{id}', id);
        expect(await there.strategy(method, target, body)).toMatchObject({ status: 404, json: errorBody(404, `${STRATEGIES}${target}`) });
      }
    },
  );

  test('4.1.create answers 201 with the id; the header se-api-version is not listed for it and changes nothing', async () => {
    const there = await bench();
    for (const version of [[], [['se-api-version', '1.0']]] as const) {
      const { status, json, headers } = await there.strategy('POST', '/action/create', AI, version);
      expect([status, Object.keys(json), headers['content-type']?.split(';')[0]]).toEqual([201, ['strategyId'], 'application/json']);
    }
  });

  test('4.1.create wants application/json: another type is 415', async () => {
    const there = await bench();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'multipart/form-data; boundary=x']) {
      const headers = [['Content-Type', type], await there.bearer()] as const;
      const answer = await there.send({ method: 'POST', path: `${STRATEGIES}/action/create`, headers, body: JSON.stringify(AI) });
      expect(answer.status).toBe(415);
    }
  });

  test('4.1.modify.1 null sets to null, 4.1.modify.2 what is missing is left', async () => {
    const there = await bench();
    const id = await created(there, { priceLimit: 61_000, triggerPrice: 60_000 });
    await there.strategy('PATCH', `/${id}/action/modify`, { priceLimit: null });
    expect((await found(there))[0]).toMatchObject({ uiParams: { priceLimit: { value: null }, triggerPrice: { value: 60_000 } } });
  });

  test('4.1.modify.3 the accepted fields depend on the type', async () => {
    const there = await bench();
    const ai = await created(there);
    const open = await there.strategy('POST', '/action/create', { strategyType: 'SMO', accountId: '70312', productCode: 'btcusd' });
    const change = { initialBaseCurrencySize: 0.05 };
    expect((await there.strategy('PATCH', `/${ai}/action/modify`, change)).status).toBe(422);
    expect((await there.strategy('PATCH', `/${open.json.strategyId}/action/modify`, change)).status).toBe(202);
  });

  test('note: find reads back root strategies, of one user where asked', async () => {
    const there = await bench();
    const id = await created(there);
    expect(await found(there)).toEqual([
      {
        strategyId: id,
        version: expect.any(Number),
        engineVer: expect.any(Number),
        eventTime: '2026-01-01T00:00:00.000Z',
        state: expect.objectContaining({ status: 'CREATED' }),
        uiParams: expect.any(Object),
        uiData: expect.any(String),
      },
    ]);
    expect(await found(there, '?createdByUserId=1205')).toHaveLength(1);
    expect(await found(there, '?createdByUserId=1206')).toEqual([]);
  });

  test('note: warnings are refused with 422, and waived by ignoreWarnings', async () => {
    const there = await bench();
    const odd = { ...AI, initialQuoteCurrencyAmount: 1e12 };
    expect((await there.strategy('POST', '/action/create', odd)).status).toBe(422);
    expect((await there.strategy('POST', '/action/create', { ...odd, ignoreWarnings: true })).status).toBe(201);
  });
});

test('7.7 a create that is refused says what is wrong', async () => {
  const refused = await (await bench()).strategy('POST', '/action/create', { ...AI, initialBaseCurrencySize: 'much' });
  expect(refused.json).toEqual({
    ...errorBody(400, `${STRATEGIES}/action/create`),
    errors: [
      { fields: ['initialBaseCurrencySize'], description: expect.stringContaining('initialBaseCurrencySize'), rejectedValue: 'much' },
    ],
  });
});

test('9.1 and 9.4 any se-api-version is taken', async () => {
  const there = await bench();
  const id = await created(there);
  for (const version of ['0', '2026-01-01', 'v99', 'x'.repeat(200)]) {
    expect((await there.strategy('PUT', `/${id}/action/start`, undefined, [['se-api-version', version]])).status).toBe(202);
  }
});
