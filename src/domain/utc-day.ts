import type { Millis } from './names.ts';

/** A day of UTC, in milliseconds. */
export const DAY_MS = 86_400_000;

/** Longest time that markets close for, weekends and holidays together. What is longer is a hole in the data. */
export const MAX_CLOSE_MS = 7 * DAY_MS;

/** Longest time between the recordings of two runs that is no hole: a daemon is started again within it. */
export const RESTART_MS = 60_000;

/** The UTC day of an instant, counted from 1970. */
export const dayOf = (at: Millis): number => Math.floor(at / DAY_MS);

/** The UTC day of prices: those that are known at midnight sharp, such as a bar's, are the last of the day that ends there. */
export const dayOfPrices = (at: Millis): number => dayOf(at - 1);

/** When the UTC day of an instant began. */
export const dayStart = (at: Millis): Millis => dayOf(at) * DAY_MS;

/** When the UTC day of an instant ends and the next begins. */
export const dayEnd = (at: Millis): Millis => (dayOf(at) + 1) * DAY_MS;

/** When a text of ISO 8601 is; NaN where it is none. `Date` takes 30 February for 1 March: a day that its month does not have is none. */
export function instantOf(text: string): Millis {
  const day = text.slice(8, 10);
  // All months have 28 days.
  const isOfMonth = day <= '28' || new Date(text.slice(0, 10)).getUTCDate() === Number(day);
  return isOfMonth ? Date.parse(text) : Number.NaN;
}
