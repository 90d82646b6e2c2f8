import { describe, expect, test } from 'vitest';
import { measuredOrders } from '#adapters/journal/measured-orders.ts';
import { buy, strategy } from '#core/strategy/index.ts';
import type { Decision } from '#domain/decision.ts';
import { rigsOfTests } from '../../support/rigs.ts';
import { JournalInMemory } from './in-memory.ts';
import { openFiles } from './open-files.ts';
import { accepted, orderFacts, permits, RUN, rejected, row, START, sent, unknown } from './rows.ts';

const NEXT = 'the next run';
const newRig = rigsOfTests();

test('orders that reached the gate are measured, by what the service itself said', () => {
  const eager = strategy({ name: 'eager', signals: ({ quotes$ }) => quotes$, decide: (_quote, { amount }) => buy(amount, 'always') });
  const rig = newRig({ strategies: { one: eager }, limits: { maxUnknown: null } });
  const order = () => {
    rig.price(60_000, { afterMs: 400 });
    return rig.last;
  };
  const written = (one: ReturnType<typeof order>) => {
    rig.moveBy(4);
    rig.report(one, { type: 'written', timeLeftMs: 2900, signatureAgeMs: 0, at: rig.clock.now() });
    rig.moveBy(30);
  };
  const answered = { type: 'answered', httpStatus: 201, body: '{}', roundTripMs: 30, figures: {}, late: false, why: '' } as const;
  const expired = order();
  rig.moveBy(7);
  rig.report(expired, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 20 });
  const accepted = order();
  written(accepted);
  rig.report(accepted, { ...answered, outcome: 'accepted', reason: 'HTTP_OK' });
  const refused = order();
  written(refused);
  rig.report(refused, { ...answered, outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, body: 'no' });
  const lost = order();
  written(lost);
  rig.report(lost, { ...answered, outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
  rig.journal.flush();

  const rows = measuredOrders(rig.path, null);
  expect(rows.map(({ quoteId, strategy, side, intentAt, body, ...row }) => row)).toEqual([
    { outcome: 'expired', gateMs: 7, roundTripMs: null, httpStatus: null, late: false },
    { outcome: 'accepted', gateMs: 4, roundTripMs: 30, httpStatus: 201, late: false },
    { outcome: 'rejected', gateMs: 4, roundTripMs: 30, httpStatus: 422, late: false },
    { outcome: 'unknown', gateMs: 4, roundTripMs: null, httpStatus: null, late: false },
  ]);
  expect(new Set(rows.map(({ strategy, side }) => `${strategy} ${side}`))).toEqual(new Set(['one buy']));
  expect(rows.map(({ quoteId }) => quoteId)).toEqual([expired, accepted, refused, lost].map(({ quoteId }) => quoteId));
  expect(measuredOrders(rig.path, 'another-run')).toEqual([]);
});

describe('an order is measured by what the journal has of it', () => {
  const order = orderFacts(1);
  const answered = (second: number): Decision => ({ ...accepted(order), at: START + second * 1000 });
  const says = row('resolved', { who: 'ann', why: 'seen', as: 'rejected', fill: null }, { order, n: 600 });
  const measured = (...outcomes: readonly Decision[]) =>
    measuredOrders(JournalInMemory.of(...permits(order), sent(order), ...outcomes).kept(), null)[0];

  test.each([
    [
      'an answer while the quote stands',
      [answered(4)],
      { outcome: 'accepted', roundTripMs: 2995, late: false, body: '{"status":"FILLED"}' },
    ],
    ['an answer after it has expired', [answered(4.001)], { outcome: 'accepted', roundTripMs: 2996, late: true }],
    ['no answer', [unknown(order)], { outcome: 'unknown', roundTripMs: null, late: false, body: '' }],
    ['an unknown outcome that a person settled', [unknown(order), says], { outcome: 'rejected', roundTripMs: null, httpStatus: null }],
    ['the answer that came behind a person, not the person', [says, { ...rejected(order), at: START + 601_000 }], { roundTripMs: 599_995 }],
    ['an answer that was not kept', [], undefined],
  ])('%s', (_, outcomes, found) => {
    if (found === undefined) expect(measured(...outcomes)).toBeUndefined();
    else expect(measured(...outcomes)).toMatchObject(found);
  });

  test('of one run, or of all whose decisions are at hand', () => {
    const journal = JournalInMemory.of(...permits(order), sent(order), accepted(order)).begin(NEXT);
    const next = orderFacts(5);
    const path = journal.add(...permits(next), sent(next), accepted(next)).kept();
    const quotes = (run: string | null) => measuredOrders(path, run).map(({ quoteId }) => quoteId);
    expect([quotes(null), quotes(RUN), quotes(NEXT)]).toEqual([[order.quoteId, next.quoteId], [order.quoteId], [next.quoteId]]);
    const moved = journal.archived(RUN).kept();
    expect(() => measuredOrders(moved, RUN)).toThrow(/in the archive/);
    expect(measuredOrders(moved, null)).toHaveLength(2);
    expect(openFiles().filter((file) => file === path || file === moved)).toEqual([]);
  });
});
