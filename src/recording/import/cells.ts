/** What a time column counts: units since 1970 UTC, or ISO 8601; `auto` tells them apart. */
export type TimeUnit = 'auto' | 's' | 'ms' | 'us' | 'ns' | 'iso';

const PER_MS: Readonly<Record<'s' | 'ms' | 'us' | 'ns', number>> = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 };
const ISO = /^(\d{4})-?(\d{2})-?(\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, power) => 10 ** power);
/** Digits that a double holds whatever they are. */
const SAFE_DIGITS = 15;

/** The number that a cell of a file spells, as `Number` would read it; NaN where it spells none. */
export function numberIn(bytes: Buffer, from: number, to: number): number {
  let start = from;
  let end = to;
  while (start < end && isBlank(bytes[start])) start += 1;
  while (start < end && isBlank(bytes[end - 1])) end -= 1;
  let whole = 0;
  let digits = 0;
  let decimals = -1;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit >= 0 && digit <= 9) {
      whole = whole * 10 + digit;
      digits += 1;
    } else if (digit === -2 && decimals < 0) decimals = at;
    else return spelled(bytes.toString('latin1', start, end));
  }
  const value = plainNumber(whole, digits, decimals < 0 ? 0 : end - decimals - 1);
  return Number.isNaN(value) ? spelled(bytes.toString('latin1', start, end)) : value;
}

/** The number of so many digits, `decimals` of them behind the point; NaN where they are none, or too many to be sure of. */
export function plainNumber(whole: number, digits: number, decimals: number): number {
  if (digits === 0 || digits > SAFE_DIGITS) return Number.NaN;
  // Both are exact, so that their quotient is the double nearest to what is written.
  return decimals === 0 ? whole : whole / (POWERS[decimals] ?? 1);
}

const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 34 || byte === 13;

const spelled = (text: string): number => (NUMBER.test(text) ? Number(text) : Number.NaN);

/** Milliseconds since 1970 UTC, whole, from a count of units. `auto` goes by magnitude: right from 1973 to 5138. */
export function millisOf(count: number, unit: TimeUnit): number {
  if (unit === 'iso') return Number.NaN;
  return Math.floor(count / PER_MS[unit === 'auto' ? unitOf(count) : unit]);
}

function unitOf(count: number): 's' | 'ms' | 'us' | 'ns' {
  if (count < 1e11) return 's';
  if (count < 1e14) return 'ms';
  return count < 1e17 ? 'us' : 'ns';
}

/** Milliseconds since 1970 UTC from ISO 8601, in UTC where it names no zone; NaN for anything else. */
export function isoMillis(text: string): number {
  const parts = ISO.exec(text.trim());
  if (!parts) return Number.NaN;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = parts;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const offset = zone === 'UTC' || zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${offset}`);
}
