import { afterEach, expect, test } from 'vitest';
import type { Command } from '../../src/domain/event.ts';
import type { ScheduledAction } from '../../src/domain/schedule.ts';
import { buy, mid, strategy } from '../../src/strategy/index.ts';
import { quote } from '../support/market-data.ts';
import { Rig, type RigOptions } from '../support/rig.ts';

/** Buys at 60,000. */
const buyer = strategy({
  name: 'buyer',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { amount }) => (price === 60_000 ? buy(amount, 'in') : undefined),
});

const rigs: Rig[] = [];
afterEach(() => {
  for (const made of rigs) made.close();
  for (const made of rigs.splice(0)) made.remove();
});

function rig(options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const made = new Rig({ strategies: { s: buyer }, ...options });
  rigs.push(made);
  return made;
}

type Step = (r: Rig) => void;

const price =
  (at: number): Step =>
  (r) => {
    r.moveBy(500);
    r.quote(quote({ buy: at, validUntil: r.clock.now() + 3000 }));
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
  ['bot.halt stops orders', [due('bot.halt'), price(60_000)], ['action BY_SCHEDULE', 'halted BY_SCHEDULE', 'refused HALTED']],
  [
    'bot.resume ends the pause of one strategy',
    [due('bot.pause', { strategy: 's' }), due('bot.resume', { strategy: 's' }), price(60_000)],
    ['action BY_SCHEDULE', 'paused BY_SCHEDULE', 'action BY_SCHEDULE', 'resumed BY_SCHEDULE', 'intent', 'approved'],
  ],
  [
    'bot.resume ends all pauses',
    [due('bot.pause'), command({ act: 'pause', strategy: 's', ...by }), due('bot.resume'), price(60_000)],
    ['action BY_SCHEDULE', 'paused BY_SCHEDULE', 'paused BY_PERSON', 'action BY_SCHEDULE', 'resumed BY_SCHEDULE', 'intent', 'approved'],
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
  expect(r.notices.at(-1)).toBe('info: schedule nightly: bot.backup b.db, 7 rows checked');
});

test('I07 a halt by schedule stands over a restart; pauses that a schedule ended do not', () => {
  const first = rig();
  for (const step of [due('bot.pause'), due('bot.resume'), due('bot.halt')]) step(first);
  first.crash();
  const second = rig({ folder: first.folder, run: 'run-2' });
  expect(second.engine.isHalted).toBe(true);
  expect(second.engine.snapshot(second.clock.now()).strategies).toMatchObject([{ paused: false }]);
});
