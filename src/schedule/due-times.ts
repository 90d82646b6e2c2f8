import { Cron } from 'croner';
import type { Millis } from '../domain/names.ts';

/**
 * The next time of a cron expression after an instant, in UTC unless a zone is given; undefined when there is none.
 * Day of month and day of week must both hold, as with node-cron, which fires the live schedule. Throws on a bad
 * expression.
 */
export function nextTime(expression: string, after: Millis, timezone = 'UTC'): Millis | undefined {
  const cron = new Cron(expression, { timezone, paused: true, domAndDow: true });
  return cron.nextRun(new Date(after))?.getTime();
}
