import { expect, test } from 'vitest';
import type { IntentDetail } from '#domain/decision.ts';
import type { Latch } from '#domain/event.ts';
import { isoTime, laneIdOf, runId, strategyId } from '#domain/names.ts';
import { figuresIn } from '#domain/strategy-state.ts';
import type { LaneSeen, StrategySeen } from '#report/seen.ts';
import { whyNot } from '#report/why-not.ts';

const AT = Date.UTC(2026, 0, 1);

test.each<[Latch['kind'], string | null, string, string]>([
  ['halted', null, 'trading was halted', 'kairos resume ends it'],
  ['disarmed', null, 'trading was disarmed', 'kairos arm ends it'],
  ['reducing', null, 'only exits were allowed', 'kairos resume ends it'],
  ['paused', null, 'openings were paused', 'kairos resume ends it'],
  ['paused', 'one', 'openings were paused', 'kairos resume one ends it'],
  ['disabled', 'one', 'one was disabled', 'kairos enable one ends it'],
])('%s of %s: what it means and what ends it', (kind, strategy, answer, advice) => {
  const latch: Latch = { kind, strategy, since: AT, who: 'ann', why: 'news' };
  const silence = { at: AT, strategy: 'one', run: 'run-1', latches: [latch], open: [], last: undefined, seen: 'not recorded' };
  expect(whyNot(silence)).toMatchObject({ answer: `${answer} at 2026-01-01T00:00:00.000Z by ann: news`, advice });
});

test.each<[readonly [Latch['kind'], string | null][], readonly string[], string]>([
  [
    [
      ['reducing', null],
      ['halted', null],
    ],
    ['trading was halted', 'only exits were allowed'],
    'kairos resume ends both',
  ],
  [
    [
      ['reducing', null],
      ['paused', null],
    ],
    ['openings were paused', 'only exits were allowed'],
    'kairos resume ends both',
  ],
  [
    [
      ['reducing', null],
      ['disarmed', null],
    ],
    ['trading was disarmed', 'only exits were allowed'],
    'kairos arm ends both',
  ],
  [
    [
      ['paused', 'one'],
      ['disarmed', null],
    ],
    ['trading was disarmed', 'openings were paused'],
    'kairos arm and kairos resume one end both',
  ],
  [
    [
      ['halted', null],
      ['disarmed', null],
      ['disabled', 'one'],
    ],
    ['one was disabled', 'trading was halted', 'trading was disarmed'],
    'kairos enable one and kairos resume and kairos arm end all of them',
  ],
])('of %j all are named, the one that must end first in front, and what ends all', (standing, answers, advice) => {
  const latches = standing.map(([kind, strategy]): Latch => ({ kind, strategy, since: AT, who: 'ann', why: 'news' }));
  const silence = { at: AT, strategy: 'one', run: 'run-1', latches, open: [], last: undefined, seen: 'not recorded' };
  const answer = answers.map((words) => `${words} at 2026-01-01T00:00:00.000Z by ann: news`).join('; ');
  expect(whyNot(silence)).toMatchObject({ answer, advice });
});

test('of a backtest, nothing is advised that a person does while a daemon runs', () => {
  const latch: Latch = { kind: 'reducing', strategy: null, since: AT, who: 'kairos', why: 'lost 2 usd' };
  const silence = {
    at: AT,
    strategy: 'one',
    run: 'backtest-1',
    isBacktest: true,
    latches: [latch],
    open: [],
    last: undefined,
    seen: 'not kept',
  };
  expect(whyNot(silence).advice).toMatch(/^nobody ends it in a backtest: .* --limits off$/);
  const detail = {
    on: true,
    state: 'NO_QUOTES',
    lastedMs: 0,
    since: isoTime(AT),
    why: 'quotes stopped',
    mend: 'the data has no quotes then',
  } as const;
  const facts = { inboxSeq: 1, run: runId('backtest-1'), at: AT, product: null, quoteId: null, orderId: null };
  const blocked = { ...facts, kind: 'blocked', strategy: strategyId('one'), reason: 'LANE_STALE', detail } as const;
  const { answer, advice, lines } = whyNot({ ...silence, latches: [], blocked });
  expect([answer, advice]).toEqual(['it could not trade since 2026-01-01T00:00:00.000Z: quotes stopped', 'the data has no quotes then']);
  // Said once.
  expect(JSON.stringify(lines)).not.toContain('the data has');
});

test('a limit on the orders of a minute passes by itself, also where the strategy was asked since', () => {
  const reason = 'MAX_ORDERS_PER_MINUTE_OF_STRATEGY';
  const lane: LaneSeen = {
    ...{ lane: laneIdOf('btcusd@base:100'), phase: 'new', since: undefined, why: '' },
    ...{ quote: undefined, quoteAt: undefined, staleMs: 2000, quotes: 0, lastMinute: 0 },
  };
  const seen: StrategySeen = {
    ...{ lane, state: { state: 'REFUSED', reason, why: 'used up', mend: 'change it', since: AT, until: null }, observed: {} },
    ...{ asked: undefined, times: 0, nextTimer: undefined, sameSource: true },
  };
  const silence = { at: AT, strategy: 'one', run: 'run-1', latches: [], open: [], last: undefined, seen };
  expect(whyNot(silence)).toMatchObject({
    answer: 'it was REFUSED: used up',
    advice: 'it passes by itself within a minute, or change that limit',
  });
});

test('a state of repeated refusals is answered with the figures of the last one, and not with a pointer to itself', () => {
  const reason = 'MAX_SPREAD';
  const lane: LaneSeen = {
    ...{ lane: laneIdOf('btcusd@base:100'), phase: 'new', since: undefined, why: '' },
    ...{ quote: undefined, quoteAt: undefined, staleMs: 2000, quotes: 0, lastMinute: 0 },
  };
  const mend = `${figuresIn('one')}; change the limit that the code names`;
  const seen: StrategySeen = {
    ...{ lane, state: { state: 'REFUSED', reason, why: 'the spread is too wide', mend, since: AT, until: null }, observed: {} },
    ...{ asked: { said: 'nothing', at: AT + 1, signal: {}, position: 0, observed: {} }, times: 0, nextTimer: undefined, sameSource: true },
  };
  const checks = [{ check: reason, passed: false, figure: 0.4, limit: 0.2 }] as const;
  const prices = { lane: lane.lane, buy: 2, sell: 1, size: 100, spreadPercentage: 0.4, validUntil: isoTime(AT), timeLeftMs: 100 };
  const intent: IntentDetail = { side: 'buy', wants: '100', why: 'up', tag: null, signals: {}, quote: prices };
  const about = { inboxSeq: 1, run: runId('run-1'), at: AT, strategy: strategyId('one'), product: null, quoteId: null, orderId: null };
  const last = { ...about, kind: 'refused', reason, detail: { intent, checks } } as const;
  expect(whyNot({ at: AT, strategy: 'one', run: 'run-1', latches: [], open: [], last, seen })).toMatchObject({
    answer: 'it was REFUSED: the spread is too wide (at last spread 0.4 % over 0.2 %)',
    advice: 'change the limit that the code names',
  });
});

test('a lane that went down since the strategy held is the answer, and not why it held', () => {
  const state = { state: 'NO_QUOTES', reason: 'LANE_DOWN', why: 'the lane is down', mend: '', since: AT, until: null } as const;
  const lane: LaneSeen = {
    ...{ lane: laneIdOf('btcusd@base:100'), phase: 'opening', since: AT, why: 'connection lost' },
    ...{ quote: undefined, quoteAt: undefined, staleMs: 2000, quotes: 0, lastMinute: 0 },
  };
  const asked = { said: 'hold', at: AT, signal: {}, position: 0, observed: {} } as const;
  const seen: StrategySeen = { lane, state, observed: {}, asked, times: 1, nextTimer: undefined, sameSource: true };
  const about = { inboxSeq: 1, run: runId('run-1'), at: AT, strategy: strategyId('one'), product: null, quoteId: null, orderId: null };
  const last = { ...about, kind: 'hold', reason: 'HOLD', detail: { why: 'still long', signals: {} } } as const;
  const silence = { at: AT + 9_000, strategy: 'one', run: 'run-1', latches: [], open: [], last, seen };
  expect(whyNot(silence).answer).toBe('lane btcusd@base:100 was down since 2026-01-01T00:00:00.000Z: connection lost');
  const well = { ...seen, state: { ...state, state: 'RUNNING', reason: null } } as const;
  expect(whyNot({ ...silence, seen: well }).answer).toBe('the strategy itself gives the reason: still long');
});

test('without a recording the rows alone answer, and it is said that there is no more', () => {
  const silence = { at: AT, strategy: 'one', run: 'run-1', latches: [], open: [], last: undefined, seen: 'there is no recording' };
  expect(whyNot(silence)).toMatchObject({
    answer: expect.stringContaining('no refusal'),
    advice: expect.stringContaining('there is no recording'),
  });
});

test('what it threw now and then is told before anything else, whatever came in between', () => {
  const thrown = { times: 20, at: '2026-01-01T00:00:00.000Z', error: 'strategies/a.ts:3:4: boom' };
  const silence = { at: AT, strategy: 'one', run: 'run-1', latches: [], open: [], last: undefined, thrown, seen: 'there is no recording' };
  expect(whyNot(silence).answer).toBe(
    'it failed 20 times in this run, last at 2026-01-01T00:00:00.000Z: strategies/a.ts:3:4: boom; the journal has no refusal: the strategy asked for no order',
  );
});

test('a lane that the service refuses is no trouble of the connection, whatever the last try came to', () => {
  const refused = { state: 'NO_QUOTES', reason: 'LANE_DISABLED', why: 'the service refuses lane btcusd@base:100: too much' } as const;
  const mend = 'change product or amount, then start again';
  const lane: LaneSeen = {
    ...{ lane: laneIdOf('btcusd@base:100'), phase: 'opening', since: AT, why: '' },
    ...{ quote: undefined, quoteAt: undefined, staleMs: 2000, quotes: 0, lastMinute: 0 },
  };
  const seen: StrategySeen = {
    ...{ lane, state: { ...refused, mend, since: null, until: null }, observed: {}, asked: undefined },
    ...{ times: 0, nextTimer: undefined, sameSource: true },
  };
  const silence = { at: AT, strategy: 'big', run: 'run-1', latches: [], open: [], last: undefined, seen };
  expect(whyNot(silence)).toMatchObject({ answer: refused.why, advice: mend });
});
