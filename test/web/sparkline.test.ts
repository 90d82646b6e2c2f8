import { expect, test } from 'vitest';
import { sparkline } from '../../web/charts/sparkline.ts';

const BOX = { width: 84, height: 28 };

test('the line of a day begins at nothing and ends at what was made, within its box', () => {
  expect(sparkline([10, -10], BOX)).toEqual({ points: '2.0,14.0 42.0,2.0 82.0,26.0', zero: 14 });
  expect(sparkline([-5], BOX)).toEqual({ points: '2.0,2.0 82.0,26.0', zero: 2 });
  expect(sparkline([0, 0], BOX).points).toBe('2.0,2.0 42.0,2.0 82.0,2.0');
});
