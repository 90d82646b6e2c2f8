import type { Millis } from '../domain/names.ts';

/** An instant by the clocks of a zone, with what they are ahead of UTC: `Sun 2026-03-29 03:00:00 +02:00`. */
export function localTime(at: Millis, timezone: string): string {
  const parts = new Map(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const offset = of('timeZoneName').replace('GMT', '') || '+00:00';
  return `${of('weekday')} ${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')} ${offset}`;
}
