import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';

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

/**
 * UTC of an instant that is given by the clocks of a zone as if these showed UTC; the zone is a name such as Europe/Berlin, or an
 * offset such as -05:00. Of an hour that comes twice the first is meant. Throws USAGE for an unknown zone.
 */
export function fromZone(zone: string): (local: Millis) => Millis {
  const aheadMs = aheadOf(zone);
  return (local) => {
    // Twice: the first guess may stand on the other side of a change of the clocks.
    const guess = local - aheadMs(local);
    return Math.min(local - aheadMs(guess), local - aheadMs(local - aheadMs(guess)));
  };
}

const HOUR_MS = 3_600_000;

/** How far a zone is ahead of UTC at an instant, looked up once a quarter of an hour. */
function aheadOf(zone: string): (at: Millis) => Millis {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (error) {
    throw new KairosError('USAGE', `${zone} is not a time zone: name one such as Europe/Berlin or -05:00`, { cause: error });
  }
  const known = new Map<number, Millis>();
  return (at) => {
    const quarter = Math.floor(at / (HOUR_MS / 4));
    const seen = known.get(quarter);
    if (seen !== undefined) return seen;
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?/.exec(text) ?? [];
    const aheadMs = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
    known.set(quarter, aheadMs);
    return aheadMs;
  };
}
