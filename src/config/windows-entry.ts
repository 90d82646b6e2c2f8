import { closedSpan, openSpan, type Windows } from '#core/schedule/windows.ts';
import { listOf, type SettingKind } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { record, withDefault } from './record.ts';
import { timezone } from './timezone-kind.ts';

const OPEN = 'be days and times such as "mon-fri 09:30-16:00", "sat,sun 10:00-12:00" or "22:00-02:00"';
const CLOSED = 'be dates such as "2026-12-25", "2026-12-24..2026-12-26" or "2026-12-24 13:00-24:00"';

function span<T>(parse: (text: string) => T | undefined, must: string): SettingKind<T> {
  return {
    schema: { type: 'string' },
    read(value, report) {
      const parsed = typeof value === 'string' ? parse(value) : undefined;
      if (parsed === undefined) report([], `must ${must}, not ${shown(value)}`);
      return parsed;
    },
  };
}

const WINDOWS = {
  timezone: withDefault(timezone, 'UTC', 'time zone of the times and dates'),
  open: withDefault(listOf(span(openSpan, OPEN), 100), [], 'days and times, else all'),
  closed: withDefault(listOf(span(closedSpan, CLOSED), 1000), [], 'dates on which none are'),
};

const read: SettingKind<Windows> = record(WINDOWS, { open: ['mon-fri 09:30-16:00'] }, (take) => ({
  timezone: take(WINDOWS.timezone),
  open: take(WINDOWS.open),
  closed: take(WINDOWS.closed),
}));

/** `windows` of a strategy: at least one span. */
export const windows: SettingKind<Windows> = {
  schema: { ...read.schema, minProperties: 1 },
  read(value, report) {
    const given = read.read(value, report);
    if (given === undefined || given.open.length > 0 || given.closed.length > 0) return given;
    report([], 'must have one of open and closed');
    return undefined;
  },
};
