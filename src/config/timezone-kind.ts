import type { SettingKind } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';

/** A time zone that this machine knows. */
export const timezone: SettingKind<string> = {
  schema: { type: 'string' },
  read(value, report) {
    if (typeof value === 'string' && isTimeZone(value)) return value;
    report([], `must be a time zone such as UTC or Europe/Stockholm, not ${shown(value)}`);
    return undefined;
  },
};

/** The defaults of settings. Intl, which knows the others, takes 12 ms of every command to begin with. */
const KNOWN: readonly string[] = ['UTC', 'America/New_York'];

function isTimeZone(name: string): boolean {
  if (KNOWN.includes(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    // Intl throws a RangeError for an unknown zone.
    return false;
  }
}
