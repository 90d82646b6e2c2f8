import { millisIn } from '#domain/settings/spans.ts';

/** A span of engine time: milliseconds, or text like `500ms`, `30s`, `5m`, `1h`, `2d`. */
export type Duration = number | string;

/** Reads a duration as milliseconds. Throws on what is not a finite span of zero or more; `what` names who asks. */
export function durationMs(duration: Duration, what: string): number {
  const ms = typeof duration === 'string' ? millisIn(duration) : duration;
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) {
    throw new RangeError(`${what}: a duration is milliseconds or text like '500ms', '30s', '5m', '1h', not ${JSON.stringify(duration)}`);
  }
  return ms;
}
