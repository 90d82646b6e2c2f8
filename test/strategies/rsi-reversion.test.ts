import { expect, test } from 'vitest';
import rsiReversion from '../../strategies/rsi-reversion.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const params = { barSeconds: 1, bars: 3, oversold: 30, overbought: 70 };
const rig = rigsOfTests({ strategies: { r: rsiReversion }, params, reserve: 1 });

/** Two quotes a second, one price each second, every order filled at once; what was done, by the second. */
function play(r: Rig, prices: readonly number[]): string[] {
  return prices.flatMap((price, second) =>
    [0, 1].flatMap(() => {
      if (!r.price(price)) return [];
      r.answer(r.last);
      return [`${second} ${r.last.side}`];
    }),
  );
}

// It warms up for five bars, since the first may be a part of one. The index of three changes: 0 from second 3, 47 at 5, 73 at 6, 84 and more up to 9, 48 at 10, 28 at 11.
const fallAndRise = [1_000, 990, 980, 970, 965, 980, 1_000, 1_020, 1_040, 1_040, 1_020, 1_000, 980];

test('buys at the end of the bar in which it is oversold, sells back in the middle, and leaves the top alone where it may not be short', () => {
  const r = rig();
  expect(play(r, fallAndRise)).toEqual(['4 buy', '6 sell', '11 buy']);
});

test('where it may be short it sells the top and buys it back in the middle', () => {
  const r = rig({ canShort: true });
  expect(play(r, fallAndRise)).toEqual(['4 buy', '6 sell', '7 sell', '10 buy', '11 buy']);
});
