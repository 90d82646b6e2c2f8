import { describe, expect, test } from 'vitest';
import { journalFacts } from '#adapters/journal/acts.ts';
import { buy, sell, strategy } from '#core/strategy/index.ts';
import type { ActionAnswer, Command } from '#domain/event.ts';
import type { Side } from '#domain/quote.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

/** In on one quote, out on the next. */
const inAndOut = strategy({
  name: 'in-and-out',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});

const rig = rigsOfTests({ strategies: { t: inAndOut } });

const next = (r: Rig): boolean => r.price();
const fill = (r: Rig): void => {
  next(r);
  r.answer(r.last);
};
const by = { who: 'ann', why: 'to see' };
const command = (r: Rig, act: Command): void => r.give({ kind: 'command', command: act });
const halt: Command = { act: 'halt', ...by };
const resume: Command = { act: 'resume', strategy: null, ...by };

/** What happens, in turn, and what the journal says of it. */
test.each<[string, readonly ((r: Rig) => void)[], readonly string[]]>([
  ['nothing is opened', [(r) => command(r, halt), next], ['halted BY_PERSON', 'refused HALTED']],
  [
    'nothing is closed either',
    [fill, (r) => command(r, halt), next],
    ['intent', 'approved', 'sent', 'accepted HTTP_OK', 'halted BY_PERSON', 'refused HALTED'],
  ],
  ['a second halt in the same words adds nothing', [(r) => command(r, halt), (r) => command(r, halt)], ['halted BY_PERSON']],
  [
    'after a resumption it goes on',
    [(r) => command(r, halt), (r) => command(r, resume), next],
    ['halted BY_PERSON', 'resumed BY_PERSON', 'intent', 'approved'],
  ],
  [
    'F20 what was on its way is still recorded',
    [next, (r) => command(r, halt), (r) => r.answer(r.last), next],
    ['intent', 'approved', 'halted BY_PERSON', 'sent', 'accepted HTTP_OK', 'refused HALTED'],
  ],
  [
    'of one strategy resumed, the halt stays',
    [(r) => command(r, halt), (r) => command(r, { act: 'resume', strategy: 't', ...by }), next],
    ['halted BY_PERSON', 'resumed BY_PERSON', 'refused HALTED'],
  ],
  [
    // The gate is shut at once; decisions change with the event, so that a replay decides the same.
    'I25 the latch alone, set by another thread, stops bytes and no decision',
    [
      (r) => r.latch.set(),
      next,
      (r) => r.report(r.last, { type: 'not_sent', reason: 'GATE_HALTED', why: 'halted' }),
      (r) => command(r, halt),
      next,
    ],
    ['intent', 'approved', 'not_sent GATE_HALTED', 'halted BY_PERSON', 'refused HALTED'],
  ],
])('while halted: %s', (_what, steps, story) => {
  const r = rig();
  for (const step of steps) step(r);
  expect(r.story().filter((line) => !line.startsWith('booked'))).toEqual(story);
});

test.each<[string, Command | null, Side, boolean]>([
  ['an opening that waits for its connection goes out', null, 'buy', false],
  ['a pause stops an opening', { act: 'pause', strategy: 't', ...by }, 'buy', true],
  ['REDUCING stops an opening', { act: 'flatten', resume: false, ...by }, 'buy', true],
  ['an exit goes out after a pause', { act: 'pause', strategy: 't', ...by }, 'sell', false],
])('I09 between commit and write: %s', (_, act, side, isStopped) => {
  const r = rig();
  if (side === 'sell') fill(r);
  next(r);
  const { submitted } = r.broker;
  const own = submitted.find((order) => order.side === side);
  if (act !== null) command(r, act);
  expect(own && r.broker.isStopped(own.id)).toBe(isStopped);
});

test('I07 I32 a halt survives a restart, and who, when and why with it', () => {
  const first = rig();
  command(first, halt);
  first.crash();
  const second = rig({ folder: first.folder });
  expect(second.engine.isHalted).toBe(true);
  expect(second.latch.isSet).toBe(true);
  command(second, { act: 'halt', who: 'bob', why: 'news' });
  expect(journalFacts(second.path).latches).toMatchObject([{ kind: 'halted', who: 'ann', why: 'to see; then bob: news' }]);
  expect(second.query("SELECT detail ->> 'who' who FROM decisions WHERE kind = 'halted'")).toEqual([{ who: 'ann' }, { who: 'bob' }]);
  next(second);
  expect(second.broker.submitted).toEqual([]);
  command(second, resume);
  expect(second.latch.isSet).toBe(false);
  next(second);
  expect(second.broker.submitted).toHaveLength(1);
});

describe('halt.escalate: pauseAll', () => {
  const asked = (r: Rig) => r.query<{ name: string; action: string; status: string }>('SELECT name, action, status FROM actions');

  /** The service answers what was asked last. */
  const passedOn = (r: Rig, status: 'asked' | 'failed') => {
    const [actionId = ''] = r.asked.at(-1)?.split(' ') ?? [];
    r.give({
      kind: 'action',
      answer: { actionId, status, httpStatus: status === 'asked' ? 202 : null, response: '', more: status === 'asked' },
    });
  };

  test('F20 a halt is passed on to the service once, journaled before and after', () => {
    const r = rig({ escalateHalt: true });
    command(r, halt);
    command(r, halt);
    next(r);
    expect(r.asked).toHaveLength(1);
    expect(asked(r)).toEqual([{ name: 'halt', action: 'remote.pauseAll', status: 'asked' }]);
    passedOn(r, 'failed');
    expect(asked(r)).toEqual([{ name: 'halt', action: 'remote.pauseAll', status: 'failed' }]);
    expect(r.notices.at(-1)).toBe('error: halt: remote.pauseAll failed');
    expect(r.rows().filter(({ kind }) => kind === 'action')).toMatchObject([{ reason: 'HALTED' }, { reason: 'HALTED' }]);
  });

  test('F20 with one order on its way: pauseAll is sent, its answer still booked, and no order follows the latch', () => {
    const r = rig({ escalateHalt: true });
    next(r);
    r.report(r.last, { type: 'written', timeLeftMs: 2000, signatureAgeMs: 0, at: r.clock.now() });
    command(r, halt);
    expect([r.latch.isSet, r.asked.length, r.broker.submitted.length]).toEqual([true, 1, 1]);
    next(r);
    r.answer(r.last);
    next(r);
    expect(r.broker.submitted).toHaveLength(1);
    expect(r.query('SELECT state FROM orders')).toEqual([{ state: 'accepted' }]);
    expect(asked(r)).toMatchObject([{ action: 'remote.pauseAll', status: 'asked' }]);
  });

  test('so is the next one after a resumption, but not one that an earlier run passed on', () => {
    const first = rig({ escalateHalt: true });
    command(first, halt);
    command(first, resume);
    command(first, halt);
    expect(first.asked).toHaveLength(2);
    passedOn(first, 'asked');
    first.crash();
    const second = rig({ escalateHalt: true, folder: first.folder });
    next(second);
    expect(second.asked).toEqual([]);
  });

  test.each<[string, Partial<ActionAnswer>, number]>([
    ['refused for want of a token', { status: 'failed', response: 'the sign-in was answered with 500' }, 1],
    ['refused', { status: 'failed', httpStatus: 429 }, 1],
    ['answered by a page', { status: 'unverified', response: 'answered 200 with a body' }, 1],
    ['answered by a broken backend', { status: 'unverified', httpStatus: 502 }, 1],
    ['never answered', { status: 'unverified' }, 1],
    ['taken, and not read back', { status: 'unverified', httpStatus: 202 }, 0],
  ])('F20 a halt whose request was %s is passed on by the next start where nobody says that it was taken', (_what, answer, times) => {
    const first = rig({ escalateHalt: true });
    command(first, halt);
    const [actionId = ''] = first.asked.at(-1)?.split(' ') ?? [];
    first.give({ kind: 'action', answer: { actionId, status: 'failed', httpStatus: null, response: '', ...answer } });
    first.crash();
    expect(rig({ escalateHalt: true, folder: first.folder }).asked).toHaveLength(times);
  });

  test.each<[string, (first: Rig) => void]>([
    ['with which the process ended by an error', (r) => void r.engine.fault(new Error('a bug'))],
    ['whose request was cut off by the end of the process', (r) => command(r, halt)],
    [
      'after a resumption',
      (r) => {
        command(r, halt);
        passedOn(r, 'failed');
        command(r, resume);
        r.engine.fault(new Error('a bug'));
      },
    ],
  ])('F20 a halt %s is passed on by the next start, once', (_what, end) => {
    const first = rig({ escalateHalt: true });
    end(first);
    first.crash();
    const second = rig({ escalateHalt: true, folder: first.folder });
    expect(second.asked.map((line) => line.split(' ')[1])).toEqual(['remote.pauseAll']);
    passedOn(second, 'asked');
    second.crash();
    expect(rig({ escalateHalt: true, folder: first.folder }).asked).toEqual([]);
  });

  test('F20 so is the halt with which a start after too many crashes begins', () => {
    const arming = { arm: 'auto', rearmAfterMs: null, crashHalt: { count: 2, windowMs: 600_000 } } as const;
    const first = rig({ escalateHalt: true, arming });
    first.crash();
    const second = rig({ escalateHalt: true, arming, folder: first.folder });
    second.crash();
    const third = rig({ escalateHalt: true, arming, folder: first.folder });
    expect([second.asked.length, third.asked.length, third.rows().filter(({ kind }) => kind === 'halted').length]).toEqual([0, 1, 1]);
  });

  test('without it the service is left alone', () => {
    const r = rig();
    command(r, halt);
    expect(r.asked).toEqual([]);
  });
});
