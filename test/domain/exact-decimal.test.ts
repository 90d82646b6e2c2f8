import { Decimal as Library } from 'decimal.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '#domain/decimal.ts';

/** What every figure was reckoned with before there was a short form, and still is where digits are many. */
const Reference = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 60 });

/** Amounts as they come: short ones, at the borders of what a double has exactly, long ones, zeros of both signs. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 12 })).map(pointed) },
  { weight: 3, arbitrary: fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 24 })).map(pointed) },
  { weight: 2, arbitrary: fc.tuple(fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), fc.integer({ min: 0, max: 30 })).map(pointed) },
  fc.constantFrom(
    '0',
    '-0',
    '0.00',
    '1',
    '10',
    '100000000000000000000',
    '9007199254740991',
    '9007199254740993',
    '0.000000000000000000000001',
  ),
);

function pointed([digits, places]: readonly [number | bigint, number]): string {
  const size = String(digits)
    .replace('-', '')
    .padStart(places + 1, '0');
  const whole = places === 0 ? size : `${size.slice(0, -places)}.${size.slice(-places)}`;
  return digits < 0 ? `-${whole}` : whole;
}

/** The same figure, with the sign of a zero, and in the one form that it has. */
function expectSame(ours: Decimal, theirs: Library, what: string): void {
  expect(ours.valueOf(), what).toBe(theirs.valueOf());
  expect(ours.toString(), what).toBe(theirs.toString());
  expect(`${ours}`, what).toBe(`${theirs}`);
  expect(JSON.stringify(ours), what).toBe(JSON.stringify(theirs));
  expect(ours.toNumber(), what).toBe(theirs.toNumber());
  expect(ours.decimalPlaces(), what).toBe(theirs.decimalPlaces());
  expect(ours.isZero(), what).toBe(theirs.isZero());
  expect(ours.isNegative(), what).toBe(theirs.isNegative());
  expect(ours.isPositive(), what).toBe(theirs.isPositive());
  expect(ours, what).toEqual(new Decimal(theirs.valueOf()));
}

test('I11: sums, products, quotients and roundings of money are those of the decimal library, to the last digit and the sign of zero', () => {
  void fc.assert(
    fc.property(text, text, (first, second) => {
      const [a, b] = [new Decimal(first), new Decimal(second)];
      const [x, y] = [new Reference(first), new Reference(second)];
      expectSame(a, x, first);
      for (const how of ['plus', 'minus', 'times'] as const) expectSame(a[how](b), x[how](y), `${first} ${how} ${second}`);
      if (!y.isZero()) for (const how of ['div', 'mod'] as const) expectSame(a[how](b), x[how](y), `${first} ${how} ${second}`);
      for (const how of ['abs', 'neg', 'negated', 'trunc', 'ceil', 'floor'] as const) expectSame(a[how](), x[how](), `${how} ${first}`);
      for (const how of ['eq', 'lt', 'lte', 'gt', 'gte'] as const) expect(a[how](b), `${first} ${how} ${second}`).toBe(x[how](y));
      expect(Math.sign(a.cmp(b)) + 0, `${first} cmp ${second}`).toBe(x.cmp(y));
      for (const places of [0, 2, 8]) {
        expectSame(a.toDecimalPlaces(places), x.toDecimalPlaces(places), `${first} to ${places}`);
        expectSame(
          a.toDecimalPlaces(places, Decimal.ROUND_DOWN),
          x.toDecimalPlaces(places, Library.ROUND_DOWN),
          `${first} cut to ${places}`,
        );
        expect(a.toFixed(places)).toBe(x.toFixed(places));
      }
      expect(Decimal.max(a, b).eq(Reference.max(x, y).toString())).toBe(true);
      expect(Decimal.min(a, b).eq(Reference.min(x, y).toString())).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a double is the decimal that its shortest text names, also after sums that doubles would get wrong', () => {
  const doubles = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 10 })).map(([digits, places]) => digits / 10 ** places),
  );
  void fc.assert(
    fc.property(doubles, doubles, (first, second) => {
      expectSame(new Decimal(first), new Reference(first), String(first));
      expectSame(new Decimal(first).plus(second), new Reference(first).plus(second), `${first} + ${second}`);
      expect(new Decimal(first).lte(second)).toBe(new Reference(first).lte(second));
    }),
    { numRuns: 500 },
  );
  expect(new Decimal(0.1).plus(0.2).toString()).toBe('0.3');
});

test('what is no number is told apart, and texts that are none are refused', () => {
  expect(new Decimal(1).div(0).isFinite()).toBe(false);
  expect(new Decimal(Number.NaN).lte(1)).toBe(false);
  expect(new Decimal(1).lt(Number.NaN)).toBe(false);
  expect(() => new Decimal('1,5')).toThrow('Invalid argument');
  expect(Decimal.isDecimal(new Decimal(1))).toBe(true);
  expect(Decimal.isDecimal({ digits: 1, places: 0, long: null })).toBe(false);
});
