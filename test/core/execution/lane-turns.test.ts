import { describe, expect, test } from 'vitest';
import type { ManualTerms } from '#core/execution/plan.ts';
import { decimalOf } from '#domain/decimal.ts';
import { amountText, laneFor } from '#domain/lane.ts';
import { productCode, type StrategyId, strategyId } from '#domain/names.ts';
import { legText } from '#domain/work-text.ts';
import { usd } from '../../support/limits.ts';
import { BTC, btcLane, btcProduct } from '../../support/market-data.ts';
import { base, legOf, planOf, T, type WorkingOptions, wants, working } from './working.ts';

const all = wants('sell', { size: { kind: 'position' }, reason: 'stop' });
const eth = laneFor(productCode('ethusd'), base('0.1'));
const [first, second] = [strategyId('first'), strategyId('second')];

type Rig = ReturnType<typeof working>;

const rig = (options: WorkingOptions = {}): Rig => {
  const w = working({ reserve: 2, ...options });
  w.quote(60_000);
  return w;
};

/** A stop of 0.02, which no standing lane has. */
const stop = (w: Rig): void => {
  w.holding('0.02');
  w.parentOrders.close(planOf([all]));
};

/** Every lane of bitcoin that is up or lent brings a quote twice a second; orders of the strategy are answered, those of others rejected. */
function goOn(w: Rig, seconds: number): void {
  for (let n = 0; n < 2 * seconds; n += 1) {
    w.quote(60_000);
    for (const lane of w.lent) {
      if (lane.product !== BTC || !w.context.lanePool.lane(lane.id)) continue;
      if (w.context.market.lane(lane.id)?.phase !== 'acked') w.ack(lane);
      w.quote(60_000, { lane: lane.id, size: 'base' in lane.amount ? lane.amount.base.toNumber() : 0, afterMs: 0 });
      for (const { strategy } of w.context.books.openOrders()) strategy === 's' ? w.answer() : w.rejected();
    }
  }
}

/** A person closes so much, all of a book, on one lane or another until it is done; the answer says how that ended. */
function byHand(w: Rig, book: StrategyId, size = '0.05'): readonly string[] {
  w.holding(size, { book });
  const ends: string[] = [];
  const isDone = () => w.context.books.book(book, BTC).size.isZero();
  const manual: ManualTerms = {
    ...{ product: BTC, side: 'sell', lasting: true },
    want: () => (isDone() ? { over: null, why: '', done: true } : { intent: all, amount: base(size) }),
    failed() {},
    ended: (as) => ends.push(as),
  };
  w.parentOrders.order({ ...planOf([], { strategy: book }), manual });
  return ends;
}

describe('a stop has its turn on a lane that is lent, whatever waits on all of them', () => {
  test('exits of a product that is not quoted', () => {
    const w = rig({ lanes: [eth] });
    w.products([btcProduct, { ...btcProduct, code: eth.product }]);
    w.context.market.change({ phase: 'lost', lane: eth.id, epoch: 1, why: 'test' }, w.context.log.now);
    for (const book of [first, second]) {
      w.holding('0.1', { book, product: eth.product });
      w.parentOrders.close(planOf([legOf(all, eth)], { strategy: book }));
    }
    stop(w);
    goOn(w, 3);
    expect([w.orders(), w.held(), w.lent.at(-1)?.product]).toEqual([['sell 0.02'], '0', eth.product]);
  });

  test('exits that wait for the consent of a person', () => {
    const w = rig({ limits: { maxExitValue: usd(2000) } });
    for (const book of [first, second]) {
      w.holding('0.05', { book });
      w.parentOrders.close(planOf([all], { strategy: book }));
    }
    stop(w);
    goOn(w, 3);
    expect([w.orders(), w.held()]).toEqual([['sell 0.02'], '0']);
  });

  test.each<[string, WorkingOptions]>([
    ['waits for consent', { limits: { maxExitValue: usd(2000) } }],
    ['the service rejects', {}],
  ])('what a person closes and %s, which goes on on its lanes before and after', (_, options) => {
    const w = rig(options);
    for (const book of [first, second]) byHand(w, book);
    goOn(w, 20);
    expect([w.lent.length, w.givenBack]).toEqual([2, []]);
    stop(w);
    goOn(w, 6);
    expect(w.held()).toBe('0');
    const given = w.givenBack.length;
    goOn(w, 20);
    expect([w.context.lanePool.inUse, w.givenBack.length]).toEqual([2, given]);
  });
});

describe('lanes that are lent', () => {
  test.each([false, true])('go to what waits longest, and what came to nothing goes behind it; begun before a restart: %s', (isPast) => {
    const w = rig({ reserve: 1 });
    for (const size of ['0.03', '0.04', '0.05']) {
      const plan = planOf([all], { strategy: strategyId(size) });
      w.holding(size, { book: plan.strategy });
      const past = { ...plan, work: `1-${size}`, legs: plan.legs.map(legText), lasting: true, begun: T, tries: [] };
      if (isPast) w.parentOrders.restore([past]);
      else w.parentOrders.close(plan);
    }
    for (let n = 0; n < 20; n += 1) w.quote(60_000);
    const turns = ['base:0.03', 'base:0.04', 'base:0.05', 'base:0.03', 'base:0.04', 'base:0.05'];
    expect(w.lent.map(({ amount }) => amountText(amount)).slice(0, 6)).toEqual(turns);
  });

  test('go to no opening while something waits to close', () => {
    const w = rig({ reserve: 1 });
    const opens = (size: string) => planOf([wants(null, { size: { kind: 'target', size: decimalOf(size) } })], { strategy: first });
    w.parentOrders.begin(opens('0.03'));
    stop(w);
    w.parentOrders.begin(opens('-0.03'));
    w.after(0);
    expect(w.lent.map(({ amount }) => amountText(amount))).toEqual(['base:0.03', 'base:0.02']);
  });

  test('pass over what has no use for one any more', () => {
    const w = rig({ reserve: 1 });
    byHand(w, first);
    goOn(w, 1);
    stop(w);
    w.holding('-0.01');
    w.quote(60_000);
    w.answer();
    expect(w.held()).toBe('0');
    goOn(w, 20);
    expect([w.lent.length, w.orders().filter((order) => order !== 'sell 0.05')]).toEqual([1, ['sell 0.01']]);
  });

  test('pass over what has an order on its way by then', () => {
    const w = rig({ reserve: 1 });
    byHand(w, first);
    w.context.market.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'test' }, w.context.log.now);
    const ends = byHand(w, second, '0.01');
    w.ack();
    w.quote(60_000);
    w.after(500);
    expect([w.orders(), w.givenBack]).toEqual([['sell 0.01'], []]);
    w.after(1000);
    expect(w.givenBack).toHaveLength(1);
    w.after(1500);
    w.answer();
    expect([w.orders(), ends]).toEqual([['sell 0.01'], ['done']]);
  });
});
