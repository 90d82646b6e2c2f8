import { describe, expect, test } from 'vitest';
import type { Decided } from '#core/strategy/contract.ts';
import { mid, strategy } from '#core/strategy/index.ts';
import { buy, hold, sell, withdraw } from '#core/strategy/intents.ts';
import { usd } from '../support/limits.ts';
import { quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests();

/** Decides by the price alone, so that a table of prices is a table of decisions. */
function rig(decisions: Readonly<Record<number, () => Decided>>, options: Omit<RigOptions, 'strategies'> = {}, more: object = {}): Rig {
  const scripted = strategy({
    name: 'scripted',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (price) => decisions[price]?.(),
    ...more,
  });
  return newRig({ strategies: { s: scripted }, ...options });
}

const amount = { base: '0.01' };

/** One step of a scenario: milliseconds since the last, what happens, and how many orders have left by then. */
type Step = readonly [afterMs: number, event: number | ((r: Rig) => void), orders: number];

function play(r: Rig, steps: readonly Step[]): void {
  for (const [index, [afterMs, event, orders]] of steps.entries()) {
    r.moveBy(afterMs);
    if (typeof event === 'number') r.quote(quote({ buy: event, validUntil: r.clock.now() + 3000 }));
    else event(r);
    expect(r.broker.submitted.length, `orders after step ${index + 1}`).toBe(orders);
  }
}

const accepted = (r: Rig): void => r.answer(r.last);
const rejected = (r: Rig): void => r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
const unknown = (r: Rig): void => r.answer(r.last, { outcome: 'unknown', reason: 'HTTP_AMBIGUOUS', httpStatus: 500 });
const expired = (r: Rig): void => r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
const late =
  (outcome: 'accepted' | 'rejected') =>
  (r: Rig): void =>
    r.answer(r.last, {
      outcome,
      reason: outcome === 'accepted' ? 'HTTP_OK' : 'HTTP_REFUSED',
      httpStatus: outcome === 'accepted' ? 201 : 422,
      late: true,
    });
const notSent = (r: Rig): void => r.report(r.last, { type: 'not_sent', reason: 'NOT_CONNECTED', why: 'refused' });

const limited = { 60000: () => buy(amount, 'cheap enough', { limit: 59_000, within: '1500ms' }) };
const patient = { 60000: () => buy(amount, 'go', { within: '60s' }) };

describe('an intent with `within` is worked on each new quote, and never twice on the same', () => {
  test.each<[string, Parameters<typeof rig>[0], readonly Step[], readonly string[]]>([
    [
      'waits for its limit',
      limited,
      [
        [0, 60_000, 0],
        [500, 59_500, 0],
        [500, 59_000, 1],
        [10, accepted, 1],
        [500, 58_000, 1],
      ],
      ['refused LIMIT_PRICE', 'refused LIMIT_PRICE', 'intent', 'approved', 'sent', 'accepted HTTP_OK'],
    ],
    [
      'lapses by engine time, not by quotes; one millisecond before the end is in time',
      limited,
      [
        [0, 60_000, 0],
        [1499, 59_001, 0],
        [1, (r) => r.give({ kind: 'wake' }), 0],
        [1, 58_000, 0],
      ],
      ['refused LIMIT_PRICE', 'refused LIMIT_PRICE', 'lapsed LAPSED'],
    ],
    [
      'F14 expired and F01 not_sent: the next quote at once',
      patient,
      [
        [0, 60_000, 1],
        [10, expired, 1],
        [500, 60_001, 2],
        [10, notSent, 2],
        [500, 60_002, 3],
        [10, accepted, 3],
        [500, 60_003, 3],
      ],
      [
        'intent',
        'approved',
        'expired GATE_TIME_LEFT',
        'intent',
        'approved',
        'not_sent NOT_CONNECTED',
        'intent',
        'approved',
        'sent',
        'accepted HTTP_OK',
      ],
    ],
    [
      'rejected: 1 s, then 2 s of back-off, each end exact',
      patient,
      [
        [0, 60_000, 1],
        [0, rejected, 1],
        [999, 60_001, 1],
        [1, 60_002, 2],
        [0, rejected, 2],
        [1999, 60_003, 2],
        [1, 60_004, 3],
      ],
      ['intent', 'approved', 'sent', 'rejected HTTP_REFUSED', 'intent', 'approved', 'sent', 'rejected HTTP_REFUSED', 'intent', 'approved'],
    ],
    [
      'F10 unknown: never again',
      patient,
      [
        [0, 60_000, 1],
        [10, unknown, 1],
        [500, 60_001, 1],
        [500, 60_002, 1],
      ],
      ['intent', 'approved', 'sent', 'unknown HTTP_AMBIGUOUS'],
    ],
    [
      'an order on its way when the time ends is waited for, and not tried again after',
      { 60000: () => buy(amount, 'go', { within: '1s' }) },
      [
        [0, 60_000, 1],
        [1500, expired, 1],
        [100, 60_001, 1],
      ],
      ['intent', 'approved', 'expired GATE_TIME_LEFT', 'lapsed LAPSED'],
    ],
    [
      'one that was decided beside an unknown order ends when that turns out executed, and another is decided',
      patient,
      [
        [0, 60_000, 1],
        [10, unknown, 1],
        [490, 60_000, 1],
        [10, late('accepted'), 1],
        [490, 60_001, 1],
        [500, 60_000, 2],
      ],
      [
        ...['intent', 'approved', 'sent', 'unknown HTTP_AMBIGUOUS', 'refused PRODUCT_FROZEN', 'accepted LATE_ANSWER'],
        ...['withdrawn LATE_EXECUTION', 'intent', 'approved'],
      ],
    ],
    [
      'and goes on where that was refused',
      patient,
      [
        [0, 60_000, 1],
        [10, unknown, 1],
        [490, 60_000, 1],
        [10, late('rejected'), 1],
        [490, 60_001, 2],
      ],
      ['intent', 'approved', 'sent', 'unknown HTTP_AMBIGUOUS', 'refused PRODUCT_FROZEN', 'rejected LATE_ANSWER', 'intent', 'approved'],
    ],
    [
      'a later intent takes its place, a hold does not',
      { ...limited, 60100: () => hold('wait'), 60200: () => buy(amount, 'now') },
      [
        [0, 60_000, 0],
        [500, 60_100, 0],
        [500, 60_200, 1],
      ],
      ['refused LIMIT_PRICE', 'hold HOLD', 'refused LIMIT_PRICE', 'withdrawn REPLACED', 'intent', 'approved'],
    ],
    [
      'its strategy takes it back',
      { ...limited, 60100: () => withdraw('too late') },
      [
        [0, 60_000, 0],
        [500, 60_100, 0],
        [500, 59_000, 0],
        [2000, 60_001, 0],
      ],
      ['refused LIMIT_PRICE', 'withdrawn REPLACED', 'hold HOLD'],
    ],
    [
      'the same intent again begins its time anew, without a row',
      { 60000: limited[60_000], 60001: limited[60_000] },
      [
        [0, 60_000, 0],
        [1000, 60_001, 0],
        [1000, 59_000, 1],
      ],
      ['refused LIMIT_PRICE', 'refused LIMIT_PRICE', 'intent', 'approved'],
    ],
    [
      'without `within` it lives as long as its quote',
      { 60000: () => buy(amount, 'cheap', { limit: 59_000 }) },
      [
        [0, 60_000, 0],
        [500, 59_000, 0],
      ],
      ['refused LIMIT_PRICE'],
    ],
  ])('%s', (_, decisions, steps, story) => {
    const r = rig(decisions);
    play(r, steps);
    expect(r.story()).toEqual(story);
  });

  test.each([
    ['once, and tried on each quote, is no runaway', [60_000], false],
    ['on each quote is one', [60_000, 60_001, 60_002, 60_003, 60_004], true],
  ])('F71 what is asked %s', (_, asked, isDisabled) => {
    const want = patient[60_000];
    const r = rig(Object.fromEntries([59_000, ...asked].map((price) => [price, want])), {
      limits: { maxOrdersPerMinute: 1, maxThrottledPerMinute: 3 },
    });
    play(r, [[0, 59_000, 1], [10, accepted, 1], ...[60_000, 60_001, 60_002, 60_003, 60_004].map((price): Step => [490, price, 1])]);
    expect(r.rows().some(({ kind, reason }) => kind === 'disabled' && reason === 'RUNAWAY')).toBe(isDisabled);
  });

  test('a row of the end says what was wanted, how often it was tried and what the last brought', () => {
    const r = rig(limited);
    play(r, [
      [0, 60_000, 0],
      [500, 60_001, 0],
      [5000, (one) => one.give({ kind: 'wake' }), 0],
    ]);
    expect(r.rows().at(-1)).toMatchObject({
      kind: 'lapsed',
      strategy: 's',
      detail: { side: 'buy', wants: '0.01 base', withinMs: 1500, attempts: 2, last: 'LIMIT_PRICE' },
    });
  });
});

describe('several intents are legs, done in their order', () => {
  const legs = (second: () => Decided) => ({
    60000: () => [buy(amount, 'one'), second()].flat().filter((leg) => leg?.kind === 'intent'),
  });

  test('the second begins when the first is executed, on the next quote of the lane', () => {
    const r = rig(legs(() => buy(amount, 'two')));
    play(r, [
      [0, 60_000, 1],
      [10, accepted, 1],
      [490, 60_001, 2],
      [10, accepted, 2],
      [490, 60_002, 2],
    ]);
    expect(
      r
        .rows()
        .filter(({ kind }) => kind === 'intent')
        .map(({ detail }) => detail.why),
    ).toEqual(['one', 'two']);
  });

  const failing = legs(() => buy(amount, 'two', { limit: 1 }));

  test('keep: a leg that comes to nothing leaves those before it', () => {
    const r = rig(failing);
    play(r, [
      [0, 60_000, 1],
      [10, accepted, 1],
      [490, 60_001, 1],
      [500, 60_002, 1],
    ]);
    expect(r.story().slice(-2)).toEqual(['refused LIMIT_PRICE', 'leg_failed LEG_FAILED']);
    expect(r.rows().at(-1)?.detail).toMatchObject({ leg: 2, of: 2, policy: 'keep' });
  });

  test('unwind: they are undone, on as many quotes as it takes, and nothing else is decided meanwhile', () => {
    const r = rig({ ...failing, 60002: () => buy(amount, 'more') }, {}, { onLegFailure: 'unwind' });
    play(r, [
      [0, 60_000, 1],
      [10, accepted, 1],
      [490, 60_001, 2],
      [10, rejected, 2],
      [990, 60_002, 2],
      [10, 60_003, 3],
      [10, accepted, 3],
    ]);
    expect(r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`)).toEqual(['buy 0.01', 'sell 0.01', 'sell 0.01']);
    expect(r.query("SELECT sum(amount) AS held FROM ledger WHERE currency = 'btc'")).toEqual([{ held: 0 }]);
  });

  describe('a leg of unknown outcome', () => {
    const pair = { onLegFailure: 'unwind' };
    const orders = (r: Rig) => r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);
    const settled = (outcome: 'accepted' | 'rejected', of: number) => (r: Rig) => {
      const order = r.broker.submitted[of - 1];
      if (order) r.answer(order, { outcome, reason: 'HTTP_OK', httpStatus: 201, late: true });
    };

    test('that turns out executed is followed by the next one, whatever was refused meanwhile', () => {
      const decide = () => [buy(amount, 'one'), buy(amount, 'two')];
      const r = rig({ 60000: decide, 60001: decide }, {}, pair);
      play(r, [
        [0, 60_000, 1],
        [10, unknown, 1],
        [490, 60_001, 1],
        [10, settled('accepted', 1), 2],
        [10, accepted, 2],
        [490, 60_002, 2],
      ]);
      expect(r.story().slice(3, 6)).toEqual(['unknown HTTP_AMBIGUOUS', 'refused PRODUCT_FROZEN', 'accepted LATE_ANSWER']);
      expect(r.engine.underWay).toBeUndefined();
    });

    test('that turns out executed when late answers are over is undone, and no leg follows', () => {
      const r = rig(
        legs(() => buy(amount, 'two', { within: '60s' })),
        {},
        pair,
      );
      play(r, [
        [0, 60_000, 1],
        [10, unknown, 1],
        [30_001, 60_001, 1],
        [10, settled('accepted', 1), 1],
        [490, 60_002, 2],
      ]);
      expect(orders(r)).toEqual(['buy 0.01', 'sell 0.01']);
      expect(r.story().slice(4, 7)).toEqual(['accepted LATE_ANSWER', 'lapsed LAPSED', 'leg_failed LEG_FAILED']);
    });

    test('that turns out not executed fails: it is not tried again, and what came before it is undone', () => {
      const r = rig(
        legs(() => buy(amount, 'two', { within: '60s' })),
        {},
        pair,
      );
      play(r, [
        [0, 60_000, 1],
        [10, accepted, 1],
        [490, 60_001, 2],
        [10, unknown, 2],
        [60_000, 60_002, 2],
        [10, settled('rejected', 2), 2],
        [490, 60_003, 3],
      ]);
      expect(orders(r)).toEqual(['buy 0.01', 'buy 0.01', 'sell 0.01']);
      expect(r.story()).toContain('leg_failed LEG_FAILED');
    });

    test('is left to the strategy once another order of it has left, or its position is closed', () => {
      const r = rig({ ...legs(() => buy(amount, 'two')), 60002: () => sell('position', 'out') }, {}, pair);
      play(r, [
        [0, 60_000, 1],
        [10, accepted, 1],
        [490, 60_001, 2],
        [10, unknown, 2],
        [490, 60_002, 3],
        [10, accepted, 3],
        [10, settled('rejected', 2), 3],
        [490, 60_003, 3],
      ]);
      expect(orders(r)).toEqual(['buy 0.01', 'buy 0.01', 'sell 0.01']);
      expect(r.story()).toContain('withdrawn REPLACED');
      expect(r.engine.underWay).toBeUndefined();
    });
  });

  test('a first leg that is refused means that no other is tried', () => {
    const r = rig({ 60000: () => [sell('position', 'nothing to sell'), buy(amount, 'two')] });
    play(r, [
      [0, 60_000, 0],
      [500, 60_001, 0],
    ]);
    expect(r.story()).toEqual(['refused NO_POSITION']);
  });

  const said = (r: Rig) => r.allRows().filter(({ strategy: of }) => of === 's');

  const refusedAgainAndAgain = (decide: () => Decided): Rig => {
    const r = newRig({
      strategies: {
        s: strategy({
          name: 'scripted',
          signals: ({ quotes$ }) => quotes$.pipe(mid()),
          decide: (price) => (price < 61_000 ? decide() : hold('over')),
        }),
      },
      limits: { maxOrderValue: usd(1) },
    });
    for (let n = 0; n < 100; n += 1) play(r, [[500, 60_000 + n, 0]]);
    play(r, [[500, 61_000, 0]]);
    return r;
  };

  test.each<[string, () => Decided]>([
    ['a purchase of one leg', () => buy(amount, 'one')],
    ['a first leg that is refused', () => [buy(amount, 'one'), buy(amount, 'two')]],
  ])('%s, a hundred times, leaves a row at its start and one with the count', (_, decide) => {
    const r = refusedAgainAndAgain(decide);
    const rows = said(r).filter(({ kind }) => kind !== 'hold' && kind !== 'blocked');
    expect(rows.map(({ kind, reason, detail }) => [kind, reason, detail.repeated])).toEqual([
      ['refused', 'MAX_ORDER_VALUE', undefined],
      ['refused', 'MAX_ORDER_VALUE', 100],
    ]);
  });
});
