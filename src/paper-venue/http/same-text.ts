import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
