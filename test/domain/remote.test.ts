import { describe, expect, test } from 'vitest';
import { KairosError } from '#domain/errors.ts';
import { argumentsOf, askedDetail, isDestructive, type RemoteAsk, remoteAskOf } from '#domain/remote.ts';

/** What a request is refused for; the request itself where it is not. */
function askOf(action: string, said: Readonly<Record<string, unknown>>): RemoteAsk | string {
  try {
    return remoteAskOf(action, said);
  } catch (error) {
    if (error instanceof KairosError && error.code === 'REMOTE_INVALID') return error.message;
    throw error;
  }
}

const ID = 'a1B_c.d-9';
const FROM = '2026-01-01T00:00:00Z';
const TO = '2026-01-01T00:00:01Z';
const flush = (long: unknown, short: unknown = 0) => ({
  strategyId: ID,
  longPositionTargetPercentage: long,
  shortPositionTargetPercentage: short,
});

test.each<[action: string, said: Readonly<Record<string, unknown>>]>([
  ['create', { fields: { strategyType: 'AI', amount: 5, note: null, isOn: true } }],
  ['create', { fields: { strategyType: 'AI', autoRun: false } }],
  ['modify', { strategyId: ID, changes: { amount: 0 } }],
  ['modify', { strategyId: ID, changes: { amount: 0 }, productCode: 'btcusd' }],
  ...['start', 'stop', 'pause', 'delete'].map((action): [string, object & Record<string, unknown>] => [action, { strategyId: ID }]),
  ['schedule-opening-pause', { strategyId: ID, fromTime: FROM, toTime: TO }],
  ['flush', flush(0, 100)],
  ['flush', flush(12.5)],
  ...['pauseAll', 'resumeAll', 'deleteAll'].map((action): [string, Record<string, unknown>] => [action, {}]),
])('a request of %s is taken as it is said: %j', (action, said) => {
  const asked = remoteAskOf(action, said);
  expect(asked).toEqual({ action, ...said });
  expect(argumentsOf(asked)).toEqual(said);
});

test('a product that is no text is left out: it is not sent in any case', () => {
  expect(remoteAskOf('modify', { strategyId: ID, changes: { a: 1 }, productCode: 7 })).toEqual({
    action: 'modify',
    strategyId: ID,
    changes: { a: 1 },
  });
});

describe('B41 what a request may not say', () => {
  test.each<[action: string, said: Readonly<Record<string, unknown>>, says: string]>([
    ['launch', {}, `the service's strategies have no action "launch"`],
    ['x'.repeat(99), {}, `no action "${'x'.repeat(50)}"`],
    ['deleteAll', { strategyId: ID }, 'deleteAll takes nothing more, not "strategyId"'],
    ['stop', { strategyId: ID, force: true }, 'stop takes strategyId, not "force"'],
    ['stop', { strategyId: ID, ['x'.repeat(99)]: true }, `not "${'x'.repeat(50)}"`],
    ['flush', { ...flush(0), all: true }, 'flush takes strategyId, longPositionTargetPercentage, shortPositionTargetPercentage, not "all"'],
    ['schedule-opening-pause', { strategyId: ID, fromTime: FROM, toTime: TO, now: 1 }, 'takes strategyId, fromTime, toTime, not "now"'],
    ['modify', { strategyId: ID, changes: { a: 1 }, fields: {} }, 'modify takes strategyId, changes, productCode, not "fields"'],
    ['create', { fields: { strategyType: 'AI' }, strategyId: ID }, 'create takes fields, not "strategyId"'],
    ['create', { fields: {} }, 'strategyType is missing'],
    ['create', { fields: { strategyType: '' } }, 'strategyType is missing'],
    ['create', { fields: { strategyType: 7 } }, 'strategyType is missing'],
    ['create', { fields: { strategyType: 'AI', autoRun: true } }, 'autoRun: leave it out'],
    ['modify', { strategyId: ID, changes: {} }, 'the request changes nothing'],
    ['flush', flush(-1), 'longPositionTargetPercentage must be a number from 0 to 100'],
    ['flush', flush(100.1), 'longPositionTargetPercentage must be a number from 0 to 100'],
    ['flush', flush(Number.NaN), 'longPositionTargetPercentage must be a number from 0 to 100'],
    ['flush', flush(0, '50'), 'shortPositionTargetPercentage must be a number from 0 to 100'],
    ['schedule-opening-pause', { strategyId: ID, fromTime: TO, toTime: FROM }, `fromTime ${TO} must be before toTime ${FROM}`],
    ['schedule-opening-pause', { strategyId: ID, fromTime: FROM, toTime: FROM }, `fromTime ${FROM} must be before toTime ${FROM}`],
  ])('%s %j', (action, said, says) => {
    expect(askOf(action, said)).toContain(says);
  });

  test('a share of minus nothing is nothing', () => {
    expect(remoteAskOf('flush', flush(-0))).toEqual({ action: 'flush', ...flush(0) });
  });
});

test.each(['', '.', '..', '.a', '../x', 'a/b', 'a b', 'a?b', 'a%2f', 'é', 'x'.repeat(129), 7, null, undefined])(
  'B01 %j is no id of a strategy: it would rewrite the path',
  (strategyId) => {
    expect(askOf('stop', { strategyId })).toBe(
      `${JSON.stringify(String(strategyId).slice(0, 80))} is not the id of a strategy; \`kairos remote find\` lists them`,
    );
  },
);

test('an id may be a letter, and as long as 128 of them', () => {
  for (const strategyId of ['a', '_', '-', '7', 'x'.repeat(128)])
    expect(askOf('stop', { strategyId })).toEqual({ action: 'stop', strategyId });
});

test.each([
  ['2026-01-01T00:00Z', true],
  ['2026-01-01T00:00:00.1Z', true],
  ['2026-01-01T00:00:00.123456789Z', true],
  ['2026-01-01T02:00:00+02:00', true],
  ['2026-01-01T00:00:00-11:30', true],
  ['2026-01-01T00:00:00', false],
  ['2026-01-01', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-01-01T00:00:00.Z', false],
  ['2026-01-01T00:00:00.1234567890Z', false],
  ['at 2026-01-01T00:00:00Z', false],
  ['2026-01-01T00:00:00Z!', false],
  ['2026-1-1T00:00:00Z', false],
  ['02026-01-01T00:00:00Z', false],
  ['2026-01-01T00:00:00+2:00', false],
  ['2026-01-01T00:00:0Z', false],
  [1_767_225_600_000, false],
  [[FROM], false],
  ['+002026-01-01T00:00:00Z', false],
  ['2024-02-29T00:00:00Z', true],
  ['2026-02-29T00:00:00Z', false],
])('a time with its zone: %j, %j', (fromTime, isTime) => {
  const asked = askOf('schedule-opening-pause', { strategyId: ID, fromTime, toTime: '2027-01-01T00:00:00Z' });
  if (isTime) expect(asked).toMatchObject({ fromTime });
  else expect(asked).toBe('fromTime must be a time with a zone, such as 2026-01-01T00:00:00Z');
  if (!isTime) expect(askOf('schedule-opening-pause', { strategyId: ID, fromTime: FROM, toTime: fromTime })).toContain('toTime must be');
});

describe('B08 fields are plain JSON', () => {
  const changing = (changes: unknown) => askOf('modify', { strategyId: ID, changes });

  test.each<[changes: unknown, says: string]>([
    ['text', 'changes must be a JSON object'],
    [null, 'changes must be a JSON object'],
    [[1], 'changes must be a JSON object'],
    [undefined, 'changes must be a JSON object'],
    [{ a: Number.NaN }, 'a is NaN, which JSON would turn into null'],
    [{ a: Number.POSITIVE_INFINITY }, 'a is Infinity, which JSON would turn into null'],
    [{ a: { b: -0 } }, 'a.b is -0; give 0'],
    [{ a: undefined }, 'a is not a JSON value'],
    [{ a: { b: () => 1 } }, 'a.b is not a JSON value'],
    [{ a: 1n }, 'a is not a JSON value'],
    [{ 'a b': 1 }, '"a b" is not the name of a field'],
    [{ a: { 'b-c': 1 } }, '"b-c" is not the name of a field'],
    [{ $9: 1 }, '"$9" is not the name of a field'],
    [{ '9a': 1 }, '"9a" is not the name of a field'],
    [{ a9$: 1 }, '"a9$" is not the name of a field'],
    [{ ['x'.repeat(65)]: 1 }, `"${'x'.repeat(65)}" is not the name of a field`],
    [{ [`$${'x'.repeat(99)}`]: 1 }, `"$${'x'.repeat(79)}" is not the name of a field`],
    [{ toString: 1 }, 'toString is not the name of a field'],
    [{ a: { constructor: 1 } }, 'constructor is not the name of a field'],
    [{ a: { b: { c: { d: { e: 1, f: {} } } } } }, 'a.b.c.d.f is nested deeper than 5 levels'],
  ])('%o is refused', (changes, says) => {
    expect(changing(changes)).toBe(says);
  });

  test.each([
    { a: 'text', b: true, c: 0, d: null, _e: -1.5 },
    { a: [1, { b: 2 }, null] },
    { a: Array.from({ length: 12 }, () => 1) },
    { a: { b: { c: { d: { e: 1 } } } } },
    { ['x'.repeat(64)]: 1 },
    { '12': 'a number may be a name' },
  ])('%j is taken', (changes) => {
    expect(changing(changes)).toEqual({ action: 'modify', strategyId: ID, changes });
  });
});

test('B41 what cannot be undone, or makes strategies of others trade, is confirmed first', () => {
  const asks: readonly RemoteAsk[] = [
    ...(['start', 'stop', 'pause', 'delete'] as const).map((action) => ({ action, strategyId: ID })),
    ...(['pauseAll', 'resumeAll', 'deleteAll'] as const).map((action) => ({ action })),
    { action: 'create', fields: {} },
    remoteAskOf('flush', flush(0)),
  ];
  expect(asks.filter(isDestructive).map(({ action }) => action)).toEqual(['stop', 'delete', 'resumeAll', 'deleteAll', 'flush']);
});

test('the first row of a request says who asked for what, before any answer', () => {
  const about = { actionId: 'r1', at: FROM, who: 'ann', why: 'news' };
  expect(askedDetail({ action: 'stop', strategyId: ID }, about)).toEqual({
    ...{ actionId: 'r1', name: 'manual', action: 'remote.stop', arguments: { strategyId: ID }, dueAt: FROM, askedAt: FROM },
    ...{ status: 'asked', httpStatus: null, response: '', who: 'ann', why: 'news' },
  });
});
