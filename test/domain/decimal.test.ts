import { expect, test } from 'vitest';
import { type Decimal, decimalOf, decimalsByCurrency, floorToStep, isMultipleOf } from '#domain/decimal.ts';
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

test.each<[value: string, step: string, floored: string]>([
  ['0.1299', '0.01', '0.12'],
  ['-0.1299', '0.01', '-0.12'],
  ['0.12', '0.01', '0.12'],
  ['0.12', '0', '0.12'],
  ['0.29', '0.025', '0.275'],
  ['7', '3', '6'],
  ['1999', '10', '1990'],
  ['0.009', '0.01', '0'],
])('%s in steps of %s is %s: more would be a size that nobody has', (value, step, floored) => {
  // Twice: what a step is was worked out once.
  const by = decimalOf(step);
  for (let time = 0; time < 2; time++) {
    expect(floorToStep(decimalOf(value), by).toString()).toBe(floored);
    expect(isMultipleOf(decimalOf(value), by)).toBe(value === floored);
  }
});

test.each(['', ' 1', '1 ', '0x10', '1,000', '1e', '1e1000', '--1', '.', 'NaN', 'Infinity', 'x1', '1x'])('%j is no decimal', (text) => {
  expect(() => decimalOf(text)).toThrow(`not a decimal number: ${JSON.stringify(text)}`);
});

test('a double is the decimal of its shortest text, and one that is no number is refused', () => {
  expect([0.1, 1e-7, -2.5, 1e21].map((value) => decimalOf(value).toString())).toEqual([
    '0.1',
    '0.0000001',
    '-2.5',
    '1000000000000000000000',
  ]);
  expect(['.25', '5.', '-1.50', '1E+3'].map((text) => decimalOf(text).toString())).toEqual(['0.25', '5', '-1.5', '1000']);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => decimalOf(value)).toThrow(RangeError);
});

test('amounts by currency are in the order of their names, whatever the settings have', () => {
  const amounts = decimalsByCurrency({ usd: '5', btc: 0.1, eur: '2.50' });
  expect([...amounts].map(([name, amount]) => `${name} ${amount}`)).toEqual(['btc 0.1', 'eur 2.5', 'usd 5']);
});
