import { describe, expect, test } from 'vitest';
import { ClockOffset } from '#adapters/service-client/clock/clock-offset.ts';
import { productText } from '#assembly/assemble.ts';
import type { Condition, InboxEvent, ProductText } from '#domain/event.ts';
import { usd } from '../support/limits.ts';
import { btcLane, btcProduct, quote } from '../support/market-data.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { threshold } from '../support/strategies.ts';

const rig = rigsOfTests({ strategies: { t: threshold } });

type Event = (r: Rig) => void;
/** After so many milliseconds, what happens, and the rows that it brings. */
type Step = readonly [afterMs: number, event: Event, rows: readonly string[]];

function play(r: Rig, steps: readonly Step[]): void {
  for (const [index, [afterMs, event, rows]] of steps.entries()) {
    r.moveBy(afterMs);
    const before = r.story().length;
    event(r);
    expect(r.story().slice(before), `rows of step ${index + 1}`).toEqual(rows);
  }
}

const ORDER = ['intent', 'approved'];
const FILLED = ['sent', 'accepted HTTP_OK'];
const at =
  (price: number): Event =>
  (r) =>
    r.quote(quote({ buy: price, validUntil: r.clock.now() + 3000 }));
const filled: Event = (r) => r.answer(r.last);
const expired: Event = (r) => r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 0 });
const give =
  (...events: readonly InboxEvent[]): Event =>
  (r) => {
    for (const event of events) r.give(event);
  };
const listed = (...products: readonly ProductText[]): Event => give({ kind: 'products', products });
const enable = give({ kind: 'command', command: { act: 'enable', strategy: 't', who: 'anna', why: 'looked at it' } });
const btc = productText(btcProduct);

describe('F19 the service changes a product under a strategy, or lists it no more', () => {
  const changes: readonly [string, readonly ProductText[], RegExp, readonly string[]][] = [
    ['a coarser step', [{ ...btc, sizeIncrement: '0.003' }], /sizeIncrement 0\.0001 -> 0\.003/, ['refused SIZE_LIMITS']],
    ['a larger least size', [{ ...btc, minSize: '0.02' }], /minSize 0\.0001 -> 0\.02/, ['refused SIZE_LIMITS']],
    ['a larger least value', [{ ...btc, minNotionalValue: '700' }], /minNotionalValue 5 -> 700/, ['refused SIZE_LIMITS']],
    ['another price step', [{ ...btc, priceIncrement: '0.1' }], /priceIncrement 0\.01 -> 0\.1/, ORDER],
  ];
  test.each(changes)('%s: disabled, and as a person enables it held against the new limits, never rounded up', (_, list, why, then) => {
    const r = rig();
    play(r, [
      [0, listed(btc), []],
      [500, listed(...list), ['disabled PRODUCT_CHANGED']],
      [500, at(60_000), []],
      [500, enable, ['enabled BY_PERSON']],
      [500, at(60_000), then],
    ]);
    expect(r.notices.join('\n')).toMatch(why);
  });

  /** Lists that come behind the first, and the rows that each makes. */
  test.each<[string, readonly (readonly [Event, readonly string[]])[]]>([
    [
      'a step that the amount still fits: enabled by the next list that bears it out',
      [
        [listed({ ...btc, sizeIncrement: '0.001' }), ['disabled PRODUCT_CHANGED']],
        [listed({ ...btc, sizeIncrement: '0.001' }), ['enabled PRODUCT_CHECKED']],
        [at(60_000), ORDER],
      ],
    ],
    [
      'a step that it does not fit: a person is waited for',
      [
        [listed({ ...btc, sizeIncrement: '0.003' }), ['disabled PRODUCT_CHANGED']],
        [listed({ ...btc, sizeIncrement: '0.003' }), []],
        [listed({ ...btc, sizeIncrement: '0.003' }), []],
        [at(60_000), []],
      ],
    ],
    [
      'another change at the second look: one list more',
      [
        [listed({ ...btc, sizeIncrement: '0.001' }), ['disabled PRODUCT_CHANGED']],
        [listed({ ...btc, sizeIncrement: '0.01' }), []],
        [listed({ ...btc, sizeIncrement: '0.01' }), ['enabled PRODUCT_CHECKED']],
      ],
    ],
    [
      'one that is gone and comes again as it was',
      [
        [listed(), ['disabled PRODUCT_CHANGED']],
        [listed(), []],
        [listed(btc), ['enabled PRODUCT_CHECKED']],
        [at(60_000), ORDER],
      ],
    ],
    [
      'one that a person has enabled meanwhile: later lists say nothing of it',
      [
        [listed({ ...btc, sizeIncrement: '0.001' }), ['disabled PRODUCT_CHANGED']],
        [enable, ['enabled BY_PERSON']],
        [listed({ ...btc, sizeIncrement: '0.001' }), []],
      ],
    ],
  ])('%s', (_what, lists) => {
    play(rig(), [[0, listed(btc), []], ...lists.map(([event, rows]): Step => [500, event, rows])]);
  });

  /** Disabled by a list, then killed. */
  function disabledRun(list: Event): Rig {
    const r = rig();
    play(r, [
      [0, listed(btc), []],
      [500, list, ['disabled PRODUCT_CHANGED']],
    ]);
    r.crash();
    return r;
  }

  test.each<[string, readonly Step[]]>([
    [
      'one list that bears out the first enables it',
      [
        [500, listed(btc), ['enabled PRODUCT_CHECKED']],
        [500, at(60_000), ORDER],
      ],
    ],
    [
      'one that is otherwise does not',
      [
        [500, listed({ ...btc, sizeIncrement: '0.001' }), []],
        [500, listed({ ...btc, sizeIncrement: '0.001' }), ['enabled PRODUCT_CHECKED']],
      ],
    ],
    [
      'its amounts do not fit, and later they do',
      [
        [500, listed({ ...btc, minSize: '1' }), []],
        [500, listed({ ...btc, minSize: '1' }), []],
        [500, listed(btc), []],
        [500, listed(btc), ['enabled PRODUCT_CHECKED']],
      ],
    ],
  ])('one that a restart found disabled, %s', (_what, steps) => {
    const { folder } = disabledRun(listed());
    const again = rig({ folder, startAt: START + 60_000 });
    expect(again.story().filter((row) => row.startsWith('enabled'))).toEqual([]);
    play(again, steps);
  });

  test('one that a restart leaves out, or whose source was at fault, no list enables', () => {
    const { folder } = disabledRun(listed());
    const without = rig({ folder, startAt: START + 60_000, strategies: {} });
    play(without, [[500, listed(btc), []]]);
    without.crash();
    const r = rig();
    r.give({ kind: 'command', command: { act: 'disable', strategy: 't', who: 'anna', why: 'so', reason: 'STRATEGY_DISABLED' } });
    r.crash();
    play(rig({ folder: r.folder, startAt: START + 60_000 }), [[500, listed(btc), []]]);
  });

  test('one that is gone: nothing opens, and what is held is still closed', () => {
    const r = rig({ exits: { stopLossPct: 1 } });
    play(r, [
      [0, at(60_000), ORDER],
      [10, filled, FILLED],
      [500, listed(), ['disabled PRODUCT_CHANGED']],
      [500, at(59_000), ['exit STOP_LOSS', ...ORDER]],
      [10, filled, FILLED],
      [500, at(60_000), []],
    ]);
    expect(r.notices.join('\n')).toContain('the service lists btcusd no more');
  });

  test('a new product beside it changes nothing', () => {
    const r = rig();
    play(r, [
      [0, listed(btc, { ...btc, code: 'ethusd' }), []],
      [500, at(60_000), ORDER],
    ]);
  });
});

describe('the clock', () => {
  const TRUE_LEFT_MS = 3000;
  test.each([0.0002, -0.0002, 0.001, 0.01, -0.01])('F56 a drift of %d: no quote is thought to live longer than it does', (rate) => {
    const r = rig({ keepsClock: false });
    const begin = r.clock.now();
    const offset = (when: number): number => rate * (when - begin);
    const estimate = new ClockOffset();
    for (let n = 0; n < 60; n += 1) {
      const sentMs = r.clock.now();
      estimate.add({ sentMs, receivedMs: sentMs + 60, dateMs: Math.floor((sentMs + 30 + offset(sentMs + 30)) / 1000) * 1000 });
      const bound = estimate.bound(sentMs + 60, sentMs + 5000);
      if (bound) r.give({ kind: 'clock', offsetMs: Math.round(bound.offsetMs), halfWidthMs: Math.ceil(bound.halfWidthMs) + 1, ageMs: 0 });
      for (let tick = 0; tick < 5; tick += 1) {
        r.moveBy(973);
        const before = r.broker.submitted.length;
        r.quote(quote({ validUntil: Math.floor(r.clock.now() + offset(r.clock.now())) + TRUE_LEFT_MS }));
        if (r.broker.submitted.length > before) expired(r);
      }
    }
    const thought = r.rows().flatMap(({ kind, detail }) => (kind === 'approved' ? [Number(detail.timeLeftMs)] : []));
    expect(thought.length).toBeGreaterThan(200);
    expect(Math.max(...thought)).toBeLessThanOrEqual(TRUE_LEFT_MS);
  });

  test('F57 ten minutes of suspension over midnight: nothing until the lane and the time are new, and the day rolls once', () => {
    const condition = (name: Condition, on: boolean): InboxEvent => ({ kind: 'condition', name, on, figure: 600_000 });
    const sample: InboxEvent = { kind: 'clock', offsetMs: 0, halfWidthMs: 50, ageMs: 0 };
    const replaced: Event = (r) => {
      r.inbox.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'the machine was suspended' });
      r.inbox.change({ phase: 'opening', lane: btcLane.id, epoch: 2 });
      r.inbox.change({ phase: 'acked', lane: btcLane.id, epoch: 2 });
      r.inbox.drain();
    };
    const next =
      (price: number): Event =>
      (r) =>
        r.quote(quote({ buy: price, epoch: 2, validUntil: r.clock.now() + 3000 }));
    const r = rig({ keepsClock: false, startAt: Date.UTC(2026, 0, 1, 23, 55), limits: { maxDayValue: usd(601), minTimeLeftMs: 250 } });
    play(r, [
      [0, give(sample), []],
      [500, at(60_000), ORDER],
      [10, filled, FILLED],
      [500, at(59_000), ORDER],
      [10, filled, FILLED],
      [500, at(60_000), ['refused MAX_DAY_VALUE']],
      [600_000, give(condition('clock-step', true), condition('clock', true)), []],
      [0, at(60_000), ['refused LANE_STALE']],
      [100, replaced, []],
      [400, next(60_000), ['refused CLOCK_STEP']],
      [500, give(condition('clock', false), sample), []],
      [9000, give(condition('clock-step', false)), []],
      [500, next(60_000), ['refused LANE_STALE']],
      [500, next(60_000), ORDER],
      [10, filled, FILLED],
      [500, next(59_000), ORDER],
      [10, filled, FILLED],
      [500, next(60_000), ['refused MAX_DAY_VALUE']],
    ]);
  });
});

describe('F60 asked to stop in each state: no order follows, and the next start finds what a SIGKILL would have left', () => {
  const states: readonly [string, readonly Event[]][] = [
    ['nothing was ordered', []],
    ['an order is committed', [at(60_000)]],
    [
      'an order is on its way',
      [at(60_000), (r) => r.report(r.last, { type: 'written', timeLeftMs: 2000, signatureAgeMs: 0, at: r.clock.now() })],
    ],
    ['an outcome is unknown', [at(60_000), (r) => r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null })]],
    ['a position is held', [at(60_000), filled]],
    ['an exit is on its way', [at(60_000), filled, at(59_000)]],
    ['trading is halted', [give({ kind: 'command', command: { act: 'halt', who: 'anna', why: 'a test' } })]],
    ['the strategy is paused', [give({ kind: 'command', command: { act: 'pause', strategy: 't', who: 'anna', why: 'a test' } })]],
  ];
  const stop = give({ kind: 'command', command: { act: 'stop', who: 'SIGTERM', why: 'a test' } });

  /** What a start knows that follows such an end. */
  function after(events: readonly Event[], end: (r: Rig) => void): unknown {
    const r = rig();
    for (const event of events) {
      r.moveBy(500);
      event(r);
    }
    r.moveBy(500);
    end(r);
    r.crash();
    const next = rig({ folder: r.folder, startAt: r.clock.now() + 1000 });
    const { trading, strategies, orders } = next.engine.snapshot(next.clock.now());
    return {
      trading,
      strategies,
      orders,
      latched: next.latch.isSet,
      table: next.query('SELECT order_id, state FROM orders ORDER BY rowid'),
    };
  }

  test.each(states)('%s', (_, events) => {
    const killed = after(events, () => {});
    const stopped = after(events, (r) => {
      stop(r);
      const before = r.broker.submitted.length;
      for (const price of [60_000, 59_000, 60_000]) {
        r.moveBy(500);
        at(price)(r);
      }
      stop(r);
      expect(r.broker.submitted).toHaveLength(before);
      r.end();
    });
    expect(stopped).toEqual(killed);
  });
});
