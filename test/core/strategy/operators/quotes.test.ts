import { of, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { sma } from '#core/strategy/operators/averages.ts';
import { imbalance, microprice } from '#core/strategy/operators/book.ts';
import { mid, price, roundTripCost, spread, timeLeft, value } from '#core/strategy/operators/liquidity.ts';
import { twap } from '#core/strategy/operators/twap.ts';
import { engineTime } from '../../../support/engine-time.ts';
import { outputsOf } from '../../../support/indicators.ts';
import { fc, test as property } from '../../../support/property.ts';
import { quoteAt, quoteWith } from '../../../support/quotes.ts';

const tight = quoteWith({
  buy: { price: 101, size: 2, value: 202, feeInQuoteCcy: 0.202 },
  sell: { price: 99, size: 2, value: 198, feeInQuoteCcy: 0.198 },
});

test.each([
  ['mid', mid(), 100],
  ['price of buying', price('buy'), 101],
  ['price of selling', price('sell'), 99],
  ['value bought', value('buy'), 202],
  ['value sold', value('sell'), 198],
  ['spread, percent of the mid', spread(), 2],
  ['cost of a round trip with both fees, percent of the mid', roundTripCost(), 2.2],
])('%s', (_, operator, expected) => {
  expect(outputsOf(operator, [tight])[0]).toBeCloseTo(expected, 12);
});

/** Runs an operator in engine time: quotes of prices at times. */
function inTime(make: () => ReturnType<typeof twap>, ticks: readonly (readonly [at: number, price: number])[]): (number | undefined)[] {
  const time = engineTime();
  const before = swapAmbient({ scheduler: time.scheduler, observed: { set: () => undefined } });
  const step = make().start();
  swapAmbient(before);
  return ticks.map(([at, price]) => {
    time.now = at;
    return step(quoteAt(price, { validUntil: 3_000 }));
  });
}

test('the time left is until the quote expires, by engine time', () => {
  expect(
    inTime(timeLeft, [
      [0, 1],
      [2_999, 1],
      [3_500, 1],
    ]),
  ).toEqual([3_000, 1, -500]);
});

describe('twap', () => {
  test('weighs each price with the time it stood, from when the quotes reach back that far', () => {
    expect(
      inTime(
        () => twap('1s'),
        [
          [0, 10],
          [500, 20],
          [999, 30],
          // 500 ms at 10, 499 ms at 20, 1 ms at 30.
          [1_000, 40],
          // 250 ms at 10, 499 at 20, 1 at 30, 250 at 40.
          [1_250, 50],
          [9_000, 60],
        ],
      ),
    ).toEqual([undefined, undefined, undefined, 15.01, 22.51, 50]);
  });

  test('a burst of quotes within one millisecond weighs nothing', () => {
    const burst = Array.from({ length: 100 }, (): [number, number] => [500, 1_000]);
    expect(inTime(() => twap(1_000), [[0, 10], ...burst, [500, 20], [1_000, 30]]).at(-1)).toBe(15);
  });

  property.prop([
    fc.array(fc.tuple(fc.nat(400), fc.double({ min: 1, max: 1e5, noNaN: true })), { minLength: 1, maxLength: 200, size: 'max' }),
    fc.integer({ min: 1, max: 3_000 }),
  ])('is the area under all prices, whatever the times', (steps, width) => {
    let at = 1_000_000;
    const ticks = steps.map(([wait, price]): [number, number] => {
      at += wait;
      return [at, price];
    });
    for (const [i, ours] of inTime(() => twap(width), ticks).entries()) {
      const now = ticks[i]?.[0] ?? 0;
      let area = 0;
      for (let j = 0; j < i; j++) {
        const from = Math.max(ticks[j]?.[0] ?? 0, now - width);
        area += Math.max(0, (ticks[j + 1]?.[0] ?? 0) - from) * (ticks[j]?.[1] ?? 0);
      }
      if ((ticks[0]?.[0] ?? 0) > now - width) expect(ours).toBeUndefined();
      else expect(Math.abs((ours ?? Number.NaN) - area / width)).toBeLessThan(1e-6);
    }
  });

  test.each([0, 0.5, -1, 'soon'])('a width of %j is refused', (width) => {
    expect(() => twap(width)).toThrow(RangeError);
  });

  test('outside an event it is refused, as every operator of time', () => {
    expect(() => twap('1s').start()).toThrow('no event');
    expect(() => timeLeft().start()).toThrow('no event');
  });
});

describe('order books', () => {
  const book = (bids: readonly (readonly [number, number])[], asks: readonly (readonly [number, number])[]) => {
    const levels = (of: typeof bids) => of.map(([price, size]) => ({ price, size }));
    return { product: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd', bids: levels(bids), asks: levels(asks), time: null };
  };
  const full = book(
    [
      [99, 3],
      [98, 1],
      [97, 100],
    ],
    [
      [101, 1],
      [102, 1],
      [103, 100],
    ],
  );
  test.each([
    ['imbalance of the best level', imbalance(1), full, 0.5],
    ['imbalance of two', imbalance(2), full, 1 / 3],
    ['imbalance deeper than the book', imbalance(), book([[99, 3]], [[101, 1]]), 0.5],
    ['a book without bids is all asked', imbalance(), book([], [[101, 1]]), -1],
    ['a book without asks is all bid', imbalance(), book([[99, 1]], []), 1],
    ['an empty book has no imbalance', imbalance(), book([], []), undefined],
    ['the micro-price leans to the ask when more is bid', microprice(), full, 100.5],
    ['of two levels', microprice(2), full, (98.75 * 2 + 101.5 * 4) / 6],
    ['none with one side', microprice(), book([], [[101, 1]]), undefined],
    ['none without any', microprice(), book([], []), undefined],
  ])('%s', (_, operator, given, expected) => {
    const [ours] = outputsOf(operator, [given]);
    if (expected === undefined) expect(ours).toBeUndefined();
    else expect(ours).toBeCloseTo(expected, 12);
  });

  test.each([0, 1.5])('a depth of %s is refused', (depth) => {
    expect(() => imbalance(depth)).toThrow(`not ${depth}`);
    expect(() => microprice(depth)).toThrow(`not ${depth}`);
  });
});

test('two subscribers of one operator do not share a window', () => {
  const average = sma(2);
  const seen: number[][] = [];
  for (let i = 0; i < 2; i++)
    of(1, 3)
      .pipe(average, toArray())
      .subscribe((values) => seen.push(values));
  expect(seen).toEqual([[2], [2]]);
});
