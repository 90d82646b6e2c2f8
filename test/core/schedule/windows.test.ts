import { expect, test } from 'vitest';
import { closedSpan, openSpan, TradingHours, type Windows } from '#core/schedule/windows.ts';

function windowsOf(timezone: string, open: readonly string[], closed: readonly string[] = []): Windows {
  return { timezone, open: open.flatMap((text) => openSpan(text) ?? []), closed: closed.flatMap((text) => closedSpan(text) ?? []) };
}

test.each<[windows: Windows, at: string, why: string | null]>([
  [windowsOf('UTC', ['mon-fri 09:30-16:00']), '2026-01-05T09:29:59.999Z', 'outside of the hours in UTC'],
  [windowsOf('UTC', ['mon-fri 09:30-16:00']), '2026-01-05T09:30:00Z', null],
  [windowsOf('UTC', ['mon-fri 09:30-16:00']), '2026-01-05T15:59:59.999Z', null],
  [windowsOf('UTC', ['mon-fri 09:30-16:00']), '2026-01-05T16:00:00Z', 'outside of the hours in UTC'],
  [windowsOf('UTC', ['mon-fri 09:30-16:00', 'sat 10:00-12:00']), '2026-01-10T11:00:00Z', null],
  [windowsOf('UTC', ['mon-fri 09:30-16:00']), '2026-01-11T11:00:00Z', 'outside of the hours in UTC'],
  // The same wall time before and after the change of the clocks.
  [windowsOf('America/New_York', ['09:30-16:00']), '2026-03-06T14:30:00Z', null],
  [windowsOf('America/New_York', ['09:30-16:00']), '2026-03-09T13:30:00Z', null],
  [windowsOf('America/New_York', ['09:30-16:00']), '2026-03-06T13:30:00Z', 'outside of the hours in America/New_York'],
  // Over midnight the span belongs to the day on which it begins.
  [windowsOf('UTC', ['fri 22:00-02:00']), '2026-01-10T01:59:00Z', null],
  [windowsOf('UTC', ['fri 22:00-02:00']), '2026-01-09T01:59:00Z', 'outside of the hours in UTC'],
  [windowsOf('UTC', ['fri-mon 00:00-24:00']), '2026-01-11T12:00:00Z', null],
  [windowsOf('UTC', ['fri-mon 00:00-24:00']), '2026-01-07T12:00:00Z', 'outside of the hours in UTC'],
  [windowsOf('UTC', [], ['2026-12-25']), '2026-12-25T23:59:59Z', 'closed on 2026-12-25'],
  [windowsOf('UTC', [], ['2026-12-25']), '2026-12-26T00:00:00Z', null],
  [windowsOf('Asia/Tokyo', [], ['2026-12-25']), '2026-12-24T15:00:00Z', 'closed on 2026-12-25'],
  [windowsOf('UTC', ['00:00-24:00'], ['2026-12-24..2026-12-26 13:00-24:00']), '2026-12-25T12:59:00Z', null],
  [windowsOf('UTC', ['00:00-24:00'], ['2026-12-24..2026-12-26 13:00-24:00']), '2026-12-25T13:00:00Z', 'closed on 2026-12-24..2026-12-26'],
])('%o at %s: %s', (windows, at, why) => {
  expect(new TradingHours(windows).closedAt(Date.parse(at))).toBe(why);
});

test.each([
  '',
  'mon',
  '9:30-16:00',
  '09:30-09:30',
  '24:00-09:00',
  '09:60-10:00',
  '09:00-25:00',
  'mon-foo 09:00-10:00',
  'mon-tue-wed 09:00-10:00',
])('%j is no opening time', (text) => {
  expect(openSpan(text)).toBeUndefined();
});

test.each(['', '2026-02-30', '2026-12-26..2026-12-24', '2026-12-24 13:00', '2026-12-24 13:00-12:00', '24.12.2026'])(
  '%j is no closed date',
  (text) => {
    expect(closedSpan(text)).toBeUndefined();
  },
);

test.each([
  [
    'in the hour that spring skips',
    'Europe/Berlin',
    '2026-03-28T23:30:00Z',
    ['02:30-05:00', 'mon-fri 02:30-05:00', '02:00-03:00', '23:00-02:30'],
  ],
  [
    'in the hour that autumn has twice',
    'Europe/Berlin',
    '2026-10-24T22:30:00Z',
    ['00:00-02:30', '02:30-05:00', '02:40-02:50', '02:00-02:10'],
  ],
  ['at midnight, which is skipped', 'Africa/Cairo', '2026-04-23T20:00:00Z', ['00:00-01:00', '00:30-01:30', '22:00-00:30']],
  ['on the days around', 'America/Sao_Paulo', '2018-11-03T22:00:00Z', ['09:00-17:00', '00:00-24:00', 'sun 00:00-24:00']],
])('the next change is at its very minute where clocks are moved: %s', (_what, zone, from, spans) => {
  for (const span of spans) {
    const windows = windowsOf(zone, [span]);
    const start = Date.parse(from);
    const minutes = Array.from({ length: 2 * 1440 }, (_, minute) => start + minute * 60_000);
    const hours = new TradingHours(windows);
    const isOpen = minutes.map((at) => hours.closedAt(at) === null);
    const changes = minutes.filter((_, index) => index > 0 && isOpen[index] !== isOpen[index - 1]);
    for (const at of [start, ...changes].filter((one) => one < (changes.at(-1) ?? start))) {
      const said = new TradingHours(windows).changesAt(at);
      expect(said && new Date(said).toISOString(), span).toBe(new Date(changes.find((one) => one > at) ?? 0).toISOString());
    }
  }
});
