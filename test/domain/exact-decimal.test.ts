import { Decimal as Library } from 'decimal.js';
import { expect, test } from 'vitest';
import { Decimal } from '#domain/decimal.ts';
import { fc } from '../support/property.ts';

/** What every figure was reckoned with before there was a short form, and still is where digits are many. */
const Reference = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP, toExpNeg: -41, toExpPos: 60 });

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

/** Figures at the borders between the forms that a number has, and roundings that doubles would get wrong. */
const BORDERS = [
  ...['0', '-0', '1', '-2.5', '0.30', '1.005', '0.000001', '-0.0000001', '999999999999999.5', '9007199254740991', '-9007199254740993'],
  ...[
    '100000000000000000000',
    '0.0000000000000000000001',
    '0.00000000000000000001',
    '0.5e-48',
    '-12345678901234567890.1234567890123456789',
  ],
  '8888888888888888888888888888888888888888',
];

/** All that a number says of itself. */
const facts = (of: Decimal | Library): string =>
  [of.valueOf(), of, of.toNumber(), of.decimalPlaces(), of.isZero(), of.isNegative(), of.isPositive(), of.toFixed(3)].join(' ');

/** What is reckoned with one number, and with another besides, by the name of it. */
function* reckoned(first: Decimal | Library, second?: Decimal | Library): Generator<readonly [string, string]> {
  const [a, b] = [first as Decimal, second as Decimal | undefined];
  if (b === undefined) {
    for (const how of ['abs', 'neg', 'trunc', 'ceil', 'floor'] as const) yield [how, facts(a[how]())];
    for (const places of [0, 2, 8, 20]) {
      yield [`to ${places}`, facts(a.toDecimalPlaces(places))];
      yield [`cut to ${places}`, facts(a.toDecimalPlaces(places, Library.ROUND_DOWN))];
    }
    return;
  }
  for (const how of ['plus', 'minus', 'times', ...(b.isZero() ? [] : (['div', 'mod'] as const))] as const) yield [how, facts(a[how](b))];
  for (const how of ['eq', 'lt', 'lte', 'gt', 'gte'] as const) yield [how, String(a[how](b))];
}

test('I11: at the borders between its forms a number is that of the decimal library, and has one form', () => {
  const numbers = BORDERS.map((text) => ({ text, ours: new Decimal(text), theirs: new Reference(text) }));
  const wrong: string[] = [];
  const compare = (what: string, ours: Iterable<readonly [string, string]>, theirs: Iterable<readonly [string, string]>) => {
    const right = new Map(theirs);
    for (const [how, is] of ours) if (right.get(how) !== is) wrong.push(`${what} ${how}: ${is}, not ${right.get(how)}`);
  };
  for (const one of numbers) {
    compare(one.text, [['is', facts(one.ours)]], [['is', facts(one.theirs)]]);
    compare(one.text, reckoned(one.ours), reckoned(one.theirs));
    for (const other of numbers) {
      compare(`${one.text} and ${other.text}`, reckoned(one.ours, other.ours), reckoned(one.theirs, other.theirs));
      for (const result of [one.ours.plus(other.ours), one.ours.times(other.ours)]) {
        const { digits, places, long } = new Decimal(result.valueOf());
        if (!Object.is(result.digits, digits) || result.places !== places || result.long !== long) wrong.push(`the form of ${result}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(`${Decimal.max('1', '3', '2')} ${Decimal.min('2', '1', '3')} ${JSON.stringify(new Decimal('-0'))}`).toBe('3 1 "-0"');
});

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
      expect(a.cmp(b) + 0, `${first} cmp ${second}`).toBe(x.cmp(y));
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

test.each([
  ...[
    0,
    -0,
    1,
    -2.5,
    0.1,
    123.456,
    0.1 + 0.2,
    1e-6,
    1.5e-7,
    -1e-7,
    5e-324,
    1e21,
    1.5e300,
    2 ** 51 / 10,
    2 ** 53,
    2 ** 53 + 2,
    4503599627370.497,
  ],
  ...[225179981368524.8, 99999999.00000001, 1.7976931348623157e308],
])('the double %d is its shortest text', (double) => {
  expectSame(new Decimal(double), new Reference(double), String(double));
});

test('a double whose text has an exponent is read by it', () => {
  expect([1.5e-7, -2.5e-10, 1.5e21, 5e-324].map((double) => new Decimal(double).toNumber())).toEqual([1.5e-7, -2.5e-10, 1.5e21, 5e-324]);
});

test('a number with as many places as are kept has no exponent', () => {
  const least = `0.${'0'.repeat(39)}1`;
  expect(`${new Decimal(least)}`).toBe(least);
});

test('what is no number is told apart, and texts that are none are refused', () => {
  expect(new Decimal(1).div(0).isFinite()).toBe(false);
  expect(new Decimal(Number.NaN).lte(1)).toBe(false);
  expect(new Decimal(1).lt(Number.NaN)).toBe(false);
  expect(() => new Decimal('1,5')).toThrow('Invalid argument');
  for (const how of ['plus', 'times', 'div'] as const) expect(new Decimal(Number.NaN)[how](1).isFinite()).toBe(false);
  expect(Decimal.isDecimal(new Decimal(1))).toBe(true);
  // Of another copy of the module.
  expect(Decimal.isDecimal({ [Symbol.toStringTag]: 'Decimal' })).toBe(true);
  expect(Object.prototype.toString.call(new Decimal(1))).toBe('[object Decimal]');
  expect(Decimal.isDecimal({ digits: 1, places: 0, long: null })).toBe(false);
});
