/** Decimals of the service: integers of 18 places, so that its books have no rounding of their own. */
const PLACES = 18;
const ONE = 10n ** BigInt(PLACES);

/** Reads a decimal, also one with an exponent. */
export function dec(text: string): bigint {
  const found = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (!found || (found[2] === '' && found[3] === '')) throw new Error(`${text} is no decimal`);
  const [, sign, whole = '', part = '', exponent = '0'] = found;
  const shift = PLACES - part.length + Number(exponent);
  const digits = BigInt(whole + part);
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -size : size;
}

export const times = (a: bigint, b: bigint): bigint => (a * b) / ONE;
export const over = (a: bigint, b: bigint): bigint => (a * ONE) / b;

/** Rounds half up to so many places. */
export function round(a: bigint, places: number): bigint {
  const unit = 10n ** BigInt(PLACES - places);
  return ((a + (a < 0n ? -unit / 2n : unit / 2n)) / unit) * unit;
}

export const floorTo = (a: bigint, step: bigint): bigint => (a / step) * step;

/** Writes a decimal with at least so many places, as a library for decimals prints its scale. */
export function show(a: bigint, places = 0): string {
  const digits = (a < 0n ? -a : a).toString().padStart(PLACES + 1, '0');
  let part = digits.slice(-PLACES).replace(/0+$/, '');
  if (part.length < places) part = part.padEnd(places, '0');
  return `${a < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${part ? `.${part}` : ''}`;
}

/** A number with the digits that it is printed with. */
export class Figure {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const figure = (a: bigint, places = 0): Figure => new Figure(show(a, places));

export type Json = string | number | boolean | null | undefined | Figure | readonly Json[] | { readonly [key: string]: Json };

/** JSON in which a figure keeps its digits. */
export function print(value: Json): string {
  if (value instanceof Figure) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value as Record<string, Json>).filter(([, held]) => held !== undefined);
  return `{${fields.map(([key, held]) => `${JSON.stringify(key)}: ${print(held)}`).join(', ')}}`;
}

/** The same value with every figure written another way. */
export function mapFigures(value: Json, to: (text: string) => Json): Json {
  if (value instanceof Figure) return to(value.text);
  if (Array.isArray(value)) return value.map((held) => mapFigures(held, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as Record<string, Json>).map(([key, held]) => [key, mapFigures(held, to)]));
}
