import { expect, test } from 'vitest';
import { Latches } from '#adapters/journal/latches.ts';
import type { Decision, DecisionDetails } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import type { Reason } from '#domain/reasons.ts';
import { row, START } from './order-rows.ts';

const by = { who: 'ann', why: 'news' };
const latch = (kind: Latch['kind'], strategy: string | null = null): Latch => ({ kind, strategy, since: START, ...by, reason: null });
const STANDING = [latch('halted'), latch('reducing'), latch('disarmed'), latch('paused'), latch('paused', 'sma'), latch('paused', 'rsi')];
const resumed = (detail: Partial<DecisionDetails['resumed']>, strategy?: string): Decision =>
  row('resumed', { ...by, ...detail }, strategy === undefined ? {} : { strategy });

test.each<[string, Decision, readonly string[]]>([
  ['a resumption of everything', resumed({}), ['disarmed null']],
  ['one that leaves single pauses', resumed({ leaves: 'single pauses' }), ['disarmed null', 'paused sma', 'paused rsi']],
  ['one that leaves all pauses', resumed({ leaves: 'pauses' }), ['disarmed null', 'paused null', 'paused sma', 'paused rsi']],
  ['the resumption of one strategy', resumed({}, 'sma'), ['halted null', 'reducing null', 'disarmed null', 'paused null', 'paused rsi']],
  [
    'arming',
    row('armed', { ...by, configHash: 'c', config: '{}', build: 'b' }),
    ['halted null', 'paused null', 'paused sma', 'paused rsi'],
  ],
  ['a row of another kind', row('stopped', by), STANDING.map(({ kind, strategy }) => `${kind} ${strategy}`)],
])('of what stands, %s ends what it should', (_, decision, left) => {
  const latches = new Latches(STANDING);
  latches.apply(decision);
  expect(latches.standing.map(({ kind, strategy }) => `${kind} ${strategy}`)).toEqual(left);
});

test("a pause that a person set too is a person's from then on, as over a restart", () => {
  const paused = (reason: Reason): Decision => row('paused', { ...by, why: reason }, { reason });
  const latches = new Latches();
  for (const reason of ['BY_SCHEDULE', 'BY_PERSON', 'BY_SCHEDULE'] as const) latches.apply(paused(reason));
  expect(latches.standing).toMatchObject([{ kind: 'paused', reason: 'BY_PERSON' }]);
});

test('REDUCING that a person or the schedule begins on top of a loss is theirs from then on', () => {
  const reducing = (reason: Reason, who: string): Decision => row('reducing', { who, why: 'news' }, { reason });
  const latches = new Latches();
  for (const one of [reducing('LOSS_STREAK', 'kairos'), reducing('BY_SCHEDULE', 'ann'), reducing('MAX_DAY_LOSS', 'kairos')])
    latches.apply(one);
  expect(latches.standing).toMatchObject([{ kind: 'reducing', who: 'kairos', why: 'news; then ann: news', reason: 'BY_SCHEDULE' }]);
});
