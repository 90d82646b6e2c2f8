import { Cron } from 'croner';
import type { Millis } from '#domain/names.ts';

/**
 * The next time of a cron expression after an instant, in UTC unless a zone is given; undefined when there is none.
 * Day of month and day of week must both hold, as with node-cron, which fires the live schedule. Throws on a bad
 * expression. A time of day that a change of the clocks leaves out comes at the change; one that comes twice counts once,
 * unless the expression names every minute or hour, or has a step.
 */
export function nextTime(expression: string, after: Millis, timezone = 'UTC'): Millis | undefined {
  return parsed(expression, timezone).nextRun(new Date(after))?.getTime();
}

/** Expressions that were read, by zone and text: to read one takes as long as to find its next time. */
const READ = new Map<string, Cron>();
/** More than any configuration has. */
const MOST_READ = 64;

function parsed(expression: string, timezone: string): Cron {
  const key = `${timezone} ${expression}`;
  const known = READ.get(key);
  if (known) return known;
  // Without a zone Node's calendar is not loaded, which takes 30 to 60 ms of each start.
  const zone = timezone === 'UTC' ? { utcOffset: 0 } : { timezone };
  const cron = new Cron(expression, { ...zone, paused: true, domAndDow: true, fixedTimeRule: 'no-wildcard' });
  if (READ.size === MOST_READ) READ.clear();
  READ.set(key, cron);
  return cron;
}

interface Times {
  readonly cron: string;
  readonly timezone: string;
}

/** The last time after `after` and up to `upTo`; undefined when there is none. */
export function lastTime({ cron, timezone }: Times, after: Millis, upTo: Millis): Millis | undefined {
  const next = (from: Millis): Millis => nextTime(cron, from, timezone) ?? Number.POSITIVE_INFINITY;
  if (next(after) > upTo) return undefined;
  // Steps back from the end, each twice as far, until one is found: what fell due in years is not gone through one by one.
  let from = after;
  for (let back = 1000; upTo - back > after; back *= 2) {
    if (next(upTo - back) > upTo) continue;
    from = upTo - back;
    break;
  }
  let last = next(from);
  for (let time = next(last); time <= upTo; time = next(last)) last = time;
  return last;
}

/** All times after `after` and up to `upTo`, at most so many. */
export function timesBetween({ cron, timezone }: Times, after: Millis, upTo: Millis, most: number): readonly Millis[] {
  const times: Millis[] = [];
  let time = nextTime(cron, after, timezone);
  while (time !== undefined && time <= upTo && times.length < most) {
    times.push(time);
    time = nextTime(cron, time, timezone);
  }
  return times;
}
