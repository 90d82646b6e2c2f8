import { expect, test } from 'vitest';
import { RecentPrices } from '#core/risk/collar.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { laneIdOf } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { btcLane, quoteAt } from '../../support/quotes.ts';

const at = 1_000_000;
const BTC = { lane: btcLane.id, product: btcLane.product };
/** A lane of its product that was never quoted. */
const LENT = { lane: laneIdOf('lent'), product: btcLane.product };

test.each<[prices: readonly number[], median: number | undefined]>([
  [[], undefined],
  [[5], 5],
  [[5, 1], 3],
  [[3, 1, 2], 2],
  [[4, 4, 1, 9], 4],
  [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 5.5],
  // Twenty-one quotes are kept: of twenty-two the first has made way.
  [[...Array.from({ length: 11 }, () => 100), ...Array.from({ length: 11 }, () => 7)], 7],
])('F33: the price that a collar is measured from is the median of the recent ones: of %j it is %j', (prices, median) => {
  const recent = new RecentPrices();
  for (const [index, price] of prices.entries()) recent.add(quoteAt(price), at + index);
  expect(recent.median(BTC, 'buy', at + prices.length)).toBe(median);
  expect(recent.median(LENT, 'sell', at + prices.length)).toBe(median);
});

test('F33: prices of more than a minute ago are left out', () => {
  const recent = new RecentPrices();
  recent.add(quoteAt(1), at);
  recent.add(quoteAt(3), at + 1);
  expect(recent.median(BTC, 'buy', at + 60_000)).toBe(2);
  expect(recent.median(BTC, 'buy', at + 60_001)).toBe(3);
  expect(recent.median(BTC, 'buy', at + 60_002)).toBeUndefined();
});

/** Prices of one lane, a quote every second, the sell side ten below. */
function columnsOf(prices: readonly number[]): QuoteColumns {
  const column = (of: (price: number, index: number) => number): Float64Array => Float64Array.from(prices, of);
  const sides = { buy: { price: column((price) => price) }, sell: { price: column((price) => price - 10) } };
  return { at: column((_, index) => at + index * 1_000), ...sides } as unknown as QuoteColumns;
}

test.each([1, 5, 20, 21, 22, 40])(
  'F33: %i rows that are passed over count as the quotes that they are, behind others and before others',
  (count) => {
    const prices = Array.from({ length: count + 9 }, (_, index) => 100 + ((index * 37) % 50));
    const quotes = prices.map((price) => ({ ...quoteAt(price), sell: { ...quoteAt(price - 10).sell } }));
    const [one, other] = [new RecentPrices(), new RecentPrices()];
    const medians = (of: RecentPrices) => {
      const now = at + prices.length * 1_000;
      return [of.median(BTC, 'buy', now), of.median(BTC, 'sell', now), of.median(LENT, 'buy', now)];
    };
    for (const [index, quote] of quotes.entries()) one.add(quote, at + index * 1_000);
    for (const [index, quote] of quotes.slice(0, 4).entries()) other.add(quote, at + index * 1_000);
    other.pass(other.add(quotes[4] ?? expect.fail('there are nine'), at + 4_000), columnsOf(prices), [5, 5 + count]);
    for (let index = 5 + count; index < quotes.length; index++) other.add(quotes[index] ?? expect.fail('no quote'), at + index * 1_000);
    expect(medians(other)).toEqual(medians(one));
  },
);

test('a lane without quotes of its own is held against the lane of its product that was quoted last', () => {
  const recent = new RecentPrices();
  const small = laneFor(btcLane.product, { base: decimalOf('0.01') });
  const medianOf = () => recent.median(LENT, 'buy', at + 9);
  recent.add(quoteAt(5), at);
  const ring = recent.add(quoteAt(9, { lane: small }), at + 1);
  expect([medianOf(), recent.median(BTC, 'buy', at + 9), recent.median({ lane: small.id, product: small.product }, 'buy', at + 9)]).toEqual(
    [9, 5, 9],
  );
  recent.add(quoteAt(5), at + 2);
  expect(medianOf()).toBe(5);
  recent.pass(ring, columnsOf([9]), [0, 1]);
  expect(medianOf()).toBe(9);
});
