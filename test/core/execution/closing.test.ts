import { describe, expect, test } from 'vitest';
import { standIn } from '#core/execution/lent-lanes.ts';
import type { Plan } from '#core/execution/plan.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import { laneFor } from '#domain/lane.ts';
import { laneIdOf, strategyId } from '#domain/names.ts';
import { BTC, btcLane, btcProduct } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';
import { base, disarm, legOf, planOf, type WorkingOptions, wants, working } from './working.ts';

const second = laneFor(BTC, base('0.02'));
const all: Intent = wants('sell', { size: { kind: 'position' }, reason: 'stop' });

/** A position whose closing begins at a quote of the lane of 0.01. */
function closing(held: string, options: WorkingOptions = {}) {
  const w = working(options);
  w.holding(held);
  w.quote(60_000);
  w.parentOrders.close(planOf([all]));
  return w;
}

const troubles = (w: ReturnType<typeof working>): readonly string[] => w.notices.filter((text) => text.includes('could not be closed'));
const lost = (w: ReturnType<typeof working>): void => {
  w.context.market.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'test' }, w.context.log.now);
};
/** As the engine does when a lane has been down for a while. */
const downFor = (w: ReturnType<typeof working>, ms: number): void => {
  w.after(ms);
  w.parentOrders.onQuote(btcLane.id, 'exit');
};

describe('a position that is to be closed', () => {
  test('is closed on its own lane where that has its size, and then it is over', () => {
    const w = closing('0.01');
    expect(w.orders()).toEqual(['sell 0.01']);
    w.answer();
    expect([w.held(), w.parentOrders.isClosing(OWNER)]).toEqual(['0', false]);
    w.quote(60_001);
    expect(w.orders()).toHaveLength(1);
  });

  test('is one loss, in however many parts the service executes it', () => {
    const w = working({ reserve: 1, limits: { maxLossStreak: 2, maxLossStreakOfAll: 2, lossCooldown: 3_600_000 } });
    const { losses } = w.context.monitor;
    for (const left of [0, 3_600_000]) {
      w.holding('0.01');
      w.quote(59_000);
      w.parentOrders.close(planOf([all]));
      w.answer({ figures: { size: '0.004', value: '236' } });
      for (const [size, value] of [
        ['0.003', '177'],
        ['0.002', '118'],
        ['0.001', '59'],
      ] as const) {
        w.quote(59_000, { afterMs: 500 });
        w.lentQuote(59_000);
        w.answer({ figures: { size, value } });
      }
      expect([w.held(), losses.leftMs(OWNER, w.context.log.now)]).toEqual(['0', left]);
    }
    expect(w.context.state.stops.reducing).toMatchObject({ reason: 'LOSS_STREAK' });
  });

  test('is tried on each new quote until it is; a person hears of the first failure alone', () => {
    const w = closing('0.01');
    w.expired();
    w.quote(60_001);
    w.rejected();
    w.quote(60_002, { afterMs: 999 });
    expect(w.orders()).toHaveLength(2);
    w.quote(60_003, { afterMs: 1 });
    w.answer();
    expect([w.orders(), w.parentOrders.isClosing(OWNER)]).toEqual([['sell 0.01', 'sell 0.01', 'sell 0.01'], false]);
    expect(troubles(w)).toEqual(['error: s: the position could not be closed: stop: expired; it is tried again on the next quotes']);
  });

  test('is not closed twice: what is on its way already is waited for, an order to add to it is not', () => {
    const w = working();
    w.holding('0.01');
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('sell')]));
    w.parentOrders.close(planOf([all]));
    w.quote(60_001);
    expect([w.told, troubles(w)]).toEqual([['sent'], []]);
    w.expired();
    w.quote(60_002);
    expect(w.orders()).toEqual(['sell 0.01', 'sell 0.01']);
    const adds = working();
    adds.holding('0.01');
    adds.quote(60_000);
    adds.parentOrders.begin(planOf([wants('buy')]));
    adds.parentOrders.close(planOf([all]));
    adds.quote(60_001);
    expect(adds.orders()).toEqual(['buy 0.01', 'sell 0.01']);
  });

  test('waits where its order has an unknown outcome, and goes on or ends once that is known', () => {
    const w = closing('0.01');
    w.unanswered();
    const { id } = w.last();
    w.quote(60_001);
    expect([w.orders(), w.told.at(-1), w.parentOrders.isClosing(OWNER)]).toEqual([['sell 0.01'], 'refused POSITION_UNSURE', true]);
    expect(w.row('refused')?.detail).toMatchObject({
      checks: [{ check: 'POSITION_UNSURE', figure: '0.01 is held, from 0 to 0.01 is possible', limit: id }],
    });
    w.reports.resolve(id, { who: 'me', why: 'looked', fill: null });
    w.quote(60_002);
    expect(w.orders()).toEqual(['sell 0.01', 'sell 0.01']);
    w.unanswered();
    w.answer({ late: true });
    expect([w.held(), w.parentOrders.isClosing(OWNER)]).toEqual(['0', false]);
  });

  test('in part is tried again once its order of unknown outcome is known, and not before', () => {
    const w = working();
    w.holding('0.02');
    w.quote(60_000);
    w.parentOrders.close(planOf([wants('sell', { size: { kind: 'percent', percent: 50 } })]));
    w.unanswered();
    w.quote(60_001);
    expect([w.told, w.parentOrders.isClosing(OWNER)]).toEqual([['sent'], true]);
    w.reports.resolve(w.last().id, { who: 'me', why: 'looked', fill: null });
    w.quote(60_002, { afterMs: 1000 });
    expect(w.orders()).toEqual(['sell 0.01', 'sell 0.01']);
  });

  test('is closed whole where its order executes a part, and ends where what is left is too little for an order', () => {
    const w = closing('0.01');
    w.answer({ figures: { size: '0.004', value: '240' } });
    expect([w.held(), w.parentOrders.isClosing(OWNER)]).toEqual(['0.006', true]);
    const dust = closing('0.01');
    dust.answer({ figures: { size: '0.00995', value: '597' } });
    expect([dust.held(), dust.parentOrders.isClosing(OWNER)]).toEqual(['0.00005', false]);
    const cheap = closing('0.01');
    cheap.products([{ ...btcProduct, minNotionalValue: decimalOf(60) }]);
    cheap.answer({ figures: { size: '0.0095', value: '570' } });
    expect([cheap.held(), cheap.parentOrders.isClosing(OWNER)]).toEqual(['0.0005', false]);
  });

  test.each([
    ['nothing is held', '0'],
    ['what is held is too little for an order', '0.00005'],
  ])('is over where %s', (_, held) => {
    const w = closing(held);
    expect([w.orders(), w.parentOrders.isClosing(OWNER), troubles(w)]).toEqual([[], false, []]);
    w.quote(60_001);
    expect(w.told).toHaveLength(1);
  });

  test('is known by its leg while it is at work', () => {
    const w = closing('0.02');
    const isOf = (reason: string) => w.parentOrders.closingOf(OWNER, ({ intent }) => intent.reason === reason);
    expect(isOf('stop')?.legs).toHaveLength(1);
    expect([isOf('other'), w.parentOrders.closingOf(strategyId('other'), () => true)]).toEqual([undefined, undefined]);
    w.parentOrders.begin(planOf([wants('buy', { within: 1000, limit: 1, reason: 'in' })]));
    expect(isOf('in'), 'which closes nothing').toBeUndefined();
  });
});

describe('a position whose own lane is down', () => {
  const lost = () => {
    const w = closing('0.01', { reserve: 1 });
    w.expired();
    w.context.market.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'a test' }, w.context.log.now);
    w.after(1000);
    w.parentOrders.onQuote(btcLane.id, 'exit');
    w.lentQuote();
    expect([w.lent.length, w.orders().length]).toEqual([1, 2]);
    return w;
  };

  test.each<[string, (w: ReturnType<typeof working>) => void, size: number]>([
    ['expired', (w) => w.expired(), 0.01],
    ['was rejected', (w) => w.rejected(), 0.01],
    ['executed a part', (w) => w.answer({ figures: { size: '0.004', value: '240' } }), 0.006],
  ])('is lent another once more where the order on the first %s', (_, settle, size) => {
    const w = lost();
    settle(w);
    w.after(999);
    expect(w.lent).toHaveLength(1);
    w.after(1);
    expect(w.lent).toHaveLength(2);
    w.lentQuote();
    expect(w.orders().at(-1)).toBe(`sell ${size}`);
    w.answer();
    w.after(60_000);
    expect([w.held(), w.lent.length, w.parentOrders.isClosing(OWNER)]).toEqual(['0', 2, false]);
  });

  test('is lent none before a second rejection in a row is two seconds old', () => {
    const w = lost();
    w.rejected();
    w.after(1000);
    w.lentQuote();
    w.rejected();
    w.after(1999);
    expect(w.lent).toHaveLength(2);
    w.after(1);
    expect(w.lent).toHaveLength(3);
  });
});

describe('a position of a size that no lane has', () => {
  test('is closed on a lane that is lent for it, and given back', () => {
    const w = closing('0.02', { reserve: 1 });
    expect(w.lent.map(({ id }) => id)).toEqual(['btcusd@base:0.02#2-1']);
    w.quote(60_001);
    expect(w.orders(), 'its own lane is of another size').toEqual([]);
    w.lentQuote();
    expect([w.orders(), w.givenBack]).toEqual([['sell 0.02'], []]);
    w.answer();
    expect([w.held(), w.givenBack, w.context.market.lane(w.lent[0]?.id ?? btcLane.id)]).toEqual(['0', [w.lent[0]?.id], undefined]);
    w.after(5000);
    expect(w.story()).not.toContain('refused LANE_WAIT');
  });

  test('that brings no quote in time is given back, and another is asked for on the next quote', () => {
    const w = closing('0.02', { reserve: 1 });
    w.after(1499);
    expect(w.givenBack).toEqual([]);
    w.after(1);
    expect(w.givenBack).toHaveLength(1);
    const check = { check: 'LANE_WAIT', passed: false, figure: 'base:0.02', limit: 1500 };
    expect(w.row('refused')).toMatchObject({ reason: 'LANE_WAIT', detail: { intent: { side: 'sell' }, checks: [check] } });
    expect(troubles(w)).toHaveLength(1);
    w.quote(60_001);
    expect(w.lent).toHaveLength(2);
    w.lentQuote();
    w.answer();
    expect([w.held(), troubles(w).length]).toEqual(['0', 1]);
  });

  test('keeps its lane while an order on it is on its way, however long, and is lent another where that failed', () => {
    const w = closing('0.02', { reserve: 1 });
    w.lentQuote();
    w.after(5000);
    expect(w.givenBack).toEqual([]);
    w.expired();
    expect(w.givenBack).toHaveLength(1);
    w.quote(60_001);
    expect(w.lent).toHaveLength(2);
  });

  test('that grows meanwhile is closed on a lane of what is held then', () => {
    const w = closing('0.02', { reserve: 1 });
    w.holding('0.01');
    w.lentQuote();
    expect([w.lent.map(({ id }) => id.split('#')[0]), w.givenBack]).toEqual([['btcusd@base:0.02', 'btcusd@base:0.03'], [w.lent[0]?.id]]);
    w.lentQuote();
    expect(w.orders()).toEqual(['sell 0.03']);
  });

  test('keeps its lane where its quote is refused, for the next one', () => {
    const w = closing('0.02', { reserve: 1, limits: { minTimeLeftMs: 5000 } });
    w.lentQuote();
    expect([w.told.at(-1), w.givenBack]).toEqual(['refused TIME_LEFT', []]);
    w.quote(60_000, { lane: w.lent[0]?.id ?? btcLane.id, size: 0.02, validUntil: w.context.log.now + 9000 });
    expect(w.orders()).toEqual(['sell 0.02']);
  });

  test.each<[string, number, object]>([
    ['while all lanes are lent', 1, { check: 'LANE_POOL_EMPTY', passed: false, figure: 1, limit: 1 }],
    ['where there are none to lend', 0, { check: 'LANE_POOL_EMPTY', passed: false, figure: 0, limit: 0 }],
  ])('waits %s, and a row says so', (_, reserve, check) => {
    const w = working({ reserve });
    const other = w.context.lanePool.acquire(btcLane.product, btcLane.amount, 'other');
    w.holding('0.02');
    w.quote(60_000);
    w.parentOrders.close(planOf([all]));
    expect(w.row('refused')).toMatchObject({ strategy: 's', detail: { checks: [check] } });
    expect([w.parentOrders.isClosing(OWNER), troubles(w).length]).toEqual([true, 1]);
    if (other) w.context.lanePool.release(other.id);
    w.quote(60_001);
    expect(w.lent).toHaveLength(2 * reserve);
  });

  test('is not asked for while trading is halted', () => {
    const w = working({ reserve: 1 });
    w.holding('0.02');
    w.quote(60_000);
    w.context.state.halt('HALTED', 'me', 'test');
    w.parentOrders.close(planOf([all]));
    expect([w.told, w.lent]).toEqual([['refused HALTED'], []]);
  });

  const target = (size: string, more: Partial<Intent> = {}): Intent =>
    wants(null, { size: { kind: 'target', size: decimalOf(size) }, ...more });

  test.each<[string, Plan, waits: boolean, held?: string]>([
    ['the same', planOf([target('0.03')]), true],
    ['more on the same side', planOf([target('0.04')]), true],
    ['at another limit', planOf([target('0.03', { limit: 61_000 })]), false],
    ['more, with a time', planOf([target('0.04', { within: 9000 })]), false],
    ['and something after it', planOf([target('0.03'), wants('buy')]), false],
    ['on another lane', planOf([legOf(target('0.03'), second)]), false],
    ['on the other side', planOf([target('-0.03')]), false],
    ['for another strategy', planOf([target('0.03')], { strategy: strategyId('other') }), false],
    ['what is held by now', planOf([target('0.03')]), false, '0.03'],
  ])('an intent on the present quote that waits for a lane, asked for again: %s', (_, asked, waits, held) => {
    const w = working({ reserve: 1, lanes: [second] });
    w.quote(60_000, { lane: second.id, size: 0.02 });
    w.quote(60_000);
    w.parentOrders.begin(planOf([target('0.03')]));
    if (held !== undefined) w.holding(held);
    w.parentOrders.begin(asked);
    expect(w.told).toHaveLength(waits ? 1 : 2);
  });

  test.each<[string, Plan]>([
    ['with a time', planOf([target('0.03', { within: 9000 })])],
    ['and something after it', planOf([target('0.03'), wants('buy')])],
  ])('and one %s makes way for one that has none', (_, waiting) => {
    const w = working({ reserve: 1 });
    w.quote(60_000);
    w.parentOrders.begin(waiting);
    w.parentOrders.begin(planOf([target('0.03')]));
    expect([w.told, w.givenBack.length]).toEqual([['needs_lane', 'needs_lane'], 1]);
  });

  test('an intent that waits for a lane and then is replaced gives it back', () => {
    const w = working({ reserve: 1 });
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants(null, { within: 9000, size: { kind: 'target', size: decimalOf('0.03') } })]));
    expect(w.lent.map(({ id }) => id)).toEqual(['btcusd@base:0.03#2-1']);
    w.parentOrders.begin(planOf([wants('buy')]));
    expect(w.givenBack).toHaveLength(1);
    w.answer();
    w.after(5000);
    expect([w.orders(), w.story().includes('refused LANE_WAIT')]).toEqual([['buy 0.01'], false]);
  });
});

describe('a position whose own lane is down', () => {
  test('is closed on another that is lent, floored to the step', () => {
    const w = closing('0.01', { reserve: 1 });
    w.expired();
    w.context.books.book(OWNER, btcLane.product).correct(decimalOf('0.00005'), false);
    lost(w);
    downFor(w, 1000);
    expect(w.lent.map(({ id }) => id)).toEqual(['btcusd@base:0.01#4-1']);
    downFor(w, 100);
    expect(w.lent, 'one is enough').toHaveLength(1);
    w.lentQuote();
    expect(w.orders()).toEqual(['sell 0.01', 'sell 0.01']);
  });

  test('is lent another one where that brings nothing either', () => {
    const w = closing('0.01', { reserve: 1 });
    w.expired();
    lost(w);
    downFor(w, 1000);
    w.after(1499);
    expect(w.givenBack).toEqual([]);
    w.after(1);
    expect([w.givenBack.length, w.lent.length]).toEqual([1, 2]);
    w.lentQuote();
    w.answer();
    expect([w.held(), w.givenBack.length, w.parentOrders.isClosing(OWNER)]).toEqual(['0', 2, false]);
    w.after(5000);
    expect(w.lent).toHaveLength(2);
  });

  test('asks again each second while all lanes are lent', () => {
    const w = closing('0.01', { reserve: 1 });
    const other = w.context.lanePool.acquire(btcLane.product, btcLane.amount, 'other');
    w.expired();
    lost(w);
    downFor(w, 1000);
    downFor(w, 500);
    if (other) w.context.lanePool.release(other.id);
    w.after(999);
    expect(w.lent).toHaveLength(1);
    w.after(1);
    expect(w.lent, 'counted from when it asked last').toHaveLength(2);
    w.lentQuote();
    expect(w.orders()).toHaveLength(2);
  });

  test.each(['halted', 'disarmed'])('is lent none while trading is %s', (stop) => {
    const w = closing('0.01', { reserve: 1, options: { arming: { arm: 'manual', rearmAfterMs: null, crashHalt: null } } });
    w.expired();
    if (stop === 'halted') w.context.state.halt('HALTED', 'me', 'test');
    else disarm(w);
    lost(w);
    downFor(w, 1000);
    downFor(w, 1000);
    expect([w.lent, w.parentOrders.isClosing(OWNER)]).toEqual([[], true]);
  });

  test('waits for its lane where none are lent, or nothing can be closed', () => {
    const none = closing('0.01');
    none.expired();
    lost(none);
    downFor(none, 1000);
    expect(none.orders()).toHaveLength(1);
    none.ack();
    none.quote(60_001, { afterMs: 5000 });
    expect(none.orders()).toHaveLength(2);
    const dust = closing('0.01', { reserve: 1 });
    dust.expired();
    dust.holding('-0.00995');
    lost(dust);
    downFor(dust, 1000);
    expect(dust.lent).toEqual([]);
    const never = working();
    never.holding('0.01');
    expect(standIn(never.context, OWNER, legOf(all, second)), 'a lane that never was is down').toEqual(base('0.01'));
  });

  test('an intent of the strategy waits for its own lane', () => {
    const w = working({ reserve: 1 });
    w.holding('0.01');
    lost(w);
    w.parentOrders.begin(planOf([wants('sell', { within: 9000 })]));
    downFor(w, 1000);
    expect(w.lent).toEqual([]);
    expect(w.context.lanePool.lane(laneIdOf('btcusd@base:0.01'))).toBeUndefined();
  });
});
