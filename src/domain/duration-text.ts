import type { Millis } from './names.ts';

/** A duration as people read it, rounded to the nearest of the last unit that is shown: `250 ms`, `2.3 s`, `13 s`, `5 min 2 s`, `3 d 4 h`. */
export function durationText(ms: Millis): string {
  const size = Math.max(0, ms);
  const millis = Math.round(size);
  if (millis === 0) return '0 s';
  if (millis < 1000) return `${millis} ms`;
  const tenths = Math.round(size / 100);
  if (tenths < 100) return `${tenths / 10} s`;
  const seconds = Math.round(size / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return inTwo(seconds, 60, ['min', 's']);
  const minutes = Math.round(size / 60_000);
  if (minutes < 1440) return inTwo(minutes, 60, ['h', 'min']);
  return inTwo(Math.round(size / 3_600_000), 24, ['d', 'h']);
}

/** The last unit that the text of a duration shows, in milliseconds. */
export const durationStep = (ms: Millis): Millis => STEPS.find(([from]) => ms >= from)?.[1] ?? 1;

const STEPS = [
  [86_400_000, 3_600_000],
  [3_600_000, 60_000],
  [10_000, 1_000],
  [1_000, 100],
] as const;

/** A count in a unit that holds so many of it, and the rest if there is one. */
function inTwo(count: number, per: number, [large, small]: readonly [string, string]): string {
  const rest = count % per;
  return `${Math.floor(count / per)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
