import { expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import { buy, close, lane, mid, sell, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Command } from '#domain/event.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { usd } from '../support/limits.ts';
import { btcLane, btcProduct, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests();
const by = { who: 'ann', why: 'a test' };
const eth = productCode('ethusd');
const ethLane = laneFor(eth, { base: decimalOf('0.2') });
const there = { on: 'hedge', within: '1s' } as const;

/** Holds btc against eth: opens both at 60,000, and closes what it holds at 54,000 or less. */
const hedger = strategy({
  name: 'hedger',
  inputs: { hedge: lane() },
  onLegFailure: 'unwind',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (at, { amount, position, lanes: { hedge } }) => {
    if (!hedge) return undefined;
    if (at === 60_000 && position.isFlat) return [buy(amount, 'one'), sell(hedge.amount, 'other', there)];
    if (at > 54_000) return undefined;
    return [...(position.isFlat ? [] : [close(100, 'out')]), ...(hedge.position.isFlat ? [] : [close(100, 'out', there)])];
  },
});

function rig(options: Partial<RigOptions> = {}): Rig {
  const r = newRig({
    ...{ strategies: { s: hedger }, inputs: { hedge: { kind: 'lane', product: eth, source: ethLane.id } }, lanes: [btcLane, ethLane] },
    ...{ canShort: true, reserve: 2, limits: { maxDayLoss: usd(50) } },
    ...options,
  });
  r.give({ kind: 'products', products: [productText(btcProduct), { ...productText(btcProduct), code: eth }] });
  return r;
}

const command = (r: Rig, given: Command): void => r.give({ kind: 'command', command: given });
const orders = (r: Rig) => r.broker.submitted.map(({ side, product, figures }) => `${side} ${figures.size} ${product.slice(0, 3)}`);
const rejected = { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 } as const;

function ethQuote(r: Rig): void {
  r.quote(quote({ product: eth, buy: 2500, lane: ethLane.id, size: 0.2, validUntil: r.clock.now() + 3000 }));
}

/** The first leg is executed; the second has no quote that it could use. */
function begun(): Rig {
  const r = rig();
  ethQuote(r);
  r.price(60_000, { afterMs: 3000 });
  r.answer(r.last);
  expect(orders(r)).toEqual(['buy 0.01 btc']);
  return r;
}

test('where openings are off, what a failed plan closed is not opened again, not even after a resume', () => {
  const r = begun();
  for (let n = 0; n < 2; n++) ethQuote(r);
  r.answer(r.last);
  for (let n = 0; n < 6; n++) r.price(60_001);
  r.price(54_000);
  expect(r.story()).toContain('reducing MAX_DAY_LOSS');
  r.answer(r.last);
  r.price(54_001, { afterMs: 1000 });
  expect(r.story()).toContain('leg_failed LEG_FAILED');
  expect(r.engine.underWay).toBeUndefined();
  expect(r.notices.filter((text) => text.includes('not undone'))).toEqual([
    'error: s: a failed plan is not undone: buy 0.01 base of btcusd: only exits pass, until a person arms or resumes trading',
  ]);
  // The strategy is asked again, and closes the rest itself.
  for (let n = 0; n < 2; n++) ethQuote(r);
  r.price(54_000);
  r.answer(r.last);
  command(r, { act: 'resume', strategy: null, ...by });
  for (let n = 1; n < 4; n++) r.price(54_000 + n);
  expect(orders(r)).toEqual(['buy 0.01 btc', 'sell 0.2 eth', 'sell 0.01 btc', 'buy 0.2 eth']);
});

test('what a person closed meanwhile is not sold again: undoing makes no short position', () => {
  const r = begun();
  command(r, { act: 'halt', ...by });
  r.price(60_001, { afterMs: 1000 });
  expect(r.story()).toContain('leg_failed LEG_FAILED');
  command(r, { act: 'flatten', resume: true, ...by });
  r.price(60_001);
  r.answer(r.last);
  command(r, { act: 'resume', strategy: null, ...by });
  for (let n = 3; n < 6; n++) r.price(60_000 + n);
  expect(orders(r)).toEqual(['buy 0.01 btc', 'sell 0.01 btc']);
  expect(r.engine.underWay).toBeUndefined();
});

test('nor is it while the product is corrected to nothing', () => {
  const r = begun();
  command(r, { act: 'halt', ...by });
  r.price(60_001, { afterMs: 1000 });
  const entries = [{ kind: 'correction', book: 's', product: 'btcusd', currency: 'btc', amount: '-0.01' }] as const;
  command(r, { act: 'book', entries, ...by });
  command(r, { act: 'resume', strategy: null, ...by });
  for (let n = 3; n < 6; n++) r.price(60_000 + n);
  expect([orders(r), r.engine.underWay]).toEqual([['buy 0.01 btc'], undefined]);
});

/** Buys at 60,000; at 60,001 sells what it holds, with a second part that fails. */
const seller = strategy({
  name: 'seller',
  onLegFailure: 'unwind',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (at, { amount }) => {
    if (at === 60_000) return buy(amount, 'in');
    return at === 60_001 ? [sell(amount, 'one'), buy(amount, 'two', { limit: 1, within: '1s' })] : undefined;
  },
});

test('an exit closes all: what a failed plan sold is not bought again after it', () => {
  const r = rig({ strategies: { s: seller }, inputs: {}, exits: { stopLossPct: 5 }, limits: {} });
  for (const at of [60_000, 60_000, 60_001]) {
    r.price(at);
    r.answer(r.last);
  }
  r.price(60_002, { afterMs: 1000 });
  r.answer(r.last, rejected);
  expect(r.engine.underWay).toContain('is to buy 0.01 base');
  r.price(54_000);
  r.answer(r.last);
  for (let n = 1; n < 6; n++) r.price(54_000 + n);
  expect(orders(r).slice(2)).toEqual(['sell 0.01 btc', 'buy 0.01 btc', 'sell 0.01 btc']);
  expect(r.engine.underWay).toBeUndefined();
});

test.each<[string, Command]>([
  ['close --end', { act: 'close', strategy: 's', product: null, pct: 100, end: true, ...by }],
  ['flatten --end', { act: 'flatten', resume: false, end: true, ...by }],
])('a person ends it by %s, also over a restart', (_, end) => {
  const r = begun();
  r.price(60_001, { afterMs: 1000 });
  r.answer(r.last, rejected);
  expect(r.engine.underWay).toContain('is to sell 0.01 of the position');
  command(r, end);
  expect(r.engine.underWay).toBeUndefined();
  expect(r.engine.manualTask()).toMatchObject({ ended: true, refused: null });
  expect(r.story()).toContain('withdrawn BY_PERSON');
  r.crash();
  const again = rig({ folder: r.folder, startAt: r.clock.now() + 5000 });
  for (let n = 3; n < 6; n++) again.price(60_000 + n);
  expect([orders(r), orders(again)]).toEqual([['buy 0.01 btc', 'sell 0.01 btc'], []]);
  command(again, end);
  expect(again.engine.manualTask()?.refused).toMatchObject({ why: 'nothing is being closed there' });
});

test.each(['goes on', 'is killed'])(
  'what a failed plan closed and its order opens again in part is opened to the end where the process %s',
  (then) => {
    const options = { strategies: { s: seller }, inputs: {}, limits: {} };
    const first = rig(options);
    for (const at of [60_000, 60_001]) {
      first.price(at);
      first.answer(first.last);
    }
    first.price(60_002, { afterMs: 1000 });
    first.answer(first.last, { figures: { size: '0.0025', value: '150' } });
    expect(orders(first)).toEqual(['buy 0.01 btc', 'sell 0.01 btc', 'buy 0.01 btc']);
    if (then !== 'goes on') first.crash();
    const r = then === 'goes on' ? first : rig({ ...options, folder: first.folder, startAt: first.clock.now() + 1000 });
    r.price(60_003);
    const [lane] = r.lent;
    if (!lane) throw new Error('no lane was lent');
    r.ack(lane);
    r.quote(quote({ buy: 60_003, lane: lane.id, size: 0.0075, validUntil: r.clock.now() + 3000 }));
    r.answer(r.last);
    for (let n = 4; n < 8; n++) r.price(60_000 + n);
    expect([orders(r).at(-1), r.lent.length, r.engine.underWay]).toEqual(['buy 0.0075 btc', 1, undefined]);
  },
);

test.each(['goes on', 'is killed', 'is killed before the answer'])(
  'what its order executes in part is undone to the end where the process %s',
  (then) => {
    const pair = strategy({
      name: 'pair',
      onLegFailure: 'unwind',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at, { amount }) => (at === 60_000 ? [buy(amount, 'one'), buy(amount, 'two', { limit: 1, within: '1s' })] : undefined),
    });
    const options = { strategies: { s: pair }, inputs: {}, limits: {} };
    const first = rig(options);
    first.price();
    first.answer(first.last);
    first.price(60_001);
    first.price(60_002);
    const part = { size: '0.0025', value: '150' };
    if (then !== 'is killed before the answer') first.answer(first.last, { figures: part });
    if (then !== 'goes on') first.crash();
    const r = then === 'goes on' ? first : rig({ ...options, folder: first.folder, startAt: first.clock.now() + 1000 });
    if (then === 'is killed before the answer') {
      const fill = { side: 'sell', baseCcy: 'btc', quoteCcy: 'usd', price: '60000', ...part, fee: '0', feeCcy: 'usd' } as const;
      command(r, { act: 'resolve', order: first.last.id, fill, ...by });
    }
    r.price(60_003);
    const lane = r.lent.at(-1);
    if (!lane) throw new Error('no lane was lent');
    r.ack(lane);
    r.quote(quote({ buy: 60_003, lane: lane.id, size: 0.0075, validUntil: r.clock.now() + 3000 }));
    r.answer(r.last);
    for (let n = 4; n < 8; n++) r.price(60_000 + n);
    expect([orders(first).length + (r === first ? 0 : orders(r).length), orders(r).at(-1)]).toEqual([3, 'sell 0.0075 btc']);
    expect([r.engine.underWay, r.lent.length]).toEqual([undefined, 1]);
  },
);

/** Buys btc at 60,000; at 60,001 it buys eth, and sells btc against it. */
const spreader = strategy({
  name: 'spreader',
  inputs: { hedge: lane() },
  onLegFailure: 'unwind',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (at, { amount, lanes: { hedge } }) => {
    if (at === 60_000) return buy(amount, 'one');
    return at === 60_001 && hedge
      ? [buy(hedge.amount, 'other', { on: 'hedge' }), sell(amount, 'against it', { within: '60s' })]
      : undefined;
  },
});

test.each(['executed', 'on its way'])(
  'a plan whose first leg is %s goes on where an order of unknown outcome turns out executed',
  (first) => {
    const r = rig({ strategies: { s: spreader } });
    ethQuote(r);
    r.price();
    const lost = r.last;
    r.answer(lost, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    ethQuote(r);
    r.price(60_001);
    const other = r.last;
    if (first === 'executed') r.answer(other);
    r.answer(lost, { late: true });
    if (first === 'on its way') r.answer(other);
    r.price(60_002);
    expect(orders(r)).toEqual(['buy 0.01 btc', 'buy 0.2 eth', 'sell 0.01 btc']);
  },
);
