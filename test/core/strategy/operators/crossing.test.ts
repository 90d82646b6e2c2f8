import { of, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { above, crossing, indicator, select } from '#core/strategy/indicators.ts';
import { sma } from '#core/strategy/operators/averages.ts';
import { bollinger } from '#core/strategy/operators/deviation.ts';
import { mid, price } from '#core/strategy/operators/liquidity.ts';
import { quoteWith } from '../../../support/quotes.ts';

function all<T>(subscribe: (next: (values: T[]) => void) => void): T[] {
  let got: T[] = [];
  subscribe((values) => {
    got = values;
  });
  return got;
}

const itself = indicator(() => (x) => x);

describe('crossing', () => {
  const crosses = (...values: number[]) =>
    all((next) =>
      of(...values)
        .pipe(crossing(itself, 10), toArray())
        .subscribe(next),
    );

  test('emits on a change of order, never on the order it begins with', () => {
    expect(crosses(9, 11, 12, 8, 7, 13)).toEqual(['up', 'down', 'up']);
    expect(crosses(11, 12)).toEqual([]);
  });

  test('touching is not crossing: back from a touch is nothing, through it is one cross', () => {
    expect(crosses(9, 10, 9)).toEqual([]);
    expect(crosses(9, 10, 11)).toEqual(['up']);
    expect(crosses(10, 9)).toEqual([]);
  });

  test('averages of a price that stands still do not cross by rounding', () => {
    const values = new Array<number>(5_000).fill(1.1).map((x, i) => (i < 100 ? 1.2 : x));
    const got = all((next) =>
      of(...values)
        .pipe(crossing(sma(7), sma(61)), toArray())
        .subscribe(next),
    );
    expect(got).toEqual([]);
  });

  test('B01: what is no number is passed over', () => {
    expect(crosses(9, Number.NaN, 11)).toEqual(['up']);
  });

  test('is silent until both are warm', () => {
    const got = all((next) =>
      of(1, 2, 3, 4, 1, 0)
        .pipe(crossing(sma(1), sma(3)), toArray())
        .subscribe(next),
    );
    expect(got).toEqual(['down']);
  });
});

describe('above', () => {
  const standings = (...values: number[]) =>
    all((next) =>
      of(...values)
        .pipe(above(itself, 10), toArray())
        .subscribe(next),
    );

  test('says at every value which side it is on; equal keeps the last word, and is none before it', () => {
    expect(standings(10, 11, 10, 9, 10)).toEqual(['above', 'above', 'below', 'below']);
  });

  test('is silent until both are warm, then speaks at each value', () => {
    const got = all((next) =>
      of(1, 2, 3, 4)
        .pipe(above(sma(2), sma(3)), toArray())
        .subscribe(next),
    );
    expect(got).toEqual(['above', 'above']);
  });

  test('an indicator that throws ends the stream', () => {
    const errors: unknown[] = [];
    const bad = indicator(() => () => {
      throw new Error('bad');
    });
    of(1)
      .pipe(above(bad, 1))
      .subscribe({ error: (error) => errors.push(error) });
    expect(errors).toEqual([new Error('bad')]);
  });
});

test('indicators of anything are compared: quotes by their price, bands by where a value stands in them', () => {
  const quotes = [99, 101, 98].map((sell) => quoteWith({ buy: { price: 100 }, sell: { price: sell } }));
  expect(
    all((next) =>
      of(...quotes)
        .pipe(above(mid(), price('buy')), toArray())
        .subscribe(next),
    ),
  ).toEqual(['below', 'above', 'below']);
  const within = select(bollinger(2, 0.5), ({ percentB }) => percentB);
  expect(all((next) => of(1, 2, 1, 5).pipe(crossing(within, 0.5), toArray()).subscribe(next))).toEqual(['down', 'up']);
});
