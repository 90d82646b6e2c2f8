import { expect, test } from 'vitest';
import { upcoming } from '#apps/operations/schedule-view.ts';
import { localTime } from '#core/schedule/local-time.ts';
import type { ScheduleLine } from '#domain/schedule.ts';

test.each([
  ['2026-03-29T00:30:00Z', 'Europe/Stockholm', 'Sun 2026-03-29 01:30:00 +01:00'],
  ['2026-03-29T01:00:00Z', 'Europe/Stockholm', 'Sun 2026-03-29 03:00:00 +02:00'],
  ['2026-01-01T00:00:00Z', 'UTC', 'Thu 2026-01-01 00:00:00 +00:00'],
  ['2026-01-01T00:00:00Z', 'Asia/Kolkata', 'Thu 2026-01-01 05:30:00 +05:30'],
])('%s in %s is %s', (at, timezone, local) => {
  expect(localTime(Date.parse(at), timezone)).toBe(local);
});

test('a preview over the change of the clocks keeps the local time, and its UTC moves', () => {
  const line: ScheduleLine = {
    name: 'evening',
    cron: '0 22 * * *',
    timezone: 'Europe/Stockholm',
    action: 'remote.pauseAll',
    arguments: {},
    missed: 'alert',
    missedWithinMs: 300_000,
    deadlineMs: 60_000,
  };
  const { times, cut } = upcoming([line, { ...line, name: 'seconds', cron: '* * * * * *' }], Date.parse('2026-03-27T22:00:00Z'), 3);
  expect(times.filter(({ name }) => name === 'evening').map(({ utc, local }) => `${utc} ${local}`)).toEqual([
    '2026-03-28T21:00:00.000Z Sat 2026-03-28 22:00:00 +01:00',
    '2026-03-29T20:00:00.000Z Sun 2026-03-29 22:00:00 +02:00',
    '2026-03-30T20:00:00.000Z Mon 2026-03-30 22:00:00 +02:00',
  ]);
  expect(cut).toEqual(['seconds']);
});
