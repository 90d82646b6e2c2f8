import { describe, expect, test } from 'vitest';
import { HostResults } from '#core/engine/host-results.ts';
import { spentLane } from '#core/execution/work.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import { laneFor } from '#domain/lane.ts';
import { laneIdOf } from '#domain/names.ts';
import { BTC, btcLane } from '../../support/market-data.ts';
import { base, OWN, planOf, T, wants, working } from './working.ts';

const second = laneFor(BTC, base('0.02'));

/** Waits for a price of 59,000 or less. */
const limited = wants('buy', { limit: 59_000, within: 1500 });
const patient = wants('buy', { within: 60_000 });

/** A strategy decides so. */
const decide = ({ context, parentOrders }: ReturnType<typeof working>, intent: Intent): void =>
  new HostResults(context, parentOrders).take({ kind: 'intents', instance: OWN, intents: [intent], signals: {} });

describe('an intent on the present quote', () => {
  test('is tried at once, and never again', () => {
    const w = working();
    w.parentOrders.begin(planOf([wants('buy')]));
    w.quote(60_000);
    expect(w.orders(), 'there was no quote to decide on').toEqual([]);
    w.parentOrders.begin(planOf([wants('buy')]));
    expect(w.orders()).toEqual(['buy 0.01']);
    w.expired();
    w.quote(60_001);
    expect(w.orders()).toEqual(['buy 0.01']);
    expect([w.parentOrders.atWork(), w.rows().filter(({ kind }) => kind === 'working')]).toEqual([[], []]);
    expect(w.row('intent')?.detail, 'nobody looks for it after a restart').not.toHaveProperty('work');
  });

  test('is nothing where nothing is asked', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([]));
    expect(w.story()).toEqual([]);
  });

  test('that another takes the place of leaves no row of it, and no second order is tried for the first', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('buy')]));
    const first = w.last().id;
    w.parentOrders.begin(planOf([wants('buy', { within: 5000 })]));
    expect(w.told).toEqual(['sent', 'refused IN_FLIGHT']);
    w.report({ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }, first);
    expect(w.story()).not.toContain('withdrawn REPLACED');
  });
});

describe('an intent with a time', () => {
  test('waits from the beginning on, and is tried on each new quote of its lane once', () => {
    const w = working({ lanes: [second] });
    w.parentOrders.begin(planOf([{ ...limited, within: 10_000 }]));
    w.quote(60_000);
    w.parentOrders.onQuote(btcLane.id, 'strategy');
    w.quote(58_000, { lane: second.id, size: 0.02 });
    w.quote(59_001);
    expect(w.told).toEqual(['refused LIMIT_PRICE', 'refused LIMIT_PRICE']);
    w.quote(59_000);
    expect(w.orders()).toEqual(['buy 0.01']);
    w.quote(58_000);
    expect(w.told.slice(2), 'an order is on its way').toEqual(['sent']);
    w.answer();
    w.quote(58_001);
    w.after(10_000);
    expect(w.orders()).toEqual(['buy 0.01']);
    expect(w.parentOrders.atWork()).toEqual([]);
    expect(w.story(), 'what was executed does not lapse').not.toContain('lapsed LAPSED');
    expect(w.rows().filter(({ kind }) => kind === 'working' || kind === 'worked')).toMatchObject([
      { kind: 'working', strategy: 's', product: 'btcusd', detail: { lasting: false, onLegFailure: 'keep', signals: {} } },
      { kind: 'worked', strategy: 's', product: 'btcusd', detail: { work: expect.any(String) } },
    ]);
    const [intent] = w.rows().filter(({ kind }) => kind === 'intent');
    const [begun] = w.rows().filter(({ kind }) => kind === 'working');
    expect(intent?.detail).toMatchObject({ work: `${Object.values(begun?.detail ?? {})[0]}/0` });
  });

  test.each<[string, 'buy' | 'sell' | null, object]>([
    ['to buy', 'buy', { side: 'buy', price: 60_010 }],
    ['to sell', 'sell', { side: 'sell', price: 60_000 }],
    ['for a target', null, { side: 'sell', price: 60_000 }],
  ])('lapses when that is over: the strategy hears of it, with the price of then: %s', (_, side, outcome) => {
    const w = working();
    const target = { kind: 'target', size: decimalOf('0.5') } as const;
    w.parentOrders.begin(planOf([wants(side, { within: 1500, limit: 1, ...(side === null && { size: target }) })]));
    w.quote(60_010, { sell: 60_000 });
    w.after(999);
    expect(w.heard.map(({ outcome: { state } }) => state)).not.toContain('lapsed');
    w.after(1);
    expect(w.heard.at(-1)?.outcome).toEqual({
      at: T + 1500,
      state: 'lapsed',
      reason: 'LAPSED',
      orderId: undefined,
      size: undefined,
      ...outcome,
    });
    expect(w.row('lapsed')).toMatchObject({ strategy: 's', product: 'btcusd', reason: 'LAPSED', detail: { withinMs: 1500, attempts: 1 } });
    w.quote(1);
    expect(w.orders()).toEqual([]);
  });

  test('lapses without a price where there never was one', () => {
    const w = working();
    w.parentOrders.begin(planOf([limited]));
    expect(w.row('working'), 'a restart would go on with it').toBeDefined();
    w.after(1500);
    expect(w.heard.at(-1)?.outcome).toMatchObject({ state: 'lapsed', price: undefined });
  });

  test('lapses when its order comes back, where that is at the end of its time or later; an order on its way is waited for', () => {
    for (const more of [0, 700]) {
      const w = working();
      w.quote(60_000);
      w.parentOrders.begin(planOf([wants('buy', { within: 1000 })]));
      w.after(990 + more);
      expect(w.parentOrders.atWork()).toMatchObject([{ order: w.last().id, last: 'sent', attempts: 1 }]);
      w.expired();
      expect(w.story().slice(-2)).toEqual(['expired GATE_TIME_LEFT', 'lapsed LAPSED']);
      expect(w.row('lapsed')?.detail).toMatchObject({ last: 'expired' });
    }
  });

  test('asked for again its time begins anew', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([limited]));
    expect(w.rows().slice(-2), 'it begins before it is refused').toMatchObject([{ kind: 'working' }, { kind: 'refused' }]);
    w.after(1000);
    w.parentOrders.begin(planOf([{ ...limited, reason: 'still cheap' }]));
    w.after(1499);
    expect(w.parentOrders.atWork()).toMatchObject([{ until: T + 3000, why: 'go' }]);
    w.after(1);
    expect(w.story().filter((row) => row !== 'refused LIMIT_PRICE')).toEqual(['lapsed LAPSED']);
  });

  test('asked for again with all its legs it goes on as one plan, without a row', () => {
    const w = working();
    w.quote(60_000);
    const asked = planOf([limited, wants('sell')]);
    for (const more of ['', ' still', ' and still']) {
      w.parentOrders.begin({ ...asked, legs: asked.legs.map((leg) => ({ ...leg, intent: { ...leg.intent, reason: `cheap${more}` } })) });
      w.after(1000);
    }
    expect(w.story().filter((row) => row !== 'refused LIMIT_PRICE')).toEqual([]);
    w.after(500);
    expect(w.story().filter((row) => row !== 'refused LIMIT_PRICE')).toEqual(['lapsed LAPSED', 'leg_failed LEG_FAILED']);
  });

  test('after a rejection waits a second, then two; what was not sent is tried on the next quote', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient]));
    w.notSent();
    w.quote(60_001);
    w.rejected();
    w.quote(60_002, { afterMs: 999 });
    expect(w.orders()).toHaveLength(2);
    w.quote(60_003, { afterMs: 1 });
    w.rejected();
    w.quote(60_004, { afterMs: 1999 });
    expect(w.orders()).toHaveLength(3);
    w.quote(60_005, { afterMs: 1 });
    expect(w.orders()).toHaveLength(4);
    expect(w.parentOrders.atWork()).toMatchObject([{ attempts: 4, last: 'sent' }]);
  });

  test('waits for a quote of its own lane', () => {
    const w = working({ lanes: [second] });
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient]));
    w.rejected();
    w.quote(60_001);
    w.quote(60_002, { lane: second.id, size: 0.02, afterMs: 1000 });
    expect(w.orders()).toHaveLength(1);
    w.quote(60_003);
    expect(w.orders()).toHaveLength(2);
  });

  test('is refused on each quote that has no name, and waits for one that has', () => {
    const w = working();
    w.parentOrders.begin(planOf([patient]));
    for (const id of [null, null, undefined]) w.quote(60_000, id === undefined ? {} : { id });
    expect(w.told).toEqual(['refused QUOTE_WITHOUT_ID', 'refused QUOTE_WITHOUT_ID', 'sent']);
  });

  test('that holds already what it is for comes to nothing, and the next leg has its turn', () => {
    const w = working();
    w.holding('0.1');
    w.quote(60_000);
    const target = wants(null, { size: { kind: 'target', size: decimalOf('0.1') }, within: 5000 });
    w.parentOrders.begin(planOf([target]));
    expect([w.told, w.parentOrders.atWork()]).toEqual([['nothing'], []]);
    w.parentOrders.begin(planOf([target, patient]));
    w.quote(60_001);
    expect(w.orders()).toEqual(['buy 0.01']);
  });

  test('ends with an unknown outcome: it is never sent again', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient]));
    w.unanswered();
    w.quote(60_001);
    w.after(60_000);
    expect([w.orders(), w.parentOrders.atWork()]).toEqual([['buy 0.01'], []]);
    expect(w.story().at(-1), 'nor does it lapse').toBe('unknown NO_ANSWER');
  });

  test('hears nothing of orders that are none of its own, nor of one that only was sent', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient]));
    const { id } = w.last();
    for (const state of ['intent', 'sent'] as const) w.parentOrders.settled(id, state);
    w.quote(60_001);
    expect([w.parentOrders.atWork()[0]?.order, w.told], 'the order is on its way still').toEqual([id, ['sent']]);
    w.parentOrders.settled('9-9' as typeof id, 'accepted');
    w.expired();
    w.quote(60_002);
    expect(w.orders()).toHaveLength(2);
  });

  test('on a quote that has no time left is tried on the next one', () => {
    const w = working({ limits: { minTimeLeftMs: 250 } });
    w.quote(60_000, { validUntil: T + 1500 });
    w.after(751);
    decide(w, patient);
    expect([w.told, w.parentOrders.atWork()]).toEqual([[], [expect.objectContaining({ until: w.context.log.now + 60_000 })]]);
    w.quote(60_001);
    expect(w.orders()).toEqual(['buy 0.01']);
  });
});

test.each<[string, limit: number | null, afterMs: number, isSpent: boolean]>([
  ['has time', 250, 750, false],
  ['has too little', 250, 751, true],
  ['has a millisecond, where no least is set', null, 999, false],
  ['has none', null, 1000, true],
  ['is stale, which is told as that', 250, 2000, false],
])('a quote that an intent is decided on without it: it %s', (_, minTimeLeftMs, afterMs, spent) => {
  const w = working({ limits: { minTimeLeftMs } });
  expect(spentLane(btcLane.id, w.context), 'no quote').toBeUndefined();
  expect(spentLane(laneIdOf('btcusd@base:9'), w.context), 'no lane').toBeUndefined();
  w.quote(60_000, { validUntil: T + 1500 });
  expect(spentLane(btcLane.id, w.context)).toBeUndefined();
  w.after(afterMs);
  expect(spentLane(btcLane.id, w.context)).toBe(spent ? w.context.market.stateOf(btcLane.id) : undefined);
  decide(w, wants('buy'));
  expect(w.parentOrders.atWork().map(({ until }) => until)).toEqual(spent ? [w.context.log.now + 2000] : []);
});

test('a quote that came with the event itself is tried, however little time it has', () => {
  const w = working({ limits: { minTimeLeftMs: 250 } });
  w.quote(60_000, { validUntil: T + 600 });
  expect(spentLane(btcLane.id, w.context)).toBeUndefined();
});
