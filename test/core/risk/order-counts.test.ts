import { describe, expect, test } from 'vitest';
import type { Limits } from '#core/risk/limits.ts';
import { MinuteCount, OrderCounts } from '#core/risk/order-counts.ts';
import { currency, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import type { Reason } from '#domain/reasons.ts';
import { NO_LIMITS } from '../../support/limits.ts';
import { BTC } from '../../support/market-data.ts';
import { inState, type OrderParts, OWNER, orderOf } from '../../support/orders.ts';

const DAY = 86_400_000;
const usd = currency('usd');
const other = { strategy: strategyId('other'), product: productCode('ethusd') };

function counted(...orders: readonly OrderParts[]): OrderCounts {
  const counts = new OrderCounts();
  for (const order of orders) counts.committed(orderOf(order), false);
  return counts;
}
const dayValue = (counts: OrderCounts, now: number) => counts.dayValue(now).get(usd)?.toString();

describe('the value of the day, which MAX_DAY_VALUE is held against', () => {
  test('adds up from the commit on, and begins anew at midnight UTC', () => {
    const counts = counted({ at: DAY - 2 }, { at: DAY - 1, id: '2-1', size: '0.02' });
    expect(dayValue(counts, DAY - 1)).toBe('1800');
    expect(dayValue(counts, DAY)).toBeUndefined();
  });

  test('an order of the new day is the first of it', () => {
    const counts = counted({ at: DAY - 1 }, { at: DAY });
    expect(dayValue(counts, DAY)).toBe('600');
  });

  test('F57 a day that was left is not entered again', () => {
    const counts = counted({ at: DAY });
    expect(dayValue(counts, DAY - 1)).toBe('600');
    expect(dayValue(counts, DAY)).toBe('600');
  });

  test.each<[OrderState, string]>([
    ['accepted', '600'],
    ['unknown', '600'],
    ['sent', '600'],
    ['rejected', '0'],
    ['expired', '0'],
    ['not_sent', '0'],
  ])('an order that is %s leaves %s of it', (state, left) => {
    const counts = counted({ at: 5 });
    counts.settled(inState(state, { at: 5 }));
    expect(dayValue(counts, 6)).toBe(left);
  });

  test('what was not traded yesterday gives nothing back today', () => {
    const counts = counted({ at: DAY - 1 }, { at: DAY, id: '2-1' });
    counts.settled(inState('expired', { at: DAY - 1 }));
    expect(dayValue(counts, DAY)).toBe('600');
  });

  test('I32 goes on over a restart of the same day, and ends with it', () => {
    const counts = new OrderCounts();
    counts.restore({ ...NO_PAST_RISK, dayValue: { usd: '123.5' } }, DAY + 5);
    expect(dayValue(counts, DAY + 6)).toBe('123.5');
    counts.committed(orderOf({ at: DAY + 7 }), false);
    expect(dayValue(counts, DAY + 8)).toBe('723.5');
    expect(dayValue(counts, 2 * DAY)).toBeUndefined();
  });
});

describe('orders of a minute', () => {
  test('count by strategy and by product', () => {
    const counts = counted({ at: 0 }, { at: 10, ...other }, { at: 20, strategy: other.strategy });
    expect([
      counts.rateOf('all', {}).inLastMinute(20),
      counts.rateOf('strategy', { strategy: 's' }).inLastMinute(20),
      counts.rateOf('strategy', { strategy: 'other' }).inLastMinute(20),
    ]).toEqual([3, 1, 2]);
    expect([
      counts.rateOf('product', { product: 'btcusd' }).inLastMinute(20),
      counts.rateOf('product', { product: 'ethusd' }).inLastMinute(20),
    ]).toEqual([2, 1]);
    expect([
      counts.rateOf('strategy', { strategy: 'none' }).inLastMinute(20),
      counts.rateOf('product', { product: 'none' }).inLastMinute(20),
    ]).toEqual([0, 0]);
    expect([
      counts.rateOf('all', {}).inLastMinute(60_000),
      counts.rateOf('strategy', { strategy: 's' }).inLastMinute(60_000),
      counts.rateOf('product', { product: 'btcusd' }).inLastMinute(60_000),
    ]).toEqual([2, 0, 1]);
  });

  test('what was not sent keeps its place', () => {
    const counts = counted({ at: 0 });
    counts.settled(inState('not_sent'));
    expect(counts.rateOf('all', {}).inLastMinute(1)).toBe(1);
  });

  test('I32 those of the minute before a restart count', () => {
    const counts = new OrderCounts();
    counts.restore({ ...NO_PAST_RISK, recentOrders: [{ at: 5, strategy: OWNER, product: BTC }] }, 10);
    expect([
      counts.rateOf('all', {}).inLastMinute(10),
      counts.rateOf('strategy', { strategy: 's' }).inLastMinute(10),
      counts.rateOf('product', { product: 'btcusd' }).inLastMinute(10),
    ]).toEqual([1, 1, 1]);
  });

  test('thousands of them are counted as few are', () => {
    const rate = new MinuteCount();
    for (let at = 0; at < 5_000; at++) {
      rate.add(at * 100);
      expect(rate.inLastMinute(at * 100)).toBe(Math.min(600, at + 1));
    }
    rate.clear();
    expect(rate.inLastMinute(500_000)).toBe(0);
    rate.add(500_001);
    expect(rate.inLastMinute(500_001)).toBe(1);
  });
});

describe('a limit that refuses an opening lets the next one pass', () => {
  const limits = { ...NO_LIMITS, maxOrdersPerMinute: 5, maxOrdersPerMinuteOfStrategy: 1, maxOrdersPerMinuteOfProduct: 2 };
  const counts = () => counted({ at: 0 }, { at: 10, ...other }, { at: 20, strategy: other.strategy });
  const passes = (reason: Reason, over: Partial<Limits> = {}) =>
    counts().passesAt({ reason, strategy: OWNER, product: BTC }, { ...limits, ...over }, 30);

  test('when enough of the orders that it counts are a minute old', () => {
    expect(passes('MAX_ORDERS_PER_MINUTE_OF_STRATEGY')).toBe(60_000);
    expect(passes('MAX_ORDERS_PER_MINUTE_OF_PRODUCT')).toBe(60_000);
    expect(passes('MAX_ORDERS_PER_MINUTE_OF_PRODUCT', { maxOrdersPerMinuteOfProduct: 1 })).toBe(60_020);
    expect(passes('MAX_ORDERS_PER_MINUTE')).toBe(30);
    expect(passes('MAX_ORDERS_PER_MINUTE', { reducingOrderSharePct: 60 })).toBe(60_010);
    expect(passes('MAX_ORDERS_PER_MINUTE', { maxOrdersPerMinute: 3 })).toBe(60_000);
  });

  test('at once where it is off', () => {
    expect(passes('MAX_ORDERS_PER_MINUTE', { maxOrdersPerMinute: null })).toBe(30);
    expect(passes('MAX_ORDERS_PER_MINUTE_OF_STRATEGY', { maxOrdersPerMinuteOfStrategy: null })).toBe(30);
    expect(passes('MAX_ORDERS_PER_MINUTE_OF_PRODUCT', { maxOrdersPerMinuteOfProduct: null })).toBe(30);
  });

  test('at the end of the day, where it is of the day; of any other nobody knows when', () => {
    expect(passes('MAX_DAY_VALUE')).toBe(DAY);
    expect(passes('MAX_SPREAD')).toBeUndefined();
  });
});

describe('the twin of an order, which DUPLICATE is held against', () => {
  const since = (counts: OrderCounts, parts: OrderParts = {}) => counts.sinceTwin(orderOf({ at: 100, ...parts }));

  test('is the last opening of the same strategy, product, side and size', () => {
    const counts = counted({ at: 40 });
    expect(since(counts)).toBe(60);
    expect(since(counts, { side: 'sell' })).toBeUndefined();
    expect(since(counts, { size: '0.02' })).toBeUndefined();
    expect(since(counts, { strategy: other.strategy })).toBeUndefined();
    expect(since(counts, { product: other.product })).toBeUndefined();
    expect(since(new OrderCounts())).toBeUndefined();
  });

  test('of two products both have one', () => {
    const counts = counted({ at: 40 }, { at: 50, product: other.product });
    expect([since(counts), since(counts, { product: other.product })]).toEqual([60, 50]);
  });

  test('an exit is nobody’s twin and ends that of what it closes', () => {
    const counts = counted({ at: 40 });
    counts.committed(orderOf({ id: '2-1', side: 'sell', at: 50 }), true);
    expect(since(counts)).toBeUndefined();
    expect(since(counts, { side: 'sell' })).toBeUndefined();
  });

  test.each<[OrderState, number | undefined]>([
    ['accepted', 60],
    ['unknown', 60],
    ['rejected', undefined],
    ['expired', undefined],
    ['not_sent', undefined],
  ])('one that is %s: %s ms', (state, ms) => {
    const counts = counted({ at: 40 });
    counts.settled(inState(state, { at: 40 }));
    expect(since(counts)).toBe(ms);
  });

  test('what comes of an earlier order leaves the later one', () => {
    const counts = counted({ at: 30, id: '1-1' }, { at: 40, id: '2-1' });
    counts.settled(inState('expired', { at: 30, id: '1-1' }));
    expect(since(counts)).toBe(60);
    counts.settled(inState('expired', { at: 30, ...other }));
    expect(since(counts)).toBe(60);
  });
});

describe('rejections in a row', () => {
  test('are counted up to the next order that is executed', () => {
    const counts = new OrderCounts();
    const states: readonly OrderState[] = ['rejected', 'rejected', 'expired', 'unknown', 'rejected', 'accepted', 'rejected'];
    expect(states.map((state) => counts.settled(inState(state)))).toEqual([1, 2, 2, 2, 3, 0, 1]);
    expect(counts.rejections).toBe(1);
  });

  test('go on over a restart, until a person has taken note of them', () => {
    const counts = new OrderCounts();
    counts.restore({ ...NO_PAST_RISK, rejections: 4 }, 0);
    expect(counts.settled(inState('rejected'))).toBe(5);
    counts.resetBaselines();
    expect(counts.rejections).toBe(0);
  });
});

test('I02 a quote is known as used until ten thousand others were used after it, also when it is named again', () => {
  const id = (n: number) => quoteId(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  const counts = new OrderCounts();
  expect(counts.isUsed(id(0))).toBe(false);
  for (let n = 0; n <= 10_000; n++) counts.use(id(n));
  counts.use(id(9_999));
  expect([0, 1, 9_999, 10_000].map((n) => counts.isUsed(id(n)))).toEqual([true, true, true, true]);
  for (let n = 10_001; n <= 20_000; n++) counts.use(id(n));
  expect([0, 10_001, 20_000].map((n) => counts.isUsed(id(n)))).toEqual([false, true, true]);
});

test('a rate falls below a number when the order that is too many is a minute old', () => {
  const rate = new MinuteCount([0, 10, 30_000]);
  expect([1, 2, 3, 4].map((most) => rate.fallsBelow(most, 40_000))).toEqual([90_000, 60_010, 60_000, 40_000]);
  expect(rate.fallsBelow(0, 40_000)).toBeUndefined();
  expect([rate.fallsBelow(3, 60_000), rate.fallsBelow(2, 60_000)]).toEqual([60_000, 60_010]);
});
