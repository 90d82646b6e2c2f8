import { Decimal as Library } from 'decimal.js';

/** An endless result is rounded to forty digits. Texts never have an exponent. */
const Wide = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP, toExpNeg: -41, toExpPos: 60 });
type Wide = Library;

/** Powers of ten that a double represents exactly. */
const POWERS = Array.from({ length: 23 }, (_, places) => 10 ** places);
const LONG_POWERS = Array.from({ length: 41 }, (_, places) => 10n ** BigInt(places));
/** Numbers with more digits are rounded. */
const LONG_END = 10n ** 40n;

/** The most decimal places with which digits are kept as a whole number. */
const MAX_PLACES = POWERS.length - 1;
/** The most decimal places with which digits are kept as a bigint. */
const MAX_LONG_PLACES = LONG_POWERS.length - 1;
/** Below it, the shortest text of a double has all digits of the decimal that it came from. */
const SHORT = 1e15;

type DecimalValue = number | string | Decimal;

/**
 * An exact decimal number: sizes, prices and money, from sizing to the ledger. Nearly all have at most fifteen digits: those
 * are a whole number and its decimal places, on which sums, products and comparisons take nanoseconds and are exact; with up
 * to forty digits the whole number is a bigint. Quotients, and what has to be rounded, are left to decimal.js. Either way the
 * results are the same, to the last digit and to the sign of zero.
 */
export class Decimal {
  static readonly ROUND_DOWN = Library.ROUND_DOWN;
  static readonly ROUND_HALF_UP = Library.ROUND_HALF_UP;

  // Only declared: a field would be set twice, undefined at first.
  /** All digits as a whole number, without zeros at the end behind the point; NaN beside `long`, so that it is left to bigints. */
  declare readonly digits: number;
  declare readonly places: number;
  /** The digits where a double has not all of them. Each number has one form only. */
  declare readonly long: bigint | null;

  /** The number that a text or a double's shortest text names. With `places`, `value` is its digits as a whole number. */
  constructor(value: DecimalValue, places?: number, long: bigint | null = null) {
    if (typeof value === 'number' && places !== undefined) {
      this.digits = value;
      this.places = places;
      this.long = long;
    } else {
      const read = decimal(value);
      this.digits = read.digits;
      this.places = read.places;
      this.long = read.long;
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

  /** The name that tools for inspecting objects show. Another copy of this module has the same. */
  get [Symbol.toStringTag](): string {
    return 'Decimal';
  }

  plus(value: DecimalValue): Decimal {
    const other = decimal(value);
    return sum(this, other, 1) ?? read(wideOf(this).plus(wideOf(other)));
  }

  minus(value: DecimalValue): Decimal {
    const other = decimal(value);
    return sum(this, other, -1) ?? read(wideOf(this).minus(wideOf(other)));
  }

  times(value: DecimalValue): Decimal {
    const other = decimal(value);
    return product(this, other) ?? read(wideOf(this).times(wideOf(other)));
  }

  div(value: DecimalValue): Decimal {
    return read(wideOf(this).div(wideOf(decimal(value))));
  }

  mod(value: DecimalValue): Decimal {
    return read(wideOf(this).mod(wideOf(decimal(value))));
  }

  abs(): Decimal {
    if (this.long !== null) return this.long < 0n ? new Decimal(Number.NaN, this.places, -this.long) : this;
    return this.digits > 0 ? this : new Decimal(Math.abs(this.digits), this.places);
  }

  negated(): Decimal {
    return this.long === null ? new Decimal(-this.digits, this.places) : new Decimal(Number.NaN, this.places, -this.long);
  }

  neg(): Decimal {
    return this.negated();
  }

  trunc(): Decimal {
    return this.toDecimalPlaces(0, Decimal.ROUND_DOWN);
  }

  floor(): Decimal {
    return read(wideOf(this).floor());
  }

  ceil(): Decimal {
    return read(wideOf(this).ceil());
  }

  /** Rounds to `places` decimal places, half away from zero unless `rounding` says otherwise. */
  toDecimalPlaces(places: number, rounding: Library.Rounding = Decimal.ROUND_HALF_UP): Decimal {
    if (this.places <= places) return this;
    if (this.long !== null || rounding !== Decimal.ROUND_DOWN) return read(wideOf(this).toDecimalPlaces(places, rounding));
    const power = powerOf(this.places - places);
    const size = Math.abs(this.digits);
    const cut = (size - (size % power)) / power;
    return shortest(this.digits < 0 ? -cut : cut, places);
  }

  decimalPlaces(): number {
    return this.isFinite() ? this.places : Number.NaN;
  }

  /** -1, 0 or 1 as this number is below, equal to or above the other; NaN if one of them is not a number. */
  cmp(value: DecimalValue): number {
    const other = decimal(value);
    const places = this.places > other.places ? this.places : other.places;
    const own = this.digits * powerOf(places - this.places);
    const held = other.digits * powerOf(places - other.places);
    if (Number.isSafeInteger(own) && Number.isSafeInteger(held)) return Math.sign(own - held);
    if (!areLong(this, other)) return wideOf(this).cmp(wideOf(other));
    const above = longTo(this, places) - longTo(other, places);
    return above < 0n ? -1 : above > 0n ? 1 : 0;
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
    return this.digits === 0;
  }

  /** True below zero, and for a negative zero. */
  isNegative(): boolean {
    return this.long === null ? this.digits < 0 || Object.is(this.digits, -0) : this.long < 0n;
  }

  isPositive(): boolean {
    return this.long === null ? this.digits > 0 || Object.is(this.digits, 0) : this.long > 0n;
  }

  isFinite(): boolean {
    return this.long !== null || Number.isFinite(this.digits);
  }

  /** The nearest double. */
  toNumber(): number {
    return this.long === null ? this.digits / powerOf(this.places) : Number(`${this.long}e-${this.places}`);
  }

  toString(): string {
    const { digits, places, long } = this;
    if (long !== null) return places <= MAX_LONG_PLACES && isKept(long) ? pointed(String(long), places) : wideOf(this).toString();
    if (places === 0) return String(digits);
    const figure = digits / powerOf(places);
    // A double's text takes an exponent below a millionth.
    if (Math.abs(digits) < SHORT && Math.abs(figure) >= 1e-6) return String(figure);
    return pointed(String(digits), places);
  }

  toFixed(places: number): string {
    return wideOf(this).toFixed(places);
  }

  toJSON(): string {
    return this.valueOf();
  }

  /** As text, with the sign of a zero. */
  valueOf(): string {
    return Object.is(this.digits, -0) ? '-0' : this.toString();
  }
}

/** Returns a Decimal unchanged; reads texts and doubles. */
function decimal(value: DecimalValue): Decimal {
  if (typeof value === 'object') return value;
  return (typeof value === 'number' ? ofDouble(value) : ofText(value)) ?? read(new Wide(value));
}

/** True if both are finite with few enough decimal places for whole-number arithmetic. */
const areLong = (first: Decimal, second: Decimal): boolean =>
  first.isFinite() && second.isFinite() && first.places <= MAX_LONG_PLACES && second.places <= MAX_LONG_PLACES;

/** The sum, or the difference if `sign` is -1; undefined if the result has to be rounded. */
function sum(first: Decimal, second: Decimal, sign: 1 | -1): Decimal | undefined {
  const places = first.places > second.places ? first.places : second.places;
  const own = first.digits * powerOf(places - first.places);
  const added = sign * second.digits * powerOf(places - second.places);
  if (Number.isSafeInteger(own) && Number.isSafeInteger(added) && Number.isSafeInteger(own + added)) return shortest(own + added, places);
  return areLong(first, second) ? ofLong(longTo(first, places) + BigInt(sign) * longTo(second, places), places) : undefined;
}

function product(first: Decimal, second: Decimal): Decimal | undefined {
  const digits = first.digits * second.digits;
  const places = first.places + second.places;
  if (Number.isSafeInteger(digits) && places <= MAX_PLACES) return shortest(digits, places);
  // A bigint has no negative zero.
  if (!areLong(first, second) || first.isZero() || second.isZero()) return undefined;
  return ofLong(longTo(first, first.places) * longTo(second, second.places), places);
}

/** All digits as a bigint, with `places` decimal places. */
function longTo({ digits, places, long }: Decimal, to: number): bigint {
  const own = long ?? BigInt(digits);
  return to === places ? own : own * longPowerOf(to - places);
}

/** Undefined if the number has to be rounded. */
function ofLong(digits: bigint, places: number): Decimal | undefined {
  if (!isKept(digits)) return undefined;
  let left = digits;
  let behind = places;
  while (behind > 0 && left % 10n === 0n) {
    left /= 10n;
    behind -= 1;
  }
  const short = Number(left);
  return Number.isSafeInteger(short) && behind <= MAX_PLACES ? new Decimal(short, behind) : new Decimal(Number.NaN, behind, left);
}

/** Drops trailing zeros: each number has one form only. */
function shortest(digits: number, places: number): Decimal {
  if (digits === 0) return new Decimal(digits, 0);
  let left = digits;
  let behind = places;
  // Only an even number ends in zero, and that test is cheaper than a division.
  while (behind > 0 && (left & 1) === 0 && left % 10 === 0) {
    left /= 10;
    behind -= 1;
  }
  return new Decimal(left, behind);
}

/** Reads a double by its shortest text. Below 2^51 its digits are the double times a power of ten, rounded to a whole number. */
function ofDouble(value: number): Decimal | undefined {
  if (Number.isSafeInteger(value)) return new Decimal(value, 0);
  const text = String(value);
  const point = text.indexOf('.');
  const places = text.length - point - 1;
  if (text.includes('e')) return undefined;
  // Of too many places there are none, and of a whole number too many.
  const digits = Math.round(value * powerOf(places));
  return Math.abs(digits) < 2 ** 51 ? new Decimal(digits, places) : undefined;
}

const SHORT_TEXT = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function ofText(text: string): Decimal | undefined {
  if (!SHORT_TEXT.test(text)) return undefined;
  const point = text.indexOf('.');
  const digits = Number(text.replace('.', ''));
  return Number.isSafeInteger(digits) ? shortest(digits, point < 0 ? 0 : text.length - point - 1) : undefined;
}

function wideOf({ digits, places, long }: Decimal): Wide {
  if (long !== null) return new Wide(`${long}e-${places}`);
  return new Wide(places === 0 ? digits : `${digits}e-${places}`);
}

/** Converts a result of decimal.js. */
function read(wide: Wide): Decimal {
  if (!wide.isFinite()) return new Decimal(wide.toNumber(), 0);
  if (wide.isZero()) return new Decimal(wide.isNegative() ? -0 : 0, 0);
  const places = wide.decimalPlaces();
  const digits = BigInt(wide.toFixed(places).replace('.', ''));
  return ofLong(digits, places) ?? new Decimal(Number.NaN, places, digits);
}

/** Ten to the power of `places` as a number; NaN beyond `MAX_PLACES` places. */
const powerOf = (places: number): number => POWERS[places] ?? Number.NaN;

/** Ten to the power of `places` as a bigint; 0 beyond `MAX_LONG_PLACES` places. */
const longPowerOf = (places: number): bigint => LONG_POWERS[places] ?? 0n;

/** True if the digits can be kept without rounding. */
const isKept = (digits: bigint): boolean => digits < LONG_END && digits > -LONG_END;

/** Puts the decimal point into digits, and zeros before them if there are too few. */
export function pointed(digits: string, places: number): string {
  if (places === 0) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const size = digits.slice(sign.length).padStart(places + 1, '0');
  return `${sign}${size.slice(0, -places)}.${size.slice(-places)}`;
}

/** Zero, for comparisons and sums. */
export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * The decimal that a text, or a double's shortest text, names (0.1 becomes exactly 0.1). Throws on NaN, infinities, and
 * texts that are no plain decimal: no hexadecimal, no separators, no spaces.
 */
export function decimalOf(value: number | string): Decimal {
  if (typeof value === 'string' && !DECIMAL_TEXT.test(value)) throw new RangeError(`not a decimal number: ${JSON.stringify(value)}`);
  const own = decimal(value);
  if (!own.isFinite()) throw new RangeError(`not a finite number: ${value}`);
  return own;
}

/** Rounds towards zero to a whole multiple of `step`: the direction of less risk for a size. */
export function floorToStep(value: Decimal, step: Decimal): Decimal {
  if (step.isZero()) return value;
  // The multiples of 1, 0.1, 0.01 and so on are told by their decimal places.
  if (step.digits !== 1) return value.div(step).trunc().times(step);
  return value.places <= step.places ? value : value.toDecimalPlaces(step.places, Decimal.ROUND_DOWN);
}

/** True when `value` is an exact whole multiple of `step`. */
export function isMultipleOf(value: Decimal, step: Decimal): boolean {
  if (step.isZero()) return true;
  return step.digits === 1 ? value.isFinite() && value.places <= step.places : value.mod(step).isZero();
}

/** Amounts by currency, sorted by currency: a replay has the same order whatever the order of the settings. */
export function decimalsByCurrency(texts: Readonly<Record<string, unknown>>): ReadonlyMap<string, Decimal> {
  const entries = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(entries.map(([currency, text]) => [currency, decimalOf(String(text))]));
}

/** Shares of an amount are cut to this many places. */
const SHARE_PLACES = 18;

/** The share of an amount that a part of a size has, whatever the signs of both sizes. */
export function shareOf(amount: Decimal, part: Decimal, whole: Decimal): Decimal {
  const [of, size] = [part.abs(), whole.abs()];
  return amount.isZero() || of.eq(size) ? amount : amount.times(of).div(size).toDecimalPlaces(SHARE_PLACES);
}
