import { describe, expect, test } from 'vitest';
import { fromZone, localTime } from '#core/schedule/local-time.ts';
import { upcoming } from '#daemon/operations/schedule-view.ts';
import { clockChangeText } from '#domain/clock-change.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import { fc, test as property } from '../../support/property.ts';

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

describe('a time by the clocks of a zone, read back', () => {
  const read = (zone: string, text: string): string | readonly string[] => {
    const found = fromZone(zone)(Date.parse(`${text}Z`));
    if (typeof found === 'number') return new Date(found).toISOString().slice(0, 19);
    return [...found.instants.map((at) => new Date(at).toISOString().slice(0, 19)), clockChangeText(found.change)];
  };
  const BERLIN = 'the clocks of Europe/Berlin went';

  test.each([
    ['Europe/Berlin', '2024-03-31T01:59:59', '2024-03-31T00:59:59'],
    ['Europe/Berlin', '2024-03-31T02:00:00', [`${BERLIN} forward from 02:00 to 03:00 on 2024-03-31`]],
    ['Europe/Berlin', '2024-03-31T02:59:59', [`${BERLIN} forward from 02:00 to 03:00 on 2024-03-31`]],
    ['Europe/Berlin', '2024-03-31T03:00:00', '2024-03-31T01:00:00'],
    ['Europe/Berlin', '2024-10-27T01:59:59', '2024-10-26T23:59:59'],
    [
      'Europe/Berlin',
      '2024-10-27T02:30:00',
      ['2024-10-27T00:30:00', '2024-10-27T01:30:00', `${BERLIN} back from 03:00 to 02:00 on 2024-10-27`],
    ],
    ['Europe/Berlin', '2024-10-27T03:00:00', '2024-10-27T02:00:00'],
    ['Australia/Lord_Howe', '2024-10-06T02:15:00', ['the clocks of Australia/Lord_Howe went forward from 02:00 to 02:30 on 2024-10-06']],
    ['America/St_Johns', '2009-11-01T00:01:00', '2009-11-01T03:31:00'],
    ['Pacific/Apia', '2011-12-30T12:00:00', ['the clocks of Pacific/Apia went forward from 2011-12-30 00:00 to 2011-12-31 00:00']],
    ['-05:00', '2024-01-01T00:00:00', '2024-01-01T05:00:00'],
  ])('%s %s', (zone, text, found) => {
    expect(read(zone, text)).toEqual(found);
  });

  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  property.prop([zones, fc.integer({ min: Date.UTC(1973, 0), max: Date.UTC(2037, 0) })], { numRuns: 2000 })(
    'any instant of any zone is the time that its clocks show, or one of two',
    (zone, instant) => {
      const at = Math.floor(instant / 1000) * 1000;
      const shown = /(\S+) (\S+) \S+$/.exec(localTime(at, zone));
      const found = fromZone(zone)(Date.parse(`${shown?.[1]}T${shown?.[2]}Z`));
      expect(typeof found === 'number' ? [found] : found.instants).toContain(at);
    },
  );

  test('a zone that nobody knows is refused', () => {
    expect(() => fromZone('Nowhere/Town')).toThrow(/is not a time zone/);
  });
});
