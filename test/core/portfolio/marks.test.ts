import { expect, test } from 'vitest';
import { Marks } from '#core/portfolio/marks.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { laneIdOf, productCode } from '#domain/names.ts';
import { quote } from '../../support/market-data.ts';

const BTC = productCode('btcusd');
const T = 1_000_000;

/** Lanes of one unit and of ten. */
function marked(): { readonly marks: Marks; readonly see: (size: number, price: number, at: number) => void } {
  const marks = new Marks(() => USUAL_FRESHNESS);
  const see = (size: number, price: number, at: number): void => {
    marks.add(quote({ buy: price, sell: price, size, lane: laneIdOf(`btcusd@base:${size}`) }), at);
  };
  return { marks, see };
}

test('a position is worth what the smallest lane that covers it says, else the largest', () => {
  const { marks, see } = marked();
  see(1, 100, T);
  see(10, 90, T);
  expect([0.5, 1, 2, 10, 11, -1, -2].map((size) => marks.closingPrice(BTC, size))).toEqual([100, 100, 90, 90, 90, 100, 90]);
});

test('a lane that is silent while another has quotes says nothing any more, until it has some again', () => {
  const { marks, see } = marked();
  see(1, 100, T);
  see(10, 90, T + 5_000);
  expect(marks.closingPrice(BTC, 1)).toBe(100);
  see(10, 80, T + 5_001);
  expect(marks.closingPrice(BTC, 1)).toBe(80);
  see(1, 99, T + 5_500);
  expect(marks.closingPrice(BTC, 1)).toBe(99);
});

test('where all are silent, the newest count as ever', () => {
  const { marks, see } = marked();
  see(1, 100, T);
  see(10, 90, T + 100);
  expect(marks.closingPrice(BTC, 1)).toBe(100);
  expect(marks.closingPrice(productCode('ethusd'), 1)).toBeUndefined();
});
