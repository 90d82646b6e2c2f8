import type { ClockChange, LocalToUtc } from '#domain/clock-change.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';

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
 * Reads times by the clocks of a zone, given as if these showed UTC; the zone is a name such as Europe/Berlin, or an offset such as -05:00.
 * Throws USAGE for an unknown zone.
 */
export function fromZone(zone: string): LocalToUtc {
  const aheadMs = aheadOf(zone);
  const days = new Map<number, ClocksOfDay>();
  return (local) => {
    const day = Math.floor(local / DAY_MS);
    let clocks = days.get(day);
    if (clocks === undefined) {
      // No zone is a whole day away from UTC, so that the instant lies within these.
      clocks = clocksWithin([(day - 1) * DAY_MS, (day + 2) * DAY_MS], zone, aheadMs);
      days.set(day, clocks);
    }
    const { aheadBeforeMs, change } = clocks;
    const before = local - aheadBeforeMs;
    if (change === undefined) return before;
    const after = local - change.aheadAfterMs;
    if (before < change.at) return after < change.at ? before : { instants: [before, after], change };
    return after < change.at ? { instants: [], change } : after;
  };
}

/** The clocks of a zone on a day. */
interface ClocksOfDay {
  readonly aheadBeforeMs: Millis;
  /** Undefined where they stay as they are. */
  readonly change: ClockChange | undefined;
}

/** How far a zone is ahead of UTC in a time of few days, in which its clocks change once at most. */
function clocksWithin([from, to]: readonly [Millis, Millis], zone: string, aheadMs: (at: Millis) => Millis): ClocksOfDay {
  const [aheadBeforeMs, aheadAfterMs] = [aheadMs(from), aheadMs(to)];
  if (aheadBeforeMs === aheadAfterMs) return { aheadBeforeMs, change: undefined };
  let [before, at] = [from, to];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (aheadMs(middle) === aheadBeforeMs) before = middle;
    else at = middle;
  }
  return { aheadBeforeMs, change: { zone, at, aheadBeforeMs, aheadAfterMs } };
}

/** How far a zone is ahead of UTC at an instant. */
function aheadOf(zone: string): (at: Millis) => Millis {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (error) {
    throw new KairosError('USAGE', `${zone} is not a time zone: name one such as Europe/Berlin or -05:00`, { cause: error });
  }
  return (at) => {
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d{1,2}):?(\d{2})?:?(\d{2})?/.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  };
}
