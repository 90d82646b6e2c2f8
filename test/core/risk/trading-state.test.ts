import { describe, expect, test } from 'vitest';
import { HaltLatch } from '#core/risk/latch.ts';
import { type Arming, TradingState } from '#core/risk/trading-state.ts';
import { KairosError } from '#domain/errors.ts';
import type { StartFacts } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import { strategyId } from '#domain/names.ts';
import { NO_PAST_RISK, type PastRisk } from '#domain/past-risk.ts';
import { Journaled } from '../../support/journaled.ts';

const MANUAL: Arming = { arm: 'manual', rearmAfterMs: null, crashHalt: { count: 3, windowMs: 600_000 } };
const [one, other] = [strategyId('one'), strategyId('other')];
const BY = { reason: 'BY_PERSON', who: 'ann', why: 'lunch' } as const;
const ARMED = { configHash: 'hash', build: 'build' };

function state(arming: Partial<Arming> = {}) {
  const rows = new Journaled();
  const latch = new HaltLatch();
  const told: string[] = [];
  const made = new TradingState({ log: rows.log, latch, arming: { ...MANUAL, ...arming }, tell: (text) => told.push(text) });
  return { rows, latch, told, made };
}

type Beginning = Pick<StartFacts, 'mode' | 'latches' | 'configHash' | 'build' | 'instance' | 'risk' | 'unknowns'>;

/** A start at a million milliseconds, with the armed configuration and a clean end before it. */
function started(arming: Partial<Arming>, risk: Partial<PastRisk>, rest: Partial<Omit<Beginning, 'risk'>> = {}) {
  const s = state(arming);
  s.rows.at(1_000_000);
  s.made.start({
    mode: 'live',
    latches: [],
    configHash: 'hash',
    build: 'build',
    unknowns: [],
    ...rest,
    risk: { ...NO_PAST_RISK, armed: ARMED, ...risk },
  });
  const { made } = s;
  return { ...s, stands: [made.isHalted && 'HALTED', made.isDisarmed && 'DISARMED', made.reducing !== null && 'REDUCING'].filter(Boolean) };
}

const latched = (kind: Latch['kind'], strategy: string | null = null): Latch => ({ kind, strategy, since: 7, who: 'ann', why: 'before' });
const flattened: Latch = { ...latched('reducing'), reason: 'BY_SCHEDULE' };
const unknown = {} as StartFacts['unknowns'][number];

describe('the state that a start begins in', () => {
  test.each<[string, Parameters<typeof started>, string[], string[]]>([
    ['the armed configuration after a clean end', [{}, {}], [], []],
    ['nothing was armed yet', [{}, { armed: null }], ['DISARMED'], ['disarmed DISARMED']],
    ['another configuration', [{}, {}, { configHash: 'new' }], ['DISARMED'], ['disarmed DISARMED']],
    ['a copy of an armed journal', [{}, {}, { instance: 'elsewhere' }], ['DISARMED'], ['disarmed DISARMED']],
    ['F67 another build', [{}, {}, { build: 'new' }], ['DISARMED'], ['disarmed DISARMED']],
    ['another configuration, and that was said before', [{}, {}, { configHash: 'new', latches: [latched('disarmed')] }], ['DISARMED'], []],
    ['the configuration is the armed one again', [{}, {}, { latches: [latched('disarmed')] }], [], ['armed BY_RULE']],
    ['it was REDUCING', [{}, {}, { latches: [latched('reducing')] }], ['REDUCING'], []],
    [
      'it was REDUCING and DISARMED, and the configuration is the armed one again',
      [{}, {}, { latches: [latched('reducing'), latched('disarmed')] }],
      ['REDUCING'],
      ['armed BY_RULE', 'reducing REDUCING'],
    ],
    [
      'it was REDUCING, and the configuration is another',
      [{}, {}, { configHash: 'new', latches: [latched('reducing')] }],
      ['DISARMED', 'REDUCING'],
      ['disarmed DISARMED'],
    ],
    ['F65 the run before crashed', [{}, { crashed: true }], ['REDUCING'], ['reducing START_UNSURE']],
    ['an outcome is unknown', [{}, {}, { unknowns: [unknown] }], ['REDUCING'], ['reducing START_UNSURE']],
    ['I07 it was halted', [{}, {}, { latches: [latched('halted')] }], ['HALTED'], []],
    ['F65 it crashed three times of late', [{}, { crashes: [400_001, 500_000, 999_999] }], ['HALTED'], ['halted CRASH_LOOP']],
    ['one of three crashes is too long ago', [{}, { crashes: [400_000, 500_000, 999_999] }], [], []],
    ['it crashes, and nobody wants a halt for it', [{ crashHalt: null }, { crashes: [999_999, 999_999, 999_999] }], [], []],
    ['on paper nothing is to be armed', [{ arm: 'auto' }, { armed: null }, { mode: 'paper', unknowns: [unknown] }], [], []],
    [
      'on paper what stood ends',
      [{ arm: 'auto' }, {}, { mode: 'paper', latches: [latched('reducing'), latched('disarmed')] }],
      [],
      ['armed BY_RULE'],
    ],
    ['on paper what flatten began stays', [{ arm: 'auto' }, {}, { mode: 'paper', latches: [flattened] }], ['REDUCING'], []],
    [
      'on paper what flatten began stays when it was DISARMED too',
      [{ arm: 'auto' }, {}, { mode: 'paper', latches: [flattened, latched('disarmed')] }],
      ['REDUCING'],
      ['armed BY_RULE', 'reducing BY_SCHEDULE'],
    ],
    ['on paper a halt stays', [{ arm: 'auto' }, {}, { mode: 'paper', latches: [latched('halted')] }], ['HALTED'], []],
    ['live with trading.arm: auto nothing is to be armed', [{ arm: 'auto' }, { armed: null }], [], []],
    [
      'live with trading.arm: auto what was DISARMED ends',
      [{ arm: 'auto' }, {}, { latches: [latched('disarmed')] }],
      [],
      ['armed BY_RULE'],
    ],
    ['live with trading.arm: auto it was REDUCING', [{ arm: 'auto' }, {}, { latches: [latched('reducing')] }], ['REDUCING'], []],
    [
      'F65 live with trading.arm: auto the run before crashed',
      [{ arm: 'auto' }, { crashed: true }],
      ['REDUCING'],
      ['reducing START_UNSURE'],
    ],
  ])('%s', (_, given, stands, rows) => {
    const s = started(...given);
    expect(s.stands).toEqual(stands);
    expect(s.rows.story().map(([kind, , reason]) => `${kind} ${reason}`)).toEqual(rows);
    expect(s.latch.isSet).toBe(stands.includes('HALTED'));
  });

  test('each of them says what is wrong', () => {
    const why = (...given: Parameters<typeof started>) => started(...given).told.join('\n');
    expect(why({}, { armed: null })).toMatch(/^DISARMED, .*nothing was armed yet/);
    expect(why({}, {}, { configHash: 'new' })).toMatch(/not the armed one \(hash\)$/);
    expect(why({}, {}, { build: 'new' })).toMatch(/source of a strategy/);
    expect(why({}, {}, { latches: [latched('reducing')] })).toMatch(/^still REDUCING, .*before$/);
    expect(why({}, { crashed: true }, { unknowns: [unknown] })).toMatch(/the run before crashed$/);
    expect(why({}, {}, { unknowns: [unknown, unknown] })).toMatch(/2 orders of unknown outcome$/);
    expect(why({}, {})).toBe('');
  });

  test('what still stands after an arming by rule is said again, once', () => {
    const { made, told, rows } = started({}, {}, { latches: [latched('reducing'), latched('disarmed')] });
    expect([made.stops.reducing?.reason, told.length]).toEqual(['REDUCING', 1]);
    expect(rows.story()[1]?.[3]).toEqual({ who: 'ann', why: 'before' });
  });

  test('DISARMED is journaled with why, and a hash in twelve digits', () => {
    const armed = { configHash: '0123456789abcdef', build: 'build' };
    const { rows } = started({}, { armed });
    expect(rows.story()[0]?.[3]).toEqual({
      who: 'kairos',
      why: 'the configuration is not the armed one (0123456789ab): kairos arm',
    });
  });

  test('what stood says since when, and pauses go on', () => {
    const { made } = started({}, {}, { latches: [latched('halted'), latched('reducing'), latched('paused', 'one')] });
    expect(made.stops).toEqual({
      halted: { who: 'ann', why: 'before', since: 7, reason: null, until: null },
      disarmed: null,
      reducing: { who: 'ann', why: 'before', since: 7, reason: null, until: null },
    });
    expect([made.isPaused(one), made.isPaused(other)]).toEqual([true, false]);
    const all = started({}, {}, { latches: [latched('paused')] }).made;
    expect([all.isPaused(one), all.isPaused(other)]).toEqual([true, true]);
    const kinds = (state: TradingState) => [state.standing, state.latchesOf(one).map(({ kind, strategy }) => [kind, strategy])];
    expect(kinds(made)).toEqual([
      ['halted', 'reducing'],
      [
        ['halted', null],
        ['reducing', null],
        ['paused', 'one'],
      ],
    ]);
    expect(kinds(all)).toEqual([['paused'], [['paused', null]]]);
  });

  test('arming names the place of the journal where that is known', () => {
    for (const instance of ['here', undefined]) {
      const { made, rows } = started({}, { armed: null }, instance === undefined ? {} : { instance });
      made.armed({ who: 'ann', why: 'go', configHash: 'hash', config: '', build: 'build' });
      expect(rows.story().at(-1)?.[3]).toEqual({
        ...{ who: 'ann', why: 'go', configHash: 'hash', config: '', build: 'build' },
        ...(instance !== undefined && { instance }),
      });
    }
  });

  test('a strategy that was disabled stops no other', () => {
    expect(started({}, {}, { latches: [latched('disabled', 'one')] }).made.isPaused(one)).toBe(false);
  });
});

describe('a halt', () => {
  test('I07 shuts the gate before it is journaled, once, and ends by a person alone', () => {
    const { made, latch, rows } = state();
    made.halt('BY_PERSON', 'ann', 'enough');
    made.halt('CRASH_LOOP', 'kairos', 'again');
    expect([made.isHalted, latch.isSet, made.stops.halted?.why]).toEqual([true, true, 'enough']);
    expect(rows.story()).toEqual([['halted', null, 'BY_PERSON', { who: 'ann', why: 'enough' }]]);
    made.armed({ who: 'ann', why: 'go', configHash: 'hash', config: '', build: 'build' });
    expect(made.isHalted).toBe(true);
    expect(made.unpause(null, BY)).toBe('trading is halted');
    rows.story();
    made.resume(null, 'ann', 'go on');
    expect([made.isHalted, latch.isSet, made.stops.halted]).toEqual([false, false, null]);
    expect(rows.story()).toEqual([['resumed', null, 'BY_PERSON', { who: 'ann', why: 'go on', anew: true, leaves: 'single pauses' }]]);
  });

  test("a person's words are journaled and told where trading had halted before, once", () => {
    const { made, rows } = state();
    made.halt('CERTIFICATE', 'kairos', 'another certificate');
    expect(['news', 'news', 'more news'].map((why) => made.halt('BY_PERSON', 'ann', why))).toEqual([true, false, true]);
    expect(made.stops.halted).toMatchObject({ who: 'kairos', why: 'another certificate; then ann: news; then ann: more news' });
    expect(rows.story().map(([kind, , reason]) => `${kind} ${reason}`)).toEqual([
      'halted CERTIFICATE',
      'halted BY_PERSON',
      'halted BY_PERSON',
    ]);
  });

  test('that another thread has latched, and the inbox has not heard of, is journaled too', () => {
    const { made, latch, rows } = state();
    latch.set();
    expect(made.isHalted).toBe(false);
    made.halt('BY_PERSON', 'ann', 'enough');
    expect(rows.story()).toHaveLength(1);
  });

  test.each([
    [new Error('of course'), 'UNCAUGHT'],
    [new KairosError('JOURNAL_FAULT', 'of course'), 'JOURNAL_FAULT'],
    [new KairosError('RECORDING_FAULT', 'of course'), 'JOURNAL_FAULT'],
    [new KairosError('USAGE', 'of course'), 'UNCAUGHT'],
  ])('I28 %s that nobody handled is journaled as %s, and no byte leaves', (error, reason) => {
    const { made, latch, rows } = state();
    made.fault(error);
    expect(rows.story()).toEqual([['halted', null, reason, { who: 'kairos', why: 'of course' }]]);
    expect(made.stops.halted).toMatchObject({ who: 'kairos', why: 'of course', reason });
    made.resume(null, 'ann', 'too late');
    expect(latch.isSet).toBe(true);
  });
});

describe('REDUCING', () => {
  test('is said once, and ends when a person resumes or arms', () => {
    for (const end of ['resume', 'arm'] as const) {
      const { made, rows, told } = state();
      rows.at(5);
      made.reduce('MAX_DAY_LOSS', 'kairos', 'lost');
      made.reduce('LOSS_STREAK', 'kairos', 'lost again');
      expect(rows.story()).toEqual([['reducing', null, 'MAX_DAY_LOSS', { who: 'kairos', why: 'lost' }]]);
      expect(told).toEqual([expect.stringMatching(/^REDUCING, only exits pass .*lost$/)]);
      expect([made.reducing, made.stops.reducing]).toEqual([
        'lost',
        { who: 'kairos', why: 'lost', since: 5, reason: 'MAX_DAY_LOSS', until: null },
      ]);
      if (end === 'resume') made.resume(null, 'ann', 'go on');
      else made.armed({ who: 'ann', why: 'go', configHash: 'hash', config: '', build: 'build' });
      expect(made.reducing).toBeNull();
      expect(rows.story().map(([kind, , reason]) => [kind, reason])).toEqual([[end === 'resume' ? 'resumed' : 'armed', 'BY_PERSON']]);
    }
  });

  test.each(['BY_PERSON', 'BY_SCHEDULE'] as const)(
    'never ends by itself where flatten began it (%s), or came on top, also after a restart',
    (reason) => {
      const arming = { rearmAfterMs: 1000 };
      const alone = state(arming);
      alone.made.reduce(reason, 'ann', 'flatten: home');
      const { made, rows, told } = state(arming);
      made.reduce('LOSS_STREAK', 'kairos', 'lost');
      made.reduce(reason, 'ann', 'flatten: home');
      made.reduce(reason, 'ann', 'flatten: home');
      made.reduce('LOSS_STREAK', 'kairos', 'lost');
      expect(rows.story().map(([kind, , why]) => `${kind} ${why}`)).toEqual(['reducing LOSS_STREAK', `reducing ${reason}`]);
      expect([made.reducing, made.stops.reducing?.until]).toEqual(['lost; then ann: flatten: home', null]);
      expect(told.at(-1)).toMatch(/only exits pass until `kairos arm` or `kairos resume`: lost; then ann/);
      const again = started(arming, {}, { latches: [{ ...latched('reducing'), reason }] });
      expect(again.told).toEqual([
        expect.stringMatching(/^still REDUCING, only exits pass until `kairos arm` or `kairos resume`: before$/),
      ]);
      for (const one of [alone, again, { made }])
        expect([one.made.rearmIfDue(1e12), one.made.reducing]).toEqual([false, expect.any(String)]);
    },
  );

  test('ends by itself after trading.rearmAfter, and not a millisecond before', () => {
    const { made, rows, told } = state({ rearmAfterMs: 1000 });
    expect(made.rearmIfDue(99_999)).toBe(false);
    rows.at(500);
    made.reduce('MAX_DAY_LOSS', 'kairos', 'lost');
    expect(made.stops.reducing?.until).toBe(1500);
    expect(told.at(-1)).toBe(
      'REDUCING, only exits pass until `kairos arm` or `kairos resume`, at 1970-01-01T00:00:01.500Z at the latest: lost',
    );
    rows.story();
    expect([made.rearmIfDue(1499), made.reducing]).toEqual([false, 'lost']);
    expect([made.rearmIfDue(1500), made.reducing]).toEqual([true, null]);
    expect(rows.story()).toEqual([
      ['armed', null, 'BY_RULE', expect.objectContaining({ why: expect.stringMatching(/since: lost$/), anew: true })],
    ]);
  });

  test('never ends by itself where that is not set, or where nothing is armed', () => {
    const { made } = state();
    made.reduce('MAX_DAY_LOSS', 'kairos', 'lost');
    expect(made.rearmIfDue(1e12)).toBe(false);
    const disarmed = started({ rearmAfterMs: 1000 }, { armed: null, crashed: true }).made;
    expect(disarmed.stops.reducing?.until).toBeNull();
    expect(disarmed.rearmIfDue(1e12)).toBe(false);
    expect(disarmed.stops.disarmed).toEqual({
      who: 'kairos',
      why: 'nothing was armed yet',
      since: 1_000_000,
      reason: 'DISARMED',
      until: null,
    });
  });

  test('takes the place of a halt for exits alone, in one commit, and pauses stay', () => {
    const { made, latch, rows } = state();
    made.pause(null, BY);
    made.pause(one, BY);
    made.halt('BY_PERSON', 'ann', 'enough');
    rows.story();
    made.resumeReducing('ann', 'flatten');
    expect(rows.story()).toEqual([
      ['resumed', null, 'BY_PERSON', { who: 'ann', why: 'flatten', leaves: 'pauses' }],
      ['reducing', null, 'BY_PERSON', { who: 'ann', why: 'flatten' }],
    ]);
    expect([made.isHalted, latch.isSet, made.reducing, made.isPaused(other)]).toEqual([false, false, 'flatten', true]);
    expect(made.stops.reducing?.reason).toBe('BY_PERSON');
  });

  test('takes the place of a halt where nothing was paused', () => {
    const { made, rows } = state();
    made.resumeReducing('ann', 'flatten');
    expect(rows.story().map(([kind]) => kind)).toEqual(['resumed', 'reducing']);
  });
});

describe('pauses', () => {
  test('stop one strategy or all, and each ends by itself', () => {
    const { made, rows } = state();
    made.pause(one, BY);
    expect([made.isPaused(one), made.isPaused(other)]).toEqual([true, false]);
    expect(made.unpause(one, BY)).toBeNull();
    expect(made.isPaused(one)).toBe(false);
    made.pause(null, BY);
    made.pause(one, BY);
    expect(made.unpause(one, BY)).toBeNull();
    expect([made.isPaused(one), made.isPaused(other)]).toEqual([true, true]);
    made.pause(one, BY);
    expect(made.unpause(null, BY)).toBeNull();
    expect([made.isPaused(one), made.isPaused(other)]).toEqual([true, false]);
    expect(rows.story().map(([kind, strategy, reason, detail]) => [kind, strategy, reason, detail])).toEqual(
      (['paused', 'resumed', 'paused', 'paused', 'resumed', 'paused', 'resumed'] as const).map((kind, n) => [
        kind,
        [2, 6].includes(n) ? null : 'one',
        'BY_PERSON',
        { who: 'ann', why: 'lunch', ...(n === 6 && { leaves: 'single pauses' }) },
      ]),
    );
  });

  test('the resume of one strategy ends its pause and no more', () => {
    const { made } = state();
    made.halt('BY_PERSON', 'ann', 'enough');
    made.reduce('MAX_DAY_LOSS', 'kairos', 'lost');
    made.pause(one, BY);
    made.pause(other, BY);
    made.resume(one, 'ann', 'go on');
    expect([made.isPaused(one), made.isPaused(other), made.isHalted, made.reducing]).toEqual([false, true, true, 'lost']);
    made.pause(null, BY);
    made.resume(null, 'ann', 'go on');
    expect([made.isPaused(one), made.isPaused(other)]).toEqual([false, true]);
  });

  test('of all strategies do not end by rule while trading is halted or REDUCING; that of one does', () => {
    for (const [stop, stays] of [
      ['halt', 'trading is halted'],
      ['reduce', 'trading is REDUCING'],
    ] as const) {
      const { made } = state();
      made.pause(null, BY);
      made.pause(one, BY);
      made[stop]('BY_PERSON', 'ann', 'enough');
      expect([made.unpause(null, BY), made.isPaused(other), made.unpause(one, BY)]).toEqual([stays, true, null]);
    }
  });
});

describe('while another program holds the journal (F41)', () => {
  test.each<[string, string, (made: TradingState) => void, (made: TradingState) => boolean]>([
    ['a halt', 'halted', (made) => made.halt('BY_PERSON', 'ann', 'enough'), (made) => made.isHalted],
    ['REDUCING', 'reducing', (made) => made.reduce('MAX_DAY_LOSS', 'kairos', 'lost'), (made) => made.reducing === 'lost'],
    ['a pause', 'paused', (made) => made.pause(one, BY), (made) => made.isPaused(one)],
    ['the halt of an error', 'halted', (made) => expect(made.fault(new Error('of course'))).toBe(false), (made) => made.isHalted],
  ])('%s holds at once, and its row waits', (_, kind, stop, holds) => {
    const { made, rows } = state();
    rows.isHeld = true;
    stop(made);
    expect([holds(made), rows.committed, rows.deferred]).toMatchObject([true, [], [{ kind }]]);
  });

  test('nothing is released: a person’s act is refused, a rule tries again', () => {
    const { made, latch, rows } = state({ rearmAfterMs: 1000 });
    made.halt('BY_PERSON', 'ann', 'enough');
    made.reduce('MAX_DAY_LOSS', 'kairos', 'lost');
    made.pause(one, BY);
    rows.isHeld = true;
    const by = { who: 'ann', why: 'go' };
    for (const release of [
      () => made.resume(null, 'ann', 'go'),
      () => made.resumeReducing('ann', 'go'),
      () => made.unpause(one, BY),
      () => made.armed({ ...by, configHash: 'hash', config: '', build: 'build' }),
    ])
      expect(release).toThrow('held');
    expect(made.rearmIfDue(5000)).toBe(false);
    expect([made.isHalted, latch.isSet, made.reducing, made.isPaused(one), rows.deferred]).toEqual([true, true, 'lost', true, []]);
    rows.isHeld = false;
    expect(made.rearmIfDue(5001)).toBe(true);
  });
});
