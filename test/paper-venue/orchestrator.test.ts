import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { AI, type Asker, asker, created, found, signedIn } from './orchestrator-rig.ts';
import { scratch, started } from './venue-rig.ts';

const stateOf = async (there: Asker, id: string) => (await found(there, id))?.state;
const act = (there: Asker, id: string, action: string, body?: unknown) =>
  there.ask(action === 'delete' ? 'DELETE' : action === 'modify' ? 'PATCH' : 'PUT', `/${id}/action/${action}`, body);

describe('states of a strategy (notes): active and paused, stopped for good', () => {
  const bodies: Record<string, unknown> = {
    flush: { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 },
    'schedule-opening-pause': { fromTime: '2026-01-01T01:00:00Z', toTime: '2026-01-01T02:00:00Z' },
    modify: { alwaysPassive: false },
  };
  const rows: [before: string[], action: string, status: number, after: string][] = [
    [[], 'start', 202, 'ACTIVE'],
    [[], 'pause', 422, 'CREATED'],
    [[], 'stop', 422, 'CREATED'],
    [[], 'flush', 202, 'CREATED'],
    [[], 'modify', 202, 'CREATED'],
    [['start'], 'start', 202, 'ACTIVE'],
    [['start'], 'pause', 202, 'PAUSED'],
    [['start'], 'stop', 202, 'STOPPED'],
    [['start', 'pause'], 'start', 202, 'ACTIVE'],
    [['start', 'pause'], 'pause', 202, 'PAUSED'],
    [['start', 'pause'], 'stop', 202, 'STOPPED'],
    [['start', 'stop'], 'stop', 202, 'STOPPED'],
    [['start', 'stop'], 'start', 422, 'STOPPED'],
    [['start', 'stop'], 'pause', 422, 'STOPPED'],
    [['start', 'stop'], 'flush', 422, 'STOPPED'],
    [['start', 'stop'], 'modify', 422, 'STOPPED'],
    [['start', 'stop'], 'schedule-opening-pause', 422, 'STOPPED'],
  ];
  test.each(rows)('F17 after %j, %s is answered with %i and leaves it %s', async (before, action, status, after) => {
    const there = await asker();
    const id = await created(there);
    for (const earlier of before) await act(there, id, earlier, bodies[earlier]);
    const answer = await act(there, id, action, bodies[action]);
    expect([answer.status, (await stateOf(there, id))?.status]).toEqual([status, after]);
    if (status === 422) expect(answer.body).toMatchObject({ errorCode: 'STATE', errors: [{ fields: ['strategyAppId'] }] });
  });

  test('deleted in whatever state, once', async () => {
    const there = await asker();
    const id = await created(there);
    expect((await act(there, id, 'delete')).status).toBe(202);
    expect((await act(there, id, 'delete')).status).toBe(404);
    expect(await found(there, id)).toBeUndefined();
  });

  test('autoRun starts right after create; pauseAll, resumeAll and deleteAll reach what they may', async () => {
    const there = await asker();
    const ids = [await created(there, { autoRun: true }), await created(there), await created(there, { autoRun: true })];
    await act(there, ids[2] ?? '', 'stop');
    const states = async () => Promise.all(ids.map(async (id) => (await stateOf(there, id))?.status));
    expect(await states()).toEqual(['ACTIVE', 'CREATED', 'STOPPED']);
    await there.ask('PUT', '/pauseAll');
    expect(await states()).toEqual(['PAUSED', 'CREATED', 'STOPPED']);
    await there.ask('PUT', '/resumeAll');
    expect(await states()).toEqual(['ACTIVE', 'CREATED', 'STOPPED']);
    expect((await there.ask('DELETE', '/deleteAll')).status).toBe(202);
    expect((await there.ask('POST', '/find')).body).toEqual([]);
  });

  test('only roots take actions: a child is refused and follows its root', async () => {
    const there = await asker();
    const id = await created(there);
    const child = (await stateOf(there, id))?.children ?? '';
    for (const action of ['start', 'stop', 'pause', 'delete']) {
      expect(await act(there, child, action)).toMatchObject({ status: 422, body: { errorCode: 'NOT_A_ROOT' } });
    }
    expect((await stateOf(there, id))?.status).toBe('CREATED');
  });
});

describe('create: what is checked (spec 1, 2.1, 8; notes)', () => {
  const rows: [name: string, changes: Record<string, unknown>, status: number, code: string, fields: string[]][] = [
    ['no type', { strategyType: undefined }, 400, 'INVALID_BODY', ['strategyType']],
    ['no account', { accountId: undefined }, 400, 'INVALID_BODY', ['accountId']],
    ['no product', { productCode: null }, 400, 'INVALID_BODY', ['productCode']],
    ['B05 a size in words', { initialBaseCurrencySize: '0.5' }, 400, 'INVALID_BODY', ['initialBaseCurrencySize']],
    ['B02 a negative size', { initialBaseCurrencySize: -0.5 }, 400, 'INVALID_BODY', ['initialBaseCurrencySize']],
    ['B03 a size beyond exact doubles', { initialBaseCurrencySize: 2 ** 53 }, 400, 'INVALID_BODY', ['initialBaseCurrencySize']],
    ['a flag in words', { autoRun: 'yes' }, 400, 'INVALID_BODY', ['autoRun']],
    ['an unknown account', { accountId: '1' }, 422, 'NOT_TRADABLE', ['accountId']],
    ['B22 an unknown product', { productCode: 'btc/../usd' }, 422, 'NOT_TRADABLE', ['productCode']],
    ['B11 a product named like a prototype', { productCode: 'constructor' }, 422, 'NOT_TRADABLE', ['productCode']],
    ['a product of another exchange', { productCode: 'okx-btc-usdt' }, 422, 'NOT_TRADABLE', ['accountId', 'productCode']],
    [
      'neither amount',
      { initialBaseCurrencySize: 0, initialQuoteCurrencyAmount: null },
      422,
      'LIMITS',
      ['initialBaseCurrencySize', 'initialQuoteCurrencyAmount'],
    ],
    ['B06 one step under the smallest size', { initialBaseCurrencySize: 0.00009 }, 422, 'LIMITS', ['initialBaseCurrencySize']],
    ['B04 a size of 1e-7', { initialBaseCurrencySize: 1e-7 }, 422, 'LIMITS', ['initialBaseCurrencySize']],
    ['B06 off the step', { initialBaseCurrencySize: 0.500001 }, 422, 'LIMITS', ['initialBaseCurrencySize']],
    ['B07 just under the smallest value', { initialQuoteCurrencyAmount: 4.99 }, 422, 'LIMITS', ['initialQuoteCurrencyAmount']],
    ['a price off its step', { priceLimit: 61_000.001 }, 422, 'LIMITS', ['priceLimit']],
    ['a trigger under the smallest price', { triggerPrice: 0.001 }, 422, 'LIMITS', ['triggerPrice']],
    ['more than the account holds', { initialQuoteCurrencyAmount: 1e9 }, 422, 'WARNINGS', ['initialQuoteCurrencyAmount']],
    ['a price far from the market', { priceLimit: 1 }, 422, 'WARNINGS', ['priceLimit']],
    ['a misspelt field', { initialBaseCurencySize: 1 }, 422, 'WARNINGS', ['initialBaseCurencySize']],
  ];
  test.each(rows)('%s', async (_name, changes, status, errorCode, fields) => {
    const there = await asker();
    const answer = await there.ask('POST', '/action/create', { ...AI, ...changes });
    expect(answer).toMatchObject({
      status,
      body: { status, errorCode, path: '/strategy-orchestrator/strategies/action/create', errors: [{ fields }] },
    });
    expect((await there.ask('POST', '/find')).body).toEqual([]);
  });

  test('at the limits themselves: taken', async () => {
    const there = await asker();
    await created(there, { initialBaseCurrencySize: 0.0001, initialQuoteCurrencyAmount: 5, priceLimit: 61_000.01 });
  });

  test('warnings are waived by ignoreWarnings, also by one that an earlier request set, limits are not', async () => {
    const there = await asker();
    const id = await created(there, { initialQuoteCurrencyAmount: 1e9, ignoreWarnings: true });
    const change = async (body: object) => (await there.ask('PATCH', `/${id}/action/modify`, body)).status;
    expect(await change({ priceLimit: 1 })).toBe(202);
    expect(await change({ priceLimit: 2, ignoreWarnings: null })).toBe(422);
    const limits = { ...AI, initialBaseCurrencySize: 1e-7, ignoreWarnings: true };
    expect((await there.ask('POST', '/action/create', limits)).status).toBe(422);
  });

  test('other types are open: their fields are kept as they came, on any exchange of the account', async () => {
    const there = await asker();
    const open = { strategyType: 'TWAP', accountId: '70311', productCode: 'okx-btc-usdt', size: 0.1, slices: 12, legs: [{ side: 'BUY' }] };
    const { status, body } = await there.ask('POST', '/action/create', open);
    expect(status).toBe(201);
    expect(await found(there, String(body.strategyId))).toMatchObject({
      state: { strategyType: 'TWAP', status: 'CREATED' },
      uiParams: { size: { value: 0.1 }, slices: { value: 12 }, legs: { value: [{ side: 'BUY' }] } },
    });
  });

  test.each([
    ['B11 __proto__', '{"strategyType":"TWAP","accountId":"70312","productCode":"btcusd","__proto__":{"polluted":1}}'],
    ['B11 constructor', '{"strategyType":"TWAP","accountId":"70312","productCode":"btcusd","constructor":1}'],
    ['B01 1e400', '{"strategyType":"TWAP","accountId":"70312","productCode":"btcusd","x":1e400}'],
    [
      'B12 20,000 deep',
      `{"strategyType":"TWAP","accountId":"70312","productCode":"btcusd","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ],
  ])('%s in an open variant: 400', async (_name, text) => {
    const there = await asker();
    expect(await there.ask('POST', '/action/create', text)).toMatchObject({ status: 400, body: { errorCode: 'INVALID_BODY' } });
  });
});

test('a thousand strategies are enough', async () => {
  const there = await asker();
  for (let made = 0; made < 1000; made += 50) await Promise.all(Array.from({ length: 50 }, () => created(there)));
  expect(await there.ask('POST', '/action/create', AI)).toMatchObject({ status: 422, body: { errorCode: 'TOO_MANY' } });
  await there.ask('DELETE', '/deleteAll');
  await created(there);
});

describe('modify (spec 4.1): null erases, missing leaves, the type decides', () => {
  test('each in turn, and the version counts', async () => {
    const there = await asker();
    const id = await created(there, { priceLimit: 61_000 });
    await act(there, id, 'modify', { alwaysPassive: null });
    expect(await found(there, id)).toMatchObject({
      version: 2,
      uiParams: { priceLimit: { value: 61_000 }, alwaysPassive: { value: null } },
    });
    await act(there, id, 'modify', { priceLimit: null });
    expect(await found(there, id)).toMatchObject({ version: 3, uiParams: { priceLimit: { value: null }, alwaysPassive: { value: null } } });
    await act(there, id, 'modify', {});
    expect((await found(there, id))?.version).toBe(3);
  });

  test.each([
    ['accountId', { accountId: '70311' }, 422, 'NOT_MODIFIABLE'],
    ['an initial amount of an AI strategy', { initialBaseCurrencySize: 1 }, 422, 'NOT_MODIFIABLE'],
    ['a price off its step', { priceLimit: 61_000.001 }, 422, 'LIMITS'],
    ['a price far away', { priceLimit: 1 }, 422, 'WARNINGS'],
    ['a price in words', { priceLimit: '1' }, 400, 'INVALID_BODY'],
    ['no object', '[]', 400, 'MALFORMED_BODY'],
  ])('%s is refused and changes nothing', async (_name, body, status, errorCode) => {
    const there = await asker();
    const id = await created(there);
    expect(await act(there, id, 'modify', body)).toMatchObject({ status, body: { errorCode } });
    expect((await found(there, id))?.version).toBe(1);
  });
});

describe('the simulated execution', () => {
  const balances = (there: Asker) => there.venue.accountBalances('70312');

  test('moves the position and the balances of the account, never beyond what was given', async () => {
    const there = await asker();
    const id = await created(there, { autoRun: true });
    const before = balances(there);
    let most = 0;
    for (let step = 0; step < 60; step += 1) {
      there.timers.advance(1000);
      most = Math.max(most, Number((await stateOf(there, id))?.longPosition));
    }
    const after = balances(there);
    const long = Number((await stateOf(there, id))?.longPosition);
    expect(most).toBeGreaterThan(0.3);
    expect(most).toBeLessThanOrEqual(0.5 + 10_000 / 60_000);
    expect(Number(after.btc) - Number(before.btc)).toBeCloseTo(long, 8);
    expect(Number(after.usd)).toBeLessThan(Number(before.usd));
    expect(there.venue.balances('1205').btc).toBe('100');
  });

  test('the same seed gives the same positions, another seed others', async () => {
    const path = async (seed: string) => {
      const there = await asker({ seed });
      const id = await created(there, { autoRun: true });
      const seen: unknown[] = [];
      for (let step = 0; step < 20; step += 1) {
        there.timers.advance(1000);
        seen.push((await stateOf(there, id))?.longPosition);
      }
      return seen;
    };
    const first = await path('a');
    expect(await path('a')).toEqual(first);
    expect(await path('b')).not.toEqual(first);
  });

  test('a paused strategy stands still; a flush is asked first and done at the next step, to the share that is kept', async () => {
    const there = await asker();
    const id = await created(there, { autoRun: true });
    there.timers.advance(30_000);
    await act(there, id, 'pause');
    const held = Number((await stateOf(there, id))?.longPosition);
    expect(held).toBeGreaterThan(0);
    there.timers.advance(30_000);
    expect(Number((await stateOf(there, id))?.longPosition)).toBe(held);
    await act(there, id, 'flush', { longPositionTargetPercentage: 50, shortPositionTargetPercentage: 100 });
    expect(await stateOf(there, id)).toMatchObject({ flushing: 'true', longPosition: String(held) });
    const before = Number(balances(there).btc);
    there.timers.advance(1000);
    const kept = Math.floor((held / 2) * 1e5 + 1e-6) / 1e5;
    expect(await stateOf(there, id)).toMatchObject({ flushing: 'false', longPosition: String(kept), status: 'PAUSED' });
    expect(before - Number(balances(there).btc)).toBeCloseTo(held - kept, 8);
    await act(there, id, 'flush', { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0 });
    there.timers.advance(1000);
    expect((await stateOf(there, id))?.longPosition).toBe('0');
  });

  test('inside an opening pause, and beyond a price limit, nothing is opened', async () => {
    const there = await asker();
    const [paused, limited] = [await created(there), await created(there, { priceLimit: 40_000 })];
    await act(there, paused, 'schedule-opening-pause', { fromTime: '2026-01-01T00:00:00Z', toTime: '2026-01-01T00:01:00.000+00:00' });
    for (const id of [paused, limited]) await act(there, id, 'start');
    there.timers.advance(59_000);
    expect((await stateOf(there, paused))?.longPosition).toBe('0');
    there.timers.advance(60_000);
    expect(Number((await stateOf(there, paused))?.longPosition)).toBeGreaterThan(0);
    expect((await stateOf(there, limited))?.longPosition).toBe('0');
    await act(there, limited, 'modify', { priceLimit: null });
    there.timers.advance(60_000);
    expect(Number((await stateOf(there, limited))?.longPosition)).toBeGreaterThan(0);
  });

  test('a changed amount is traded: more is opened up to it, and beyond a smaller one nothing is', async () => {
    const there = await asker();
    const amounts = { size: 0.1, initialBaseCurrencySize: 0, initialQuoteCurrencyAmount: 0 };
    const id = await created(there, { strategyType: 'SMO', ...amounts, autoRun: true });
    const most = async () => {
      let held = 0;
      for (let step = 0; step < 60; step += 1) {
        there.timers.advance(1000);
        held = Math.max(held, Number((await stateOf(there, id))?.longPosition));
      }
      return held;
    };
    expect(await most()).toBeLessThanOrEqual(0.1);
    await act(there, id, 'modify', { size: 1 });
    expect(await most()).toBeGreaterThan(0.5);
    await act(there, id, 'modify', { initialBaseCurrencySize: 0.01 });
    await act(there, id, 'flush', { longPositionTargetPercentage: 0, shortPositionTargetPercentage: 100 });
    there.timers.advance(1000);
    expect(await most()).toBeLessThanOrEqual(0.01);
  });

  test('SHORT sells first and is flushed by buying back', async () => {
    const there = await asker();
    const id = await created(there, { autoRun: true, aiModelPositionMode: 'SHORT' });
    there.timers.advance(30_000);
    expect(Number((await stateOf(there, id))?.shortPosition)).toBeGreaterThan(0);
    expect(Number(balances(there).btc)).toBeLessThan(100);
    await act(there, id, 'pause');
    await act(there, id, 'flush', { longPositionTargetPercentage: 100, shortPositionTargetPercentage: 0 });
    there.timers.advance(1000);
    expect(await stateOf(there, id)).toMatchObject({ shortPosition: '0', longPosition: '0' });
    expect(Number(balances(there).btc)).toBe(100);
  });

  test('a step that the database cannot commit changes nothing, and is done at the next', async () => {
    const database = `${scratch()}/venue.db`;
    const there = await asker({ database });
    const ids = [await created(there, { autoRun: true }), await created(there, { autoRun: true })];
    const seen = async () => [await Promise.all(ids.map((id) => found(there, id))), balances(there)];
    there.timers.advance(1000);
    const before = await seen();
    const intruder = new Database(database);
    intruder.exec("CREATE TRIGGER broken BEFORE UPDATE ON strategies WHEN new.number = 2 BEGIN SELECT RAISE(ABORT, 'disk on fire'); END");
    there.timers.advance(10_000);
    expect(await seen()).toEqual(before);
    intruder.exec('DROP TRIGGER broken');
    intruder.close();
    there.timers.advance(10_000);
    expect(await seen()).not.toEqual(before);
  });

  test('strategies, positions and balances survive a restart with a file', async () => {
    const database = `${scratch()}/venue.db`;
    const first = await asker({ database });
    const id = await created(first, { autoRun: true });
    first.timers.advance(20_000);
    const [state, held] = [await found(first, id), balances(first)];
    await first.venue.close();
    const second = await signedIn({ venue: await started({ database, quotesPerSecond: 1 }, first.timers), timers: first.timers });
    expect(await found(second, id)).toEqual(state);
    expect(balances(second)).toEqual(held);
    second.timers.advance(20_000);
    expect(await found(second, id)).not.toEqual(state);
  });
});
