import { expect, test } from 'vitest';
import type { DayEquity } from '#report/equity/days.ts';
import { relativeTo } from '#report/metrics/relative.ts';
import { DAILY } from '#report/metrics/returns.ts';

const WEEK = [0.01, -0.02, 0.015, 0.003, -0.007];
const MARKET = Array.from({ length: 6 }, () => WEEK).flat();
const daysOf = (returns: readonly number[]): DayEquity[] => returns.map((r, n) => ({ at: n, equity: 1, return: r, whole: true }));

test('twice the market and a tenth of a percent a day: beta 2, alpha 36.5 % a year', () => {
  const { beta, alpha } = relativeTo(daysOf(MARKET.map((r) => 2 * r + 0.001)), daysOf(MARKET), DAILY);
  expect(beta).toBeCloseTo(2, 12);
  expect(alpha).toBeCloseTo(0.365, 12);
});

test('the market and a constant: no tracking error, and so no information ratio', () => {
  const { trackingError, informationRatio } = relativeTo(daysOf(MARKET.map((r) => r + 0.001)), daysOf(MARKET), DAILY);
  expect(trackingError).toBeCloseTo(0, 12);
  expect(informationRatio).toEqual({ why: 'no two daily returns differ' });
});

test('what stands for a year is not told of fewer days than a Sharpe ratio is', () => {
  const days = MARKET.slice(1);
  const short = { why: 'needs 30 whole days (UTC), there are 29' };
  const told = relativeTo(daysOf(days.map((r) => 2 * r)), daysOf(days), DAILY);
  expect(told).toEqual({ beta: expect.closeTo(2, 12), alpha: short, trackingError: short, informationRatio: short });
});

test('only whole days that both have count', () => {
  const own = daysOf(MARKET);
  const parts = daysOf([0.5, ...MARKET.slice(1)]).map((day, n) => (n === 0 ? { ...day, whole: false } : day));
  expect(relativeTo(own, parts, DAILY).beta).toBeCloseTo(1, 12);
  expect(relativeTo(own, parts.slice(0, 2), DAILY).beta).toEqual({ why: 'needs 2 whole days (UTC), there is 1' });
  expect(relativeTo(own, daysOf([0, 0, 0]), DAILY).beta).toEqual({ why: 'the benchmark did not move' });
});
