import { expect, test } from 'vitest';
import { isoTime } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';

const MINUTE_MS = 60_000;

test('a time is written as ISO 8601 in UTC, also where a minute, a day or a year turns', () => {
  const random = seeded('times');
  const any = Array.from({ length: 500 }, () => Math.floor((random.next() - 0.3) * 4e12));
  const turns = [0, Date.UTC(2026, 0, 1), Date.UTC(2024, 1, 29), Date.UTC(9999, 0, 1), Date.UTC(-1, 0, 1)];
  for (const at of [...any, ...turns]) {
    for (const ms of [at, at - 1, at + 9, at + 99, at + 999, at + 59_999, at + MINUTE_MS, at]) {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }
  }
});

test('what is no time is refused', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(() => isoTime(Number.POSITIVE_INFINITY)).toThrow(RangeError);
});
