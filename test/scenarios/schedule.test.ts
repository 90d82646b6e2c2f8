import { expect, test } from 'vitest';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import type { ActionAnswer, Command } from '#domain/event.ts';
import type { DueLine, ScheduledAction, ScheduleLine } from '#domain/schedule.ts';
import { type Rig, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

/** Buys at 60,000. */
const buyer = strategy({
  name: 'buyer',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 60_000 ? buy(amount, 'in') : undefined),
});

const rig = rigsOfTests({ strategies: { s: buyer } });

type Step = (r: Rig) => void;

const price =
  (at: number): Step =>
  (r) => {
    r.price(at);
  };
const filled: Step = (r) => {
  price(60_000)(r);
  r.answer(r.last);
};
const due =
  (action: ScheduledAction, args: Readonly<Record<string, unknown>> = {}): Step =>
  (r) =>
    r.give({ kind: 'due', line: { name: 'nightly', action, arguments: args, dueAt: r.clock.now(), deadlineMs: 60_000 } });
const by = { who: 'ann', why: 'to see' };
const command =
  (given: Command): Step =>
  (r) =>
    r.give({ kind: 'command', command: given });

/** What falls due, in turn, and the rows that tell of it. */
test.each<[string, readonly Step[], readonly string[]]>([
  ['bot.halt stops orders', [due('bot.halt'), price(60_000)], ['halted BY_SCHEDULE', 'action BY_SCHEDULE', 'refused HALTED']],
  [
    'bot.resume ends the pause of one strategy',
    [due('bot.pause', { strategy: 's' }), due('bot.resume', { strategy: 's' }), price(60_000)],
    ['paused BY_SCHEDULE', 'action BY_SCHEDULE', 'resumed BY_SCHEDULE', 'action BY_SCHEDULE', 'intent', 'approved'],
  ],
  [
    'bot.resume ends the pause of all, and leaves those of single strategies',
    [due('bot.pause'), command({ act: 'pause', strategy: 's', ...by }), due('bot.resume'), price(60_000)],
    ['paused BY_SCHEDULE', 'action BY_SCHEDULE', 'paused BY_PERSON', 'resumed BY_SCHEDULE', 'action BY_SCHEDULE', 'refused PAUSED'],
  ],
  [
    'bot.resume ends no pause that a person set again',
    [due('bot.pause'), command({ act: 'pause', strategy: null, ...by }), due('bot.pause'), due('bot.resume'), price(60_000)],
    [
      'paused BY_SCHEDULE',
      'action BY_SCHEDULE',
      'paused BY_PERSON',
      'paused BY_SCHEDULE',
      'action BY_SCHEDULE',
      'action BY_SCHEDULE',
      'refused PAUSED',
    ],
  ],
  [
    'I09 bot.resume ends no halt',
    [command({ act: 'halt', ...by }), due('bot.resume'), price(60_000)],
    ['halted BY_PERSON', 'action BY_SCHEDULE', 'refused HALTED'],
  ],
  [
    'I09 bot.resume does not end REDUCING',
    [due('bot.flatten'), due('bot.resume'), price(60_000)],
    ['by_hand BY_SCHEDULE', 'reducing BY_SCHEDULE', 'action BY_SCHEDULE', 'by_hand_end', 'action BY_SCHEDULE', 'refused REDUCING'],
  ],
  [
    'bot.flatten closes what is held and opens nothing',
    [filled, due('bot.flatten'), price(60_100), (r) => r.answer(r.last), price(60_000)],
    [
      ...['intent', 'approved', 'sent', 'accepted HTTP_OK'],
      // The quote of the entry is used up: the next one serves.
      ...['by_hand BY_SCHEDULE', 'reducing BY_SCHEDULE', 'refused QUOTE_TAKEN', 'action BY_SCHEDULE'],
      ...['intent', 'approved', 'sent', 'accepted HTTP_OK', 'by_hand_end', 'refused REDUCING'],
    ],
  ],
])('%s', (_what, steps, story) => {
  const r = rig();
  for (const step of steps) step(r);
  expect(r.story().filter((line) => !line.startsWith('booked'))).toEqual(story);
});

const actions = (r: Rig) => r.query<{ action: string; status: string; response: string }>('SELECT action, status, response FROM actions');

test.each<[string, readonly Step[], ScheduledAction, RegExp]>([
  ['a resumption while halted', [command({ act: 'halt', ...by })], 'bot.resume', /halted, which a person alone ends/],
  ['a resumption while REDUCING', [command({ act: 'flatten', resume: false, ...by })], 'bot.resume', /REDUCING, which a person alone ends/],
  [
    "a resumption of a person's pause",
    [command({ act: 'pause', strategy: null, ...by })],
    'bot.resume',
    /^paused by ann \(to see\), which a person alone ends$/,
  ],
  ['a flatten while halted', [command({ act: 'halt', ...by })], 'bot.flatten', /trading is halted/],
])('%s is journaled as failed, and told', (_what, before, action, response) => {
  const r = rig();
  for (const step of before) step(r);
  due(action)(r);
  expect(actions(r)).toEqual([{ action, status: 'failed', response: expect.stringMatching(response) }]);
  expect(r.notices.at(-1)).toMatch(/^error: schedule nightly: bot\.\w+ failed: /);
});

test('bot.backup is asked for outside, and what came of it enters by the inbox', () => {
  const r = rig();
  due('bot.backup')(r);
  const [actionId = '', action] = r.asked[0]?.split(' ') ?? [];
  expect(action).toBe('bot.backup');
  expect(actions(r)).toMatchObject([{ action: 'bot.backup', status: 'asked' }]);
  r.give({ kind: 'action', answer: { actionId, status: 'confirmed', httpStatus: null, response: 'b.db, 7 rows checked' } });
  expect(actions(r)).toEqual([{ action: 'bot.backup', status: 'confirmed', response: 'b.db, 7 rows checked' }]);
  expect(r.notices.at(-1)).toBe('info: schedule nightly: bot.backup confirmed: b.db, 7 rows checked');
});

test('I07 a halt by schedule stands over a restart; pauses that a schedule ended do not', () => {
  const first = rig();
  for (const step of [due('bot.pause'), due('bot.resume'), due('bot.halt')]) step(first);
  first.crash();
  const second = rig({ folder: first.folder });
  expect(second.engine.isHalted).toBe(true);
  expect(second.engine.snapshot(second.clock.now()).strategies).toMatchObject([{ paused: false }]);
});

/** Buys at 60,000 and sells at 70,000. */
const trader = strategy({
  name: 'trader',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 60_000 ? buy(amount, 'in') : price === 70_000 ? sell('position', 'out') : undefined),
});

test('I07b windows: openings are refused outside of them, exits go on', () => {
  const windows = { timezone: 'UTC', open: [{ days: [4], fromMinute: 0, toMinute: 1 }], closed: [] };
  const r = rig({ windows, strategies: { s: trader } });
  filled(r);
  r.moveBy(60_000);
  price(60_000)(r);
  expect(r.story().at(-1)).toBe('refused OUTSIDE_WINDOW');
  price(70_000)(r);
  r.answer(r.last);
  expect(r.story().slice(-4)).toEqual(['intent', 'approved', 'sent', 'accepted HTTP_OK']);
  expect(r.last.side).toBe('sell');
});

const nightly: ScheduleLine = {
  name: 'nightly',
  cron: '0 1 * * *',
  timezone: 'UTC',
  action: 'remote.pauseAll',
  arguments: {},
  missed: 'run',
  missedWithinMs: 300_000,
  deadlineMs: 60_000,
};
const DUE = START + 3_600_000;
const fall = (r: Rig, line: Partial<DueLine> = {}): void => {
  const { name, action, arguments: given, deadlineMs } = nightly;
  r.give({ kind: 'due', line: { name, action, arguments: given, deadlineMs, dueAt: DUE, ...line } });
};
const statuses = (r: Rig) => r.query<{ status: string; due_at: string }>('SELECT status, due_at FROM actions').map(({ status }) => status);

test('last and next runs persist: a start knows up to when each line was dealt with', () => {
  const first = rig({ schedule: [nightly] });
  expect(first.rows().find(({ kind }) => kind === 'scheduled')?.detail.lines).toEqual([
    { ...pick(nightly), upTo: '2026-01-01T00:00:00.000Z', next: '2026-01-01T01:00:00.000Z' },
  ]);
  fall(first);
  first.crash();
  const second = rig({ folder: first.folder, startAt: DUE + 5000, schedule: [nightly] });
  expect(second.rows().findLast(({ kind }) => kind === 'scheduled')?.detail.lines).toMatchObject([
    { upTo: '2026-01-01T01:00:00.000Z', next: '2026-01-02T01:00:00.000Z' },
  ]);
  expect(statuses(second)).toEqual(['unverified']);
  second.crash();
  const moved = rig({ folder: first.folder, startAt: DUE + 9000, schedule: [{ ...nightly, cron: '0 0 * * *' }] });
  expect(moved.rows().findLast(({ kind }) => kind === 'scheduled')?.detail.lines).toMatchObject([
    { upTo: '2026-01-01T01:00:09.000Z', next: '2026-01-02T00:00:00.000Z' },
  ]);
});

test.each<[what: string, missed: DueLine['missed'], status: string, level: string]>([
  ['alert', { policy: 'alert', why: 'late' }, 'skipped', 'error'],
  ['skip', { policy: 'skip', why: 'late' }, 'skipped', 'info'],
  ['run', { policy: 'run', why: 'late' }, 'asked', 'warn'],
])('a missed line is journaled either way: %s', (_what, missed, status, level) => {
  const r = rig({ schedule: [nightly] });
  fall(r, { missed: missed ?? { policy: 'skip', why: '' } });
  expect(statuses(r)).toEqual([status]);
  expect(r.rows().findLast(({ kind }) => kind === 'action')?.detail.missed).toBe(missed?.policy);
  expect(r.asked).toHaveLength(status === 'asked' ? 1 : 0);
  expect(r.notices.at(-1)).toMatch(new RegExp(`^${level}: schedule nightly: .*late`));
});

test('a line does not overlap itself', () => {
  const r = rig({ schedule: [nightly] });
  fall(r);
  fall(r, { dueAt: DUE + 86_400_000 });
  expect(statuses(r)).toEqual(['asked', 'skipped']);
  const [actionId = ''] = r.asked[0]?.split(' ') ?? [];
  r.give({ kind: 'action', answer: { actionId, status: 'asked', httpStatus: 202, response: '' } });
  fall(r, { dueAt: DUE + 2 * 86_400_000 });
  expect(statuses(r)).toEqual(['asked', 'skipped', 'asked']);
});

/** The answers that come in turn, the rows that they make, and what people are told in the end. */
test.each<[string, readonly Partial<ActionAnswer>[], readonly string[], RegExp]>([
  [
    'read back',
    [{ more: true }, { status: 'confirmed' }],
    ['asked null', 'asked 202', 'confirmed 202'],
    /^info: schedule nightly: remote\.pauseAll confirmed: answered 202$/,
  ],
  [
    'cannot be read back',
    [{ more: true }, { status: 'unverified', response: 'it cannot be read back' }],
    ['asked null', 'asked 202', 'unverified 202'],
    /^warn: schedule nightly: remote\.pauseAll unverified: answered 202 it cannot be read back$/,
  ],
  [
    'should show by its deadline, and does not',
    [{ more: true }, { status: 'unverified', response: 'not yet', notShown: true }],
    ['asked null', 'asked 202', 'unverified 202'],
    /^error: schedule nightly: remote\.pauseAll unverified: answered 202 not yet$/,
  ],
  [
    'was never answered',
    [{ status: 'unverified', httpStatus: null, response: 'no answer' }],
    ['asked null', 'unverified null'],
    /^error: schedule nightly: remote\.pauseAll unverified: no answer$/,
  ],
  [
    'was refused after an answer was lost, and read back',
    [
      { status: 'unverified', httpStatus: 422, more: true },
      { status: 'confirmed', httpStatus: 422 },
    ],
    ['asked null', 'unverified 422', 'confirmed 422'],
    /^info: schedule nightly: remote\.pauseAll confirmed: answered 422$/,
  ],
])('F17 the desired state of a line: what is asked and %s', (_what, answers, states, told) => {
  const r = rig({ schedule: [nightly] });
  fall(r);
  const [actionId = ''] = r.asked[0]?.split(' ') ?? [];
  for (const said of answers) {
    r.give({ kind: 'action', answer: { actionId, status: 'asked', httpStatus: 202, response: '', ...said } });
    if (!said.more) continue;
    // While more may be heard of it nobody is alarmed, and the line is not done.
    expect(r.notices.at(-1)).not.toMatch(/^error/);
    fall(r, { dueAt: DUE + 86_400_000 });
  }
  const rows = r.rows().filter(({ kind, detail }) => kind === 'action' && detail.actionId === actionId);
  expect(rows.map(({ detail }) => `${detail.status} ${detail.httpStatus}`)).toEqual(states);
  expect(r.notices.at(-1)).toMatch(told);
  fall(r, { dueAt: DUE + 2 * 86_400_000 });
  expect(r.asked).toHaveLength(2);
});

test("F17 what was taken and not read back before a crash is unverified after it, a person's request as well", () => {
  const first = rig({ schedule: [nightly] });
  fall(first);
  first.give({ kind: 'command', command: { act: 'remote', ...by, asked: { action: 'pause', strategyId: 's-1' } } });
  for (const line of first.asked) {
    const [actionId = ''] = line.split(' ');
    first.give({ kind: 'action', answer: { actionId, status: 'asked', httpStatus: 202, response: '', more: true } });
  }
  first.crash();
  const second = rig({ folder: first.folder, startAt: DUE + 5000, schedule: [nightly] });
  const rows = second.rows().filter(({ kind, detail }) => kind === 'action' && detail.status === 'unverified');
  expect(rows.map(({ reason, detail }) => `${reason} ${detail.action} ${detail.httpStatus} ${detail.response}`)).toEqual([
    'BY_SCHEDULE remote.pauseAll 202 the process ended before it was read back',
    'BY_PERSON remote.pause 202 the process ended before it was read back',
  ]);
  expect(second.asked).toEqual([]);
});

test('what was asked before a crash is not asked again, and nobody takes it for done', () => {
  const first = rig({ schedule: [nightly] });
  fall(first);
  fall(first, { name: 'copy', action: 'bot.backup' });
  first.crash();
  const second = rig({ folder: first.folder, startAt: DUE + 5000, schedule: [nightly] });
  expect(statuses(second)).toEqual(['unverified', 'failed']);
  expect(second.asked).toEqual([]);
  second.crash();
  const third = rig({ folder: first.folder, startAt: DUE + 6000, schedule: [nightly] });
  expect(third.rows().filter(({ kind }) => kind === 'action')).toHaveLength(4);
});

test('a pause of openings is asked for from the time of the line on', () => {
  const r = rig();
  fall(r, { action: 'remote.schedule-opening-pause', arguments: { strategyId: 's-1', forMs: 7_200_000 } });
  expect(r.query<{ arguments: string }>('SELECT arguments FROM actions').map((row) => JSON.parse(row.arguments))).toEqual([
    { strategyId: 's-1', fromTime: '2026-01-01T01:00:00.000Z', toTime: '2026-01-01T03:00:00.000Z' },
  ]);
});

function pick({ name, cron, timezone, action }: ScheduleLine) {
  return { name, cron, timezone, action };
}
