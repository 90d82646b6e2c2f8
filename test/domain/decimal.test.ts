import { expect, test } from 'vitest';
import { type Decimal, decimalOf, floorToStep, isMultipleOf } from '#domain/decimal.ts';
import { seeded } from '#domain/seeded.ts';

/** Sizes and steps as products have them, and odd ones. */
const STEPS = ['1', '0.1', '0.0001', '0.00000001', '10', '0.5', '0.025', '3', '0'].map(decimalOf);

function sizes(): Decimal[] {
  const random = seeded('sizes');
  return Array.from({ length: 500 }, () => {
    const size = decimalOf(Math.floor(random.next() * 1e9)).div(decimalOf(`1e${Math.floor(random.next() * 12)}`));
    return random.next() < 0.3 ? size.negated() : size;
  });
}

test('a size is rounded towards zero to a multiple of its step, whatever the step, as by division', () => {
  for (const size of sizes()) {
    for (const step of STEPS) {
      const divided = step.isZero() ? size : size.div(step).trunc().times(step);
      expect(floorToStep(size, step).toString(), `${size} by ${step}`).toBe(divided.toString());
      expect(isMultipleOf(size, step), `${size} by ${step}`).toBe(step.isZero() || size.mod(step).isZero());
    }
  }
});
