import { Decimal as Base } from 'decimal.js';

/**
 * Exact decimal numbers for sizes, prices and money. From sizing to the ledger no double is used.
 * Texts never take an exponent, so what is journaled reads like what a person would write.
 */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 60 });
export type Decimal = Base;

export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * The decimal that a text, or a double's shortest text, names (0.1 becomes exactly 0.1). Throws on NaN, infinities, and
 * texts that are no plain decimal: no hexadecimal, no separators, no spaces.
 */
export function decimalOf(value: number | string): Decimal {
  if (typeof value === 'string' && !DECIMAL_TEXT.test(value)) throw new RangeError(`not a decimal number: ${JSON.stringify(value)}`);
  const decimal = new Decimal(value);
  if (!decimal.isFinite()) throw new RangeError(`not a finite number: ${value}`);
  return decimal;
}

/** Rounds towards zero to a whole multiple of `step`: the direction of less risk for a size. */
export function floorToStep(value: Decimal, step: Decimal): Decimal {
  return step.isZero() ? value : value.div(step).trunc().times(step);
}

/** True when `value` is an exact whole multiple of `step`. */
export function isMultipleOf(value: Decimal, step: Decimal): boolean {
  return step.isZero() || value.mod(step).isZero();
}

export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
