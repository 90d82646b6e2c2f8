import { Decimal as Library } from 'decimal.js';

/** Forty digits are kept where a result has no end; texts never take an exponent, so what is journaled reads like what a person would write. */
const Wide = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 60 });
type Wide = Library;

export type DecimalValue = number | string | Decimal;

/** Powers of ten that a double has exactly. */
const POWERS = Array.from({ length: 23 }, (_, places) => 10 ** places);
const MOST_PLACES = POWERS.length - 1;
/** Below it the shortest text of a double has all digits of the decimal that it stands for. */
const SHORT = 1e15;

/**
 * An exact decimal number. Nearly all sizes, prices and sums have at most fifteen digits: those are a whole number and
 * its decimal places, on which sums, products and comparisons take nanoseconds and are exact. What needs more digits, and
 * every quotient, is left to decimal.js. Either way the results are the same, to the last digit and to the sign of zero.
 */
export class Decimal {
  static readonly ROUND_DOWN = Library.ROUND_DOWN;
  static readonly ROUND_HALF_UP = Library.ROUND_HALF_UP;

  /** All digits as a whole number, without trailing zeros behind the point; of no meaning where `wide` is set. */
  readonly digits: number;
  readonly places: number;
  /** The number itself where it has too many digits. Each number has one form only. */
  readonly wide: Wide | null;

  /** The number that a text or a double's shortest text names. With `places`, `value` is its digits as a whole number. */
  constructor(value: DecimalValue, places?: number, wide: Wide | null = null) {
    if (typeof value === 'number' && places !== undefined) {
      this.digits = value;
      this.places = places;
      this.wide = wide;
    } else {
      const read = decimal(value);
      this.digits = read.digits;
      this.places = read.places;
      this.wide = read.wide;
    }
  }

  static isDecimal(value: unknown): value is Decimal {
    return value instanceof Decimal || Object.prototype.toString.call(value) === '[object Decimal]';
  }

  static max(first: DecimalValue, ...others: readonly DecimalValue[]): Decimal {
    let most = decimal(first);
    for (const other of others) if (most.lt(other)) most = decimal(other);
    return most;
  }

  static min(first: DecimalValue, ...others: readonly DecimalValue[]): Decimal {
    let least = decimal(first);
    for (const other of others) if (least.gt(other)) least = decimal(other);
    return least;
  }

  static pow(base: DecimalValue, exponent: number): Decimal {
    return decimal(base).pow(exponent);
  }

  /** As tools that look at objects name it, also those of another copy of this module. */
  get [Symbol.toStringTag](): string {
    return 'Decimal';
  }

  plus(value: DecimalValue): Decimal {
    const other = decimal(value);
    return sum(this, other, 1) ?? narrow(wideOf(this).plus(wideOf(other)));
  }

  minus(value: DecimalValue): Decimal {
    const other = decimal(value);
    return sum(this, other, -1) ?? narrow(wideOf(this).minus(wideOf(other)));
  }

  times(value: DecimalValue): Decimal {
    const other = decimal(value);
    const product = this.digits * other.digits;
    const places = this.places + other.places;
    const isHere = areExact(this, other) && isExact(product) && places <= MOST_PLACES;
    return isHere ? shortest(product, places) : narrow(wideOf(this).times(wideOf(other)));
  }

  div(value: DecimalValue): Decimal {
    return narrow(wideOf(this).div(wideOf(decimal(value))));
  }

  mod(value: DecimalValue): Decimal {
    return narrow(wideOf(this).mod(wideOf(decimal(value))));
  }

  pow(exponent: number): Decimal {
    return narrow(wideOf(this).pow(exponent));
  }

  abs(): Decimal {
    if (this.wide !== null) return narrow(this.wide.abs());
    return this.digits > 0 ? this : new Decimal(Math.abs(this.digits), this.places);
  }

  negated(): Decimal {
    return this.wide === null ? new Decimal(-this.digits, this.places) : narrow(this.wide.negated());
  }

  neg(): Decimal {
    return this.negated();
  }

  trunc(): Decimal {
    return this.toDecimalPlaces(0, Decimal.ROUND_DOWN);
  }

  floor(): Decimal {
    return narrow(wideOf(this).floor());
  }

  ceil(): Decimal {
    return narrow(wideOf(this).ceil());
  }

  /** Rounds to so many decimal places: half away from zero, or as it is said. */
  toDecimalPlaces(places: number, rounding: Library.Rounding = Decimal.ROUND_HALF_UP): Decimal {
    if (this.wide === null && this.places <= places) return this;
    if (this.wide !== null || rounding !== Decimal.ROUND_DOWN) return narrow(wideOf(this).toDecimalPlaces(places, rounding));
    const power = powerOf(this.places - places);
    const size = Math.abs(this.digits);
    const cut = (size - (size % power)) / power;
    return shortest(this.digits < 0 ? -cut : cut, places);
  }

  decimalPlaces(): number {
    return this.wide === null ? this.places : this.wide.decimalPlaces();
  }

  /** Below, at or above zero as this number is below, at or above the other; NaN where one of them is not a number. */
  cmp(value: DecimalValue): number {
    const other = decimal(value);
    const places = this.places > other.places ? this.places : other.places;
    const own = this.digits * powerOf(places - this.places);
    const held = other.digits * powerOf(places - other.places);
    return areExact(this, other) && isExact(own) && isExact(held) ? own - held : wideOf(this).cmp(wideOf(other));
  }

  eq(value: DecimalValue): boolean {
    return this.cmp(value) === 0;
  }

  lt(value: DecimalValue): boolean {
    return this.cmp(value) < 0;
  }

  lte(value: DecimalValue): boolean {
    return this.cmp(value) <= 0;
  }

  gt(value: DecimalValue): boolean {
    return this.cmp(value) > 0;
  }

  gte(value: DecimalValue): boolean {
    return this.cmp(value) >= 0;
  }

  isZero(): boolean {
    return this.wide === null ? this.digits === 0 : this.wide.isZero();
  }

  /** True below zero, and of a zero that was reached from below. */
  isNegative(): boolean {
    return this.wide === null ? this.digits < 0 || Object.is(this.digits, -0) : this.wide.isNegative();
  }

  isPositive(): boolean {
    return this.wide === null ? !this.isNegative() : this.wide.isPositive();
  }

  isFinite(): boolean {
    return this.wide === null || this.wide.isFinite();
  }

  /** The nearest double. */
  toNumber(): number {
    return this.wide === null ? this.digits / powerOf(this.places) : this.wide.toNumber();
  }

  toString(): string {
    if (this.wide !== null) return this.wide.toString();
    const { digits, places } = this;
    if (places === 0) return String(digits);
    const figure = digits / powerOf(places);
    const size = Math.abs(digits);
    // A double's text takes an exponent below a millionth.
    if (size < SHORT && Math.abs(figure) >= 1e-6) return String(figure);
    const text = String(size).padStart(places + 1, '0');
    return `${digits < 0 ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`;
  }

  toFixed(places: number): string {
    return wideOf(this).toFixed(places);
  }

  toJSON(): string {
    return this.valueOf();
  }

  /** As text, with the sign of a zero. */
  valueOf(): string {
    if (this.wide !== null) return this.wide.valueOf();
    return Object.is(this.digits, -0) ? '-0' : this.toString();
  }
}

/** Numbers as they are; texts and doubles are read. */
export function decimal(value: DecimalValue): Decimal {
  if (typeof value === 'object') return value;
  return (typeof value === 'number' ? ofDouble(value) : ofText(value)) ?? narrow(new Wide(value));
}

const powerOf = (places: number): number => POWERS[places] ?? Number.NaN;

/** True for a whole number that a double has exactly, and the product or sum of two doubles as well where it is computed as such. */
const isExact = (digits: number): boolean => digits >= -Number.MAX_SAFE_INTEGER && digits <= Number.MAX_SAFE_INTEGER;

const areExact = (first: Decimal, second: Decimal): boolean => first.wide === null && second.wide === null;

/** The sum or, where `sign` is -1, the difference; undefined where it has too many digits. */
function sum(first: Decimal, second: Decimal, sign: 1 | -1): Decimal | undefined {
  const places = first.places > second.places ? first.places : second.places;
  const own = first.digits * powerOf(places - first.places);
  const added = sign * second.digits * powerOf(places - second.places);
  const isHere = areExact(first, second) && isExact(own) && isExact(added) && isExact(own + added);
  return isHere ? shortest(own + added, places) : undefined;
}

/** Without zeros at the end, so that each number has one form. */
function shortest(digits: number, places: number): Decimal {
  if (digits === 0) return new Decimal(digits, 0);
  let left = digits;
  let behind = places;
  // Only an even number ends in a zero, and to see that takes a fraction of a division.
  while (behind > 0 && (left & 1) === 0 && left % 10 === 0) {
    left /= 10;
    behind -= 1;
  }
  return new Decimal(left, behind);
}

/** By the shortest text of the double: below 2^51 its digits are what it is times ten so often, to the nearest whole number. */
function ofDouble(value: number): Decimal | undefined {
  if (Number.isSafeInteger(value)) return new Decimal(value, 0);
  const text = String(value);
  const point = text.indexOf('.');
  const places = text.length - point - 1;
  if (point < 0 || places > MOST_PLACES || text.includes('e')) return undefined;
  const digits = Math.round(value * powerOf(places));
  return Math.abs(digits) < 2 ** 51 ? new Decimal(digits, places) : undefined;
}

const SHORT_TEXT = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function ofText(text: string): Decimal | undefined {
  if (!SHORT_TEXT.test(text)) return undefined;
  const point = text.indexOf('.');
  const digits = Number(text.replace('.', ''));
  return isExact(digits) ? shortest(digits, point < 0 ? 0 : text.length - point - 1) : undefined;
}

function wideOf(value: Decimal): Wide {
  return value.wide ?? new Wide(value.valueOf());
}

/** In the short form where it has one. */
function narrow(wide: Wide): Decimal {
  const places = wide.decimalPlaces();
  if (wide.isFinite() && places <= MOST_PLACES && wide.precision() <= 16) {
    const digits = Number(wide.valueOf().replace('.', ''));
    if (isExact(digits)) return shortest(digits, places);
  }
  return new Decimal(0, 0, wide);
}
