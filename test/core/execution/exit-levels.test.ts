import { expect, test } from 'vitest';
import { exitLevels } from '#core/execution/exit-levels.ts';
import { NO_EXITS } from './watched.ts';

const long = { average: 100, best: 104, isShort: false, feePct: 0 };

test('a stop and a target stand on both sides of the entry, of a short the other way round', () => {
  const rules = { ...NO_EXITS, stopLossPct: 2, takeProfitPct: 5 };
  const both = (short: boolean) =>
    exitLevels(rules, { ...long, isShort: short }).map(({ reason, price }) => [reason, Number(price.toFixed(9))]);
  expect(both(false)).toEqual([
    ['STOP_LOSS', 98],
    ['TAKE_PROFIT', 105],
  ]);
  expect(both(true)).toEqual([
    ['STOP_LOSS', 102],
    ['TAKE_PROFIT', 95],
  ]);
});

test.each<[best: number, isShort: boolean, level: number | undefined]>([
  [104, false, 104 * 0.98],
  [103, false, 103 * 0.98],
  [102.99, false, undefined],
  [96, true, 96 * 1.02],
  [97, true, 97 * 1.02],
  [97.01, true, undefined],
])('a trailing stop of 2 %% that counts from a gain of 3 %% on follows the best price %d, short %s: %d', (best, isShort, level) => {
  const levels = exitLevels({ ...NO_EXITS, trailingPct: 2, activateAtPct: 3 }, { ...long, best, isShort });
  expect(levels).toEqual(level === undefined ? [] : [{ reason: 'TRAILING_STOP', price: expect.closeTo(level, 9) }]);
  expect(exitLevels({ ...NO_EXITS, activateAtPct: 3 }, { ...long, best, isShort })).toEqual([]);
  const atLoss = isShort ? 101 : 99;
  expect(exitLevels({ ...NO_EXITS, trailingPct: 2 }, { ...long, best: atLoss, isShort }), 'without it, from the start').toHaveLength(1);
});

test.each([false, true])('gains after fees: at the level the gain is what was set, short %s', (isShort) => {
  const feePct = 0.1;
  const [level] = exitLevels({ ...NO_EXITS, takeProfitPct: 1 }, { ...long, isShort, feePct });
  const price = level?.price ?? Number.NaN;
  const gain = ((price - 100) / 100) * (isShort ? -100 : 100) - (price / 100 + 1) * feePct;
  expect(gain).toBeCloseTo(1, 9);
});
