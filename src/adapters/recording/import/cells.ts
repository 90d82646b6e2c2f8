import type { UnclearTime } from '#domain/clock-change.ts';
import type { Millis } from '#domain/names.ts';
import { instantOf } from '#domain/utc-day.ts';
import type { ColumnMap, DecimalSign, TimeUnit } from './row.ts';

type Unit = Exclude<TimeUnit, 'auto' | 'iso'>;

const PER_MS: Readonly<Record<Unit, number>> = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 };
/** By how many places the point of a count moves to the right to make it milliseconds. */
const PLACES_TO_MS: Readonly<Record<Unit, number>> = { s: 3, ms: 0, us: -3, ns: -6 };
/** Year first, with marks between or without; BitMEX writes a D behind it. */
const DATE = '(?<year>\\d{4})(?:(?<mark>[-./])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})|(?<plain>\\d{4}))';
/** Hours, minutes and seconds with colons, without, or an hour alone before AM or PM. */
const SECONDS = '(?<second>\\d{2})(?:[.,](?<fraction>\\d+))?';
const PLAIN = '(?<digits>\\d{4}|\\d{6}(?:[., ]?(?<rest>\\d+))?)';
const CLOCK = `(?:(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::${SECONDS})?|(?=[ -]?[APap][Mm]))|${PLAIN})`;
const ZONE = '(?<zone>Z|UTC|GMT|(?:GMT|UTC)?[+-]\\d{2}:?\\d{2})|(?<region>[A-Z][A-Za-z]+(?:/[A-Za-z_]+)+)';
const ISO = new RegExp(`^${DATE}(?:[DT ]\\s*${CLOCK}(?:[ -]?(?<half>[APap])[Mm])?)?\\s*(?:${ZONE})?$`);
/** The same as digits alone, from the hour on. */
const JOINED = /^(\d{8})(\d{2})(\d{2})?(\d{2})?$/;
/** Year last. */
const LOCAL = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})(?!\d)(.*)$/;
/** The month by its name, in English: 27 Nov 2026, 27-Nov-26, November 27, 2026. */
const NAMED = /^(?:(\d{1,2})([- ])([a-z]{3,9})\2|([a-z]{3,9}) (\d{1,2}),? )(\d{4}|\d{2})(?!\d),?(.*)$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** A number without an exponent. */
const DIGITS = /^([+-]?)(\d*)\.?(\d*)$/;
/** A number with marks between thousands, by its decimal sign. */
const GROUPED: Readonly<Record<DecimalSign, RegExp>> = {
  comma: /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/,
  point: /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/,
};

/** A cell as text, without blanks around it. */
export const anyCell = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());

/** The number of a cell; NaN for none. A text has the decimal sign of its file, and no comma where that is not known. */
export function numberIn(value: unknown, sign: DecimalSign | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim();
  if (sign === 'comma') return localNumber(text, sign);
  const plain = spelled(text);
  return Number.isNaN(plain) && !(sign === undefined && text.includes(',')) ? localNumber(text, 'point') : plain;
}

/** The time of a cell, and of the clock beside it: a count since 1970, a date of its own type, or a text. NaN for none. */
export function timeIn(value: unknown, clock: unknown, map: ColumnMap): Millis | UnclearTime {
  const { unit, clocks } = map;
  if (clock !== undefined) return textMillis(`${anyCell(value)} ${anyCell(clock)}`, map);
  if (typeof value !== 'string') {
    if (unit === 'auto' && !(value instanceof Date) && isPlainDate(Number(value))) return textMillis(String(value), map);
    if (clocks) clocks.counted = true;
    if (value instanceof Date) return value.getTime();
    if (typeof value === 'bigint') return millisIn(String(value), unit);
    return typeof value === 'number' ? millisOf(value, unit) : Number.NaN;
  }
  const text = value.trim();
  if (unit !== 'iso') {
    const count = spelled(text);
    if (!Number.isNaN(count) && !(unit === 'auto' && isPlainDate(count))) {
      if (clocks) clocks.counted = true;
      return Number.isSafeInteger(count) ? millisOf(count, unit) : millisIn(text, unit);
    }
    if (unit !== 'auto') return Number.NaN;
  }
  return textMillis(text, map);
}

const spelled = (text: string): number => (NUMBER.test(text) ? Number(text) : Number.NaN);

/**
 * Milliseconds since 1970 UTC, whole, from a count of units. `auto` goes by magnitude: right from 1973 to 5138. A double with decimals is
 * rarely the number that was meant: it is rounded to the microsecond before the rest is cut.
 */
export function millisOf(count: number, unit: TimeUnit): number {
  if (unit === 'iso') return Number.NaN;
  const counted = unit === 'auto' ? unitOf(count) : unit;
  if (counted === 'us' || counted === 'ns') return Math.floor(count / PER_MS[counted]);
  const perUnit = counted === 's' ? 1000 : 1;
  return Number.isInteger(count) ? count * perUnit : Math.floor(Math.round(count * perUnit * 1000) / 1000);
}

/** As `millisOf`, from the digits of a text: what is below a millisecond is cut, exactly. NaN where it spells no number. */
export function millisIn(text: string, unit: TimeUnit): number {
  const spells = text.trim();
  const count = spelled(spells);
  const [, sign, whole = '', decimals = ''] = DIGITS.exec(spells) ?? [];
  if (Number.isNaN(count) || unit === 'iso' || sign === undefined) return millisOf(count, unit);
  const digits = whole + decimals;
  const point = whole.length + PLACES_TO_MS[unit === 'auto' ? unitOf(count) : unit];
  const size = Number(digits.slice(0, Math.max(0, point)).padEnd(point, '0'));
  if (sign !== '-') return size;
  return /[1-9]/.test(digits.slice(Math.max(0, point))) ? -size - 1 : -size;
}

function unitOf(count: number): Unit {
  if (count < 1e11) return 's';
  if (count < 1e14) return 'ms';
  return count < 1e17 ? 'us' : 'ns';
}

/**
 * The unit of which a span of times speaks that was read in another, from which it would be before 1973. Undefined where it may be
 * as it was read, and where nobody named a unit of counts.
 */
export function otherUnit(
  [from, to]: readonly [from: Millis, to: Millis],
  unit: TimeUnit,
): { readonly unit: TimeUnit; readonly from: Millis } | undefined {
  if (unit === 'auto' || unit === 'iso') return undefined;
  const told = unitOf(to * PER_MS[unit]);
  return told === unit || to < 0 ? undefined : { unit: told, from: millisOf(from * PER_MS[unit], told) };
}

/** Milliseconds since 1970 UTC from ISO 8601, in UTC where it names no zone; NaN for anything else. */
export const isoMillis = (text: string): Millis => instantIn(text, {}, (local) => local);

/** Milliseconds since 1970 UTC from a count since then, its unit told by its magnitude, or ISO 8601; NaN for anything else. */
export const anyMillis = (text: string): number =>
  /^\d+(\.\d+)?$/.test(text) && !isPlainDate(Number(text)) ? millisIn(text, 'auto') : isoMillis(text);

/** As `isoMillis`, also of local dates, and of times in another zone where they name none. A date alone is the begin of its day. */
const textMillis = (text: string, map: Pick<ColumnMap, 'dates' | 'toUtc' | 'zones' | 'clocks'>): Millis | UnclearTime =>
  instantIn(text, map, (local, { isDate, region }) => {
    if (isDate && map.clocks) map.clocks.dated = true;
    const toUtc = region === undefined ? map.toUtc : map.zones?.(region);
    if (region !== undefined && !toUtc) return Number.NaN;
    const read = toUtc ? toUtc(local) : local;
    return typeof read === 'number' || !isDate ? read : (read.instants[0] ?? read.change.at);
  });

/** Reads a text. `fromLocal` makes an instant of a time that names no zone. */
function instantIn<Unclear>(
  text: string,
  { dates, clocks }: Pick<ColumnMap, 'dates' | 'clocks'>,
  fromLocal: (local: Millis, named: { readonly isDate: boolean; readonly region: string | undefined }) => Millis | Unclear,
): Millis | Unclear {
  const spaced = text.trim().replace(JOINED, (_, date, hour, minute = '00', second = '00') => `${date} ${hour}${minute}${second}`);
  const parts = ISO.exec(yearFirst(spaced, dates))?.groups;
  if (!parts) return Number.NaN;
  const { year, plain = '', month = plain.slice(0, 2), day = plain.slice(2), digits, half, zone, region } = parts;
  const { hour = digits?.slice(0, 2), minute = digits?.slice(2, 4) ?? '00', second = digits?.slice(4) || '00' } = parts;
  const millis = (parts.fraction ?? parts.rest ?? '').slice(0, 3).padEnd(3, '0');
  const named = zone?.replace(/^(GMT|UTC)/, '');
  const offset = named === undefined || named === '' || named === 'Z' ? 'Z' : `${named.slice(0, 3)}:${named.slice(-2)}`;
  const clock = `${hourOf(hour, half).padStart(2, '0')}:${minute}:${second.slice(0, 2)}.${millis}`;
  const at = instantOf(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${clock}${offset}`);
  if (Number.isNaN(at)) return at;
  if (clocks) clocks[(zone ?? region) === undefined ? 'unzoned' : 'zoned'] = true;
  return zone === undefined ? fromLocal(at, { isDate: hour === undefined, region }) : at;
}

/** The hour of 24 that an hour of twelve is, where a half of the day is said; no hour of a day where it cannot be one. */
function hourOf(hour = '0', half: string | undefined): string {
  if (half === undefined) return hour;
  const count = Number(hour);
  return count < 1 || count > 12 ? 'none' : String((count % 12) + (/p/i.test(half) ? 12 : 0));
}

/** A date with its year last, turned round. Dots have the day first and a month may have its name; with others somebody must say. */
function yearFirst(text: string, dates: ColumnMap['dates']): string {
  const [, early, , name, lead, late, named, clock = ''] = NAMED.exec(text) ?? [];
  const month = MONTHS.findIndex((one) => one.startsWith((name ?? lead ?? '-').toLowerCase())) + 1;
  if (named !== undefined && month > 0) return isoDate(named, String(month), early ?? late ?? '') + clock;
  const [, first = '', separator, second = '', year, rest = ''] = LOCAL.exec(text) ?? [];
  const order = dates ?? (separator === '.' ? 'dmy' : undefined);
  if (year === undefined || order === undefined) return text;
  return (order === 'dmy' ? isoDate(year, second, first) : isoDate(year, first, second)) + rest;
}

const isoDate = (year: string, month: string, day: string): string =>
  `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/**
 * A date as digits alone, of 1973 to 2099, also with hour, minute and second behind it. No count of a time of prices looks like it: with
 * minutes it would be of milliseconds in 1976, with the hour alone of seconds from 2032 on.
 */
const isPlainDate = (count: number): boolean =>
  Number.isInteger(count) && PLAIN_DATE_UNITS.some((unit) => count >= 19_730_101 * unit && count < 21_000_101 * unit);
const PLAIN_DATE_UNITS = [1, 1e2, 1e4, 1e6];

/** The number of a text, with marks between thousands or without, whose decimal sign is known; NaN for none. */
function localNumber(text: string, decimal: DecimalSign): number {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/[$€£¥]/, '')
    .trim();
  // 110'165 is a bond's price in 32nds, and Swiss thousands have decimals.
  const plain = /^\d{1,3}((\s\d{3})+([.,]\d+)?|('\d{3})+[.,]\d+)$/.test(bare) ? bare.replace(/['\s]/g, '') : bare;
  const [thousands, sign] = decimal === 'comma' ? ['.', ','] : [',', '.'];
  if (plain.includes(thousands) && !GROUPED[decimal].test(plain)) return Number.NaN;
  return spelled(plain.replaceAll(thousands, '').replace(sign, '.'));
}

/**
 * The decimal sign of the prices of a file, by its first ones: undefined where none has a comma. What is wrong, where these may be read
 * both ways, or contradict each other.
 */
export function signOf(prices: readonly string[]): { readonly sign?: DecimalSign | undefined; readonly unclear?: string } {
  const commas = prices.filter((text) => text.includes(','));
  const only = (sign: DecimalSign) => (text: string) => isPrice(localNumber(text, sign)) && !isPrice(localNumber(text, OTHER[sign]));
  const [comma, point] = [commas.find(only('comma')), prices.find((text) => /[.,]/.test(text) && only('point')(text))];
  if (commas.length === 0 || (point === undefined && comma === undefined && !commas.some((text) => isPrice(localNumber(text, 'point')))))
    return { sign: undefined };
  if (comma !== undefined && point !== undefined) return { unclear: `'${comma}' has a decimal comma and '${point}' a decimal point` };
  if (comma === undefined && point === undefined) return { unclear: `'${commas[0]}' can be read as two prices` };
  return { sign: comma === undefined ? 'point' : 'comma' };
}

const OTHER = { comma: 'point', point: 'comma' } as const;

/** Sums of greater prices are no numbers any more. */
const LARGEST_PRICE = 1e30;

export const isPrice = (value: number): boolean => value > 0 && value <= LARGEST_PRICE;
