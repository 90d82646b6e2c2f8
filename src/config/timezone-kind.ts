import type { Kind } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';

/** A time zone that this machine knows. */
export const timezone: Kind<string> = {
  schema: { type: 'string' },
  read(value, report) {
    if (typeof value === 'string' && isTimeZone(value)) return value;
    report([], `must be a time zone such as UTC or Europe/Stockholm, not ${shown(value)}`);
    return undefined;
  },
};

function isTimeZone(name: string): boolean {
  // The default: Intl takes 10 ms to begin with.
  if (name === 'UTC') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    // Intl throws a RangeError for an unknown zone.
    return false;
  }
}
