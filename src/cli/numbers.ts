import { InvalidArgumentError } from 'commander';
import { Decimal, decimalOf } from '#domain/decimal.ts';

/** Reads an option that is a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

const isLatency = (ms: number): boolean => ms <= 60_000;
const milliseconds = (text: string): number => (/^\d{1,5}(\.\d{1,3})?$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Reads an option that is a latency in milliseconds. */
export function latency(text: string): number {
  const ms = milliseconds(text);
  if (isLatency(ms)) return ms;
  throw new InvalidArgumentError('It must be milliseconds such as 50, up to 60000.');
}

/** Reads an option that is one latency or several. */
export function latencies(text: string): readonly [number, ...number[]] {
  const [first, ...others] = text.split(',').map(milliseconds);
  if (first !== undefined && others.length < 50 && [first, ...others].every(isLatency)) return [first, ...others];
  throw new InvalidArgumentError('It must be milliseconds such as 50, or several such as 0,50,250.');
}

/** Reads an option that is a decimal above zero, written plainly (B05). */
export function positiveNumber(text: string): Decimal {
  const value = /^\d{1,16}(\.\d{1,18})?$/.test(text) ? decimalOf(text) : undefined;
  if (value?.gt(0)) return value;
  throw new InvalidArgumentError('It must be a number above 0, such as 0.01.');
}

/** Reads an option that is a decimal other than zero, written plainly, as its text (B05). */
export function signedNumber(text: string): string {
  const value = /^-?\d{1,16}(\.\d{1,18})?$/.test(text) ? decimalOf(text) : undefined;
  if (value && !value.isZero()) return value.toString();
  throw new InvalidArgumentError('It must be a number such as 0.01 or -50.');
}

/** A figure for people, with at most `places` decimals. JSON has all digits. */
export function figure(value: Decimal | string | number, places = 8): string {
  return (value instanceof Decimal ? value : decimalOf(value)).toDecimalPlaces(places).toString();
}
