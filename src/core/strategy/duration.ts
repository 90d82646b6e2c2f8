import { DAY_MS } from '#domain/utc-day.ts';

/** A span of engine time: milliseconds, or text like `500ms`, `30s`, `5m`, `1h`, `2d`. */
export type Duration = number | string;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

/** Reads a duration as milliseconds. Throws on what is not a finite span of zero or more; `what` names who asks. */
export function durationMs(duration: Duration, what: string): number {
  const ms = typeof duration === 'string' ? parse(duration) : duration;
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) {
    throw new RangeError(`${what}: a duration is milliseconds or text like '500ms', '30s', '5m', '1h', not ${JSON.stringify(duration)}`);
  }
  return ms;
}

function parse(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN) : Number.NaN;
}
