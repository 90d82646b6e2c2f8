import { describe, expect, test } from 'vitest';
import { isSpent, timedIntent } from '#core/execution/timed-intent.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { laneIdOf, productCode, strategyId } from '#domain/names.ts';
import { BTC, btcLane, btcProduct } from '../../support/market-data.ts';
import { base, legOf, planOf, T, wants, working } from './working.ts';

const ETH = productCode('ethusd');
const ethLane = laneFor(ETH, base('0.1'));
const second = laneFor(BTC, base('0.02'));

/** Waits for a price of 59,000 or less. */
const limited = wants('buy', { limit: 59_000, within: 1500 });
const patient = wants('buy', { within: 60_000 });

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
    w.report({ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }, first);
    expect(w.story()).not.toContain('withdrawn REPLACED');
  });
});

describe('an intent with a time', () => {
  test('waits from the beginning on, and is tried on each new quote of its lane once', () => {
    const w = working({ lanes: [second] });
    w.parentOrders.begin(planOf([{ ...limited, within: 10_000 }]));
    w.quote(60_000);
    w.parentOrders.onQuote(btcLane.id, 'strategies');
    w.quote(58_000, { lane: second.id, size: 0.02 });
    w.quote(59_001);
    expect(w.told).toEqual(['refused LIMIT_PRICE', 'refused LIMIT_PRICE']);
    w.quote(59_000);
    expect(w.orders()).toEqual(['buy 0.01']);
    w.quote(58_000);
    w.answer();
    w.quote(58_001);
    expect(w.orders()).toEqual(['buy 0.01']);
    expect(w.parentOrders.atWork()).toEqual([]);
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
    w.after(1000);
    w.parentOrders.begin(planOf([{ ...limited, reason: 'still cheap' }]));
    w.after(1499);
    expect(w.parentOrders.atWork()).toMatchObject([{ until: T + 3000, why: 'go' }]);
    w.after(1);
    expect(w.story().filter((row) => row !== 'refused LIMIT_PRICE')).toEqual(['lapsed LAPSED']);
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

  test('ends with an unknown outcome: it is never sent again', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient]));
    w.unanswered();
    w.quote(60_001);
    expect([w.orders(), w.parentOrders.atWork()]).toEqual([['buy 0.01'], []]);
  });

  test('hears nothing of orders that are none of its own, nor of one that only was sent', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient]));
    const { id } = w.last();
    for (const state of ['intent', 'sent'] as const) w.parentOrders.settled(id, state);
    w.quote(60_001);
    expect(w.orders(), 'the order is on its way still').toHaveLength(1);
    w.parentOrders.settled('9-9' as typeof id, 'accepted');
    w.expired();
    w.quote(60_002);
    expect(w.orders()).toHaveLength(2);
  });

  test('on a quote that has no time left is tried on the next one', () => {
    const w = working({ limits: { minTimeLeftMs: 250 } });
    w.quote(60_000, { validUntil: T + 1500 });
    w.after(751);
    w.parentOrders.begin(planOf([patient]));
    expect(w.told).toEqual([]);
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
  expect(isSpent(btcLane.id, w.context), 'no quote').toBe(false);
  expect(isSpent(laneIdOf('btcusd@base:9'), w.context), 'no lane').toBe(false);
  w.quote(60_000, { validUntil: T + 1500 });
  expect(isSpent(btcLane.id, w.context)).toBe(false);
  w.after(afterMs);
  expect(isSpent(btcLane.id, w.context)).toBe(spent);
  expect(timedIntent(wants('buy'), btcLane.id, w.context)).toEqual(wants('buy', { within: spent ? 2000 : null }));
  expect(timedIntent(patient, btcLane.id, w.context)).toBe(patient);
  expect(timedIntent(wants('buy'), laneIdOf('btcusd@base:9'), w.context).within).toBeNull();
});

test('a quote that came with the event itself is tried, however little time it has', () => {
  const w = working({ limits: { minTimeLeftMs: 250 } });
  w.quote(60_000, { validUntil: T + 600 });
  expect(isSpent(btcLane.id, w.context)).toBe(false);
});

describe('what a strategy had at work in the same product makes way for what it wants now', () => {
  const eth = { ...btcProduct, code: ETH };
  const many = () => {
    const w = working({ lanes: [ethLane, second] });
    w.products([btcProduct, eth]);
    return w;
  };
  const waiting = { ...patient, limit: 1 };

  test('with a row, on whichever lane', () => {
    const w = many();
    w.parentOrders.begin(planOf([waiting]));
    w.parentOrders.begin(planOf([legOf(waiting, second)]));
    expect(w.row('withdrawn')).toMatchObject({ strategy: 's', product: 'btcusd', reason: 'REPLACED', detail: { withinMs: 60_000 } });
    expect(w.parentOrders.atWork()).toHaveLength(1);
    w.quote(60_000);
    expect(w.told).toEqual([]);
  });

  test('as a plan of several products as soon as one of them is asked for', () => {
    const w = many();
    w.parentOrders.begin(planOf([legOf(waiting, ethLane), waiting]));
    w.parentOrders.begin(planOf([waiting]));
    expect(w.parentOrders.atWork()).toMatchObject([{ product: 'btcusd', of: 1 }]);
  });

  test('but not in another product, of another strategy, or while a position is closed', () => {
    const w = many();
    w.holding('0.01');
    w.parentOrders.begin(planOf([legOf(waiting, ethLane)]));
    w.parentOrders.begin(planOf([waiting], { strategy: strategyId('other') }));
    w.parentOrders.close(planOf([wants('sell', { size: { kind: 'position' } })]));
    w.parentOrders.begin(planOf([waiting]));
    expect(w.parentOrders.atWork().map(({ strategy, product, wants: what }) => `${strategy} ${product} ${what}`)).toEqual([
      's ethusd buy 0.01 base',
      'other btcusd buy 0.01 base',
      's btcusd sell position',
      's btcusd buy 0.01 base',
    ]);
    expect(w.story()).toEqual([]);
  });

  test('a closing takes the place of what waits', () => {
    const w = many();
    w.holding('0.01');
    w.parentOrders.begin(planOf([waiting]));
    w.parentOrders.close(planOf([wants('sell', { size: { kind: 'position' } })]));
    expect(w.story()).toEqual(['withdrawn REPLACED']);
    expect(w.parentOrders.isClosing(planOf([]).strategy)).toBe(true);
    expect(w.parentOrders.isClosing(strategyId('other'))).toBe(false);
  });
});

describe('several legs', () => {
  const two = (next: Parameters<typeof wants>[1], onLegFailure: 'keep' | 'unwind' = 'keep') =>
    planOf([wants('buy', { reason: 'one' }), wants('buy', { reason: 'two', ...next })], { onLegFailure });

  test('are done one after the other, each on a quote of its own, with their own back-off', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(
      planOf([
        { ...patient, reason: 'one' },
        { ...patient, reason: 'two' },
      ]),
    );
    w.rejected();
    w.quote(60_001, { afterMs: 1000 });
    w.answer();
    expect(w.parentOrders.atWork()).toMatchObject([{ leg: 2, of: 2, attempts: 0, last: null, why: 'two' }]);
    w.quote(60_002, { afterMs: 10 });
    w.answer();
    expect(w.parentOrders.atWork()).toEqual([]);
    expect(w.orders()).toHaveLength(3);
    const names = w.rows().flatMap(({ kind, detail }) => (kind === 'intent' && 'work' in detail ? [String(detail.work).slice(-2)] : []));
    expect(names).toEqual(['/0', '/0', '/1']);
  });

  test('a later one waits for the next quotes as long as its lane may be silent two and a half times', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(two({}));
    w.answer();
    w.after(4999);
    expect(w.parentOrders.atWork()).toMatchObject([{ leg: 2, until: T + 520 + 5000 }]);
    w.after(1);
    expect(w.story().slice(-2)).toEqual(['lapsed LAPSED', 'leg_failed LEG_FAILED']);
    expect(w.row('leg_failed')).toMatchObject({
      strategy: 's',
      product: 'btcusd',
      detail: { leg: 2, of: 2, policy: 'keep', wants: '0.01 base' },
    });
    expect(w.orders()).toHaveLength(1);
  });

  test.each<['keep' | 'unwind', held: string, orders: readonly string[]]>([
    ['keep', '0.04', ['buy 0.01']],
    ['unwind', '0.03', ['buy 0.01', 'sell 0.01']],
  ])('one that comes to nothing: %s leaves %s of what was held before and what was bought', (policy, held, orders) => {
    const w = working();
    w.holding('0.03');
    w.quote(60_000);
    w.parentOrders.begin(two({ limit: 1, within: 1000 }, policy));
    w.answer();
    w.quote(60_001);
    w.after(1000);
    w.quote(60_002);
    if (policy === 'unwind') w.answer();
    expect([w.held(), w.orders()]).toEqual([held, orders]);
    expect(w.parentOrders.atWork()).toEqual([]);
  });

  test('undoing does not give up, and is nothing that a later intent takes the place of', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(two({ limit: 1, within: 1000 }, 'unwind'));
    w.answer();
    w.after(1000);
    w.quote(60_001);
    w.rejected();
    w.parentOrders.begin(planOf([{ ...patient, limit: 1 }]));
    w.quote(60_002, { afterMs: 1000 });
    w.answer();
    expect([w.held(), w.orders()]).toEqual(['0', ['buy 0.01', 'sell 0.01', 'sell 0.01']]);
    expect(w.notices.filter((text) => text.includes('could not be closed'))).toHaveLength(1);
  });

  test('nothing is undone where nothing was executed, and no row speaks of legs where there is one', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([{ ...limited, within: null }, patient], { onLegFailure: 'unwind' }));
    expect(w.story()).toEqual(['refused LIMIT_PRICE', 'leg_failed LEG_FAILED']);
    w.parentOrders.begin(planOf([{ ...limited, within: null }], { onLegFailure: 'unwind' }));
    expect(w.story().filter((row) => row.startsWith('leg'))).toHaveLength(1);
    expect(w.rows().filter(({ kind }) => kind === 'working' || kind === 'worked')).toHaveLength(2);
  });
});
