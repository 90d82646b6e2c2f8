import type { SwapRate } from '#domain/financing.ts';
import { currencyCode, productName } from '#domain/settings/groups.ts';
import { key } from '#domain/settings/key.ts';
import { choice, listOf, optional, type SettingKind, text } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { record, required, withDefault } from './record.ts';
import { timezone } from './timezone-kind.ts';

const percent: SettingKind<string> = {
  schema: { type: ['number', 'string'], pattern: '^-?\\d{1,6}(\\.\\d{1,12})?$' },
  read(value, report) {
    const given = typeof value === 'number' ? String(value) : value;
    if (typeof given === 'string' && /^-?\d{1,6}(\.\d{1,12})?$/.test(given)) return given;
    report([], `must be a percentage such as -2.5, not ${shown(value)}`);
    return undefined;
  },
};

const RATE = {
  product: withDefault(optional(productName), null, 'the product whose positions it is for'),
  currency: withDefault(optional(currencyCode), null, 'or: every product quoted in this currency that has no rate of its own'),
  long: required(percent, 'what a long position brings, in percent of its value; below zero: costs'),
  short: required(percent, 'what a short position brings, in percent of its value; below zero: costs'),
  per: withDefault(choice(['year', 'day']), 'year', 'the time that the percentages are for; a year has 365 days'),
  from: withDefault(
    optional(text(/^\d{4}-\d{2}-\d{2}$/, 'be a date such as 2026-01-31')),
    null,
    'first date (UTC) of the rolls that it is for; the latest one counts',
  ),
};

const fields = record(RATE, { product: 'btcusd', long: -8, short: 2 }, (take) => ({
  product: take(RATE.product),
  currency: take(RATE.currency),
  long: take(RATE.long),
  short: take(RATE.short),
  per: take(RATE.per),
  from: take(RATE.from),
}));

const rate: SettingKind<SwapRate> = {
  schema: fields.schema,
  read(value, report) {
    const read = fields.read(value, report);
    if (read === undefined) return undefined;
    const { product: code, currency, ...rest } = read;
    if (code !== null && currency === null) return { of: { product: code }, ...rest };
    if (code === null && currency !== null) return { of: { currency }, ...rest };
    report([], 'must have one of product and currency');
    return undefined;
  },
};

/** Settings of the cost or income of positions held over a roll. */
export const FINANCING_KEYS = {
  rates: key(listOf(rate, 10_000), [], 'financing from roll to roll, by product or quote currency'),
  time: key(text(/^([01]\d|2[0-3]):[0-5]\d$/, 'be a time of day such as 17:00'), '17:00', 'time of day of the roll'),
  timezone: key(timezone, 'America/New_York', 'time zone of the roll'),
  triple: key(choice(['none', 'mon', 'tue', 'wed', 'thu', 'fri']), 'wed', 'weekday whose roll counts three days; none: a roll every day'),
};
