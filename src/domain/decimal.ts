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
  const places = placesOf(step);
  if (places === null) return value.div(step).trunc().times(step);
  return value.decimalPlaces() <= places ? value : value.toDecimalPlaces(places, Decimal.ROUND_DOWN);
}

/** True when `value` is an exact whole multiple of `step`. */
export function isMultipleOf(value: Decimal, step: Decimal): boolean {
  if (step.isZero()) return true;
  const places = placesOf(step);
  return places === null ? value.mod(step).isZero() : value.decimalPlaces() <= places;
}

const stepPlaces = new WeakMap<Decimal, number | null>();

/** Decimal places of the multiples of a step of 1, 0.1, 0.01 ..; null for other steps. */
function placesOf(step: Decimal): number | null {
  const known = stepPlaces.get(step);
  if (known !== undefined) return known;
  const of = step.decimalPlaces();
  const found = step.eq(`1e-${of}`) ? of : null;
  stepPlaces.set(step, found);
  return found;
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
