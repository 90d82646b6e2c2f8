import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import type { Windows } from '#core/schedule/windows.ts';
import { buy, sell, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { type Millis, productCode, strategyId } from '#domain/names.ts';
import type { StrategyState } from '#domain/strategy-state.ts';
import { usd } from '../support/limits.ts';
import { btcLane, btcProduct } from '../support/market-data.ts';
import { type Rig, type RigOptions, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

/** Long at and above 60,000, flat below. */
const threshold = strategy({
  name: 'threshold',
  signals: ({ quotes$ }) => quotes$,
  decide: ({ buy: { price } }, { position, amount }) => {
    if (price >= 60_000 && position.isFlat) return buy(amount, 'high');
    return price < 60_000 && position.isLong ? sell('position', 'low') : undefined;
  },
});

const waiting = strategy({ name: 'waiting', warmup: () => ({ quotes: 5 }), signals: ({ quotes$ }) => quotes$, decide: () => undefined });

/** Its signal is no number while the price is below 60,000. */
const rootless = strategy({
  name: 'rootless',
  signals: ({ quotes$ }) => quotes$.pipe(map(({ buy: { price } }) => Math.sqrt(price - 60_000))),
  decide: () => undefined,
});

const rig = rigsOfTests({ strategies: { t: threshold } });

const stateOf = (r: Rig): StrategyState => r.engine.inspect(({ states }) => states.of(strategyId('t'), r.clock.now()));
const tick = (r: Rig, price = 50_000, ms: Millis = 500): void => {
  if (r.price(price, { afterMs: ms })) r.answer(r.last);
};
/** So long only the daemon's own looks happen. */
const wait = (r: Rig, ms: Millis): void => {
  for (let done = 0; done < ms; done += 5_000) {
    r.moveBy(Math.min(5_000, ms - done));
    r.give({ kind: 'wake' });
  }
};
/** Quotes keep coming for so long. */
const quoted = (r: Rig, ms: Millis): void => {
  for (let done = 0; done < ms; done += 500) tick(r);
};
const blocked = (r: Rig) => r.allRows().filter(({ kind }) => kind === 'blocked');
const quiet = (r: Rig) => r.notices.filter((line) => /cannot trade|again after/.test(line));

describe('a strategy says in one word what it can do, why not, and for how long', () => {
  test('one whose signals are not numbers does not pass for one that trades, until a signal is a number again', () => {
    const r = rig({ strategies: { t: rootless } });
    tick(r);
    const since = r.clock.now();
    tick(r);
    expect(stateOf(r)).toMatchObject({
      state: 'NO_SIGNAL',
      reason: 'SIGNAL_NAN',
      since,
      figures: { why: expect.stringContaining('the signal is NaN') },
    });
    tick(r, 60_000);
    expect(stateOf(r).state).toBe('RUNNING');
  });

  test('it is RUNNING while quotes come, and without them it names the lane and the last quote', () => {
    const r = rig();
    expect(stateOf(r)).toMatchObject({ state: 'NO_QUOTES', reason: 'LANE_STALE', figures: { product: 'btcusd', lane: btcLane.id } });
    tick(r);
    expect(stateOf(r)).toEqual({ state: 'RUNNING', figures: {}, reason: null, since: null, until: null });
    const last = r.clock.now();
    r.moveBy(2_000);
    expect(stateOf(r)).toMatchObject({
      state: 'NO_QUOTES',
      reason: 'LANE_STALE',
      since: last + 2_000,
      figures: { lane: btcLane.id, quoteAt: last },
    });
  });

  test('it is COOLING_DOWN after losses in a row, with the time left', () => {
    const r = rig({ limits: { maxLossStreak: 1, lossCooldown: 300_000 } });
    tick(r, 60_000);
    tick(r, 59_000);
    const lostAt = r.clock.now();
    tick(r, 59_000);
    expect(stateOf(r)).toMatchObject({
      state: 'COOLING_DOWN',
      reason: 'LOSS_COOLDOWN',
      until: lostAt + 300_000,
      figures: { losses: 1 },
    });
    quoted(r, 299_500);
    expect(stateOf(r)).toMatchObject({ state: 'RUNNING' });
  });

  test("it is REDUCING after the day's loss, and says until when a rule lets it wait", () => {
    const r = rig({ limits: { maxDayLoss: usd(5) }, arming: { rearmAfterMs: 3_600_000 } });
    tick(r, 60_000);
    tick(r, 59_000);
    const { until, ...state } = stateOf(r);
    const reducing = { kind: 'reducing', who: 'kairos', why: expect.stringContaining('maxDayLoss'), until };
    expect(state).toMatchObject({ state: 'REDUCING', reason: 'MAX_DAY_LOSS', figures: { standing: [reducing] } });
    expect(until).toBeGreaterThan(START + 3_600_000);
  });

  test('it is WARMING_UP, and says how much it has seen, and when it will be warm at that rate', () => {
    const r = rig({ strategies: { t: waiting } });
    const began = r.clock.now();
    tick(r);
    tick(r);
    const now = r.clock.now();
    expect(stateOf(r)).toMatchObject({
      ...{ state: 'WARMING_UP', figures: { seen: 2, quotes: 5, spanMs: 0 }, until: now + 1.5 * (now - began) },
    });
    for (let more = 0; more < 3; more += 1) tick(r);
    expect(stateOf(r)).toMatchObject({ state: 'RUNNING' });
  });

  test('it is OUTSIDE_WINDOW until the minute at which its windows open, clocks moved or not', () => {
    const open = [{ days: [1, 2, 3, 4, 5], fromMinute: 570, toMinute: 960 }];
    const windows: Windows = {
      timezone: 'America/New_York',
      open,
      closed: [{ from: '2026-01-01', to: '2026-01-01', fromMinute: 0, toMinute: 1440 }],
    };
    const r = rig({ windows });
    tick(r);
    expect(stateOf(r)).toMatchObject({ state: 'OUTSIDE_WINDOW', until: Date.parse('2026-01-02T14:30:00Z') });
    const spring = rig({ windows, startAt: Date.parse('2026-03-06T22:00:00Z') });
    tick(spring);
    expect(stateOf(spring)).toMatchObject({ state: 'OUTSIDE_WINDOW', until: Date.parse('2026-03-09T13:30:00Z') });
  });

  test('it is PAUSED, DISABLED, DISARMED or HALTED, with what ends it', () => {
    const by = { who: 'ann', why: 'checked' };
    const r = rig();
    tick(r);
    r.give({ kind: 'command', command: { act: 'pause', strategy: strategyId('t'), ...by } });
    const since = r.clock.now();
    const paused = (strategy: string | null) => ({ kind: 'paused', strategy, since, ...by });
    expect(stateOf(r)).toMatchObject({ state: 'PAUSED', reason: 'PAUSED', since, figures: { standing: [paused('t')] } });
    r.give({ kind: 'command', command: { act: 'pause', strategy: null, ...by } });
    expect(stateOf(r)).toMatchObject({ state: 'PAUSED', figures: { standing: [paused(null), paused('t')] } });
    r.give({ kind: 'command', command: { act: 'resume', strategy: null, ...by } });
    expect(stateOf(r)).toMatchObject({ state: 'PAUSED', figures: { standing: [paused('t')] } });
    r.give({ kind: 'command', command: { act: 'resume', strategy: strategyId('t'), ...by } });
    expect(stateOf(r).state).not.toBe('PAUSED');
    r.give({ kind: 'command', command: { act: 'halt', ...by } });
    expect(stateOf(r)).toMatchObject({ state: 'HALTED', figures: { standing: [{ kind: 'halted', ...by }] } });
    r.give({ kind: 'command', command: { act: 'pause', strategy: strategyId('t'), ...by } });
    expect(stateOf(r)).toMatchObject({ state: 'HALTED', figures: { standing: [{ kind: 'halted' }, { kind: 'paused' }] } });
    const armless = rig({ arming: { arm: 'manual' } });
    expect(stateOf(armless)).toMatchObject({
      state: 'DISARMED',
      figures: { standing: [{ kind: 'disarmed', who: 'kairos', why: 'nothing was armed yet' }] },
    });
    armless.give({ kind: 'command', command: { act: 'pause', strategy: strategyId('t'), ...by } });
    expect(stateOf(armless)).toMatchObject({ state: 'DISARMED', figures: { standing: [{ kind: 'disarmed' }, { kind: 'paused' }] } });
  });

  test('it has NO_RATE where a limit is in a currency that nothing leads to, and NO_FUNDS where its amount costs more than there is', () => {
    const r = rig({ limits: { maxOrderValue: new Map([['eur', decimalOf(5000)]]) } });
    tick(r);
    expect(stateOf(r)).toMatchObject({
      state: 'NO_RATE',
      figures: { setting: 'risk.maxOrderValue', has: ['eur'], lacks: 'usd' },
    });
    const poor = rig({ opening: new Map([['usd', decimalOf(100)]]) });
    tick(poor);
    expect(stateOf(poor)).toMatchObject({ state: 'NO_FUNDS', reason: 'INSUFFICIENT_FUNDS', figures: { accountLeft: '100.00' } });
    const limits = { maxOrderValue: usd(500), maxPositionValue: usd(550), maxTotalValue: usd(50_000) };
    const all = rig({ opening: new Map([['usd', decimalOf(100)]]), limits });
    tick(all, 2_000_000);
    expect(stateOf(all)).toMatchObject({
      reason: 'BUDGET',
      figures: {
        ...{ cost: '20000.00', currency: 'usd', budgetLeft: '10000.00', accountLeft: '100.00' },
        limits: [
          { setting: 'risk.maxOrderValue', limit: '500', currency: 'usd' },
          { setting: 'risk.maxPositionValue', limit: '550', currency: 'usd' },
        ],
      },
    });
  });

  test('it has NO_FUNDS where all it has is in a position that the price makes too small to sell, until the price rises', () => {
    const coin = laneFor(productCode('coinusd'), { base: decimalOf('0.01') });
    const r = rig({ opening: new Map([['usd', decimalOf(700)]]), lanes: [coin] });
    const btc = productText(btcProduct);
    r.give({ kind: 'products', products: [btc, { ...btc, code: coin.product, minNotionalValue: '590' }] });
    const at = (buy: number): string => {
      r.price(buy, { product: coin.product, lane: coin.id });
      return stateOf(r).state;
    };
    at(60_000);
    r.answer(r.last);
    expect([60_000, 58_999, 60_000].map(at)).toEqual(['RUNNING', 'NO_FUNDS', 'RUNNING']);
  });

  test('it is FROZEN while an order in its product has an unknown outcome', () => {
    const r = rig();
    r.price();
    r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null, why: 'nothing came' });
    tick(r, 60_000);
    expect(stateOf(r)).toMatchObject({ state: 'FROZEN', figures: { order: r.last.id, product: 'btcusd' } });
  });
});

test('a strategy whose signals warm up for 30 s is told where it holds a position, which it does not see', () => {
  const first = rig();
  tick(first, 60_000);
  first.journal.flush();
  first.crash();
  const slow = { ...threshold, warmup: () => ({ quotes: 100 }) };
  const second = rig({ strategies: { t: slow }, folder: first.folder, startAt: first.clock.now() + 900_000 });
  for (let n = 0; n < 70; n++) tick(second, 60_000);
  const line =
    /^warn: t cannot trade since \S+: \d+ of 100 quotes seen; it ends by itself; until then only exits and people close what it holds$/;
  expect(quiet(second)).toEqual([expect.stringMatching(line)]);
  const flat = rig({ strategies: { t: slow } });
  for (let n = 0; n < 70; n++) tick(flat, 60_000);
  expect(quiet(flat)).toEqual([]);
});

describe('a strategy that cannot trade for 30 s for a cause outside it says so once, with the mend', () => {
  test('a lane that is refused: nothing before 30 s, one line with why and the mend then, one when it is over', () => {
    const r = rig();
    tick(r);
    r.give({ kind: 'lane', change: { phase: 'refused', lane: btcLane.id, epoch: 1, why: 'ERR no such size' } });
    wait(r, 25_000);
    expect(blocked(r)).toEqual([]);
    wait(r, 60_000);
    expect(blocked(r)).toMatchObject([
      {
        strategy: 't',
        reason: 'LANE_DOWN',
        detail: { on: true, state: 'NO_QUOTES', since: '2026-01-01T00:00:00.500Z', figures: { phase: 'refused', why: 'ERR no such size' } },
      },
    ]);
    expect(quiet(r)).toEqual([expect.stringMatching(/^warn: t cannot trade since .*ERR no such size; check product and amount; /)]);
    r.give({ kind: 'lane', change: { phase: 'opening', lane: btcLane.id, epoch: 2 } });
    r.give({ kind: 'lane', change: { phase: 'acked', lane: btcLane.id, epoch: 2 } });
    for (let n = 0; n < 20; n += 1) {
      r.price(60_000, { epoch: 2 });
    }
    expect(blocked(r).map(({ detail }) => detail.on)).toEqual([true, false]);
    expect(quiet(r)).toHaveLength(2);
  });

  test.each<[string, Partial<RigOptions>, (r: Rig) => void, string]>([
    ['no rate', { limits: { maxOrderValue: new Map([['eur', decimalOf(5000)]]) } }, (r) => quoted(r, 40_000), 'NO_RATE'],
    ['no money', { opening: new Map([['usd', decimalOf(100)]]) }, (r) => quoted(r, 40_000), 'INSUFFICIENT_FUNDS'],
    ['quotes that stop', {}, (r) => wait(r, 40_000), 'LANE_STALE'],
    ['no clock', { keepsClock: false }, (r) => quoted(r, 40_000), 'CLOCK_UNSURE'],
    ['not armed', { arming: { arm: 'manual' } }, (r) => quoted(r, 40_000), 'DISARMED'],
    [
      'an order of unknown outcome',
      {},
      (r) => {
        r.price();
        r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null, why: 'nothing came' });
        quoted(r, 40_000);
      },
      'PRODUCT_FROZEN',
    ],
    [
      'refused again and again',
      { limits: { maxSpreadPct: 0.0001 } },
      (r) => {
        for (let done = 0; done < 40_000; done += 500) {
          r.price(60_000, { sell: 59_000 });
        }
      },
      'MAX_SPREAD',
    ],
  ])('%s', (_name, options, happens, reason) => {
    const r = rig(options);
    happens(r);
    expect(blocked(r).map((row) => [row.reason, row.detail.on])).toEqual([[reason, true]]);
    expect(quiet(r)).toHaveLength(1);
  });

  test("the day's value that is used up is told once and stands until midnight UTC, however seldom the strategy asks", () => {
    const r = rig({ limits: { maxDayValue: usd(500) } });
    for (let n = 0; n < 4; n += 1) {
      tick(r, 60_000);
      quoted(r, 20_000);
    }
    expect(stateOf(r)).toMatchObject({ state: 'REFUSED', reason: 'MAX_DAY_VALUE', until: START + 86_400_000, since: START + 500 });
    quoted(r, 60_000);
    expect(blocked(r).map(({ reason, detail }) => [reason, detail.on])).toEqual([['MAX_DAY_VALUE', true]]);
    r.moveBy(START + 86_400_000 - r.clock.now() - 250);
    quoted(r, 10_000);
    expect(stateOf(r).state).toBe('RUNNING');
    expect(blocked(r).at(-1)?.detail).toMatchObject({ on: false });
  });

  test('orders a minute that are used up stand until the oldest of them is a minute old, however seldom the strategy asks', () => {
    const r = rig({ limits: { maxOrdersPerMinuteOfStrategy: 2 } });
    tick(r, 60_000);
    tick(r, 50_000);
    for (let n = 0; n < 2; n += 1) {
      quoted(r, 19_500);
      tick(r, 60_000);
    }
    expect(stateOf(r)).toMatchObject({
      state: 'REFUSED',
      reason: 'MAX_ORDERS_PER_MINUTE_OF_STRATEGY',
      since: START + 21_000,
      until: START + 60_500,
    });
    quoted(r, 19_000);
    expect([r.clock.now(), stateOf(r).state]).toEqual([START + 60_000, 'REFUSED']);
    expect(blocked(r).map(({ reason, detail }) => [reason, detail.on])).toEqual([['MAX_ORDERS_PER_MINUTE_OF_STRATEGY', true]]);
    quoted(r, 500);
    expect(stateOf(r).state).toBe('RUNNING');
    quoted(r, 10_000);
    expect(blocked(r).map(({ detail }) => [detail.on, detail.state])).toEqual([
      [true, 'REFUSED'],
      [false, 'RUNNING'],
    ]);
    tick(r, 60_000);
    expect(r.broker.submitted).toHaveLength(3);
  });

  test('an order that is sent meanwhile, such as an exit, counts towards the minute that stands', () => {
    const greedy = strategy({
      name: 'greedy',
      signals: ({ quotes$ }) => quotes$,
      decide: ({ buy: { price } }, { position, amount }) => {
        if (price >= 60_000) return buy(amount, 'more');
        return price < 50_000 && position.isLong ? sell('position', 'out') : undefined;
      },
    });
    const r = rig({ strategies: { t: greedy }, limits: { maxOrdersPerMinute: 1, duplicateWindowMs: null } });
    for (let n = 0; n < 3; n += 1) {
      quoted(r, 9_500);
      tick(r, 60_000);
    }
    expect(stateOf(r)).toMatchObject({ state: 'REFUSED', reason: 'MAX_ORDERS_PER_MINUTE', until: START + 70_000 });
    quoted(r, 14_500);
    tick(r, 49_000);
    expect(r.broker.submitted).toHaveLength(2);
    expect(stateOf(r)).toMatchObject({ state: 'REFUSED', since: START + 20_000, until: START + 105_000 });
    quoted(r, 59_500);
    expect(stateOf(r).state).toBe('REFUSED');
    tick(r);
    expect(stateOf(r).state).toBe('RUNNING');
  });

  test('one slow answer that leaves openings too little time is named with its figures and the time until which it counts', () => {
    const r = rig();
    r.price();
    r.answer(r.last, { roundTripMs: 2900 });
    const until = r.clock.now() + 600_000;
    tick(r);
    expect(r.broker.submitted, 'exits need no more than risk.minTimeLeftMs').toHaveLength(2);
    for (let n = 0; n < 100; n += 1) tick(r, 60_000);
    expect(r.broker.submitted).toHaveLength(2);
    const state = {
      ...{ state: 'REFUSED', reason: 'TIME_LEFT', since: START + 1_500, until },
      figures: { checks: expect.anything(), answer: { ms: 2900, leastMs: 250 } },
    };
    expect(stateOf(r)).toEqual(state);
    expect(quiet(r)).toHaveLength(1);
    for (let n = 0; n < 1_100; n += 1) tick(r, 60_000);
    expect(r.broker.submitted).toHaveLength(3);
  });

  /** Quotes at which it wants to buy, and whose spread is refused. */
  const wide = (r: Rig, ms: Millis): void => {
    for (let done = 0; done < ms; done += 500) {
      r.price(60_000, { sell: 59_000 });
    }
  };

  test('a strategy that asks every quarter of a minute and is refused each time does not trade in between', () => {
    const r = rig({ limits: { maxSpreadPct: 0.0001 } });
    for (let n = 0; n < 8; n += 1) {
      wide(r, 500);
      quoted(r, 14_500);
      if (n > 0) expect(stateOf(r)).toMatchObject({ state: 'REFUSED', since: START + 500 });
    }
    expect(blocked(r).map(({ detail }) => detail.on)).toEqual([true]);
    quoted(r, 60_000);
    expect(stateOf(r).state).toBe('RUNNING');
  });

  test('what was told to be over and goes on is told again at once, from that end on', () => {
    const r = rig({ limits: { maxSpreadPct: 0.0001 } });
    wide(r, 40_000);
    quoted(r, 20_000);
    const [, over] = blocked(r);
    wide(r, 5_000);
    const again = blocked(r)[2];
    expect([over?.detail.on, again?.detail.on]).toEqual([false, true]);
    expect([over, again].map((row) => row?.detail.since)).toEqual(['2026-01-01T00:00:00.500Z', '2026-01-01T00:00:55.000Z']);
    expect(over?.detail.lastedMs).toBe(54_500);
  });

  test('another cause in the same time is told once it has lasted as long; causes that take turns are told once', () => {
    const r = rig();
    tick(r);
    const lane = (epoch: number, phase: 'lost' | 'acked'): void =>
      r.give({
        kind: 'lane',
        change: phase === 'lost' ? { phase, lane: btcLane.id, epoch, why: 'closed' } : { phase, lane: btcLane.id, epoch },
      });
    for (let epoch = 1; epoch < 20; epoch += 2) {
      lane(epoch, 'lost');
      wait(r, 5_000);
      lane(epoch + 1, 'acked');
      wait(r, 5_000);
    }
    expect(quiet(r)).toHaveLength(1);
    r.give({ kind: 'condition', name: 'clock', on: true, figure: 0 });
    wait(r, 40_000);
    expect(blocked(r).map(({ reason }) => reason)).toEqual([expect.stringMatching(/^LANE_/), 'CLOCK_UNSURE']);
  });

  test('what is its own, a person or its windows is no silence: pauses, cooling down, a rule that wants nothing', () => {
    const r = rig({ limits: { maxLossStreak: 1, lossCooldown: 300_000 } });
    tick(r, 60_000);
    tick(r, 59_000);
    quoted(r, 60_000);
    r.give({ kind: 'command', command: { act: 'pause', strategy: null, who: 'ann', why: 'lunch' } });
    quoted(r, 60_000);
    expect(blocked(r)).toEqual([]);
    expect(quiet(r)).toEqual([]);
  });

  test('a halt that a person ended is not told afterwards, though every order was refused by it', () => {
    const r = rig();
    r.give({ kind: 'command', command: { act: 'halt', who: 'ann', why: 'looking' } });
    for (let n = 0; n < 80; n += 1) tick(r, 60_000);
    r.give({ kind: 'command', command: { act: 'resume', strategy: null, who: 'ann', why: 'looked' } });
    expect(stateOf(r).state).toBe('RUNNING');
    tick(r, 50_000);
    quoted(r, 20_000);
    expect([blocked(r), quiet(r)]).toEqual([[], []]);
  });

  test('a run that has stopped tells nothing more', () => {
    const r = rig();
    r.give({ kind: 'command', command: { act: 'stop', who: 'SIGTERM', why: 'asked' } });
    wait(r, 60_000);
    expect(blocked(r)).toEqual([]);
  });
});
