import { expect, test } from 'vitest';
import { Bars, stepFor } from '#daemon/page/bars.ts';
import { laneColumns } from '../../support/report-data.ts';

test('a bar has the first, highest, lowest and last middle price of its time, and none where nothing was quoted', () => {
  const bars = new Bars(5_000);
  const prices = [10, 14, 8, 11, 20];
  const at = [1_000, 2_000, 4_999, 5_000, 21_000];
  bars.add(laneColumns(prices.map((price, n) => ({ at: at[n] ?? 0, buy: price }))), 0, 30_000);
  expect(bars.all).toEqual([
    { at: 0, open: 10, high: 14, low: 8, close: 8 },
    { at: 5_000, open: 11, high: 11, low: 11, close: 11 },
    { at: 20_000, open: 20, high: 20, low: 20, close: 20 },
  ]);
});

test('what is outside the time is left out, its end as well', () => {
  const bars = new Bars(1_000);
  bars.add(laneColumns([1, 2, 3].map((price) => ({ at: price * 1_000, buy: price }))), 2_000, 3_000);
  expect(bars.all.map(({ at }) => at)).toEqual([2_000]);
});

test.each([
  [300_000, 300, 1_000],
  [3_600_000, 300, 15_000],
  [86_400_000, 300, 300_000],
  [31 * 86_400_000, 300, 4 * 3_600_000],
  [31 * 86_400_000, 2, 86_400_000],
])('%d ms in at most %d bars: each of %d ms', (span, count, step) => {
  expect(stepFor(span, count)).toBe(step);
});
