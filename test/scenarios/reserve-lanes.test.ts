import { describe, expect, test } from 'vitest';
import type { Decided } from '#core/strategy/contract.ts';
import { buy, close, mid, sell, strategy, target } from '#core/strategy/index.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { refusalWords } from '#domain/check-words.ts';
import { decimalOf } from '#domain/decimal.ts';
import { type LaneId, strategyId } from '#domain/names.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests({ reserve: 1 });

const amount = { base: '0.01' };

function rig(decisions: Readonly<Record<number, () => Decided>>, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const scripted = strategy({
    name: 'scripted',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (price) => decisions[price]?.(),
  });
  return newRig({ strategies: { s: scripted }, ...options });
}

/** The lane that was lent last is acknowledged. */
function ack(r: Rig): LaneId {
  const lane = r.lent.at(-1);
  if (!lane) throw new Error('no lane was lent');
  r.ack(lane);
  return lane.id;
}

const orders = (r: Rig): string[] => r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);

/** Two buys, so that what is held is no lane's amount. */
const entries = { 60000: () => buy(amount, 'one'), 60001: () => buy(amount, 'two') };

function holdingTwo(decisions: Readonly<Record<number, () => Decided>>, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const r = rig({ ...entries, ...decisions }, options);
  r.price();
  r.answer(r.last);
  r.price(60_001);
  r.answer(r.last);
  return r;
}

describe('while a plan that waits for its price has the last lane', () => {
  const once = (wants: () => Decided) => {
    let asked = false;
    return strategy({
      name: 'once',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: () => {
        if (asked) return undefined;
        asked = true;
        return wants();
      },
    });
  };

  /** One strategy holds 0.00999, and of the last lane another waits for a price. */
  const waiting = (limit: number, options: Omit<RigOptions, 'strategies'> = {}): Rig => {
    const holder = once(() => buy(amount, 'in'));
    const patient = once(() => buy({ base: '0.03' }, 'cheap', { within: '1h', limit }));
    const r = newRig({ strategies: { holder, patient }, feeIn: 'base', ...options });
    r.price();
    r.answer(r.last);
    expect(orders(r)).toEqual(['buy 0.01']);
    r.price(60_000, { lane: ack(r), size: 0.03, afterMs: 100 });
    return r;
  };
  const close = { act: 'close', strategy: strategyId('holder'), product: null, pct: 100, who: 'ann', why: 'a test' } as const;

  test.each<[string, (r: Rig) => void]>([
    ['an exit', (r) => r.price(59_000)],
    ['a person who closes', (r) => r.give({ kind: 'command', command: close })],
  ])('%s takes it, and the plan waits for the next one', (_, closes) => {
    const r = waiting(40_000, { exits: { stopLossPct: 1 } });
    closes(r);
    expect([r.lent.length, r.givenBack]).toEqual([2, [r.lent[0]?.id]]);
    r.price(59_000, { lane: ack(r), size: 0.0099, afterMs: 100 });
    expect(orders(r)).toEqual(['buy 0.01', 'sell 0.0099']);
    r.answer(r.last);
    r.price(40_000);
    r.price(40_000, { lane: ack(r), size: 0.03, afterMs: 100 });
    expect(orders(r).at(-1)).toBe('buy 0.03');
  });

  test('an exit waits where an order is on its way on it', () => {
    const r = waiting(61_000, { exits: { stopLossPct: 1 } });
    expect(orders(r).at(-1)).toBe('buy 0.03');
    r.price(59_000);
    expect([r.lent.length, r.givenBack]).toEqual([1, []]);
    expect(r.story()).toContain('refused LANE_POOL_EMPTY');
    r.answer(r.last);
    r.price(59_000);
    expect(r.lent).toHaveLength(2);
  });
});

describe('an amount that no lane has is served by a lane that is lent', () => {
  test("sell('position') takes the first quote of exactly what is held, and gives the lane back", () => {
    const r = holdingTwo({ 59000: () => sell('position', 'out') });
    r.price(59_000);
    expect(orders(r)).toHaveLength(2);
    expect(r.lent).toMatchObject([{ product: 'btcusd', amount: { base: expect.anything() } }]);
    const lane = ack(r);
    r.price(59_000, { lane, size: 0.02, afterMs: 100 });
    expect(orders(r).at(-1)).toBe('sell 0.02');
    expect(r.last.lane).toBe(lane);
    r.answer(r.last);
    expect(r.givenBack).toEqual([lane]);
    expect(r.query("SELECT sum(amount) AS held FROM ledger WHERE kind = 'fill' AND currency = 'btc'")).toEqual([{ held: 0 }]);
  });

  test.each([
    ['close(25)', () => close(25, 'some'), 'sell 0.005'],
    ['target(0.005)', () => target(0.005, 'less'), 'sell 0.015'],
    ['target(0.05)', () => target(0.05, 'more'), 'buy 0.03'],
    ['an amount of its own', () => buy({ base: '0.007' }, 'odd'), 'buy 0.007'],
  ])('%s', (_, decide, expected) => {
    const r = holdingTwo({ 59000: decide });
    r.price(59_000);
    const lane = ack(r);
    r.price(59_000, { lane, size: Number(expected.split(' ')[1]), afterMs: 100 });
    expect(orders(r).at(-1)).toBe(expected);
  });

  test('F29 quotes of another size on the lent lane are dropped and never ordered', () => {
    const r = holdingTwo({ 59000: () => sell('position', 'out') });
    r.price(59_000);
    const lane = ack(r);
    r.price(59_000, { lane, size: 0.01, afterMs: 100 });
    expect(orders(r)).toHaveLength(2);
    r.price(59_000, { lane, size: 0.02, afterMs: 100 });
    expect(orders(r)).toHaveLength(3);
  });

  test('F26 a quote before the ACK is not used', () => {
    const r = holdingTwo({ 59000: () => sell('position', 'out') });
    r.price(59_000);
    r.price(59_000, { lane: r.lent[0]?.id ?? ('' as LaneId), size: 0.02, afterMs: 100 });
    expect(orders(r)).toHaveLength(2);
  });

  test('F33 its first quote is held against the prices of the standing lane', () => {
    const r = holdingTwo({ 59000: () => sell('position', 'out', { within: '10s' }) }, { limits: { reducingCollarPct: 5 } });
    r.price(59_000);
    const lane = ack(r);
    r.price(5900, { lane, size: 0.02, afterMs: 100 });
    expect(orders(r)).toHaveLength(2);
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'COLLAR' });
    // What comes after it is a jump, until ten prices near to each other are believed.
    for (let n = 0; n < 12; n++) r.price(59_000, { lane, size: 0.02, afterMs: 100 });
    expect(orders(r)).toHaveLength(2);
    r.price(59_000, { lane, size: 0.02, afterMs: 100 });
    expect(orders(r)).toHaveLength(3);
  });

  test('LANE_WAIT: without a quote in 1.5 s the lane is given back; one millisecond before it still counts', () => {
    for (const [afterMs, expected] of [
      [1499, 3],
      [1500, 2],
    ] as const) {
      const r = holdingTwo({ 59000: () => sell('position', 'out') });
      r.price(59_000);
      const lane = ack(r);
      r.moveBy(afterMs);
      r.give({ kind: 'wake' });
      r.price(59_000, { lane, size: 0.02, afterMs: 0 });
      expect(orders(r)).toHaveLength(expected);
      if (expected === 3) continue;
      expect(r.givenBack).toEqual([lane]);
      expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'LANE_WAIT' });
    }
  });

  /** An amount that is another at each price, as one that follows volatility is. */
  const varying = (at: number) => ({ base: String((at - 58_800) / 10_000) });

  test.each<[string, (at: number) => Decided, string]>([
    ['the same amount', () => buy({ base: '0.007' }, 'odd'), 'buy 0.007'],
    ['another amount', (at) => buy(varying(at), 'odd'), 'buy 0.02'],
    ['another target', (at) => target(Number(varying(at).base), 'odd'), 'buy 0.02'],
  ])('a strategy that asks for %s on each quote does not begin its lane anew: the first one is served', (_, decide, expected) => {
    const asks = strategy({ name: 'asks', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide });
    const r = newRig({ strategies: { s: asks } });
    for (const at of [59_000, 59_001, 59_002]) r.price(at);
    expect([r.lent.length, r.givenBack.length]).toEqual([1, 0]);
    r.price(59_000, { lane: ack(r), size: Number(expected.split(' ')[1]), afterMs: 100 });
    expect(orders(r)).toEqual([expected]);
  });

  test('a strategy that asks on each quote hears of a lane without a quote all the same', () => {
    const r = rig({ 59000: () => buy({ base: '0.007' }, 'odd') });
    for (let n = 0; n < 4; n++) r.price(59_000);
    expect(r.rows().filter(({ kind }) => kind === 'refused')).toMatchObject([{ reason: 'LANE_WAIT' }]);
  });

  test.each<[string, () => Decided, number]>([
    ['the other side', () => sell({ base: '0.005' }, 'out'), 2],
    ['another limit', () => buy({ base: '0.007' }, 'odd', { limit: 60_000 }), 2],
    ['no more than is held', () => target(0.02, 'as it is'), 1],
  ])('one that asks for %s instead takes its place', (_, decide, lanes) => {
    const r = holdingTwo({ 59000: () => buy({ base: '0.007' }, 'odd'), 59001: decide });
    r.price(59_000);
    r.price(59_001);
    expect([r.lent.length, r.givenBack.length]).toEqual([lanes, 1]);
  });

  test.each<[string, () => Decided, string]>([
    ['an amount below the least order', () => buy({ base: '0.00001' }, 'little'), '0.00001 base, and an order is at least 0.0003'],
    ['a target so near', () => target(0.0201, 'near'), 'target 0.0201, and an order is at least 0.0003'],
    ['a value below the least one', () => buy({ quote: 1 }, 'little'), '1 quote, and an order is at least 5 quote'],
  ])('%s is refused at once, and no lane is lent for it', (_, decide, words) => {
    const r = holdingTwo({ 20000: decide });
    r.price(20_000);
    expect([r.lent, orders(r).length]).toEqual([[], 2]);
    const [row] = r.rows().slice(-1);
    expect(row).toMatchObject({ kind: 'refused', reason: 'SIZE_LIMITS' });
    expect(refusalWords('SIZE_LIMITS', row?.detail.checks as readonly CheckResult[])).toBe(words);
  });

  test('an amount with more digits than the step of the product is floored to it', () => {
    const r = rig({ 59000: () => buy({ base: 0.0069000000000001 }, 'reckoned') });
    r.price(59_000);
    r.price(59_000, { lane: ack(r), size: 0.0069, afterMs: 100 });
    expect(orders(r)).toEqual(['buy 0.0069']);
  });

  test('LANE_POOL_EMPTY: with every lane lent the order is refused, with figures', () => {
    const r = holdingTwo({ 59000: () => sell('position', 'out') }, { reserve: 0 });
    r.price(59_000);
    const [row] = r.rows().slice(-1);
    expect(row).toMatchObject({ kind: 'refused', reason: 'LANE_POOL_EMPTY' });
    expect(row?.detail.checks).toEqual([{ check: 'LANE_POOL_EMPTY', passed: false, figure: 0, limit: 0 }]);
  });

  test('halted trading lends nothing', () => {
    const r = holdingTwo({ 59000: () => sell('position', 'out') });
    r.give({ kind: 'command', command: { act: 'halt', who: 'me', why: 'test' } });
    r.price(59_000);
    expect(r.lent).toEqual([]);
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'HALTED' });
  });
});

describe('a position of an odd size is closed to exactly zero, or to a named dust', () => {
  const stop = { exits: { stopLossPct: 1 } };

  test('a stop asks for a lane at once and again after each failure, until the position is closed', () => {
    const r = holdingTwo({}, stop);
    r.price(59_000);
    const first = ack(r);
    r.moveBy(1500);
    r.give({ kind: 'wake' });
    expect(r.givenBack).toEqual([first]);
    r.price(59_000, { afterMs: 100 });
    const second = ack(r);
    expect(second).not.toBe(first);
    r.price(59_000, { lane: second, size: 0.02, afterMs: 100 });
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    r.price(60_500, { afterMs: 100 });
    r.price(60_500, { lane: ack(r), size: 0.02, afterMs: 100 });
    r.answer(r.last);
    expect(orders(r)).toEqual(['buy 0.01', 'buy 0.01', 'sell 0.02', 'sell 0.02']);
    expect(r.lent.map(({ id }) => id)).toEqual(r.givenBack);
    expect(r.query("SELECT sum(amount) AS held FROM ledger WHERE kind = 'fill' AND currency = 'btc'")).toEqual([{ held: 0 }]);
  });

  /** Fee mode, the closing order's size and what is left: a fee in base takes from what a purchase brings, never less than the ledger says. */
  const modes = [
    ['quote', '0.02', '0'],
    ['base', '0.0199', '0.0000601'],
    ['received', '0.0199', '0.00008'],
  ] as const;

  test.each(modes)('fees in %s: a sale of %s leaves %s', (feeIn, closes, left) => {
    const r = rig(entries, { ...stop, feeIn });
    r.price();
    r.answer(r.last);
    r.price(60_001);
    r.answer(r.last);
    r.price(59_000);
    r.price(59_000, { lane: ack(r), size: Number(closes), afterMs: 100 });
    r.answer(r.last);
    expect(orders(r).at(-1)).toBe(`sell ${closes}`);
    const held = r
      .query<{ amount: string }>("SELECT amount FROM ledger WHERE currency = 'btc'")
      .reduce((sum, { amount: moved }) => sum.plus(moved), decimalOf(0));
    expect(held.toString()).toBe(decimalOf(left).toString());
    const named = r.rows().filter(({ kind }) => kind === 'dust');
    expect(named.at(-1)?.detail.dust ?? '0').toBe(held.toString());
    r.price(50_000);
    expect(orders(r)).toHaveLength(3);
  });

  test('a leg that is undone is sold in whole steps, though its fee was taken from what it bought', () => {
    const pair = strategy({
      name: 'pair',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at) => (at === 60_000 ? [buy(amount, 'one'), buy(amount, 'two', { limit: 1 })] : undefined),
      onLegFailure: 'unwind',
    });
    const r = newRig({ strategies: { s: pair }, feeIn: 'base' });
    r.price();
    r.answer(r.last);
    r.price(60_001);
    r.price(60_002);
    expect(r.lent.map(({ amount: asked }) => ('base' in asked ? asked.base.toString() : asked))).toEqual(['0.0099']);
  });

  test('a fee in base leaves dust: it is named at entry, the rest is closed, and what is left counts as flat', () => {
    const r = rig({ 60000: () => buy(amount, 'one') }, { ...stop, feeIn: 'base' });
    r.price();
    r.answer(r.last);
    // 0.01 less a fee of 0.00001, and a step of 0.0001.
    expect(r.rows().at(-1)).toMatchObject({ kind: 'dust', reason: 'DUST', detail: { held: '0.00999', dust: '0.00009', least: '0.0001' } });
    r.price(59_000);
    r.price(59_000, { lane: ack(r), size: 0.0099, afterMs: 100 });
    r.answer(r.last, { figures: { fee: '0.00001', feeCcy: 'btc' } });
    expect(r.rows().at(-1)).toMatchObject({ kind: 'dust', detail: { held: '0.00008', dust: '0.00008' } });
    r.price(50_000);
    expect(orders(r)).toEqual(['buy 0.01', 'sell 0.0099']);
    r.price();
    expect(r.rows().at(-1)).toMatchObject({ kind: 'approved' });
  });
});
