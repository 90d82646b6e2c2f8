import { InvalidArgumentError } from 'commander';
import { type Decimal, decimalOf } from '../domain/decimal.ts';

/** Reads an option that is a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Reads an option that is a decimal above zero, written plainly (B05). */
export function positiveNumber(text: string): Decimal {
  const value = /^\d{1,16}(\.\d{1,18})?$/.test(text) ? decimalOf(text) : undefined;
  if (value?.gt(0)) return value;
  throw new InvalidArgumentError('It must be a number above 0, such as 0.01.');
}

/** A figure for people: at most `places` decimals. JSON has all of them. */
export function figure(value: string | number, places = 8): string {
  return decimalOf(value).toDecimalPlaces(places).toString();
}
