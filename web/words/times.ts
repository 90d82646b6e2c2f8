import { durationText } from '#domain/duration-text.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds of an ISO 8601 time; null where there is none. */
export function millisOf(at: string | null | undefined): number | null {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** A time of day in UTC, `10:06:07`; with the date before it where that is not today's. */
export function clockText(at: string, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return at.startsWith(today) ? at.slice(11, 19) : `${at.slice(5, 10)} ${at.slice(11, 16)}`;
}

/** Date and time in UTC to the second. */
export const momentText = (at: string): string => at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** How long something has lasted, in whole seconds at least. */
export function lastedText(ms: number): string {
  return durationText(ms < MINUTE_MS ? Math.round(ms / SECOND_MS) * SECOND_MS : ms);
}

/** Since when nothing has answered. */
export const lostText = (ms: number): string => `lost ${lastedText(ms)} ago`;

/** The distance of a time from now, in words. */
export function awayText(at: string, nowMs: number): string {
  const ms = millisOf(at);
  if (ms === null) return '';
  return ms > nowMs ? `in ${lastedText(ms - nowMs)}` : `${lastedText(nowMs - ms)} ago`;
}

/** The length of a bar, which is a whole number of one unit: `15 s`, `4 h`. */
export function stepText(ms: number): string {
  if (ms < MINUTE_MS) return `${ms / SECOND_MS} s`;
  return ms < HOUR_MS ? `${ms / MINUTE_MS} min` : `${ms / HOUR_MS} h`;
}

/** The length of a wait to the tenth of a second: `3.0 s`; below a second in milliseconds. */
export const secondsText = (ms: number): string => (ms < SECOND_MS ? `${Math.round(ms)} ms` : `${(ms / SECOND_MS).toFixed(1)} s`);
