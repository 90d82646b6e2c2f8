import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';

const FIRST_YEAR = 2000;
const LAST_YEAR = 2200;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MAX_FRACTION_DIGITS = 9;

/**
 * Reads an ISO 8601 time with a zone (`Z` or an offset of hours and minutes) and up to nine fraction digits, rounded
 * down to the millisecond (spec 2.8, `validUntil`). NaN for anything else: a time without a zone would be a guess. By hand, since it
 * stands on the path of every quote.
 */
export function serviceTimeMs(text: string): Millis {
  const year = digits(text, 0) * 100 + digits(text, 2);
  const month = digits(text, 5);
  const day = digits(text, 8);
  const hour = digits(text, 11);
  const minute = digits(text, 14);
  const second = digits(text, 17);
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return Number.NaN;
  if (!(day >= 1 && day <= daysIn(year, month) && hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH || text.charCodeAt(10) !== LETTER_T) return Number.NaN;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return Number.NaN;
  let at = 19;
  let fractionMs = 0;
  if (text.charCodeAt(at) === DOT) {
    const first = at + 1;
    let weight = 100;
    for (at = first; isDigit(text.charCodeAt(at)); at += 1) {
      fractionMs += weight >= 1 ? (text.charCodeAt(at) - ZERO) * weight : 0;
      weight /= 10;
    }
    if (at === first || at - first > MAX_FRACTION_DIGITS) return Number.NaN;
  }
  const offsetMs = zoneMs(text, at);
  return (daysSince1970(year, month, day) * 24 + hour) * 3_600_000 + minute * 60_000 + second * 1000 + fractionMs - offsetMs;
}

const ZERO = 48;
const COLON = 58;
const DASH = 45;
const PLUS = 43;
const DOT = 46;
const LETTER_T = 84;
const LETTER_Z = 90;

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** Two digits as a number, NaN when they are not. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + (ones - ZERO) : Number.NaN;
}

function zoneMs(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (sign === LETTER_Z) return text.length === at + 1 ? 0 : Number.NaN;
  if ((sign !== PLUS && sign !== DASH) || text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON) return Number.NaN;
  const hours = digits(text, at + 1);
  const minutes = digits(text, at + 4);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  const ms = (hours * 60 + minutes) * 60_000;
  return sign === PLUS ? ms : -ms;
}

function daysIn(year: number, month: number): number {
  if (month === 2 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return 28;
  return DAYS_IN_MONTH[month - 1] ?? 0;
}

let knownDate = -1;
let knownDays = 0;

/** Quotes of one day name the same date: it is worked out once. */
function daysSince1970(year: number, month: number, day: number): number {
  const date = (year * 100 + month) * 100 + day;
  if (date !== knownDate) {
    knownDate = date;
    knownDays = Date.UTC(year, month - 1, day) / DAY_MS;
  }
  return knownDays;
}
