import { expect, test } from 'vitest';
import { namedPrices, ticks } from '../../web/report/axis.ts';

test('an axis says two values at least, however little it spans, so that others can be read between them', () => {
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(-1.4, 0.3, 3)).toEqual([-1, 0]);
  // None of the round values of half of it lies within.
  const few = ticks(0.55, 0.97, 2);
  expect(few.length).toBeGreaterThan(1);
  expect(few.every((one) => one >= 0.55 && one <= 0.97)).toBe(true);
  expect(ticks(3, 3, 2)).toEqual([3]);
});

test('three to five prices are named, to the places that tell them apart', () => {
  for (const [low, high] of [
    [61_790.1, 61_805.4],
    [1.08501, 1.08532],
    [0.4, 9.7],
    [99.99, 100.01],
    [60_000, 64_000],
  ] as const) {
    const texts = namedPrices(low, high).map(([, text]) => text);
    expect(texts.length, String(texts)).toBeGreaterThan(2);
    expect(texts.length, String(texts)).toBeLessThan(6);
    expect(new Set(texts.map((text) => text.split('.')[1]?.length)).size, String(texts)).toBe(1);
    expect(new Set(texts).size).toBe(texts.length);
  }
  expect(namedPrices(100, 100)).toEqual([[100, '100.00']]);
});
