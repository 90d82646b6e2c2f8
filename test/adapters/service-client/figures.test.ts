import { expect, test } from 'vitest';
import { figureIn, hasFeeInValue } from '#adapters/service-client/figures.ts';

test.each([[['5']], [[5]], [true], [null], [''], ['0x10'], ['1,000'], [' 5'], ['1e400'], ['1e51'], [1e51]])(
  'B01 %j is no figure',
  (value) => {
    expect(figureIn(value)).toBeNaN();
  },
);

test.each([
  ['61800.5', 61800.5],
  ['-1e-3', -0.001],
  [1e50, 1e50],
  [1e-50, 1e-50],
  [9e-51, 0],
  [-0, 0],
  [0.1 + 0.2, 0.3],
  [0.1234567890123, 0.1234567890123],
])('the figure of %j is %d', (value, figure) => {
  expect(figureIn(value)).toBe(figure);
});

test.each<[string, price: number, size: number, value: number, fee: number, isFee: boolean]>([
  ['differs by the fee', 60018, 0.01, 600.78018, 0.60018, true],
  ['differs by it but for the last digit of a double', 60018, 0.01, 600.7801800000001, 0.60018, true],
  ['differs by it in the last digit that it has', 500, 2, 1001, 1, true],
  ['was rounded by half of the fee', 500, 2, 1001, 2, true],
  ['was rounded by the fee', 500, 2, 1001, 0.5, true],
  ['was rounded by more than the fee', 500, 2, 1001, 0.3, false],
  ['was rounded, and the fee is less than its last digit', 500, 2, 1000, 0.3, false],
  ['has no fee', 500, 2, 1000, 0, false],
  ['differs by less', 500, 2, 1000.7, 1, false],
  ['differs by a fee of very small figures', 1e-7, 1, 1.1e-7, 1e-8, true],
  ['differs by more than such a fee', 1e-7, 1, 1.25e-7, 2e-8, false],
])('a value is what is paid where it is size times price and the fee: one that %s', (_, price, size, value, fee, isFee) => {
  expect(hasFeeInValue({ price, size, value, fee, isBuy: true })).toBe(isFee);
  expect(hasFeeInValue({ price, size, value: 2 * price * size - value, fee, isBuy: false }), 'and received, less the fee').toBe(isFee);
});
