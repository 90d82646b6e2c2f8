import { expect, test } from 'vitest';
import { RecentPrices } from '#core/risk/collar.ts';
import { btcLane, quoteAt } from '../../support/quotes.ts';

const at = 1_000_000;

test.each<[prices: readonly number[], median: number | undefined]>([
  [[], undefined],
  [[5], 5],
  [[5, 1], 3],
  [[3, 1, 2], 2],
  [[4, 4, 1, 9], 4],
  [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 5.5],
  // Of twenty-one quotes the first has made way.
  [[...Array.from({ length: 11 }, () => 100), ...Array.from({ length: 11 }, () => 7)], 7],
])('F33: the price that a collar is measured from is the median of the recent ones: of %j it is %j', (prices, median) => {
  const recent = new RecentPrices();
  for (const [index, price] of prices.entries()) recent.add(quoteAt(price), at + index);
  expect(recent.median(btcLane.id, 'buy', at + prices.length)).toBe(median);
  expect(recent.medianOf(btcLane.product, 'sell', at + prices.length)).toBe(median);
});

test('F33: prices of more than a minute ago are left out', () => {
  const recent = new RecentPrices();
  recent.add(quoteAt(1), at);
  recent.add(quoteAt(3), at + 1);
  expect(recent.median(btcLane.id, 'buy', at + 60_000)).toBe(2);
  expect(recent.median(btcLane.id, 'buy', at + 60_001)).toBe(3);
  expect(recent.median(btcLane.id, 'buy', at + 60_002)).toBeUndefined();
});
