import { expect, test } from 'vitest';
import { exitLevels } from '#core/execution/exit-levels.ts';
import type { ExitRules } from '#core/execution/exits.ts';

const NONE: ExitRules = {
  takeProfitPct: null,
  stopLossPct: null,
  trailingPct: null,
  activateAtPct: null,
  maxHoldSeconds: null,
  net: false,
};
const long = { average: 100, best: 104, isShort: false, feePct: 0 };

test('a stop and a target stand on both sides of the entry, of a short the other way round', () => {
  const rules = { ...NONE, stopLossPct: 2, takeProfitPct: 5 };
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

test('a trailing stop follows the best price, from the gain on that lets it count', () => {
  const rules = { ...NONE, trailingPct: 1, activateAtPct: 3 };
  expect(exitLevels(rules, long)).toEqual([{ reason: 'TRAILING_STOP', price: 104 * 0.99 }]);
  expect(exitLevels(rules, { ...long, best: 102 })).toEqual([]);
  expect(exitLevels(rules, { ...long, best: 96, isShort: true })[0]?.price).toBeCloseTo(96 * 1.01, 9);
});

test.each([false, true])('gains after fees: at the level the gain is what was set, short %s', (isShort) => {
  const feePct = 0.1;
  const [level] = exitLevels({ ...NONE, takeProfitPct: 1 }, { ...long, isShort, feePct });
  const price = level?.price ?? Number.NaN;
  const gain = ((price - 100) / 100) * (isShort ? -100 : 100) - (price / 100 + 1) * feePct;
  expect(gain).toBeCloseTo(1, 9);
});
