import cron from 'node-cron';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { lastTime, nextTime, timesBetween } from '#core/schedule/due-times.ts';
import { NO_VECTORS, vector, vectorsAtHand } from '../../support/vectors.ts';

afterEach(() => {
  vi.useRealTimers();
});

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Robfig {
  readonly activation_utc: readonly { readonly expr: string; readonly at: string; readonly fires: boolean }[];
  readonly next: readonly { readonly expr: string; readonly tz: string; readonly after: string; readonly next: string | null }[];
  readonly invalid: readonly string[];
}

/** Where our dialect is another than robfig's, as docs/schedule.md lists it: expression and instant, and what comes here. */
const DIFFERENCES: ReadonlyMap<string, string | null> = new Map([
  // Day of month and weekday must both hold.
  ['0 0 */5 Apr,Aug,Oct Mon after 2012-07-09T23:35:00.000Z', '2012-08-06T00:00:00.000Z'],
  ['* * 1,15 * Sun at 2012-06-15T00:00:00.000Z', 'false'],
  ['* * 1,15 * Sun at 2012-08-01T00:00:00.000Z', 'false'],
  ['* * */10 * Sun at 2012-07-15T00:00:00.000Z', 'false'],
  // A time that the change of the clocks leaves out comes at the change.
  ['30 2 11 Mar ? after 2012-03-11T05:00:00.000Z', '2012-03-11T07:00:00.000Z'],
  ['0 2 * * ? after 2012-03-11T05:00:00.000Z', '2012-03-11T07:00:00.000Z'],
  // One that comes twice counts once.
  ['30 1 04 Nov ? after 2012-11-04T05:45:00.000Z', '2013-11-04T06:30:00.000Z'],
  ['0 1 * * ? after 2012-11-04T05:00:00.000Z', '2012-11-05T06:00:00.000Z'],
]);

/** A step that begins with a number: refused, `0-59/15` says the same. */
const STEP_FROM_NUMBER = /(^|[ ,])(\d+|Mon)\/\d/;

describe.runIf(vectorsAtHand)(`the cases of robfig/cron${NO_VECTORS}`, () => {
  const { activation_utc, next, invalid }: Robfig = vectorsAtHand
    ? JSON.parse(vector('cron_robfig.json'))
    : { activation_utc: [], next: [], invalid: [] };

  test('the next time is theirs but for the listed differences', () => {
    for (const { expr, tz, after, next: theirs } of next) {
      if (STEP_FROM_NUMBER.test(expr)) expect(() => nextTime(expr, 0), expr).toThrow(/numeric prefix/);
      else {
        const from = Date.parse(after);
        const here = DIFFERENCES.get(`${expr} after ${iso(from)}`);
        expect(iso(nextTime(expr, from, tz)), `${expr} after ${iso(from)}`).toBe(here ?? (theirs && iso(Date.parse(theirs))));
      }
    }
  });

  test('it fires when theirs does but for the listed differences', () => {
    for (const { expr, at, fires } of activation_utc) {
      if (STEP_FROM_NUMBER.test(expr)) continue;
      const time = Date.parse(at);
      const here = DIFFERENCES.get(`${expr} at ${iso(time)}`);
      expect(String(nextTime(expr, time - 1) === time), `${expr} at ${iso(time)}`).toBe(here ?? String(fires));
    }
  });

  test.each(invalid)('%s is refused', (expression) => {
    expect(() => nextTime(expression, 0)).toThrow();
    expect(cron.validate(expression)).toBe(false);
  });
});

const ZONES = ['Europe/Stockholm', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo'];
const EXPRESSIONS = ['30 2 * * *', '0 0 * * *', '0 9 * * 1-5', '0 21 * * 5', '15 2 * * 0', '0 12 13 * 5', '59 23 L * *'];

/** The hours of summer or winter time begin or end near an instant. */
function changesNear(time: number, zone: string): boolean {
  const offset = (at: number): string =>
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset(time - 3 * HOUR) !== offset(time + 3 * HOUR);
}

describe('node-cron, which wakes the live schedule, and croner, which says what is due, agree over years', () => {
  test.each(ZONES)('in %s they differ at most where the clocks change', (timezone) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let count = 0;
    for (const expression of EXPRESSIONS) {
      const task = cron.createTask(expression, () => {}, { timezone });
      const end = Date.UTC(2019, 0, 1);
      for (let at = Date.UTC(2017, 0, 1); at < end; ) {
        vi.setSystemTime(at);
        const ours = nextTime(expression, at, timezone) ?? end;
        const theirs = task.getNextRuns(1)[0]?.getTime();
        if (theirs !== ours) expect(changesNear(ours, timezone), `${expression} after ${iso(at)}: ${iso(ours)}, ${iso(theirs)}`).toBe(true);
        at = ours;
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(2000);
  });
});

test.each<[zone: string, expression: string, from: string, times: readonly string[]]>([
  ['Europe/Stockholm', '30 2 * * *', '2026-03-28', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
  ['Europe/Stockholm', '30 2 * * *', '2026-10-24', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
  ['Europe/Stockholm', '0 22 * * *', '2026-03-28', ['2026-03-28T21:00', '2026-03-29T20:00', '2026-03-30T20:00']],
  ['Australia/Lord_Howe', '15 2 * * *', '2026-10-02', ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15']],
  ['Europe/Berlin', '0 2,14 * * *', '2026-03-28T12:00', ['2026-03-28T13:00', '2026-03-29T01:00', '2026-03-29T12:00']],
  ['Europe/Berlin', '0 2,14 * * *', '2026-10-24T13:00', ['2026-10-25T00:00', '2026-10-25T13:00', '2026-10-26T01:00']],
  ['Europe/Berlin', '0,30 2 * * *', '2026-10-24T12:00', ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00']],
  ['Europe/Berlin', '30 1-3 * * *', '2026-03-28T12:00', ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30']],
])('in %s %s comes once a day over the change of the clocks from %s on', (timezone, expression, from, times) => {
  const start = Date.parse(`${from}Z`);
  expect(timesBetween({ cron: expression, timezone }, start, start + 3 * DAY, 3).map((time) => iso(time)?.slice(0, 16))).toEqual(times);
});

describe('the last time of a span', () => {
  const START = Date.UTC(2026, 2, 20);
  test.each([
    ['* * * * * *', HOUR / 6],
    ['*/7 * * * *', 5 * HOUR],
    ['30 2 * * *', 5 * HOUR],
    ['0 0 29 2 *', 5 * HOUR],
    ['* 5-9 2 * * *', 5 * HOUR],
  ])('of %s is that of all its times', (expression, longest) => {
    const times = { cron: expression, timezone: 'Europe/Stockholm' };
    for (const span of [0, 999, 1000, 61_000, longest / 5, longest]) {
      for (const from of [START, START + 9 * DAY + 1234]) {
        expect(lastTime(times, from, from + span), `${iso(from)} ${span}`).toBe(timesBetween(times, from, from + span, 100_000).at(-1));
      }
    }
  });

  test('is found at once after years', () => {
    const from = Date.UTC(2016, 0, 1);
    expect(iso(lastTime({ cron: '* * * * * *', timezone: 'UTC' }, from, START))).toBe('2026-03-20T00:00:00.000Z');
    expect(iso(lastTime({ cron: '0 0 29 2 *', timezone: 'UTC' }, from, START))).toBe('2024-02-29T00:00:00.000Z');
  });
});
