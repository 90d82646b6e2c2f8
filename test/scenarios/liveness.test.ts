import { expect, test } from 'vitest';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import type { Condition, InboxEvent } from '#domain/event.ts';
import { btcLane, quote } from '../support/market-data.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

/** Turns its position at each quote. */
const turning = strategy({
  name: 'turning',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});

const newRig = rigsOfTests();

function rig(maxUnknown: number | null): Rig {
  const made = newRig({ strategies: { t: turning }, keepsClock: false, limits: { maxUnknown } });
  made.give(clock());
  return made;
}

const clock = (halfWidthMs = 50): InboxEvent => ({ kind: 'clock', offsetMs: 0, halfWidthMs, ageMs: 0 });
const condition = (name: Condition, on: boolean, figure = 0): InboxEvent => ({ kind: 'condition', name, on, figure });
const lost = (why: string): InboxEvent => ({ kind: 'lane', change: { lane: btcLane.id, phase: 'lost', epoch: 1, why } });

/** Everything that can hold orders up, one after the other and all at the same time. */
function storm(r: Rig): void {
  r.give(condition('lag', true, 900));
  r.give(condition('clock-step', true, 3000));
  r.give(condition('clock', true));
  r.give(clock(2000));
  for (const wild of [600_000, 6_000, 700_000]) r.price(wild);
  r.moveBy(4_000);
  r.give(lost('no frame'));
  r.give({ kind: 'lane', change: { lane: btcLane.id, phase: 'refused', epoch: 1, why: 'HTTP 503' } });
}

/** Each ends; the lane is connected anew and quotes come twice a second for a minute. Orders in it. */
function calm(r: Rig): number {
  const before = r.broker.submitted.length;
  r.give(condition('lag', false));
  r.give(condition('clock-step', false));
  r.give(condition('clock', false));
  r.give(clock());
  for (const phase of ['opening', 'acked'] as const) r.give({ kind: 'lane', change: { lane: btcLane.id, phase, epoch: 2 } });
  for (let half = 0; half < 120; half++) {
    const had = r.broker.submitted.length;
    r.price(60_000, { epoch: 2 });
    if (r.broker.submitted.length > had) r.answer(r.last);
  }
  return r.broker.submitted.length - before;
}

test('I26 a minute after every fault has ended trading goes on, and nothing is left of them', () => {
  const r = rig(1);
  r.price();
  r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 429, retryAfterMs: 10_000 });
  storm(r);
  r.price();
  expect(r.broker.submitted).toHaveLength(1);
  expect(calm(r)).toBeGreaterThan(50);
  expect(r.engine.snapshot(r.clock.now())).toMatchObject({
    trading: 'ACTIVE',
    time: { reason: null },
    waitUntil: null,
    lanes: [{ phase: 'acked', epoch: 2, untradable: null }],
    orders: [],
    unknowns: 0,
  });
  expect(r.engine.openOrders).toBe(0);
});

test('I26 I04 what a person must settle is all that is left: the unknown order, which stands there with its reason', () => {
  const r = rig(null);
  r.price();
  const unknown = r.last;
  r.answer(unknown, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
  storm(r);
  expect(calm(r)).toBe(0);
  expect(r.engine.snapshot(r.clock.now())).toMatchObject({
    trading: 'ACTIVE',
    time: { reason: null },
    lanes: [{ untradable: null }],
    orders: [{ order: unknown.id, state: 'unknown' }],
    unknowns: 1,
  });
  expect(r.story().filter((row) => row.startsWith('refused'))).toEqual(['refused PRODUCT_FROZEN']);
});

test('a timer that is shorter than a slow start is decided on once products are known', () => {
  const quick = strategy({
    name: 'quick',
    concurrent: true,
    signals: ({ every }) => every(100),
    decide: (_, { amount }) => buy(amount, 'in'),
  });
  const r = newRig({ strategies: { q: quick }, slowStartMs: 450 });
  r.quote(quote({ buy: 60_000, validUntil: r.clock.now() + 3000 }));
  r.moveBy(100);
  expect(r.broker.submitted).toHaveLength(1);
  expect(r.query("SELECT 1 FROM decisions WHERE kind IN ('halted', 'threw')")).toEqual([]);
});
