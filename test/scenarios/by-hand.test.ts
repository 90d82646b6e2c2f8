import { describe, expect, test } from 'vitest';
import { isRehearsed as isRehearsedIn } from '#adapters/journal/acts.ts';
import { productText } from '#assembly/assemble.ts';
import { buy, mid, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import type { ManualAmount, ManualPart } from '#domain/manual-request.ts';
import { type LaneId, productCode, strategyId } from '#domain/names.ts';
import type { Side } from '#domain/quote.ts';
import { guardedJournal } from '../support/guarded-journal.ts';
import { usd } from '../support/limits.ts';
import { btcProduct, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const by = { who: 'ann', why: 'a test' };
const close = (more: { readonly strategy?: string; readonly product?: string; readonly pct?: number } = {}): Command => ({
  act: 'close',
  strategy: 's',
  product: null,
  pct: 100,
  ...by,
  ...more,
});
const flatten = (resume = false): Command => ({ act: 'flatten', resume, ...by });
const order = (side: Side, amount: ManualAmount, product = 'btcusd'): Command => ({ act: 'order', product, side, amount, ...by });
const halt: Command = { act: 'halt', ...by };

/** Buys once at 60,000 and once at 60,001. */
const buyer = strategy({
  name: 'buyer',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 60_000 || price === 60_001 ? buy(amount, 'in') : undefined),
});

const rig = rigsOfTests({ strategies: { s: buyer }, reserve: 2 });

/** Holds 0.02, which is no lane's amount. */
function holding(options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const r = rig(options);
  for (const at of [60_000, 60_001]) {
    r.price(at);
    r.answer(r.last);
  }
  return r;
}

const isRehearsed = (r: Rig): boolean => {
  r.journal.flush();
  return isRehearsedIn(r.path);
};
const command = (r: Rig, given: Command): void => r.give({ kind: 'command', command: given });
const orders = (r: Rig): string[] => r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);

/** The lane that was lent last, of that amount where there is one, is acknowledged and brings a quote of it. */
function lentQuote(r: Rig, size: number, at = 60_100): LaneId {
  const lane = r.lent.findLast(({ amount }) => 'base' in amount && amount.base.eq(size)) ?? r.lent.at(-1);
  if (!lane) throw new Error('no lane was lent');
  r.ack(lane);
  r.price(at, { lane: lane.id, size, afterMs: 100 });
  return lane.id;
}

const part = (r: Rig): ManualPart => {
  const first = r.engine.manualTask()?.parts[0];
  if (!first) throw new Error('nothing was asked');
  return first;
};
const journaled = (r: Rig): readonly string[] =>
  r
    .rows()
    .filter(({ kind }) => kind.startsWith('by_hand') || kind === 'reducing')
    .map(({ kind, reason }) => (reason === null ? kind : `${kind} ${reason}`));

describe('while another program holds the journal (F49)', () => {
  test.each<[string, Command, string, (r: Rig) => void]>([
    ['flatten', flatten(), 'REDUCING', (r) => lentQuote(r, 0.02)],
    ['flatten that may end a halt', flatten(true), 'REDUCING', (r) => lentQuote(r, 0.02)],
    ['close', close({ pct: 50 }), 'ACTIVE', (r) => r.price(60_101)],
  ])('%s is taken at once, and sells with the first quote after it, behind its row', (_, asked, trading, quoted) => {
    let isHeld = false;
    const commit = (): void => {
      if (isHeld) throw new KairosError('JOURNAL_BUSY', 'held');
    };
    const r = holding({ wrapJournal: (journal) => guardedJournal(journal, { commit }) });
    const before = orders(r).length;
    isHeld = true;
    command(r, asked);
    expect([r.engine.snapshot(r.clock.now()).trading, part(r).state]).toEqual([trading, 'working']);
    r.price(60_100);
    quoted(r);
    expect(orders(r)).toHaveLength(before);
    isHeld = false;
    quoted(r);
    expect(orders(r).slice(before)).toEqual([expect.stringMatching(/^sell /)]);
    const kinds = r.rows().map(({ kind }) => kind);
    expect(kinds.indexOf('by_hand')).toBeLessThan(kinds.lastIndexOf('intent'));
    expect(kinds).not.toContain('halted');
  });
});

test('F49 a flatten that ends a halt begins with that: a journal that is held right behind it ends nothing', () => {
  let left = Number.POSITIVE_INFINITY;
  const commit = (): void => {
    left -= 1;
    if (left < 0) throw new KairosError('JOURNAL_BUSY', 'held');
  };
  const r = holding({ wrapJournal: (journal) => guardedJournal(journal, { commit }) });
  command(r, { act: 'halt', ...by });
  left = 1;
  command(r, flatten(true));
  expect([r.engine.snapshot(r.clock.now()).trading, part(r).state]).toEqual(['REDUCING', 'working']);
  left = Number.POSITIVE_INFINITY;
  r.price(60_100);
  lentQuote(r, 0.02);
  expect(orders(r).at(-1)).toBe('sell 0.02');
  const kinds = r.rows().map(({ kind }) => kind);
  expect(kinds.slice(kinds.indexOf('resumed'))).toEqual(expect.arrayContaining(['resumed', 'reducing', 'by_hand']));
});

describe('close', () => {
  test('a position of an odd size is closed exactly, journaled with who and why at its beginning and its end', () => {
    const r = holding();
    command(r, close());
    r.price(60_100);
    lentQuote(r, 0.02);
    expect(orders(r).at(-1)).toBe('sell 0.02');
    expect(part(r)).toMatchObject({ state: 'working', held: '0.02', left: '0.02' });
    r.answer(r.last);
    expect(part(r)).toMatchObject({ book: 's', state: 'done', left: '0', orders: [{ state: 'accepted', size: 0.02, side: 'sell' }] });
    expect(journaled(r)).toEqual(['by_hand BY_PERSON', 'by_hand_end']);
    expect(r.rows().find(({ kind }) => kind === 'by_hand')?.detail).toMatchObject({ act: 'close', ...by });
    expect(r.lent.map(({ id }) => id)).toEqual(r.givenBack);
  });

  test.each<[string, (r: Rig) => void]>([
    ['paused', (r) => command(r, { act: 'pause', strategy: 's', ...by })],
    ['all paused', (r) => command(r, { act: 'pause', strategy: null, ...by })],
    ['refused and expired before', () => {}],
  ])('I07b it does not lapse: %s', (_what, before) => {
    const r = holding({ limits: { maxSpreadPct: 0.000001, maxOrdersPerMinute: 2 } });
    before(r);
    command(r, close());
    r.price(60_100);
    lentQuote(r, 0.02);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    expect(part(r)).toMatchObject({ state: 'working', why: expect.stringContaining('is expired') });
    r.price(60_100);
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
  });

  test('I32 it is taken up again after a crash', () => {
    const first = holding();
    command(first, close());
    first.crash();
    const r = rig({ folder: first.folder, startAt: first.clock.now() + 1000 });
    r.price(60_100);
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect(orders(r)).toEqual(['sell 0.02']);
    expect(r.engine.snapshot(r.clock.now()).strategies).toMatchObject([{ position: '0' }]);
  });

  test.each<[number, string, string]>([
    [50, 'sell 0.01', '0.01'],
    [25, 'sell 0.005', '0.015'],
    [33, 'sell 0.0066', '0.0134'],
  ])('%i per cent of it, floored to the step', (pct, sold, left) => {
    const r = holding();
    command(r, close({ pct }));
    r.price(60_100, { afterMs: 10 });
    if (sold !== 'sell 0.01') lentQuote(r, Number(sold.split(' ')[1]));
    expect(orders(r).at(-1)).toBe(sold);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left, why: `${left} is left` });
    r.price(60_100);
    expect(orders(r)).toHaveLength(3);
  });

  test('a share is of what was held as it was asked: what an order in flight adds stays', () => {
    const r = rig();
    r.price();
    r.answer(r.last);
    r.price(60_001);
    command(r, close({ pct: 50 }));
    r.answer(r.last);
    lentQuote(r, 0.005);
    r.answer(r.last);
    expect(orders(r)).toEqual(['buy 0.01', 'buy 0.01', 'sell 0.005']);
    expect(part(r)).toMatchObject({ state: 'done', held: '0.01', left: '0.015' });
  });

  test.each<[string, Command, readonly Command[], string | null, RegExp]>([
    ['while halted', close(), [halt], 'HALTED', /kairos resume/],
    ['of a book that holds nothing', close({ strategy: 'x' }), [], 'NO_POSITION', /x has no position/],
    ['of a book whose name is misspelt', close({ strategy: 'manaul' }), [], 'NO_POSITION', /did you mean manual\?/],
    ['of a product that the book does not hold', close({ product: 'ethusd' }), [], 'NO_POSITION', /in ethusd/],
  ])('is refused %s', (_what, asked, before, reason, why) => {
    const r = holding();
    for (const act of before) command(r, act);
    command(r, asked);
    expect(r.engine.manualTask()).toMatchObject({ ended: true, refused: { reason, why: expect.stringMatching(why) } });
    expect(r.notices.at(-1)).toMatch(/^warn: close by ann is refused: /);
    expect(orders(r)).toHaveLength(2);
  });

  test('too small a part is named with the least order', () => {
    const r = holding();
    command(r, close({ pct: 0.1 }));
    expect(part(r)).toMatchObject({ state: 'open', reason: 'SIZE_LIMITS', why: expect.stringContaining('the least order is 0.0001') });
  });

  test('what no order can close is named as dust', () => {
    const r = rig({ feeIn: 'base' });
    r.price();
    r.answer(r.last);
    command(r, close());
    r.price(60_100);
    lentQuote(r, 0.0099);
    r.answer(r.last, { figures: { fee: '0.00001', feeCcy: 'btc' } });
    expect(part(r)).toMatchObject({ state: 'done', left: '0.00008', why: '0.00008 is left' });
  });

  test('a close leaves room for a fee in base currency, so that the book never goes short', () => {
    const r = rig({ feeIn: 'base' });
    r.price();
    r.answer(r.last, { figures: { fee: '0.0001', feeCcy: 'btc' } });
    command(r, close());
    r.price(60_100);
    lentQuote(r, 0.0098);
    expect(orders(r)).toEqual(['buy 0.01', 'sell 0.0098']);
    r.answer(r.last, { figures: { fee: '0.0000098', feeCcy: 'btc' } });
    expect(part(r)).toMatchObject({ state: 'done', left: '0.0000902' });
  });

  test('I07b what was ordered by hand is closed on lanes that are lent, and tried until it is done', () => {
    const r = rig({ reserve: 1 });
    command(r, order('buy', { base: '0.005' }));
    lentQuote(r, 0.005);
    r.answer(r.last);
    command(r, close({ strategy: 'manual' }));
    const passes = (ms: number): void => {
      r.moveBy(ms);
      r.give({ kind: 'wake' });
    };
    const tried: string[] = [];
    const note = (): void => void tried.push(`${r.lent.length} lent, ${r.broker.submitted.length - 1} tried, ${part(r).reason ?? 'none'}`);
    note();
    passes(1500);
    note();
    passes(1000);
    note();
    lentQuote(r, 0.005);
    r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
    lentQuote(r, 0.005);
    note();
    passes(1000);
    lentQuote(r, 0.005);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    note();
    lentQuote(r, 0.005);
    r.answer(r.last);
    expect(tried).toEqual([
      '2 lent, 0 tried, none',
      '2 lent, 0 tried, LANE_WAIT',
      '3 lent, 0 tried, LANE_WAIT',
      '3 lent, 1 tried, HTTP_REFUSED',
      '3 lent, 2 tried, GATE_TIME_LEFT',
    ]);
    expect(part(r)).toMatchObject({ book: 'manual', state: 'done', left: '0' });
    expect(r.lent.map(({ id }) => id)).toEqual(r.givenBack);
    expect(r.rows().findLast(({ kind }) => kind === 'intent')?.detail).toMatchObject({ why: 'ann: a test', tag: 'by-hand' });
  });

  test('while every lane is lent it waits for one', () => {
    const r = rig({ reserve: 1 });
    command(r, order('buy', { base: '0.005' }));
    lentQuote(r, 0.005);
    r.answer(r.last);
    command(r, order('buy', { base: '0.02' }));
    command(r, close({ strategy: 'manual' }));
    expect(part(r)).toMatchObject({ state: 'working', reason: 'LANE_POOL_EMPTY' });
    r.moveBy(1500);
    r.give({ kind: 'wake' });
    r.moveBy(1000);
    r.give({ kind: 'wake' });
    lentQuote(r, 0.005);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
  });

  test('with an unknown outcome only what is surely held is closed, and the rest is named', () => {
    const r = holding();
    r.price();
    const unknown = r.last;
    r.answer(unknown, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    command(r, close());
    lentQuote(r, 0.02);
    expect(orders(r).at(-1)).toBe('sell 0.02');
    r.answer(r.last);
    r.price(60_100);
    expect(part(r)).toMatchObject({ state: 'working', reason: 'POSITION_UNSURE', why: expect.stringContaining(unknown.id) });
    r.answer(unknown, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, late: true });
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
  });

  test('I07b the strategy is not asked meanwhile', () => {
    const r = holding();
    r.price();
    r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    command(r, close());
    r.price(60_001);
    expect(r.rows().filter(({ kind }) => kind === 'refused')).toEqual([]);
    lentQuote(r, 0.02);
    expect(orders(r).at(-1)).toBe('sell 0.02');
  });
});

describe('what a closing waits for is said, with the figures and what ends it', () => {
  const stop = { exits: { stopLossPct: 1 } };
  const say = (r: Rig) => ({ reason: part(r).reason, why: part(r).why });

  test.each<[string, Command, Omit<RigOptions, 'strategies'>]>([
    ['close', close(), {}],
    ['flatten', flatten(), {}],
    ["close behind the strategy's own exit", close(), stop],
    ["flatten behind the strategy's own exit", flatten(), stop],
  ])('%s: for a lane', (_, asked, options) => {
    const r = holding({ reserve: 1, ...options });
    command(r, order('buy', { base: '0.05' }));
    r.price(59_000);
    command(r, asked);
    r.price(59_000, { afterMs: 100 });
    expect(say(r)).toEqual({ reason: 'LANE_POOL_EMPTY', why: '1 of 1 lanes of lanes.reserve are in use' });
  });

  test('for the first quote of its lane, and that none came', () => {
    const r = holding({ reserve: 1 });
    command(r, close());
    expect(say(r)).toEqual({ reason: null, why: 'waits for a quote' });
    r.price(60_100, { afterMs: 1600 });
    expect(say(r)).toEqual({ reason: 'LANE_WAIT', why: 'no quote for base:0.02 within 1500 ms' });
  });

  test.each<[string, number, Omit<RigOptions, 'strategies'>]>([
    ['alone', 2, {}],
    ["behind the strategy's own exit", 2, stop],
    ["behind the strategy's own exit, which has the only lane", 1, stop],
  ])('%s: for a larger consent, whatever becomes of its lanes', (_, reserve, options) => {
    const r = holding({ reserve, limits: { maxExitValue: usd(1000) }, ...options });
    const quoted = (): void => {
      r.price(59_000);
      for (const lane of r.lent.filter(({ id }) => !r.givenBack.includes(id))) {
        r.ack(lane);
        r.price(59_000, { lane: lane.id, size: 0.02, afterMs: 100 });
      }
    };
    quoted();
    command(r, { ...close(), upTo: '1100' } as Command);
    quoted();
    const waits = {
      reason: 'MAX_EXIT_VALUE',
      why: 'the exit is worth 1180 usd, above the 1100 usd that is allowed; to allow it: `kairos close s --product btcusd --up-to-value 1298`',
    };
    expect(say(r)).toEqual(waits);
    r.price(59_000, { afterMs: 1600 });
    expect(say(r)).toEqual(waits);
    expect(r.notices.filter((line) => line.includes('--up-to-value 1298'))).toHaveLength(reserve === 2 && !('exits' in options) ? 1 : 2);
    command(r, { ...close(), upTo: '1298' } as Command);
    for (let n = 0; n < 3; n += 1) quoted();
    expect(orders(r).at(-1)).toBe('sell 0.02');
    expect(say(r)).toEqual({ reason: null, why: `waits for the answer to order ${r.last.id}` });
  });
});

/** Wants to buy at 59,500 for ten minutes. */
const patient = strategy({
  name: 'patient',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 60_000 ? buy(amount, 'cheap', { limit: 59_500, within: '10m' }) : undefined),
});

test.each([
  ['flatten', flatten(), true],
  ['close', close(), true],
  ['close of a part', close({ pct: 50 }), false],
  ['close of another product', close({ product: 'ethusd' }), false],
])('%s ends what a flat strategy waits to buy, so that nothing of it opens after a resumption', (_what, act, ends) => {
  const r = rig({ strategies: { s: patient }, reserve: 2 });
  r.price();
  const wanted = () => r.engine.inspect(({ parentOrders }) => parentOrders.wanted(strategyId('s')));
  expect(wanted()).toMatchObject([{ wants: 'buy 0.01 base', limit: 59_500 }]);
  command(r, act);
  expect(wanted()).toHaveLength(ends ? 0 : 1);
  expect(r.engine.manualTask()?.refused ?? null).toEqual(ends ? null : expect.objectContaining({ reason: 'NO_POSITION' }));
  expect(r.engine.manualTask()?.ended, 'it is over').toBe(true);
  command(r, { act: 'resume', strategy: null, ...by });
  r.price(59_400);
  expect(orders(r)).toEqual(ends ? [] : ['buy 0.01']);
  const withdrawn = r.rows().filter(({ kind }) => kind === 'withdrawn');
  expect(withdrawn.map(({ reason }) => reason)).toEqual(ends ? ['BY_PERSON'] : []);
});

describe('flatten', () => {
  test('every book is closed by its own order, books never netted, and nothing opens', () => {
    const r = holding();
    command(r, order('buy', { base: '0.005' }));
    lentQuote(r, 0.005);
    r.answer(r.last);
    command(r, flatten());
    expect(r.engine.manualTask()?.parts.map(({ book, held }) => `${book} ${held}`)).toEqual(['manual 0.005', 's 0.02']);
    lentQuote(r, 0.005);
    r.answer(r.last);
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect(orders(r).slice(-2)).toEqual(['sell 0.005', 'sell 0.02']);
    expect(r.engine.manualTask()).toMatchObject({ ended: true, parts: [{ state: 'done' }, { state: 'done' }] });
    r.price();
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'REDUCING' });
    expect(journaled(r).slice(2)).toEqual(['by_hand BY_PERSON', 'reducing BY_PERSON', 'by_hand_end']);
  });

  test('out of a halt it needs a word more, and REDUCING takes the place of HALTED; pauses stay', () => {
    const r = holding();
    command(r, { act: 'pause', strategy: 's', ...by });
    command(r, halt);
    command(r, flatten());
    const advice = /^trading is halted: `kairos resume`, or `kairos flatten --yes` \(over HTTP `"resume": true`\) to close everything$/;
    expect(r.engine.manualTask()).toMatchObject({ ended: true, refused: { reason: 'HALTED', why: expect.stringMatching(advice) } });
    expect(r.latch.isSet).toBe(true);
    command(r, flatten(true));
    expect([r.engine.isHalted, r.latch.isSet]).toEqual([false, false]);
    r.price(60_100);
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
    r.crash();
    const again = rig({ folder: r.folder, arming: { arm: 'manual' } });
    expect(again.engine.isHalted).toBe(false);
    expect(again.engine.snapshot(again.clock.now())).toMatchObject({ strategies: [{ paused: true }] });
  });

  test('with nothing held it says so, and trading is REDUCING', () => {
    const r = rig();
    command(r, flatten());
    expect(r.engine.manualTask()).toMatchObject({ ended: true, refused: null, parts: [] });
    expect(r.engine.snapshot(r.clock.now()).trading).toBe('REDUCING');
  });
});

describe('order', () => {
  test('takes the first quote of exactly its amount on a lent lane, into the book of people', () => {
    const r = rig();
    command(r, order('buy', { base: '0.00479' }));
    const lane = lentQuote(r, 0.0047);
    expect(r.last).toMatchObject({ strategy: 'manual', lane });
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0.0047', orders: [{ state: 'accepted', quoteAgeMs: 0 }] });
    expect(r.givenBack).toEqual([lane]);
    expect(r.query("SELECT DISTINCT book FROM ledger WHERE kind = 'fill'")).toEqual([{ book: 'manual' }]);
    const state = r.engine.snapshot(r.clock.now());
    expect(state.otherBooks).toMatchObject([{ id: 'manual', product: 'btcusd', position: '0.0047', low: '0.0047', high: '0.0047' }]);
  });

  test('of an amount that has a standing lane uses that', () => {
    const r = rig();
    r.price(50_000);
    command(r, order('buy', { base: '0.01' }));
    expect([orders(r), r.lent]).toEqual([['buy 0.01'], []]);
  });

  test('of the least size asks again once the price is known', () => {
    const r = rig();
    command(r, order('buy', { least: true }));
    expect(r.lent[0]?.amount).toEqual({ quote: decimalOf(50) });
    lentQuote(r, 0.0025, 20_000);
    // 5 usd at 20,000, a hundredth of room for the price.
    lentQuote(r, 0.0003, 20_000);
    expect(orders(r)).toEqual(['buy 0.0003']);
  });

  test.each<[string, Command, Partial<RigOptions>, readonly ((r: Rig) => void)[], string | null, RegExp]>([
    ['too small', order('buy', { base: '0.00001' }), {}, [], 'SIZE_LIMITS', /least order is 0.0001 base/],
    ['too small a value', order('buy', { quote: '4' }), {}, [], 'SIZE_LIMITS', /least order is 5 quote/],
    ['no lane to lend', order('buy', { base: '0.02' }), { reserve: 0 }, [], 'LANE_POOL_EMPTY', /lanes\.reserve is in use/],
    [
      'no quote',
      order('buy', { base: '0.02' }),
      {},
      [(r) => r.moveBy(1500), (r) => r.give({ kind: 'wake' })],
      'LANE_WAIT',
      /within 1500 ms/,
    ],
    ['a limit', order('buy', { base: '0.2' }), {}, [(r) => void lentQuote(r, 0.2)], 'MAX_ORDER_VALUE', /worth 12020 usd, over 5000 usd$/],
    [
      'what is not held',
      order('sell', { base: '0.02' }),
      {},
      [(r) => void lentQuote(r, 0.02)],
      'SHORT_NOT_ALLOWED',
      /the position would be -0.02, and the product may not go short/,
    ],
    [
      'rejected',
      order('buy', { base: '0.02' }),
      {},
      [(r) => void lentQuote(r, 0.02), (r) => r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 })],
      'HTTP_REFUSED',
      /is rejected/,
    ],
  ])('is refused with figures: %s', (_what, asked, options, steps, reason, why) => {
    const r = rig(options);
    command(r, asked);
    for (const step of steps) step(r);
    expect(part(r)).toMatchObject({ state: 'refused', reason, why: expect.stringMatching(why) });
    expect(r.engine.manualTask()?.ended).toBe(true);
    expect(r.lent.map(({ id }) => id)).toEqual(r.givenBack);
  });

  test('of an unknown product, or while trading is halted, it is refused before anything is asked of the feed', () => {
    const r = rig();
    command(r, order('buy', { base: '0.02' }, 'nosuch'));
    expect(r.engine.manualTask()?.refused).toMatchObject({ why: 'the service quotes no product nosuch; it quotes btcusd' });
    command(r, halt);
    command(r, order('buy', { base: '0.02' }));
    expect(r.engine.manualTask()?.refused).toMatchObject({ reason: 'HALTED' });
    expect(r.lent).toEqual([]);
  });

  test.each<[string, Command, string, RegExp]>([
    ['only exits pass', flatten(), 'REDUCING', /^only exits pass: flatten: a test$/],
    ['all is paused', { act: 'pause', strategy: null, ...by }, 'PAUSED', /paused/],
  ])('I22 while %s an opening is refused before a lane is lent for it; what reduces a position is lent one', (_what, stop, reason, why) => {
    const r = rig();
    command(r, order('buy', { base: '0.02' }));
    lentQuote(r, 0.02);
    r.answer(r.last);
    command(r, stop);
    const lent = r.lent.length;
    command(r, order('buy', { base: '0.03' }));
    expect(part(r)).toMatchObject({ state: 'refused', reason, why: expect.stringMatching(why) });
    expect(r.lent).toHaveLength(lent);
    command(r, order('sell', { base: '0.005' }));
    lentQuote(r, 0.005);
    expect(orders(r).at(-1)).toBe('sell 0.005');
  });

  test('F05 of unknown outcome freezes the product and says how to settle it', () => {
    const r = rig();
    command(r, order('buy', { base: '0.02' }));
    lentQuote(r, 0.02);
    r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    expect(part(r)).toMatchObject({ state: 'open', reason: 'PRODUCT_FROZEN', why: expect.stringContaining('journal resolve') });
  });

  test('of unknown outcome it counts towards limits at its own price, where no lane of its product has one', () => {
    const r = rig({ limits: { maxTotalValue: usd(1_000) } });
    r.give({ kind: 'products', products: [productText(btcProduct), productText({ ...btcProduct, code: productCode('ethusd') })] });
    command(r, order('buy', { base: '0.2' }, 'ethusd'));
    const lane = r.lent.at(-1);
    if (!lane) throw new Error('no lane was lent');
    r.ack(lane);
    r.quote(quote({ product: productCode('ethusd'), lane: lane.id, buy: 2_500, size: 0.2, validUntil: r.clock.now() + 3000 }));
    r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    expect(r.givenBack).toEqual([lane.id]);
    r.price();
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'MAX_TOTAL_VALUE', strategy: 's' });
  });
});

describe('I32 after a kill it goes on with what people asked to close', () => {
  /** The book of people holds 0.02. */
  function byHand(more: Omit<RigOptions, 'strategies'> = {}): Rig {
    const r = rig(more);
    command(r, order('buy', { base: '0.02' }));
    lentQuote(r, 0.02);
    r.answer(r.last);
    return r;
  }

  const again = (r: Rig, more: Omit<RigOptions, 'strategies'> = {}): Rig => {
    r.crash();
    return rig({ folder: r.folder, startAt: r.clock.now() + 1000, ...more });
  };
  const ends = (r: Rig) => r.rows().filter(({ kind, detail }) => kind === 'by_hand_end' && detail.act !== 'order');

  test.each<[string, Command, (r: Rig) => void, readonly string[]]>([
    ['a close, before its lane brought a quote', close({ strategy: 'manual' }), () => {}, ['sell 0.02']],
    [
      'a close, after a rejection',
      close({ strategy: 'manual' }),
      (r) => {
        lentQuote(r, 0.02);
        r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
      },
      ['sell 0.02'],
    ],
    ['a share of it, of what was held as it was asked', close({ strategy: 'manual', pct: 25 }), () => {}, ['sell 0.005']],
    ['a flatten', flatten(), () => {}, ['sell 0.02']],
  ])('I07b %s, on a lane that is lent', (_what, asked, before, expected) => {
    const first = byHand();
    command(first, asked);
    before(first);
    const r = again(first);
    lentQuote(r, Number(expected[0]?.split(' ')[1]));
    r.answer(r.last);
    expect(orders(r)).toEqual(expected);
    expect(part(r)).toMatchObject({ book: 'manual', state: 'done', held: '0.02', orders: [{ state: 'accepted' }] });
    expect(ends(r)).toMatchObject([{ detail: { id: r.engine.manualTask()?.id } }]);
    expect(r.lent.map(({ id }) => id)).toEqual(r.givenBack);
    expect(again(r).engine.manualTask()).toBeUndefined();
  });

  test('I02 a share that was sold before the kill is not sold again, though nobody said that it was over', () => {
    // The fill is durable, the row behind it is not: the process ends between the two.
    const first = byHand({
      wrapJournal: (journal) => ({
        commit: (rows) => journal.commit(rows.filter((row) => row.kind !== 'by_hand_end' || row.detail.act === 'order')),
        defer: (rows) => journal.defer(rows),
        write: () => journal.write(),
        flush: () => journal.flush(),
        end: (run, state) => journal.end(run, state),
      }),
    });
    command(first, close({ strategy: 'manual', pct: 25 }));
    lentQuote(first, 0.005);
    first.answer(first.last);
    expect([orders(first).at(-1), ends(first)]).toEqual(['sell 0.005', []]);
    const r = again(first);
    expect(part(r)).toMatchObject({ state: 'done', left: '0.015' });
    expect([orders(r), r.lent, ends(r).length]).toEqual([[], [], 1]);
  });

  test('I04 whose order was on its way: its outcome is unknown, and a person is told how to settle it', () => {
    const first = byHand();
    command(first, close({ strategy: 'manual' }));
    lentQuote(first, 0.02);
    const { id } = first.last;
    const r = again(first, { limits: { maxUnknown: null } });
    expect(part(r)).toMatchObject({
      state: 'working',
      reason: 'POSITION_UNSURE',
      why: expect.stringContaining(`kairos journal resolve ${id}`),
    });
    expect([orders(r), r.lent]).toEqual([[], []]);
    command(r, { act: 'resolve', order: id, fill: null, ...by });
    r.moveBy(1000);
    r.give({ kind: 'wake' });
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect([orders(r), part(r).state]).toEqual([['sell 0.02'], 'done']);
  });

  test('a flatten of two books: each goes on by its own order, and its end is journaled once', () => {
    const first = holding();
    command(first, order('buy', { base: '0.005' }));
    lentQuote(first, 0.005);
    first.answer(first.last);
    command(first, flatten());
    first.journal.flush();
    const r = again(first);
    lentQuote(r, 0.005);
    r.answer(r.last);
    r.price(60_100);
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect(orders(r)).toEqual(['sell 0.005', 'sell 0.02']);
    expect(r.engine.manualTask()).toMatchObject({
      act: 'flatten',
      ended: true,
      parts: [
        { book: 'manual', state: 'done', orders: [{ state: 'accepted' }] },
        { book: 's', state: 'done', orders: [{ state: 'accepted' }] },
      ],
    });
    expect(ends(r)).toHaveLength(1);
  });

  test.each<[string, (r: Rig) => void]>([
    ['has opened', (r) => r.answer(r.last)],
    ['may have opened', () => {}],
  ])('a flatten of which one part waits: what the strategy of a part that was done %s since is not sold', (_, opened) => {
    const limits = { maxExitValue: usd(1000), maxUnknown: null };
    const first = rig({ limits });
    first.price();
    first.answer(first.last);
    command(first, order('buy', { base: '0.03' }));
    lentQuote(first, 0.03);
    first.answer(first.last);
    command(first, flatten());
    lentQuote(first, 0.03, 60_100);
    first.price(60_100);
    first.answer(first.last);
    expect(orders(first).at(-1)).toBe('sell 0.01');
    command(first, { act: 'resume', strategy: null, ...by });
    first.price(60_001);
    expect(orders(first).at(-1)).toBe('buy 0.01');
    opened(first);
    const r = again(first, { limits });
    for (let n = 0; n < 3; n += 1) r.price(60_100 + n);
    expect(orders(r)).toEqual([]);
    expect(r.engine.manualTask()?.parts).toMatchObject([
      { book: 'manual', state: 'working' },
      { book: 's', state: 'done' },
    ]);
  });

  test('an order that was on its way as it was asked, and opens the position after it, is closed with it', () => {
    const first = rig({ limits: { maxUnknown: null } });
    first.price();
    command(first, flatten());
    first.moveBy(100);
    first.answer(first.last);
    const r = again(first);
    r.price(60_100);
    expect(orders(r)).toEqual(['sell 0.01']);
  });

  test.each(['run', 'kill'] as const)('all of it is asked for while a share is at work, in one %s: both are done', (how) => {
    const first = holding();
    command(first, close({ pct: 25 }));
    command(first, flatten());
    first.journal.flush();
    const r = how === 'kill' ? again(first) : first;
    for (let round = 0; round < 6; round++) {
      r.price(60_100);
      for (const { amount } of r.lent.filter((lane) => !r.givenBack.includes(lane.id))) {
        const had = r.broker.submitted.length;
        lentQuote(r, 'base' in amount ? amount.base.toNumber() : 0);
        if (r.broker.submitted.length > had) r.answer(r.last);
      }
    }
    expect(orders(r).slice(-2)).toEqual(['sell 0.005', 'sell 0.015']);
    expect(r.engine.snapshot(r.clock.now()).strategies).toMatchObject([{ position: '0' }]);
    expect(ends(r)).toHaveLength(2);
  });

  test('what was refused, and an order that nobody knows the end of, are not begun again', () => {
    const first = byHand();
    command(first, order('buy', { base: '0.03' }));
    command(first, halt);
    command(first, close({ strategy: 'manual' }));
    const r = again(first);
    command(r, { act: 'resume', strategy: null, ...by });
    r.price(60_100);
    expect([r.engine.manualTask(), r.lent, orders(r)]).toEqual([undefined, [], []]);
  });

  test('while trading is halted it waits, and goes on when a person resumes', () => {
    const first = byHand();
    command(first, close({ strategy: 'manual' }));
    command(first, halt);
    const r = again(first);
    r.moveBy(2_000);
    expect([r.lent, orders(r)]).toEqual([[], []]);
    command(r, { act: 'resume', strategy: null, ...by });
    r.moveBy(1_000);
    lentQuote(r, 0.02);
    expect(orders(r)).toEqual(['sell 0.02']);
  });
});

test('while DISARMED nothing is ordered or closed by hand, and `arm` is named', () => {
  const r = rig({ arming: { arm: 'manual' } });
  for (const asked of [order('buy', { base: '0.02' }), close(), flatten(), flatten(true)]) {
    command(r, asked);
    expect(r.engine.manualTask()).toMatchObject({
      ended: true,
      refused: { reason: 'DISARMED', why: expect.stringContaining('kairos arm') },
    });
  }
  expect([r.lent, r.broker.submitted]).toEqual([[], []]);
  // Where a halt stands as well, arming comes first: the advice helps when it is followed.
  command(r, halt);
  command(r, flatten(true));
  expect(r.engine.manualTask()?.refused).toMatchObject({
    reason: 'HALTED',
    why: expect.stringMatching(/^trading is halted and not armed: `kairos arm`, then `kairos resume`, or `kairos flatten --yes`/),
  });
  command(r, { act: 'arm', configHash: 'hash', config: '', build: 'build', ...by });
  command(r, flatten(true));
  expect(r.engine.manualTask()?.refused).toBeNull();
});

test('a strategy that failed and is disabled is closed all the same', () => {
  const breaks = strategy({
    name: 'breaks',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (price, { amount }) => {
      if (price === 50_000) throw new Error('broken');
      return price === 60_000 ? buy(amount, 'in') : undefined;
    },
  });
  const r = rig({ strategies: { s: breaks } });
  r.price();
  r.answer(r.last);
  for (let n = 0; n < 3; n++) r.price(50_000);
  expect(r.engine.snapshot(r.clock.now()).strategies).toMatchObject([{ disabled: true }]);
  command(r, close());
  expect(orders(r).at(-1)).toBe('sell 0.01');
  r.answer(r.last);
  expect(part(r)).toMatchObject({ state: 'done', left: '0' });
});

describe('row 8: a rehearsal comes before the arming', () => {
  const bought: Command = { ...by, act: 'order', product: 'btcusd', side: 'buy', amount: { least: true }, rehearsal: true };
  const sold: Command = { ...by, act: 'close', strategy: 'manual', product: 'btcusd', pct: 100, rehearsal: true };
  const disarmed = (): Rig => rig({ arming: { arm: 'manual' } });
  const paused = (): Rig => {
    const r = rig();
    command(r, { act: 'pause', strategy: null, ...by });
    return r;
  };

  test.each<[string, () => Rig]>([
    ['DISARMED', disarmed],
    ['paused', paused],
  ])('the least order is bought and sold while trading is %s', (_, begin) => {
    const r = begin();
    r.price(20_000);
    command(r, bought);
    lentQuote(r, 0.0003, 20_000);
    expect(orders(r)).toEqual(['buy 0.0003']);
    r.answer(r.last);
    command(r, sold);
    lentQuote(r, 0.0003, 20_000);
    expect(orders(r)).toEqual(['buy 0.0003', 'sell 0.0003']);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
    expect(isRehearsed(r)).toBe(true);
  });

  test('what a rehearsal that broke off has left is closed by hand while trading is DISARMED', () => {
    const r = disarmed();
    r.price(20_000);
    command(r, bought);
    lentQuote(r, 0.0003, 20_000);
    r.answer(r.last);
    command(r, { ...by, act: 'close', strategy: 'manual', product: null, pct: 100 });
    lentQuote(r, 0.0003, 20_000);
    expect(orders(r)).toEqual(['buy 0.0003', 'sell 0.0003']);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
  });

  test('nothing else passes while nothing is armed, and no rehearsal while trading is halted', () => {
    const r = disarmed();
    command(r, order('buy', { least: true }));
    expect(r.engine.manualTask()?.refused).toMatchObject({ reason: 'DISARMED', why: expect.stringContaining('kairos rehearse') });
    command(r, { ...sold, strategy: 's' });
    expect(r.engine.manualTask()?.refused).toMatchObject({ reason: 'DISARMED' });
    r.price();
    expect(r.story().at(-1)).toBe('refused DISARMED');
    command(r, halt);
    command(r, bought);
    expect(r.engine.manualTask()?.refused).toMatchObject({ reason: 'HALTED' });
    expect(isRehearsed(r)).toBe(false);
  });

  test('a purchase that was not sold again is no rehearsal; an order of a strategy makes one needless', () => {
    const r = rig();
    command(r, order('buy', { base: '0.02' }));
    lentQuote(r, 0.02);
    r.answer(r.last);
    expect(isRehearsed(r)).toBe(false);
    expect(isRehearsed(holding())).toBe(true);
  });
});
