import { expect, test } from 'vitest';
import { LanePool } from '#core/execution/lane-pool.ts';
import { workOf } from '#core/execution/past-work.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { PastTry, PastWork } from '#domain/work-text.ts';
import { BTC } from '../../support/market-data.ts';

const leg = {
  lane: 'btcusd@base:0.01',
  product: 'btcusd',
  side: 'buy',
  size: { kind: 'position' },
  reason: 'r',
  tag: null,
  limit: null,
} as const;
const past = (tries: readonly PastTry[], changes: Partial<PastWork> = {}): PastWork => ({
  ...{ work: 'w-1', strategy: 's', legs: [0, 1].map(() => ({ ...leg, within: 5000, on: null })), lasting: false, onLegFailure: 'keep' },
  ...{ signals: {}, begun: 1000, tries },
  ...changes,
});
const tried = (n: number, state: PastTry['state'], at: number, change: string | null = null): PastTry => ({
  order: 'o-1',
  leg: n,
  state,
  at,
  change,
});
const found = (of: PastWork) => {
  const { work, over } = workOf(of, { stateOf: () => undefined });
  const { index, attempts, rejections, notBefore, last } = work;
  const { until, done } = work.kind === 'strategy' ? work : { until: Number.POSITIVE_INFINITY, done: [] };
  return { over, index, attempts, rejections, notBefore, last, until, done: done.map(({ change }) => String(change)) };
};
const fresh = { over: false, index: 0, attempts: 0, rejections: 0, notBefore: 0, last: null, until: 6000, done: [] };

test('a plan goes on at the leg that its orders have come to', () => {
  expect(found(past([]))).toEqual(fresh);
  expect(found(past([tried(0, 'accepted', 2000, '0.01')]))).toEqual({ ...fresh, index: 1, until: 7000, done: ['0.01'] });
  expect(found(past([tried(0, 'accepted', 2000, '0.01'), tried(1, 'accepted', 3000, '-0.01')]))).toMatchObject({ index: 2 });
});

test('each rejection waits longer than the one before, and a leg that was executed begins anew', () => {
  expect(found(past([tried(0, 'rejected', 2000)]))).toEqual({ ...fresh, attempts: 1, rejections: 1, notBefore: 3000, last: 'rejected' });
  const twice = [tried(0, 'rejected', 2000), tried(0, 'rejected', 4000)];
  expect(found(past(twice))).toMatchObject({ attempts: 2, rejections: 2, notBefore: 6000 });
  const many = Array.from({ length: 9 }, () => tried(0, 'rejected', 0));
  expect(found(past(many))).toMatchObject({ rejections: 9, notBefore: 30_000 });
  expect(found(past([...twice, tried(0, 'accepted', 5000)]))).toEqual({ ...fresh, index: 1, until: 10_000 });
});

test('an order that was never executed is tried again; one of which nobody knows ends a single leg', () => {
  expect(found(past([tried(0, 'expired', 2000)]))).toMatchObject({
    over: false,
    attempts: 1,
    rejections: 0,
    notBefore: 0,
    last: 'expired',
  });
  expect(found(past([tried(0, 'not_sent', 2000)]))).toMatchObject({ over: false, attempts: 1, last: 'not_sent' });
  for (const state of ['unknown', 'sent', 'intent'] as const) {
    const legs = past([]).legs.slice(1);
    expect(found(past([tried(0, state, 2000)], { legs }))).toMatchObject({ over: true });
    const { work, over } = workOf(past([tried(0, state, 2000)]), { stateOf: () => undefined });
    expect([over, work.index, work.order]).toEqual([false, 0, 'o-1']);
  }
});

test('a plan that closes a position keeps no list of what it has done, and a first leg without a time is over with its quote', () => {
  const share = { ...leg, size: { kind: 'percent', percent: 50 }, within: null, on: null } as const;
  expect(found(past([tried(0, 'accepted', 2000, '-0.01')], { lasting: true, legs: [share] }))).toMatchObject({ index: 1, done: [] });
  expect(found(past([], { legs: past([]).legs.map((one) => ({ ...one, within: null })) })).until).toBe(1000);
});

test('what closes a position goes on past an unknown outcome: by what is certain, or once that order is settled', () => {
  const share = { ...leg, size: { kind: 'percent', percent: 50 }, within: null, on: null } as const;
  const of = (legs: PastWork['legs'], state: PastTry['state']) => {
    const { work, over } = workOf(past([tried(0, state, 2000)], { lasting: true, legs }), { stateOf: () => undefined });
    return [over, work.index, work.order];
  };
  for (const state of ['unknown', 'sent', 'intent'] as const) expect(of([share], state)).toEqual([false, 0, 'o-1']);
  const all = { ...share, size: { kind: 'position' } } as const;
  for (const state of ['unknown', 'accepted'] as const) expect(of([all], state)).toEqual([false, 0, undefined]);
});

test('lanes are lent as many at a time as there are, each under a name of its own, and given back once', () => {
  const events: string[] = [];
  const pool = new LanePool({
    ...{ size: 2, waitMs: 700 },
    acquire: (lane) => events.push(`+${lane.id}`),
    release: (lane) => events.push(`-${lane}`),
  });
  const amount = { base: decimalOf('0.3') };
  const [first, second] = [pool.acquire(BTC, amount, 'o'), pool.acquire(BTC, amount, 'o')];
  expect([first?.id, second?.id, pool.acquire(BTC, amount, 'o')]).toEqual(['btcusd@base:0.3#o-1', 'btcusd@base:0.3#o-2', undefined]);
  expect([pool.size, pool.inUse, pool.waitMs]).toEqual([2, 2, 700]);
  if (!first || !second) return;
  expect(pool.lane(first.id)).toBe(first);
  pool.release(first.id);
  pool.release(first.id);
  expect([pool.inUse, pool.lane(first.id)]).toEqual([1, undefined]);
  expect(pool.acquire(BTC, amount, 'o')?.id).toBe('btcusd@base:0.3#o-3');
  expect(events).toEqual(['+btcusd@base:0.3#o-1', '+btcusd@base:0.3#o-2', '-btcusd@base:0.3#o-1', '+btcusd@base:0.3#o-3']);
});
