import { describe, expect, test } from 'vitest';
import { httpDateMs } from '#adapters/service-client/clock/http-date.ts';
import { serviceTimeMs } from '#adapters/service-client/clock/service-time.ts';

describe('a time of the service is read by each of its characters', () => {
  test.each([
    // Dates whose figures would be mistaken for each other, if not all of them counted.
    ...['2026-01-03T00:00:00Z', '2028-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-28T00:00:00Z', '2027-02-28T00:00:00Z'],
    ...['2026-02-01T00:00:00Z', '2026-01-31T00:00:00Z', '2026-12-05T00:00:00Z', '2027-01-05T00:00:00Z', '2126-01-05T00:00:00Z'],
    ...['2026-01-31T23:59:59.000Z', '2026-04-30T12:34:56.7Z', '2026-06-30T00:00:00.12Z', '2026-09-30T00:00:00.123Z'],
    ...['2026-11-30T09:08:07+00:00', '2026-07-31T00:00:00+23:59', '2026-08-31T00:00:00-23:59', '2000-01-01T00:00:00Z'],
  ])('%s', (text) => {
    expect(serviceTimeMs(text)).toBe(Date.parse(text));
  });

  test('2026-01-01T00:00:00.123456789+05:30, the longest that there is', () => {
    expect(serviceTimeMs('2026-01-01T00:00:00.123456789+05:30')).toBe(Date.parse('2026-01-01T00:00:00.123+05:30'));
  });

  test('the day after one that was read is another day', () => {
    const [first, second] = ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z'].map(serviceTimeMs);
    expect((second ?? 0) - (first ?? 0)).toBe(86_400_000);
    // Sums of year, month and day that some other date has as well.
    for (const [one, other] of [
      ['2026-01-02', '2025-02-01'],
      ['2001-01-02', '2000-12-31'],
      ['2026-02-01', '2026-01-02'],
      ['2026-01-03', '2028-01-01'],
      ['2026-02-01', '2025-02-02'],
      ['2024-02-29', '2026-02-27'],
      ['2100-01-01', '2000-02-01'],
    ])
      expect([one, other].map((day) => serviceTimeMs(`${day}T00:00:00Z`))).toEqual(
        [one, other].map((day) => Date.parse(`${day}T00:00:00Z`)),
      );
  });

  const good = '2026-01-01T00:00:00+01:00';
  const without = (at: number, by: string): string => `${good.slice(0, at)}${by}${good.slice(at + 1)}`;
  test.each([
    ...[4, 7, 10, 13, 16, 19, 22].map((at) => without(at, '/')),
    ...[0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24].flatMap((at) => [
      without(at, 'x'),
      without(at, '/'),
      without(at, ':'),
    ]),
    ...['2026-01-00T00:00:00Z', '2026-04-31T00:00:00Z', '2026-06-31T00:00:00Z', '2026-09-31T00:00:00Z', '2026-11-31T00:00:00Z'],
    ...['2026-01-32T00:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:00+00:60', '2026-01-01T00:00:00*01:00'],
    ...[`${good}0`, good.slice(0, -1), '2026-01-01T00:00:00', '2026-01-01T00:00:00Z+01:00', '2026-01-01T00:00:00.1234567890123456789Z'],
  ])('%s is no time', (text) => {
    expect(serviceTimeMs(text)).toBeNaN();
  });
});

test.each([
  ['Sat, 01 Jan 2000 00:00:00 GMT', Date.UTC(2000, 0, 1)],
  ['Wed, 31 Dec 2200 23:59:59 GMT', Date.UTC(2200, 11, 31, 23, 59, 59)],
  ['Fri, 31 Dec 1999 23:59:59 GMT', Number.NaN],
  ['Thu, 01 Jan 2201 00:00:00 GMT', Number.NaN],
])('an HTTP date is one of this and the next century: %s', (text, ms) => {
  expect(httpDateMs(text)).toBe(ms);
});
