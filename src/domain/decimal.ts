import { Decimal, decimal } from './exact-decimal.ts';

/** Exact decimal numbers for sizes, prices and money, from sizing to the ledger. */
export { Decimal } from './exact-decimal.ts';

/** Zero, for comparisons and sums. */
export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * The decimal that a text, or a double's shortest text, names (0.1 becomes exactly 0.1). Throws on NaN, infinities, and
 * texts that are no plain decimal: no hexadecimal, no separators, no spaces.
 */
export function decimalOf(value: number | string): Decimal {
  if (typeof value === 'string' && !DECIMAL_TEXT.test(value)) throw new RangeError(`not a decimal number: ${JSON.stringify(value)}`);
  const read = decimal(value);
  if (!read.isFinite()) throw new RangeError(`not a finite number: ${value}`);
  return read;
}

/** Rounds towards zero to a whole multiple of `step`: the direction of less risk for a size. */
export function floorToStep(value: Decimal, step: Decimal): Decimal {
  if (step.isZero()) return value;
  // The multiples of 1, 0.1, 0.01 and so on are told by their decimal places.
  if (step.digits !== 1) return value.div(step).trunc().times(step);
  return value.decimalPlaces() <= step.places ? value : value.toDecimalPlaces(step.places, Decimal.ROUND_DOWN);
}

/** True when `value` is an exact whole multiple of `step`. */
export function isMultipleOf(value: Decimal, step: Decimal): boolean {
  if (step.isZero()) return true;
  return step.digits === 1 ? value.decimalPlaces() <= step.places : value.mod(step).isZero();
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
