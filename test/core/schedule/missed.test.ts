import { describe, expect, test } from 'vitest';
import { dueLines, type MissedLine } from '#core/schedule/missed.ts';
import type { ActionArguments, ScheduledAction, ScheduleLine } from '#domain/schedule.ts';

const NOW = Date.UTC(2026, 0, 5, 22);
const MINUTE = 60_000;

interface Given {
  readonly action?: ScheduledAction;
  readonly args?: ActionArguments;
  readonly missed?: ScheduleLine['missed'];
  /** Minutes before now. */
  readonly late: number;
  readonly firstLate?: number;
}

function fallen(name: string, { action = 'remote.pauseAll', args = {}, missed = 'run', late, firstLate = late }: Given): MissedLine {
  const line = {
    name,
    cron: '* * * * *',
    timezone: 'UTC',
    action,
    arguments: args,
    missed,
    missedWithinMs: 5 * MINUTE,
    deadlineMs: MINUTE,
  };
  return { line, dueAt: NOW - late * MINUTE, firstAt: NOW - firstLate * MINUTE };
}

/** `name`, what becomes of it, and why in the end. */
const rulings = (given: readonly MissedLine[]): readonly string[] =>
  dueLines(given, NOW).map(({ name, missed }) => (missed ? `${name}: ${missed.policy}, ${missed.why}` : `${name}: on time`));

describe('what becomes of a line that was not carried out when it fell due', () => {
  test.each<[what: string, given: Given, ruling: string]>([
    ['ten seconds are on time', { late: 10 / 60 }, 'on time'],
    ['eleven are late', { late: 11 / 60 }, 'run, missed, 11 s late: done within missedWithin of 5m'],
    ['run, at the end of missedWithin', { late: 5 }, 'run, missed, 5 min late: done within missedWithin of 5m'],
    ['run, behind missedWithin', { late: 5.02 }, 'alert, missed, 5 min 1 s late: over its missedWithin of 5m'],
    ['alert', { missed: 'alert', late: 1 }, 'alert, missed, 1 min late: missed: alert'],
    ['skip', { missed: 'skip', late: 60 * 26 }, 'skip, missed, 1 d 2 h late: missed: skip'],
    [
      'several times of one line',
      { late: 1, firstLate: 61 },
      'run, missed, 1 min late, and before that since 2026-01-05T20:59:00.000Z: done within missedWithin of 5m',
    ],
    [
      'the newest of several times on time, whatever its policy',
      { missed: 'skip', late: 0, firstLate: 2 },
      'run, on time, and missed before since 2026-01-05T21:58:00.000Z',
    ],
    ['a flush is never late', { action: 'remote.flush', late: 1 }, 'alert, missed, 1 min late: remote.flush is never done late'],
    ['a flatten is never late', { action: 'bot.flatten', late: 1 }, 'alert, missed, 1 min late: bot.flatten is never done late'],
    [
      'a deletion is never late',
      { action: 'remote.deleteAll', missed: 'skip', late: 1 },
      'skip, missed, 1 min late: remote.deleteAll is never done late',
    ],
  ])('%s', (_what, given, ruling) => {
    expect(rulings([fallen('x', given)])).toEqual([`x: ${ruling}`]);
  });
});

/** Which of several lines are carried out, the older first. */
describe('of several missed lines those are carried out whose work no later one does or undoes', () => {
  const one = { strategyId: 'a' };
  const other = { strategyId: 'b' };
  test.each<[what: string, given: Readonly<Record<string, Given>>, done: readonly string[]]>([
    ['pauseAll, resumeAll', { p: { late: 3 }, r: { action: 'remote.resumeAll', late: 1 } }, ['r']],
    ['given the other way round', { r: { action: 'remote.resumeAll', late: 1 }, p: { late: 3 } }, ['r']],
    ['a newest that is only told of', { p: { late: 3 }, r: { action: 'remote.resumeAll', missed: 'alert', late: 1 } }, []],
    ['a newest that would do the same, and is not done', { p: { late: 3 }, again: { missed: 'alert', late: 1 } }, ['p']],
    ['a newest that does the same', { p: { late: 3 }, again: { late: 1 } }, ['again']],
    ['a newest that is on time', { p: { late: 3 }, r: { action: 'remote.resumeAll', late: 0 } }, ['r']],
    [
      'stop, start of one strategy',
      { s: { action: 'remote.stop', args: one, late: 3 }, g: { action: 'remote.start', args: one, late: 1 } },
      ['s', 'g'],
    ],
    [
      'start, stop of one strategy',
      { g: { action: 'remote.start', args: one, late: 3 }, s: { action: 'remote.stop', args: one, late: 1 } },
      ['s'],
    ],
    [
      'start, pause of one strategy',
      { g: { action: 'remote.start', args: one, late: 3 }, p: { action: 'remote.pause', args: one, late: 1 } },
      ['p'],
    ],
    [
      'pause, start of one strategy',
      { p: { action: 'remote.pause', args: one, late: 3 }, g: { action: 'remote.start', args: one, late: 1 } },
      ['g'],
    ],
    [
      'a stop, and the resume of all',
      { s: { action: 'remote.stop', args: one, late: 3 }, r: { action: 'remote.resumeAll', late: 1 } },
      ['s', 'r'],
    ],
    ['a stop, and the pause of all', { s: { action: 'remote.stop', args: one, late: 3 }, p: { late: 1 } }, ['s', 'p']],
    [
      'a start, and the resume of all',
      { g: { action: 'remote.start', args: one, late: 3 }, r: { action: 'remote.resumeAll', late: 1 } },
      ['g', 'r'],
    ],
    [
      'a pause, and the resume of all',
      { p: { action: 'remote.pause', args: one, late: 3 }, r: { action: 'remote.resumeAll', late: 1 } },
      ['r'],
    ],
    [
      'two strategies',
      { s: { action: 'remote.stop', args: one, late: 3 }, g: { action: 'remote.start', args: other, late: 1 } },
      ['s', 'g'],
    ],
    ['one, then all', { g: { action: 'remote.start', args: one, late: 3 }, p: { late: 1 } }, ['p']],
    ['all, then one', { p: { late: 3 }, g: { action: 'remote.start', args: one, late: 1 } }, ['p', 'g']],
    [
      'a flush ends no pause',
      { p: { action: 'remote.pause', args: one, late: 3 }, f: { action: 'remote.flush', args: one, late: 1 } },
      ['p'],
    ],
    ['bot.pause, bot.resume', { p: { action: 'bot.pause', late: 3 }, r: { action: 'bot.resume', late: 1 } }, ['r']],
    [
      'bot.pause of one, bot.resume of all, which leaves single pauses',
      { p: { action: 'bot.pause', args: { strategy: 'a' }, late: 3 }, r: { action: 'bot.resume', late: 1 } },
      ['p', 'r'],
    ],
    [
      'bot.resume of one, bot.pause of all',
      { r: { action: 'bot.resume', args: { strategy: 'a' }, late: 3 }, p: { action: 'bot.pause', late: 1 } },
      ['r', 'p'],
    ],
    ['no line ends a halt', { h: { action: 'bot.halt', late: 3 }, r: { action: 'bot.resume', late: 1 } }, ['h', 'r']],
    ['ours and the service', { p: { late: 3 }, r: { action: 'bot.resume', late: 1 } }, ['p', 'r']],
  ])('%s', (_what, given, done) => {
    const due = dueLines(
      Object.entries(given).map(([name, one]) => fallen(name, one)),
      NOW,
    );
    expect(due.filter(({ missed }) => !missed || missed.policy === 'run').map(({ name }) => name)).toEqual(done);
    expect(due.map(({ dueAt }) => dueAt)).toEqual(due.map(({ dueAt }) => dueAt).toSorted((a, b) => a - b));
  });
});

test('of a line that is to be told of where it is missed a person hears, whatever came after it', () => {
  const pauses = (missed: ScheduleLine['missed']) =>
    rulings([fallen('p', { missed, late: 3 }), fallen('r', { action: 'remote.resumeAll', late: 0 })]);
  expect(pauses('alert')[0]).toBe('p: alert, missed, 3 min late: r came after it');
  for (const missed of ['run', 'skip'] as const) expect(pauses(missed)[0]).toBe('p: skip, missed, 3 min late: r came after it');
});
