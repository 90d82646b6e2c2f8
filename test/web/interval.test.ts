import { expect, test } from 'vitest';
import { shapeOf } from '../../web/charts/interval.ts';

/** The bar is 200 wide with a margin of 4. */
test.each<[string, number, number, ReturnType<typeof shapeOf>]>([
  ['flat, perhaps long', 0, 0.5, { zero: 4, certain: { x: 4, width: 0 }, open: { x: 4, width: 192 } }],
  ['flat, perhaps short', -0.5, 0, { zero: 196, certain: { x: 196, width: 0 }, open: { x: 4, width: 192 } }],
  ['long, perhaps more', 1, 4, { zero: 4, certain: { x: 4, width: 48 }, open: { x: 52, width: 144 } }],
  ['short, perhaps less', -4, -1, { zero: 196, certain: { x: 148, width: 48 }, open: { x: 4, width: 144 } }],
  ['long or short', -1, 3, { zero: 52, certain: { x: 52, width: 0 }, open: { x: 4, width: 192 } }],
  ['nothing at all', 0, 0, { zero: 4, certain: { x: 4, width: 0 }, open: { x: 4, width: 0 } }],
])('a position as a bar, zero always on it: %s', (_what, low, high, shape) => {
  expect(shapeOf(low, high)).toEqual(shape);
});
