import { expect, test } from 'vitest';
import { legendValues } from '../../web/charts/legend-values.ts';

const bar = (at: number, close: number) => ({ at, open: close, high: close, low: close, close });
const FIRST = bar(0, 100);
const LAST = bar(5_000, 101);
const fast = { name: 'fast', points: [{ at: 5_000, value: 101.5 }] };

test('the legend says what stood at the crosshair: of a signal that had no value yet, and of a time without a bar, nothing', () => {
  const at = (under: Parameters<typeof legendValues>[2]) => legendValues([FIRST, LAST], [fast], under);
  expect(at({ bar: FIRST, signals: [] })).toEqual({ bar: FIRST, signals: [{ of: fast, value: null }] });
  expect(at({ bar: null, signals: [] }).bar).toBeNull();
  expect(at({ bar: FIRST, signals: [{ name: 'fast', value: 99 }] }).signals[0]?.value).toBe(99);
});

test('without a crosshair the legend says the newest values', () => {
  expect(legendValues([FIRST, LAST], [fast], null)).toEqual({ bar: LAST, signals: [{ of: fast, value: 101.5 }] });
});
