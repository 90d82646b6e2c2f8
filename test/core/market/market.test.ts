import { describe, expect, test } from 'vitest';
import { MarketData } from '#core/market/market.ts';
import { decimalOf } from '#domain/decimal.ts';
import { type FreshnessOf, freshnessFrom, USUAL_FRESHNESS } from '#domain/freshness.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { laneIdOf, productCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import { btcLane, type QuoteParts, quoteAt, quoteWith } from '../../support/quotes.ts';

const lane = btcLane.id;

const btcusd: Product = {
  code: productCode('btcusd'),
  minSize: decimalOf('0.001'),
  minNotionalValue: decimalOf(10),
  sizeIncrement: decimalOf('0.001'),
  priceIncrement: decimalOf('0.01'),
};

/** A market whose one lane was acknowledged at 0. */
function acked(other = btcLane, freshnessOf: FreshnessOf = () => USUAL_FRESHNESS): MarketData {
  const market = new MarketData({ freshnessOf });
  market.products([btcusd]);
  market.open(other);
  market.change({ phase: 'opening', lane: other.id, epoch: 1 }, 0);
  market.change({ phase: 'acked', lane: other.id, epoch: 1 }, 0);
  return market;
}

describe('only quotes of the present, acknowledged subscription count', () => {
  test('F26: a quote before the ACK is dropped, and counted', () => {
    const market = new MarketData({ freshnessOf: () => USUAL_FRESHNESS });
    market.open(btcLane);
    expect(market.accept(quoteWith(), 1)).toBe('QUOTE_UNSUBSCRIBED');
    market.change({ phase: 'opening', lane, epoch: 1 }, 2);
    expect(market.accept(quoteWith(), 3)).toBe('QUOTE_UNSUBSCRIBED');
    expect(market.latest(lane)).toBeUndefined();
    expect(market.lane(lane)?.counters.refused).toEqual({ QUOTE_UNSUBSCRIBED: 2 });
    expect(market.untradable(lane, 3)).toBe('LANE_DOWN');
  });

  test('F29 I22: a quote of an earlier subscription is dropped, one of a subscription not acknowledged yet too', () => {
    const market = acked();
    market.change({ phase: 'opening', lane, epoch: 2 }, 10);
    market.change({ phase: 'acked', lane, epoch: 2 }, 20);
    expect(market.accept(quoteWith({ epoch: 1 }), 30)).toBe('QUOTE_OLD_EPOCH');
    expect(market.accept(quoteWith({ epoch: 3 }), 30)).toBe('QUOTE_UNSUBSCRIBED');
    expect(market.accept(quoteWith({ epoch: 2 }), 30)).toBeNull();
  });

  test('F23: the quote of a lost connection is not traded on, nor is it shown as the new connection', () => {
    const market = acked();
    const quote = quoteWith();
    market.accept(quote, 10);
    expect(market.untradable(lane, 10)).toBeNull();
    market.change({ phase: 'lost', lane, epoch: 1, why: 'closed 1006' }, 11);
    expect(market.untradable(lane, 11)).toBe('LANE_DOWN');
    expect(market.latest(lane)).toBe(quote);
    expect(market.lane(lane)).toMatchObject({ phase: 'lost', why: 'closed 1006', since: 11 });
    market.change({ phase: 'opening', lane, epoch: 2 }, 12);
    expect(market.lane(lane)).toMatchObject({ phase: 'opening', why: 'closed 1006', since: 11 });
    market.change({ phase: 'acked', lane, epoch: 2 }, 13);
    expect(market.lane(lane)).toMatchObject({ phase: 'acked', why: '', since: 13 });
    expect(market.latest(lane)).toBeUndefined();
    expect(market.untradable(lane, 13)).toBe('LANE_STALE');
  });

  test('late news of an earlier subscription does not bring the present one down', () => {
    const market = acked();
    market.change({ phase: 'acked', lane, epoch: 2 }, 10);
    market.change({ phase: 'lost', lane, epoch: 1, why: 'late' }, 11);
    market.accept(quoteWith({ epoch: 2 }), 12);
    expect(market.untradable(lane, 12)).toBeNull();
  });

  test('an ACK that comes unasked within a subscription changes nothing', () => {
    const market = acked();
    market.accept(quoteWith(), 10);
    market.change({ phase: 'acked', lane, epoch: 1 }, 20);
    expect(market.untradable(lane, 30)).toBeNull();
  });

  test('F27 F28: a disabled lane stays so when its socket closes afterwards', () => {
    const market = acked();
    market.accept(quoteWith(), 1);
    market.change({ phase: 'disabled', lane, epoch: 1, why: 'ACK for another product' }, 2);
    market.change({ phase: 'lost', lane, epoch: 1, why: 'closed' }, 3);
    expect(market.untradable(lane, 3)).toBe('LANE_DISABLED');
  });

  test('a lane that nobody opened offers nothing', () => {
    const market = acked();
    expect(market.untradable(laneIdOf('other'), 0)).toBe('LANE_DOWN');
    expect(market.lane(laneIdOf('other'))).toBeUndefined();
    expect([...market.lanes()].map((status) => status.lane.id)).toEqual([lane]);
  });
});

describe('I10: a quote is what its lane asked for', () => {
  test('B20: another product is refused', () => {
    expect(acked().accept(quoteWith({ product: 'ethusd' }), 1)).toBe('QUOTE_PRODUCT_MISMATCH');
  });

  const base = (buy: number, sell: number): QuoteParts => ({ buy: { size: buy }, sell: { size: sell } });
  test.each([
    ['exact', base(0.1, 0.1), null],
    ['one step above', base(0.101, 0.1), null],
    ['one step below', base(0.1, 0.099), null],
    ['just over a step above', base(0.1010000001, 0.1), 'QUOTE_SIZE_MISMATCH'],
    ['just over a step below', base(0.1, 0.0989999999), 'QUOTE_SIZE_MISMATCH'],
    ['an old size on one side', base(0.1, 1), 'QUOTE_SIZE_MISMATCH'],
    ['B01: not a number', base(Number.NaN, 0.1), 'QUOTE_SIZE_MISMATCH'],
    ['B01: infinite', base(0.1, Number.POSITIVE_INFINITY), 'QUOTE_SIZE_MISMATCH'],
    ['B02: negative', base(-0.1, 0.1), 'QUOTE_SIZE_MISMATCH'],
  ])('base amount, size within one step, both sides: %s', (_name, parts, reason) => {
    expect(acked().accept(quoteWith(parts), 1)).toBe(reason);
  });

  test('a product that the service does not list allows no step', () => {
    const market = acked();
    market.products([]);
    expect(market.accept(quoteWith(base(0.101, 0.1)), 1)).toBe('QUOTE_SIZE_MISMATCH');
    expect(market.accept(quoteWith(base(0.1, 0.1)), 1)).toBeNull();
  });

  const thousand = laneFor(productCode('btcusd'), amountOf({ quote: 1000 }));
  const value = (v: number, parts: { price?: number; fee?: number } = {}): QuoteParts => {
    const side = { value: v, price: parts.price ?? 1_000, feeInQuoteCcy: parts.fee ?? 0 };
    return { lane: thousand, buy: side, sell: side };
  };
  test.each([
    ['half a percent off, small step and fee', value(995), null],
    ['just over half a percent', value(994.9999), 'QUOTE_SIZE_MISMATCH'],
    ["a step's worth, where that is more", value(950, { price: 50_000 }), null],
    ["just over a step's worth", value(949.9999, { price: 50_000 }), 'QUOTE_SIZE_MISMATCH'],
    ['the fee, where that is more', value(1_010, { fee: 10 }), null],
    ['just over the fee', value(1_010.0001, { fee: 10 }), 'QUOTE_SIZE_MISMATCH'],
    ['not a number', value(Number.NaN), 'QUOTE_SIZE_MISMATCH'],
  ])('quote amount, value within the largest of step, fee and half a percent: %s', (_name, parts, reason) => {
    expect(acked(thousand).accept(quoteWith(parts), 1)).toBe(reason);
  });
});

describe('F33: bad prices are refused, and three in a row set the lane aside', () => {
  test.each([
    ['zero', { buy: { price: 0 } }, 'QUOTE_PRICE'],
    ['negative', { sell: { price: -1 } }, 'QUOTE_PRICE'],
    ['B01: not a number', { buy: { price: Number.NaN } }, 'QUOTE_PRICE'],
    ['B01: infinite', { buy: { price: Number.POSITIVE_INFINITY } }, 'QUOTE_PRICE'],
    ['crossed', { buy: { price: 99 }, sell: { price: 100 } }, 'QUOTE_CROSSED'],
    ['equal, as below the zero-spread threshold', { buy: { price: 100 }, sell: { price: 100 } }, null],
  ])('%s', (_name, parts, reason) => {
    expect(acked().accept(quoteWith(parts), 1)).toBe(reason);
  });

  test('two are noise, three are not; ten good ones in a row bring the lane back, nine do not', () => {
    const market = acked();
    let at = 0;
    const give = (price: number, times: number) => {
      for (let i = 0; i < times; i++) market.accept(quoteAt(price), ++at);
    };
    give(100, 1);
    give(-1, 2);
    give(100, 1);
    give(-1, 2);
    expect(market.untradable(lane, at)).toBeNull();
    give(-1, 1);
    expect(market.untradable(lane, at)).toBe('LANE_QUARANTINED');
    expect(market.lane(lane)?.quarantined).toBe(true);
    give(100, 9);
    give(-1, 1);
    give(100, 9);
    expect(market.untradable(lane, at)).toBe('LANE_QUARANTINED');
    expect(market.latest(lane)?.buy.price).toBe(100);
    give(100, 1);
    expect(market.untradable(lane, at)).toBeNull();
  });

  test('a new connection does not wash a quarantine off', () => {
    const market = acked();
    for (let i = 0; i < 3; i++) market.accept(quoteAt(-1), i);
    market.change({ phase: 'acked', lane, epoch: 2 }, 10);
    market.accept(quoteWith({ epoch: 2 }), 11);
    expect(market.untradable(lane, 11)).toBe('LANE_QUARANTINED');
  });
});

describe('F30: duplicates and reordering', () => {
  test('the same id again is refused and does not count as a sign of life', () => {
    const market = acked();
    market.accept(quoteWith({ id: 'a' }), 0);
    expect(market.accept(quoteWith({ id: 'a' }), 1_900)).toBe('QUOTE_REPEATED');
    expect(market.untradable(lane, 2_000)).toBe('LANE_STALE');
    expect(market.lane(lane)?.counters).toMatchObject({ accepted: 1, repeated: 1 });
  });

  test('one id that stays while the price moves is the newest price each time; an id of before stays refused', () => {
    const market = acked();
    market.accept(quoteWith({ id: 'a' }), 0);
    expect(market.accept(quoteWith({ id: 'a', buy: { price: 50_010 } }), 100)).toBeNull();
    expect(market.latest(lane)?.buy.price).toBe(50_010);
    expect(market.accept(quoteWith({ id: 'b', buy: { price: 50_020 } }), 200)).toBeNull();
    expect(market.accept(quoteWith({ id: 'a', buy: { price: 50_030 } }), 300)).toBe('QUOTE_REPEATED');
  });

  test('I21: ids are remembered in bounded memory, the last 64', () => {
    const market = acked();
    for (let i = 0; i <= 64; i++) market.accept(quoteWith({ id: `id-${i}` }), i);
    expect(market.accept(quoteWith({ id: 'id-1' }), 70)).toBe('QUOTE_REPEATED');
    expect(market.accept(quoteWith({ id: 'id-0' }), 71)).toBeNull();
  });

  test('ids that differ in any one place are different ones', () => {
    const market = acked();
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    for (let place = 0; place < id.length; place++) {
      expect(market.accept(quoteWith({ id: `${id.slice(0, place)}x${id.slice(place + 1)}` }), place)).toBeNull();
    }
    expect(market.accept(quoteWith({ id: `x${id.slice(1)}` }), 50)).toBe('QUOTE_REPEATED');
  });

  test('validUntil going back keeps the newest arrival and is counted', () => {
    const market = acked();
    market.accept(quoteWith({ validUntil: 5_000 }), 1);
    const newest = quoteWith({ validUntil: 4_000 });
    expect(market.accept(newest, 2)).toBeNull();
    expect(market.latest(lane)).toBe(newest);
    expect(market.lane(lane)?.counters.wentBack).toBe(1);
  });
});

describe('staleness', () => {
  test('F21 I24: a lane is tradable until just before 2 s after its last quote, and stale from then', () => {
    const market = acked();
    market.accept(quoteWith(), 100);
    expect(market.untradable(lane, 2_099)).toBeNull();
    expect(market.untradable(lane, 2_100)).toBe('LANE_STALE');
    expect(market.lane(lane)).toMatchObject({ receivedAt: 100, lastQuoteAt: 100 });
  });

  test('F36: one quote every 30 s never makes a lane tradable after the first', () => {
    const market = acked();
    for (let at = 0; at <= 300_000; at += 30_000) {
      market.accept(quoteWith(), at);
      expect(market.untradable(lane, at)).toBe(at === 0 ? null : 'LANE_STALE');
    }
  });

  test('F36: after a gap one quote does not revive the lane, two within 2 s do', () => {
    const market = acked();
    market.accept(quoteWith(), 0);
    market.accept(quoteWith(), 2_000);
    expect(market.untradable(lane, 2_000)).toBe('LANE_STALE');
    market.accept(quoteWith(), 3_999);
    expect(market.untradable(lane, 3_999)).toBeNull();
  });

  test('staleness is a lane of its own: as its product is named, 2 s where it is not (I24)', () => {
    const usual = acked();
    const other = acked(btcLane, freshnessFrom({ ethusd: 60_000 }));
    const slow = acked(btcLane, freshnessFrom({ btcusd: 60_000 }));
    for (const market of [usual, other, slow]) market.accept(quoteWith(), 0);
    expect([usual, other, slow].map((market) => market.untradable(lane, 1_999))).toEqual([null, null, null]);
    expect([usual, other, slow].map((market) => market.untradable(lane, 2_000))).toEqual(['LANE_STALE', 'LANE_STALE', null]);
    slow.accept(quoteWith(), 59_999);
    expect([59_999, 119_998, 119_999].map((at) => slow.untradable(lane, at))).toEqual([null, null, 'LANE_STALE']);
    slow.accept(quoteWith(), 120_000);
    expect(slow.untradable(lane, 120_000)).toBe('LANE_STALE');
  });

  test('where one quote is enough, the first after a gap counts; silence is stale all the same', () => {
    const market = acked(btcLane, () => ({ staleMs: 120_000, revivedBy: 1 }));
    market.accept(quoteWith(), 0);
    expect(market.untradable(lane, 120_000)).toBe('LANE_STALE');
    market.accept(quoteWith(), 900_000);
    expect(market.untradable(lane, 900_000)).toBeNull();
  });

  test('just under 2 s between quotes is no gap', () => {
    const market = acked();
    market.accept(quoteWith(), 0);
    market.accept(quoteWith(), 1_999);
    expect(market.untradable(lane, 1_999)).toBeNull();
  });

  test('the first quote after an ACK counts as fresh, however long the lane was away', () => {
    const market = acked();
    market.accept(quoteWith(), 0);
    market.change({ phase: 'acked', lane, epoch: 2 }, 60_000);
    market.accept(quoteWith({ epoch: 2 }), 60_500);
    expect(market.untradable(lane, 60_500)).toBeNull();
  });
});

test('F32: a quote without id feeds signals and is not traded on', () => {
  const market = acked();
  const anonymous = quoteWith({ id: null });
  expect(market.accept(anonymous, 1)).toBeNull();
  expect(market.accept(quoteWith({ id: null }), 2)).toBeNull();
  expect(market.latest(lane)?.id).toBeNull();
  expect(market.untradable(lane, 2)).toBe('QUOTE_WITHOUT_ID');
});
