import { expect, test } from 'vitest';
import { ticks } from '../../web/report/axis.ts';

test('an axis says two values at least, however little it spans, so that others can be read between them', () => {
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(-1.4, 0.3, 3)).toEqual([-1, 0]);
  // None of the round values of half of it lies within.
  const few = ticks(0.55, 0.97, 2);
  expect(few.length).toBeGreaterThan(1);
  expect(few.every((one) => one >= 0.55 && one <= 0.97)).toBe(true);
  expect(ticks(3, 3, 2)).toEqual([3]);
});
