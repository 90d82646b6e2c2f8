import { describe, expect, test } from 'vitest';
import type { Condition, InboxEvent } from '#domain/event.ts';
import { quote } from '../support/market-data.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { threshold } from '../support/strategies.ts';

/** A rig that knows of the service's time only what it is told. */
const rig = rigsOfTests({ strategies: { t: threshold }, keepsClock: false });

const clock = (halfWidthMs = 50, offsetMs = 0, ageMs = 0): InboxEvent => ({ kind: 'clock', offsetMs, halfWidthMs, ageMs });
const condition = (name: Condition, on: boolean, figure = 0): InboxEvent => ({ kind: 'condition', name, on, figure });
const MINUTE = 60_000;

/** After so many milliseconds, what happens, and what a quote then leads to: an order (null), or a refusal with this code. */
type Step = readonly [afterMs: number, events: readonly InboxEvent[], code: string | null];

const scenarios: readonly [string, readonly Step[]][] = [
  [
    'orders wait for the first sample, and one is enough',
    [
      [0, [], 'CLOCK_UNSURE'],
      [500, [clock(540)], null],
    ],
  ],
  [
    'the bound may be 1.5 s wide to each side and no wider',
    [
      [0, [clock(1501)], 'CLOCK_UNSURE'],
      [500, [clock(1500)], null],
    ],
  ],
  [
    'the newest sample may be five minutes old and no older',
    [
      [0, [clock()], null],
      [5 * MINUTE, [], null],
      [1, [], 'CLOCK_OLD'],
      [500, [clock(50, 0, 5 * MINUTE + 1)], 'CLOCK_OLD'],
      [500, [clock(50)], null],
    ],
  ],
  ...[3000, -3000, 6000, -6000, 3_600_000, -3_600_000].map((jumpMs): [string, readonly Step[]] => [
    `F55 a step of the wall clock by ${jumpMs} ms: nothing until the clocks agree again and the service was sampled since`,
    [
      [0, [clock()], null],
      [1000, [condition('clock-step', true, jumpMs), condition('clock', true)], 'CLOCK_STEP'],
      [500, [condition('clock', false), clock()], 'CLOCK_STEP'],
      [9500, [condition('clock-step', false)], null],
    ],
  ]),
  [
    'F55 the clocks agree again and no sample has come since',
    [
      [0, [clock()], null],
      [1000, [condition('clock-step', true, 3000), condition('clock', true)], 'CLOCK_STEP'],
      [10_000, [condition('clock-step', false)], 'CLOCK_UNSURE'],
      [500, [condition('clock', false), clock()], null],
    ],
  ],
  [
    'F58 two backends 4 s apart: nothing while they contradict each other',
    [
      [0, [clock()], null],
      [500, [condition('clock', true)], 'CLOCK_UNSURE'],
      [10_000, [], 'CLOCK_UNSURE'],
      [500, [condition('clock', false), clock()], null],
    ],
  ],
  [
    'F64 the loop is late: nothing until it keeps up',
    [
      [0, [clock()], null],
      [500, [condition('lag', true, 2000)], 'LAG'],
      [5000, [], 'LAG'],
      [500, [condition('lag', false, 20)], null],
    ],
  ],
];

/** Gives a quote that calls for an order, and says what came of it: null for an order, which is then settled. */
function tryOrder(r: Rig): string | null {
  const before = r.broker.submitted.length;
  const refusals = r.rows().filter(({ kind }) => kind === 'refused').length;
  r.ack();
  r.quote(quote({ validUntil: r.clock.now() + 3000 }));
  if (r.broker.submitted.length > before) {
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 0 });
    return null;
  }
  const rows = r.rows().filter(({ kind }) => kind === 'refused');
  if (rows.length === refusals) return r.rows().at(-1)?.reason ?? 'nothing';
  return rows.at(-1)?.reason ?? 'nothing';
}

describe('no order while nobody can say how long a quote lives', () => {
  test.each(scenarios)('%s', (_, steps) => {
    const r = rig();
    const seen: (string | null)[] = [];
    for (const [afterMs, events] of steps) {
      r.moveBy(afterMs);
      for (const event of events) r.give(event);
      seen.push(tryOrder(r));
    }
    expect(seen).toEqual(steps.map(([, , code]) => code));
  });

  /** Events, and the failed check that the refusal must carry. */
  const figures: readonly [string, readonly InboxEvent[], object][] = [
    ['nothing is known', [], { check: 'CLOCK_UNSURE', figure: 'unknown', limit: 1500 }],
    ['the bound is too wide', [clock(1501)], { check: 'CLOCK_UNSURE', figure: 1501, limit: 1500 }],
    ['the sample is too old', [clock(50, 0, 300_001)], { check: 'CLOCK_OLD', figure: 300_001, limit: 300_000 }],
    ['a step', [clock(), condition('clock-step', true, 3000)], { check: 'CLOCK_STEP', figure: 'a step' }],
    ['lag', [clock(), condition('lag', true, 312)], { check: 'LAG', figure: 312, limit: 250 }],
  ];
  test.each(figures)('the refusal carries its figure: %s', (_, events, failed) => {
    const r = rig();
    for (const event of events) r.give(event);
    r.quote(quote({ validUntil: r.clock.now() + 3000 }));
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', detail: { checks: [{ ...failed, passed: false }] } });
  });

  test('an exit waits as an opening does, and goes out as soon as the time is known', () => {
    const r = rig();
    r.give(clock());
    r.quote(quote({ validUntil: r.clock.now() + 3000 }));
    r.answer(r.last);
    r.moveBy(500);
    r.give(condition('clock-step', true, 6000));
    r.quote(quote({ buy: 59_000, validUntil: r.clock.now() + 3000 }));
    expect(r.broker.submitted).toHaveLength(1);
    r.moveBy(500);
    r.give(condition('clock-step', false));
    r.give(clock());
    r.quote(quote({ buy: 59_000, validUntil: r.clock.now() + 3000 }));
    expect(r.last.side).toBe('sell');
  });
});

describe("time left is counted on the service's clock, at its worst", () => {
  /** Offset, half-width, what the quote seems to have left on our clock, and the code; 250 ms must be left. */
  const cases: readonly [number, number, number, string | null][] = [
    [0, 0, 250, null],
    [0, 0, 249, 'TIME_LEFT'],
    [0, 100, 350, null],
    [0, 100, 349, 'TIME_LEFT'],
    [5000, 100, 5350, null],
    [5000, 100, 5349, 'TIME_LEFT'],
    [-5000, 100, -4650, null],
    [-5000, 100, -4651, 'TIME_LEFT'],
    [Date.UTC(2026, 0, 1) - Date.UTC(1970, 0, 1), 100, 1_767_225_600_350, null],
  ];
  test.each(cases)('offset %d ms, to %d ms, %d ms on our clock: %s', (offsetMs, halfWidthMs, leftMs, code) => {
    const r = rig();
    r.give(clock(halfWidthMs, offsetMs));
    r.quote(quote({ validUntil: r.clock.now() + leftMs }));
    expect(r.rows().find(({ kind }) => kind === 'refused')?.reason ?? null).toBe(code);
    expect(r.broker.submitted).toHaveLength(code === null ? 1 : 0);
    const intent = r.rows().find(({ kind }) => kind === 'intent' || kind === 'refused');
    expect(JSON.stringify(intent?.detail)).toContain(`"timeLeftMs":${leftMs - offsetMs - halfWidthMs}`);
  });
});

test("people are told of the service's time less this machine's, whatever engine time has followed", () => {
  const r = rig();
  r.give({ kind: 'clock', offsetMs: 137, halfWidthMs: 137, ageMs: 0, machineOffsetMs: 120_000 });
  const told = { offsetMs: 120_000, halfWidthMs: 137 };
  expect(r.engine.inspect(({ clockState }) => clockState.state)).toEqual({ reason: null, ...told });
  expect(r.allRows().find(({ kind }) => kind === 'clock')?.detail).toEqual({ sure: true, ...told });
});

test('the journal has one row a change, whatever the number of samples', () => {
  const r = rig();
  for (let n = 0; n < 20; n += 1) r.give(clock(500 - n, n));
  r.moveBy(6 * MINUTE);
  r.give({ kind: 'wake' });
  r.give({ kind: 'wake' });
  r.give(clock(40, 7));
  r.give(condition('lag', true, 300));
  r.give(condition('lag', false, 10));
  const rows = r.allRows().filter(({ kind }) => kind === 'clock' || kind === 'lag');
  expect(rows.map(({ kind, reason, detail }) => [kind, reason, detail])).toEqual([
    ['clock', null, { sure: true, offsetMs: 0, halfWidthMs: 500 }],
    ['clock', 'CLOCK_OLD', { sure: false, offsetMs: 19, halfWidthMs: 481 }],
    ['clock', null, { sure: true, offsetMs: 7, halfWidthMs: 40 }],
    ['lag', 'LAG', { on: true, p99Ms: 300 }],
    ['lag', null, { on: false, p99Ms: 10 }],
  ]);
  expect(r.notices).toEqual([
    "warn: the service's time is not known well enough (CLOCK_OLD); orders wait",
    "info: the service's time is known again, to 40 ms; orders go on",
    'warn: the event loop is 300 ms late at the 99th percentile; orders wait',
    'info: the event loop is 10 ms late at the 99th percentile; orders go on',
  ]);
});
