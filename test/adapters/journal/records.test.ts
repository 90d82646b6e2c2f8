import { describe, expect, test } from 'vitest';
import { CHAIN_START, decisionOf, detailOf, recordOf } from '#adapters/journal/records.ts';
import type { Decision } from '#domain/decision.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, orderFacts, permits, row, sent } from './order-rows.ts';

const recorded = (decision: Decision) => recordOf(decision, 'run', CHAIN_START);

describe('a decision is read back as it was made', () => {
  const order = orderFacts(1);
  const checks = [
    { check: 'MAX_SPREAD', passed: true, figure: 0.001, limit: 0.5 },
    { check: 'DAY_VALUE', passed: true, figure: '610.005', limit: '5000', currency: 'usd' },
    { check: 'MAX_ORDER_VALUE', passed: false, figure: '610.005', limit: null },
  ] as const;
  const refused = row('refused', { intent: permits(order)[0]?.detail, checks } as never, {
    order,
    reason: 'MAX_ORDER_VALUE' as never,
  });

  test.each([...permits(order), sent(order), accepted(order), refused, row('paused', { who: 'ann', why: 'news' })])('$kind', (decision) => {
    expect(decisionOf(recorded(decision))).toStrictEqual(decision);
  });

  test('its checks take little room, since each order has two dozen', () => {
    expect(recorded(refused).detail).toContain(
      '"checks":[["MAX_SPREAD",0.001,0.5],["DAY_VALUE","610.005","5000",true,"usd"],["MAX_ORDER_VALUE","610.005",null,false]]',
    );
  });

  test('checks of a form that nobody knows are left as they are', () => {
    for (const checks of [5, [5, null]]) expect(detailOf({ seq: 7, detail: JSON.stringify({ checks }) })).toEqual({ checks });
  });
});

test.each([
  ['{"why":', /^decisions row 7: its detail is not JSON \(/],
  ['null', /^decisions row 7: its detail is not an object$/],
  ['5', /^decisions row 7: its detail is not an object$/],
])('a row whose detail is %s is named', (detail, message) => {
  expect(() => detailOf({ seq: 7, detail })).toThrow(
    expect.objectContaining({ code: 'JOURNAL_BROKEN', message: expect.stringMatching(message) }),
  );
});

describe('whatever a strategy puts under its signals, the row is written, and nothing turns into null unseen', () => {
  const fails = () => {
    throw new Error('no');
  };
  const written = (value: unknown): unknown =>
    (JSON.parse(recorded(row('hold', { why: 'wait', signals: { value } })).detail) as { signals: { value?: unknown } }).signals.value;
  const cycle: Record<string, unknown> = { fine: 1 };
  cycle.self = cycle;
  const deep = (levels: number, inside: unknown): unknown => (levels === 0 ? inside : { in: deep(levels - 1, inside) });

  test.each<[string, unknown, unknown]>([
    ['plain data', { a: [1, 'x', true, null, { b: -2.5 }], b: undefined }, { a: [1, 'x', true, null, { b: -2.5 }] }],
    ['no number', [Number.NaN, { x: Number.POSITIVE_INFINITY }], ['NaN', { x: 'Infinity' }]],
    ['a large integer', 12n, '12'],
    ['a function', [Math.abs], [String(Math.abs)]],
    ['a symbol', Symbol('odd'), 'Symbol(odd)'],
    ['what says itself how it is written', { toJSON: () => ({ x: Number.NaN }) }, { x: 'NaN' }],
    ['what its kind says so', Object.create({ toJSON: () => ({ x: Number.NaN }) }), { x: 'NaN' }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['what lies deep', deep(12, Number.NaN), deep(12, 'NaN')],
    ['what cannot say how it is written', { bad: { toJSON: fails }, good: 1 }, { bad: 'cannot be written: no', good: 1 }],
    ['a function that cannot', Object.assign(() => 1, { toJSON: fails }), 'cannot be written: no'],
  ])('%s', (_, value, text) => {
    expect(written(value)).toEqual(text);
  });

  test('a circle is written as far as it can be, and says where it could not', () => {
    expect(written(cycle)).toEqual({ fine: 1, self: expect.stringMatching(/^cannot be written: .*circular/) });
  });
});

test('an order that was not sent, or lapsed before it could be, is settled with no money moved', () => {
  const [late, unsent] = [orderFacts(1), orderFacts(2)];
  const { database } = JournalInMemory.of(
    ...[...permits(late), row('expired', { timeLeftMs: -1 }, { order: late, n: 3 })],
    ...[...permits(unsent), row('not_sent', { why: 'halted' }, { order: unsent, n: 4 })],
  );
  expect(database.prepare('SELECT state, settled_at, sent_at FROM orders').all()).toEqual([
    { state: 'expired', settled_at: '2026-11-21T03:00:03.000Z', sent_at: null },
    { state: 'not_sent', settled_at: '2026-11-21T03:00:04.000Z', sent_at: null },
  ]);
  expect(database.prepare('SELECT count(*) FROM ledger').pluck().get()).toBe(0);
});
