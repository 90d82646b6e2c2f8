import { amountText, moneyPlaces } from '#domain/money-text.ts';
import { fixed } from './numbers.ts';
import { clockText, secondsText } from './times.ts';

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const SETTING = / \((?:[a-z]\w*\.)+\w+(?:, [^()]*)?\)/g;
const UUID = /\b([0-9a-f]{8})-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g;
/** `fast=1.5 slow=2`, as the journal writes what a strategy named, behind its words. */
const NAMED = /(?<=^|\s)([\w.]+)=(\S+)(\s(?=[\w.]+=))?/g;
const IS_NAMED = /^[\w.]+=/;
/** What stands around a strategy's own words. */
const AROUND_OWN = [
  /^((?:buy|sell) [^:]+: |the strategy itself gives the reason: )(.*)($)/s,
  /^(it wanted to [^(]+\()(.*)(\) and was refused.*)$/s,
];
const FIGURE = /(?<![\w.:#,-])([+-]?)(\d+(?:\.\d+)?)(?![\w:-]|[.,]\d)(?: (ms|[a-z]{3})\b)?/g;
/** Digits of a figure that is no amount of money. */
const DIGITS = 6;

/**
 * Words of the daemon as the page says them: times as clocks, waits in seconds, figures rounded, without names of settings and with quotes by
 * their first digits. What a strategy says of itself stays as it is.
 */
export function said(words: string, nowMs: number): string {
  const plain = (text: string): string => ofDaemon(text, nowMs);
  return words
    .split(' | ')
    .map((part, n) => {
      if (n > 0 && IS_NAMED.test(part)) return plain(part.replace(NAMED, (_, name, value, more) => `${name} ${value}${more ? ', ' : ''}`));
      const [, before, own, after] = AROUND_OWN.map((around) => around.exec(part)).find((found) => found !== null) ?? [];
      return own === undefined ? plain(part) : `${plain(before ?? '')}${own}${plain(after ?? '')}`;
    })
    .join(' | ');
}

const ofDaemon = (words: string, nowMs: number): string =>
  words
    .replace(TIME, (at) => clockText(at, nowMs))
    .replace(SETTING, '')
    .replace(UUID, '$1')
    .replace(
      FIGURE,
      (_, sign: string, digits: string, unit?: string) =>
        `${sign === '-' ? '\u2212' : sign}${unit === 'ms' ? secondsText(Number(digits)) : rounded(digits, unit)}`,
    );

/** Money to the cent, any other figure to six digits; thousands are apart from ten thousand on. */
function rounded(digits: string, unit?: string): string {
  const figure = Number(digits);
  const own = digits.split('.')[1]?.length ?? 0;
  const whole = Math.max(1, Math.ceil(Math.log10(Math.max(figure, 1) + 1)));
  if (unit !== undefined && own > moneyPlaces(unit)) return amountText(figure, unit);
  const places = Math.min(own, figure < 1 ? 3 - Math.floor(Math.log10(figure || 1)) : Math.max(2, DIGITS - whole));
  return `${figure < 10_000 ? figure.toFixed(places) : fixed(figure, places)}${unit === undefined ? '' : ` ${unit}`}`;
}
