/** Decimal digits, with an exponent or without; separators of thousands, signs of currencies and spaces are no part of a figure. */
const FIGURE = /^-?\d{1,20}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** Beyond these no figure of a market is, and what follows from several would be no number any more. */
const LARGEST = 1e50;
const SMALLEST = 1e-50;

/**
 * A figure as the service may write it: a JSON number, or the same as text, such as "61800.5" or "1e-3". Not a number for anything
 * else: `1e400` parses to Infinity (B01). What a double's arithmetic has added in the last digit is taken off: 0.30000000000000004
 * is 0.3. What is next to nothing is 0, also -0, which JSON can carry (B02).
 */
export function figureIn(value: unknown): number {
  const number = typeof value === 'string' && FIGURE.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(Math.abs(number) <= LARGEST)) return Number.NaN;
  if (Math.abs(number) < SMALLEST) return 0;
  const eight = Math.round(number * 1e8) / 1e8;
  return eight === number ? number : withoutNoise(number);
}

/** So many digits a decimal keeps when it has been a double. */
const SAFE_DIGITS = 15;
/** How far a double's last digits may be from the decimal that was meant, as a share of it. */
const NOISE = 4e-16;

function withoutNoise(number: number): number {
  const clean = Number(number.toPrecision(SAFE_DIGITS));
  return Math.abs(clean - number) <= NOISE * Math.abs(number) ? clean : number;
}

/** The figures of one side of a quote as it tells them. */
interface SideFigures {
  readonly price: number;
  readonly size: number;
  readonly value: number;
  /** In quote currency. */
  readonly fee: number;
  readonly isBuy: boolean;
}

/** True where a side's value differs from size times price by exactly the fee: it is what would be paid or received. */
export function hasFeeInValue({ price, size, value, fee, isBuy }: SideFigures): boolean {
  const product = price * size;
  const more = isBuy ? value - product : product - value;
  if (fee === 0 || more < fee / 2 || more > fee * 2) return false;
  return Math.abs(more - fee) <= Math.max(lastDigit(value), product * 1e-9);
}

/** How far a value may be from size times price, as a share of it, besides the fee and what rounding explains. */
const VALUE_DOUBT = 0.01;

/** True for a value that may be size times price, with the fee or without it. `isOfValue`: it was asked for, and the size is rounded. */
export function isValueOf(of: Omit<SideFigures, 'isBuy'> & { readonly isOfValue: boolean }): boolean {
  const { price, size, value, fee, isOfValue } = of;
  const product = price * size;
  const apart = Math.abs(value - product) - fee - product * VALUE_DOUBT;
  return apart <= 0 || apart <= lastDigit(value) + (isOfValue ? lastDigit(size) * price : 0);
}

const lastDigit = (figure: number): number => {
  const [digits = '', exponent = '0'] = String(figure).split('e');
  return 10 ** (Number(exponent) - (digits.split('.')[1]?.length ?? 0));
};

/** A figure that follows from others, to as many digits as a double is sure of. */
export function derived(number: number): number {
  return Number(number.toPrecision(12));
}
