import { describe, expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import type { Decided } from '#core/strategy/contract.ts';
import { buy, mid, sell, strategy, target } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Intent } from '#domain/intent.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order.ts';
import { NO_LIMITS, usd } from '../support/limits.ts';
import { BTC, btcLane, btcProduct, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const amount = { base: '0.01' };

type Decisions = Readonly<Record<number, () => Decided>>;

/** Says at each price what it is told to say there. */
const scripted = (decisions: Decisions, onLegFailure: 'keep' | 'unwind' = 'keep') =>
  strategy({ name: 'scripted', onLegFailure, signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: (at) => decisions[at]?.() });

const newRig = rigsOfTests();
function rig(decisions: Decisions, options: Partial<RigOptions> = {}): Rig {
  return newRig({ strategies: { s: scripted(decisions) }, ...options });
}

/** Starts again on the same journal, `afterMs` later: after a SIGKILL, or a stop in good order. */
function again(r: Rig, how: 'kill' | 'stop', decisions: Decisions, options: Partial<RigOptions> & { readonly afterMs?: number } = {}): Rig {
  const { afterMs = 1000, ...rest } = options;
  if (how === 'stop') {
    r.give({ kind: 'command', command: { act: 'stop', who: 'SIGTERM', why: 'asked' } });
    r.journal.flush();
    r.end();
  }
  r.crash();
  return rig(decisions, { folder: r.folder, startAt: r.clock.now() + afterMs, ...rest });
}

const orders = (r: Rig): string[] => r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);
const executed = (at: string): FillText & Pick<OrderText, 'side' | 'baseCcy' | 'quoteCcy'> => ({
  ...{ side: 'buy', baseCcy: 'btc', quoteCcy: 'usd' },
  ...{ price: at, size: '0.01', value: '600', fee: '0', feeCcy: 'usd' },
});
const rejected = (r: Rig): void => r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
const named = (r: Rig, kind: string) => r.allRows().filter((row) => row.kind === kind);

const cheap: Decisions = { 60000: () => buy(amount, 'cheap enough', { limit: 59_000, within: '10s' }) };

describe.each(['kill', 'stop'] as const)('I32 a working intent survives a %s', (how) => {
  test('it goes on with its limit, and lapses when its time is over, counted from its begin', () => {
    const first = rig(cheap);
    first.price();
    first.journal.flush();
    const second = again(first, how, {});
    second.price(59_500);
    expect(orders(second)).toEqual([]);
    second.price(59_000);
    expect(orders(second)).toEqual(['buy 0.01']);
    second.answer(second.last);
    second.price(59_000);
    expect(orders(second)).toEqual(['buy 0.01']);
    expect(named(second, 'worked')).toHaveLength(1);
    const third = again(second, how, cheap);
    third.price();
    third.journal.flush();
    const fourth = again(third, how, {}, { afterMs: 9_000 });
    fourth.price(59_001, { afterMs: 999 });
    expect(fourth.story()).not.toContain('lapsed LAPSED');
    fourth.moveBy(1);
    fourth.give({ kind: 'wake' });
    fourth.price(58_000);
    expect(fourth.story().at(-1)).toBe('lapsed LAPSED');
    expect(orders(fourth)).toEqual([]);
  });

  test('one whose time was over meanwhile lapses at the start, and the strategy is not asked again', () => {
    const first = rig(cheap);
    first.price();
    first.journal.flush();
    const second = again(first, how, {}, { afterMs: 60_000 });
    expect(second.story().at(-1)).toBe('lapsed LAPSED');
    second.price(58_000);
    expect(orders(second)).toEqual([]);
  });

  test('one on a lane that nobody has any more is withdrawn', () => {
    const first = rig(cheap);
    first.price();
    first.journal.flush();
    const second = again(first, how, {}, { lanes: [] });
    expect(second.story().at(-1)).toBe('withdrawn NOT_CONFIGURED');
  });

  test('one of a strategy that was removed is withdrawn, though another keeps the lane', () => {
    const first = rig(cheap);
    first.price();
    first.journal.flush();
    const second = again(first, how, {}, { strategies: { other: scripted({}) } });
    expect(second.story().at(-1)).toBe('withdrawn NOT_CONFIGURED');
    second.price(58_000);
    expect([orders(second), second.engine.underWay]).toEqual([[], undefined]);
  });

  test('of such a strategy an undo whose outcome is unknown does not keep the next one back', () => {
    const steps: Decisions = {
      60000: () => buy(amount, 'in'),
      60001: () => [buy(amount, 'one'), sell(amount, 'two'), buy(amount, 'three', { limit: 1, within: '1s' })],
    };
    const limits = { maxUnknown: 5 };
    const first = rig({}, { strategies: { s: scripted(steps, 'unwind') }, limits });
    for (const at of [60_000, 60_001, 60_002]) {
      first.price(at);
      first.answer(first.last);
    }
    first.price(60_003);
    first.price(60_004, { afterMs: 1_000 });
    expect(orders(first)).toEqual(['buy 0.01', 'buy 0.01', 'sell 0.01', 'buy 0.01']);
    const { id } = first.last;
    first.answer(first.last, { outcome: 'unknown', httpStatus: 500, reason: 'HTTP_AMBIGUOUS' });
    first.journal.flush();
    const second = again(first, how, {}, { strategies: { other: scripted({}) }, limits });
    second.price(60_005);
    second.give({ kind: 'command', command: { act: 'resolve', order: id, fill: executed('60000'), who: 'ann', why: 'seen' } });
    for (const at of [60_006, 60_007]) second.price(at);
    expect(orders(second)).toEqual(['sell 0.01']);
  });

  test('of such a strategy exits go on, and a failed plan is undone as far as that closes', () => {
    const swap: Decisions = {
      60000: () => buy(amount, 'in'),
      60001: () => [sell(amount, 'one'), buy(amount, 'two'), buy(amount, 'three', { limit: 1, within: '60s' })],
    };
    const first = rig(swap, { strategies: { s: scripted(swap, 'unwind') } });
    for (const at of [60_000, 60_001, 60_002]) {
      first.price(at);
      first.answer(first.last);
    }
    first.price(60_003);
    expect(orders(first)).toEqual(['buy 0.01', 'sell 0.01', 'buy 0.01']);
    const second = again(first, how, {}, { strategies: { other: scripted({}) } });
    second.price(60_004);
    second.answer(second.last);
    for (let n = 5; n < 8; n++) second.price(60_000 + n);
    expect([orders(second), second.engine.underWay]).toEqual([['sell 0.01'], undefined]);
    expect(second.story().filter((row) => row.startsWith('withdrawn'))).toHaveLength(2);
  });

  test.each<[string, Partial<RigOptions>]>([
    ['whose amount was changed', { lanes: [laneFor(BTC, { base: decimalOf('0.03') })] }],
    ['that was removed with its lane', { strategies: { other: scripted({}) }, lanes: [laneFor(productCode('ethusd'), btcLane.amount)] }],
  ])('of a strategy %s a failed plan is undone on a lane that is lent', (_, settings) => {
    const failing: Decisions = { 60000: () => [buy(amount, 'one'), buy(amount, 'two', { limit: 1, within: '1s' })] };
    const first = rig({}, { strategies: { s: scripted(failing, 'unwind') } });
    first.price();
    first.answer(first.last);
    first.price(60_001, { afterMs: 1000 });
    rejected(first);
    expect(orders(first)).toEqual(['buy 0.01', 'sell 0.01']);
    first.journal.flush();
    const second = again(first, how, {}, { reserve: 1, ...settings });
    for (const { id, product } of settings.lanes ?? []) {
      second.quote(quote({ product, lane: id, buy: 60_002, size: 0.03, validUntil: second.clock.now() + 3000 }));
    }
    second.moveBy(1000);
    const [lane] = second.lent;
    if (!lane) throw new Error('no lane was lent');
    second.ack(lane);
    second.quote(quote({ lane: lane.id, buy: 60_003, validUntil: second.clock.now() + 3000 }));
    second.answer(second.last);
    second.moveBy(5000);
    expect([orders(second), second.lent.length, second.engine.underWay]).toEqual([['sell 0.01'], 1, undefined]);
  });
});

describe('I02 I04 what an order did before a kill is not done again', () => {
  const patient: Decisions = { 60000: () => buy(amount, 'go', { within: '60s' }) };

  test.each<[string, (r: Rig) => void, readonly string[]]>([
    ['executed: it is done', (r) => r.answer(r.last), []],
    ['on its way: unknown, never again', () => {}, []],
    ['expired: the next quote', (r) => r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }), ['buy 0.01']],
    ['rejected: after its back-off', rejected, ['buy 0.01']],
  ])('%s', (_, settle, expected) => {
    const first = rig(patient);
    first.price();
    settle(first);
    const second = again(first, 'kill', {}, { afterMs: 0, limits: { maxUnknown: null } });
    second.price(60_100, { afterMs: 999 });
    second.price(60_101, { afterMs: 1 });
    expect(orders(second)).toEqual(expected);
  });

  test('a rejection waits its second also over the restart', () => {
    const first = rig(patient);
    first.price();
    rejected(first);
    const second = again(first, 'kill', {}, { afterMs: 0 });
    second.price(60_100, { afterMs: 999 });
    expect(orders(second)).toEqual([]);
    second.price(60_101, { afterMs: 1 });
    expect(orders(second)).toEqual(['buy 0.01']);
  });
});

describe('legs', () => {
  const legs: Decisions = { 60000: () => [buy(amount, 'one'), buy(amount, 'two', { limit: 59_000, within: '60s' })] };

  test('a plan goes on with the leg that is open', () => {
    const first = rig(legs);
    first.price();
    first.answer(first.last);
    const second = again(first, 'kill', {});
    second.price(60_001);
    expect(orders(second)).toEqual([]);
    second.price(59_000);
    expect(orders(second)).toEqual(['buy 0.01']);
    expect(second.last.figures.price.toString()).toBe('59000');
  });

  test.each(['kill', 'stop'] as const)('a %s amid first legs that are refused leaves nothing at work, and later ones begin anew', (how) => {
    const two = () => [buy(amount, 'one'), buy(amount, 'two')];
    const decisions = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [60_000 + n, two]));
    const first = rig(decisions, { limits: { maxOrderValue: usd(1) } });
    for (let n = 0; n < 10; n += 1) first.price(60_000 + n);
    first.journal.flush();
    const atWork: unknown[] = [];
    const recovered: RigOptions['recovered'] = (past) => {
      atWork.push(...past.works);
      return past;
    };
    const second = again(first, how, decisions, { recovered });
    expect(atWork).toEqual([]);
    second.price(60_010);
    expect(orders(second)).toEqual(['buy 0.01']);
    expect(named(second, 'working')).toHaveLength(1);
    second.answer(second.last);
    const third = again(second, how, {});
    third.price(60_011);
    expect(orders(third)).toEqual(['buy 0.01']);
    expect(third.last.strategy).toBe('s');
  });

  const unsent = (r: Rig): void => r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });

  test.each<[string, 'kill' | 'stop', Intent, (r: Rig) => void]>([
    ['whose lane is awaited', 'stop', target(0.03, 'one'), () => {}],
    ['whose lane is awaited', 'kill', target(0.03, 'one'), (r) => r.journal.flush()],
    ['whose order never left', 'kill', buy(amount, 'one'), unsent],
    ['whose order was rejected', 'kill', buy(amount, 'one'), rejected],
  ])('without `within` a first leg %s ends with its quote: a %s does not order it at the price of another day', (_, how, leg, before) => {
    // What is deferred behind an outcome is lost with the process.
    const wrapJournal: RigOptions['wrapJournal'] = (journal) => ({
      commit: (rows) => journal.commit(rows),
      defer: (rows) => journal.defer(rows.filter(({ kind }) => kind !== 'worked')),
      write: () => journal.write(),
      flush: () => journal.flush(),
      end: (run, state) => journal.end(run, state),
    });
    const first = rig({ 60000: () => [leg, buy(amount, 'two')] }, { reserve: 1, wrapJournal });
    first.price();
    before(first);
    const second = again(first, how, {}, { reserve: 1, afterMs: 86_400_000 });
    expect(second.story()).toContain('lapsed LAPSED');
    for (const at of [90_000, 90_001]) second.price(at);
    expect([orders(second), second.lent, second.engine.underWay]).toEqual([[], [], undefined]);
  });

  test('F65 what was being unwound is unwound, and exactly that', () => {
    const failing: Decisions = { 60000: () => [buy(amount, 'one'), buy(amount, 'two', { limit: 1 })] };
    const options = { strategies: { s: scripted(failing, 'unwind') } };
    const first = rig({}, options);
    first.price();
    first.answer(first.last);
    first.price(60_001);
    expect(orders(first)).toEqual(['buy 0.01', 'sell 0.01']);
    rejected(first);
    const second = again(first, 'kill', {}, options);
    second.price(60_002);
    expect(orders(second)).toEqual(['sell 0.01']);
    second.answer(second.last);
    const third = again(second, 'kill', {}, options);
    third.price(60_003);
    expect(orders(third)).toEqual([]);
    expect(third.query("SELECT sum(amount) AS held FROM ledger WHERE kind = 'fill' AND currency = 'btc'")).toEqual([{ held: 0 }]);
  });

  test.each([
    ['not executed', null, 'sell 0.01'],
    ['executed', executed('60001'), 'buy 0.01'],
  ] as const)('a leg whose order was on its way is %s once a person says so, and its plan goes on', (_, fill, next) => {
    const three: Decisions = { 60000: () => [buy(amount, 'one'), buy(amount, 'two'), buy(amount, 'three')] };
    const options = { strategies: { s: scripted(three, 'unwind') } };
    const first = rig({}, options);
    first.price();
    first.answer(first.last);
    first.price(60_001);
    const second = again(first, 'kill', {}, options);
    second.price(60_002);
    expect(orders(second)).toEqual([]);
    second.give({ kind: 'command', command: { act: 'resolve', order: first.last.id, fill, who: 'ann', why: 'seen' } });
    second.price(60_003);
    expect(orders(second)).toEqual([next]);
  });

  test('a later leg that lapses after a restart undoes what an earlier run has bought', () => {
    const two: Decisions = { 60000: () => [buy(amount, 'one'), buy(amount, 'two', { limit: 1, within: '5s' })] };
    const options = { strategies: { s: scripted(two, 'unwind') } };
    const first = rig({}, options);
    first.price();
    first.answer(first.last);
    first.journal.flush();
    const second = again(first, 'kill', {}, options);
    second.price(60_001, { afterMs: 3999 });
    expect(orders(second)).toEqual([]);
    second.price(60_002, { afterMs: 1 });
    expect(orders(second)).toEqual(['sell 0.01']);
  });
});

describe('I32 a trailing stop goes on from the best price that it has seen', () => {
  const hold: Decisions = { 60000: () => buy(amount, 'in') };
  const exits = { trailingPct: 1 };

  test.each(['kill', 'stop'] as const)('after a %s', (how) => {
    const first = rig(hold, { exits });
    first.price();
    first.answer(first.last);
    for (const at of [61_000, 62_000]) first.price(at);
    first.journal.flush();
    const second = again(first, how, {}, { exits });
    second.price(61_400);
    expect(orders(second)).toEqual([]);
    second.price(61_380);
    expect(orders(second)).toEqual(['sell 0.01']);
    expect(second.story()).toContain('exit TRAILING_STOP');
  });

  test('peaks are journaled when they matter, not at each quote; a stop in good order keeps the last', () => {
    const first = rig(hold, { exits });
    first.price();
    first.answer(first.last);
    for (let at = 60_001; at <= 60_010; at++) first.price(at);
    expect(named(first, 'peak').map(({ detail }) => detail.price)).toEqual(['60001']);
    const second = again(first, 'stop', {}, { exits });
    expect(named(second, 'peak').map(({ detail }) => detail.price)).toEqual(['60001', '60010']);
  });

  test('the peak of a position that is closed says nothing about the next', () => {
    const twice: Decisions = { ...hold, 62001: () => sell('position', 'out') };
    const first = rig(twice, { exits });
    for (const at of [60_000, 62_000, 62_001]) {
      first.price(at);
      if (at !== 62_000) first.answer(first.last);
    }
    first.price();
    first.answer(first.last);
    const second = again(first, 'kill', {}, { exits });
    second.price(60_001);
    expect(orders(second)).toEqual([]);
  });
});

test('F65 a live crash with an open position: exits work, nothing opens until a person arms', () => {
  const arming = { arm: 'manual', crashHalt: { count: 3, windowMs: 600_000 } } as const;
  const options = { arming, exits: { stopLossPct: 1 } };
  const wishes: Decisions = { 60000: () => buy(amount, 'in'), 58000: () => buy(amount, 'again') };
  const arm = { act: 'arm', who: 'ann', why: 'checked', configHash: 'hash', config: '{}', build: 'build' } as const;
  const first = rig(wishes, options);
  first.give({ kind: 'command', command: arm });
  first.price();
  first.answer(first.last);
  first.price(59_000);
  expect(orders(first)).toEqual(['buy 0.01', 'sell 0.01']);
  first.report(first.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
  const second = again(first, 'kill', wishes, options);
  expect(named(second, 'reducing')).toMatchObject([{ reason: 'START_UNSURE' }]);
  second.price(60_500);
  expect(orders(second)).toEqual(['sell 0.01']);
  second.answer(second.last);
  second.price(58_000);
  expect(second.story().at(-1)).toBe('refused REDUCING');
  second.give({ kind: 'command', command: arm });
  second.price(58_000);
  expect(orders(second)).toEqual(['sell 0.01', 'buy 0.01']);
});

test('F23 I32 the lane that a position rests on is known from the start, so that it is connected first', () => {
  const first = rig({ 60000: () => buy(amount, 'in') });
  const { id } = btcLane;
  expect(first.engine.restsOn(id)).toBe(false);
  first.price();
  expect(first.engine.restsOn(id)).toBe(true);
  first.answer(first.last);
  const second = again(first, 'kill', {});
  expect(second.engine.restsOn(id)).toBe(true);
});

test('the largest size at spread 0 is journaled when it is learned, and known after a restart', () => {
  const first = rig({});
  for (let n = 0; n < 3; n++) first.price();
  expect(named(first, 'learned')).toMatchObject([{ detail: { size: '0.01', currency: 'btc', lane: 'btcusd@base:0.01' } }]);
  const second = again(first, 'kill', {});
  second.price();
  expect(named(second, 'learned')).toHaveLength(1);
});

test('I05 I32 a strategy that is set to another product goes on with what is left of its budget', () => {
  const eth = laneFor(productCode('ethusd'), { base: decimalOf('0.01') });
  const left: (number | undefined)[][] = [];
  const buying = strategy({
    name: 'buying',
    signals: ({ quotes$ }) => quotes$,
    decide: (_, { amount, budgetLeft, equity }) => {
      left.push([budgetLeft, equity]);
      return buy(amount, 'more');
    },
  });
  const first = rig({}, { strategies: { s: buying }, limits: NO_LIMITS });
  first.price(900_000);
  first.answer(first.last);
  const second = again(first, 'stop', {}, { strategies: { s: buying }, limits: NO_LIMITS, lanes: [eth] });
  second.give({ kind: 'products', products: [{ ...productText(btcProduct), code: eth.product }] });
  const quoted = (buyAt: number) =>
    second.quote(quote({ product: 'ethusd', buy: buyAt, lane: eth.id, validUntil: second.clock.now() + 3000 }));
  quoted(100_000);
  expect(second.rows().map(({ kind, reason }) => reason ?? kind)).toContain('BUDGET');
  second.moveBy(500);
  quoted(99_000);
  expect(orders(second)).toEqual(['buy 0.01']);
  // 9,000 and a fee of 0.1 % went out; what is held for it has no quote any more.
  expect(left).toEqual([
    [10_000, 10_000],
    [991, undefined],
    [991, undefined],
  ]);
});
