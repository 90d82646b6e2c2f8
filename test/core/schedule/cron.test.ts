import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { CronSchedule } from '#core/schedule/cron.ts';
import { timesBetween } from '#core/schedule/due-times.ts';
import type { DueLine, ScheduleLine } from '#domain/schedule.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 5, 12, 0, 30);

const line = (given: Partial<ScheduleLine> = {}): ScheduleLine => ({
  name: 'x',
  cron: '0 * * * *',
  timezone: 'UTC',
  action: 'remote.pauseAll',
  arguments: {},
  missed: 'run',
  missedWithinMs: 5 * MINUTE,
  deadlineMs: MINUTE,
  ...given,
});

let dues: DueLine[];
let told: string[];
let isFree: boolean;
let opened: CronSchedule[];
beforeEach(() => {
  dues = [];
  told = [];
  isFree = true;
  opened = [];
});
afterEach(async () => {
  for (const schedule of opened) await schedule.stop();
  vi.useRealTimers();
});

function open(
  lines: readonly ScheduleLine[],
  timers: Pick<VirtualTimers, 'every' | 'wallMs' | 'monotonicMs'>,
  upTo: Record<string, number> = {},
) {
  const schedule = new CronSchedule({
    lines,
    upTo: new Map(Object.entries(upTo)),
    repeating: [],
    timers,
    onDue: (due) => isFree && dues.push(due) > 0,
    onClockSetBack: (why) => told.push(why),
  });
  opened.push(schedule);
  schedule.start();
}

const seen = () =>
  dues.map(({ name, dueAt, missed }) => `${name} ${new Date(dueAt).toISOString().slice(0, 16)} ${missed?.policy ?? 'on time'}`);

test.each([
  ['Europe/Stockholm', ['2026-03-28', '2026-10-24']],
  ['America/New_York', ['2026-03-07', '2026-10-31']],
  ['Australia/Lord_Howe', ['2026-04-04', '2026-10-03']],
] as const)('F55 live, each time of a backtest comes once while the clocks of %s change', async (timezone, days) => {
  for (const day of days) {
    const start = Date.parse(`${day}T12:00:00Z`);
    vi.useFakeTimers({ now: start });
    dues = [];
    const lines = ['30 2 * * *', '0 2 * * *', '15 1 * * *', '*/20 1-3 * * *'].map((cron) => line({ name: cron, cron, timezone }));
    open(lines, systemTimers);
    vi.advanceTimersByTime(20 * HOUR);
    for (const { name, cron } of lines) {
      const fired = dues.filter((due) => due.name === name).map(({ dueAt }) => dueAt);
      expect(fired, `${cron} ${day}`).toEqual(timesBetween({ cron, timezone }, start, start + 20 * HOUR, 100));
    }
    expect(dues.filter(({ missed }) => missed)).toEqual([]);
    for (const schedule of opened.splice(0)) await schedule.stop();
    vi.useRealTimers();
  }
});

test('what fell due while nobody looked comes first, by its policy and once', () => {
  const timers = new VirtualTimers(START);
  const down = { a: START - 3 * HOUR, b: START - 3 * HOUR, c: START - 3 * HOUR };
  const late = line({ name: 'c', cron: '58 11 * * *', action: 'bot.backup' });
  open([line({ name: 'a', action: 'bot.pause', missed: 'alert' }), line({ name: 'b' }), late], timers, down);
  expect(seen()).toEqual(['c 2026-01-05T11:58 run', 'a 2026-01-05T12:00 alert', 'b 2026-01-05T12:00 run']);
  timers.advance(59 * MINUTE);
  expect(dues).toHaveLength(3);
  timers.advance(MINUTE);
  expect(seen().slice(3)).toEqual(['a 2026-01-05T13:00 on time', 'b 2026-01-05T13:00 on time']);
});

test.each([
  [9_000, 'on time', 'on time'],
  [45_000, 'run', 'alert'],
])('F49 lines that cannot be taken for %i ms come once, late ones as missed', (heldMs, saved, flattened) => {
  const timers = new VirtualTimers(START);
  open([line({ name: 'save', action: 'bot.backup' }), line({ name: 'flat', action: 'bot.flatten' })], timers);
  isFree = false;
  timers.advance(59.5 * MINUTE + heldMs);
  isFree = true;
  timers.advance(1_000);
  expect(seen()).toEqual([`save 2026-01-05T13:00 ${saved}`, `flat 2026-01-05T13:00 ${flattened}`]);
  timers.advance(30 * MINUTE);
  expect(dues).toHaveLength(2);
});

test.each<[what: string, happens: (timers: VirtualTimers) => void, then: readonly string[]]>([
  [
    'F55 the clock is set back by an hour: no time comes twice',
    (t) => {
      t.advance(HOUR);
      t.jumpWall(-HOUR);
    },
    ['x 2026-01-05T13:00 on time', 'x 2026-01-05T14:00 on time'],
  ],
  [
    'F55 it is set ahead by an hour: what is skipped is missed',
    (t) => t.jumpWall(HOUR),
    ['x 2026-01-05T13:00 run', 'x 2026-01-05T14:00 on time', 'x 2026-01-05T15:00 on time'],
  ],
  [
    'F57 the machine sleeps for three hours',
    (t) => t.jumpWall(3 * HOUR - MINUTE),
    ['x 2026-01-05T14:00 alert', 'x 2026-01-05T15:00 on time', 'x 2026-01-05T16:00 on time'],
  ],
  [
    'F48 the loop stands still over the time',
    (t) => t.stall(59 * MINUTE + 35_000),
    ['x 2026-01-05T13:00 on time', 'x 2026-01-05T14:00 on time', 'x 2026-01-05T15:00 on time'],
  ],
])('%s', (_what, happens, then) => {
  const timers = new VirtualTimers(START);
  open([line()], timers);
  timers.advance(HOUR * 0.0005);
  happens(timers);
  timers.advance(2 * HOUR);
  expect(seen()).toEqual(then);
  expect(told).toEqual([]);
});

test('a clock that was a year ahead does not keep the schedule silent for a year', () => {
  const timers = new VirtualTimers(START);
  open([line()], timers, { x: START + 365 * 24 * HOUR });
  timers.advance(HOUR);
  expect(seen()).toEqual(['x 2026-01-05T13:00 on time']);
  expect(told).toEqual([expect.stringMatching(/^schedule x: was done up to 2027-01-05T12:00:30.000Z, and the clock says 2026/)]);
});
