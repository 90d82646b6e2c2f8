import { describe, expect, test } from 'vitest';
import { ClockState } from '#core/risk/service-state.ts';
import { Journaled } from '../../support/journaled.ts';

function clock() {
  const rows = new Journaled();
  const notices: string[] = [];
  const state = new ClockState({ log: rows.log, notice: (level, text) => notices.push(`${level}: ${text}`) });
  const told = () => rows.deferred.splice(0).map(({ kind, reason, detail }) => [kind, reason, detail]);
  return { rows, notices, state, told };
}
const GOOD = { offsetMs: 7000, halfWidthMs: 60, ageMs: 0 };
const known = () => {
  const c = clock();
  c.rows.at(1000);
  c.state.clock(GOOD);
  c.told();
  return c;
};

test('no order goes out before the service’s time is known, and that is no change to tell of', () => {
  const { state, told } = clock();
  state.poll();
  expect(state.fault).toEqual({ reason: 'CLOCK_UNSURE', figure: 'unknown', limit: 1500 });
  expect([state.ageMs(5), state.knownUntil, told()]).toEqual([null, Number.NEGATIVE_INFINITY, []]);
  expect(state.state).toEqual({ reason: 'CLOCK_UNSURE', offsetMs: null, halfWidthMs: null });
});

test('the first reading is journaled once and is no news', () => {
  const { rows, state, told, notices } = clock();
  rows.at(1000);
  state.clock({ ...GOOD, ageMs: 10 });
  state.clock(GOOD);
  expect(told()).toEqual([['clock', null, { sure: true, offsetMs: 7000, halfWidthMs: 60 }]]);
  expect([state.fault, notices, state.ageMs(1000), state.state]).toEqual([null, [], 0, { reason: null, offsetMs: 7000, halfWidthMs: 60 }]);
});

test('a quote has the time left that it has on the service’s clock at its worst', () => {
  const { state } = known();
  expect(state.timeLeftMs(9000)).toBe(9000 - (1000 + 7000) - 60);
  expect(state.timeLeftMs(9000, 1500)).toBe(440);
  expect(clock().state.timeLeftMs(9000, 1000)).toBe(8000);
});

describe('orders wait', () => {
  test('while the service’s time is known to no better than a second and a half', () => {
    const { state } = clock();
    state.clock({ ...GOOD, halfWidthMs: 1500 });
    expect(state.fault).toBeNull();
    state.clock({ ...GOOD, halfWidthMs: 1501 });
    expect(state.fault).toEqual({ reason: 'CLOCK_UNSURE', figure: 1501, limit: 1500 });
  });

  test('when it was looked at more than five minutes ago, by its own age', () => {
    const { rows, state, told, notices } = clock();
    rows.at(1_000_000);
    state.clock({ ...GOOD, ageMs: 100_000 });
    told();
    expect(state.knownUntil).toBe(1_200_000);
    rows.at(1_200_000);
    expect(state.fault).toBeNull();
    rows.at(1_200_001);
    expect(state.fault).toEqual({ reason: 'CLOCK_OLD', figure: 300_001, limit: 300_000 });
    expect(state.knownUntil).toBe(Number.NEGATIVE_INFINITY);
    state.poll();
    state.poll();
    expect(told()).toEqual([['clock', 'CLOCK_OLD', { sure: false, offsetMs: 7000, halfWidthMs: 60 }]]);
    expect(notices).toEqual(["warn: the service's time is not known well enough (CLOCK_OLD); orders wait"]);
    state.clock(GOOD);
    expect(notices.at(-1)).toBe("info: the service's time is known again, to 60 ms; orders go on");
    expect(state.knownUntil).toBe(1_500_001);
  });

  test('F55 after a step, until it is over and the clock was looked at anew', () => {
    const { state, told } = known();
    state.condition('clock-step', true, 0);
    expect(state.fault).toEqual({ reason: 'CLOCK_STEP', figure: 'a step', limit: 'no step within 10 s' });
    state.clock(GOOD);
    expect(state.fault?.reason).toBe('CLOCK_STEP');
    state.condition('clock-step', false, 0);
    expect(state.fault).toBeNull();
    expect(told().map(([kind, reason]) => [kind, reason])).toEqual([
      ['clock', 'CLOCK_STEP'],
      ['clock', null],
    ]);
    state.condition('clock-step', true, 0);
    state.condition('clock-step', false, 0);
    expect(state.fault).toEqual({ reason: 'CLOCK_UNSURE', figure: 'unknown', limit: 1500 });
  });

  test('F58 while what was known is void, also with a reading', () => {
    const { state } = known();
    state.condition('clock', true, 0);
    expect(state.ageMs(1000)).toBeNull();
    state.clock(GOOD);
    expect(state.fault).toEqual({ reason: 'CLOCK_UNSURE', figure: 'unknown', limit: 1500 });
    state.condition('clock', false, 0);
    expect(state.fault).toBeNull();
  });

  test('F64 while the loop is late; the reading stays, and each change is told once', () => {
    const { state, told, notices } = known();
    state.condition('lag', true, 300);
    state.condition('lag', true, 400);
    expect(state.fault).toEqual({ reason: 'LAG', figure: 300, limit: 250 });
    expect(state.state.reason).toBe('LAG');
    state.condition('lag', false, 20);
    state.condition('lag', false, 10);
    expect([state.fault, state.ageMs(1000)]).toEqual([null, 0]);
    expect(told()).toEqual([
      ['lag', 'LAG', { on: true, p99Ms: 300 }],
      ['lag', null, { on: false, p99Ms: 20 }],
    ]);
    expect(notices).toEqual([
      'warn: the event loop is 300 ms late at the 99th percentile; orders wait',
      'info: the event loop is 20 ms late at the 99th percentile; orders go on',
    ]);
  });
});
