import { describe, expect, test } from 'vitest';
import {
  bookedAfter,
  countsBetween,
  endsOf,
  entryBefore,
  fillsBetween,
  fingerprint,
  ordersOf,
  runRows,
  runSpans,
  whysOf,
} from '#adapters/journal/booked.ts';
import type { DecisionDetails } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, fillOf, orderFacts, permits, RUN, rejected, row, START } from './rows.ts';

const NEXT = 'the next run';
const at = (second: number) => START + second * 1000;
const filled = (n: number, product = 'btcusd') => {
  const order = orderFacts(n, { product });
  return [...permits(order), accepted(order)];
};
const booked = (amount: string, n: number) => {
  const entry = { kind: 'deposit', book: 'treasury', currency: 'USD', amount } as const;
  return row('booked', { who: 'ann', why: 'paid in', entries: [entry] } satisfies DecisionDetails['booked'], { n });
};

/** An execution of three entries at second 2, a deposit at 5, and an execution of the next run at 8. */
const twoRuns = () =>
  JournalInMemory.of(...filled(1, 'BTCUSD'), booked('100', 5))
    .begin(NEXT)
    .add(...filled(7));

describe('what was booked after an entry', () => {
  test('has the entries, in small letters, and the executions in them', () => {
    const { fills, ledger } = bookedAfter(twoRuns().database, 0);
    expect(ledger.map(({ entry_id, product, currency, amount }) => [entry_id, product, currency, amount])).toEqual([
      [1, 'btcusd', 'btc', '0.01'],
      [2, 'btcusd', 'usd', '-610.005'],
      [3, 'btcusd', 'usd', '-0.610005'],
      [4, null, 'usd', '100'],
      [5, 'btcusd', 'btc', '0.01'],
      [6, 'btcusd', 'usd', '-610.005'],
      [7, 'btcusd', 'usd', '-0.610005'],
    ]);
    expect(fills).toEqual([
      { orderId: '1-1', strategy: 'sma', product: 'BTCUSD', at: at(2), fill: fillOf(orderFacts(1)) },
      { orderId: '7-1', strategy: 'sma', product: 'btcusd', at: at(8), fill: fillOf(orderFacts(7)) },
    ]);
  });

  test.each([
    ['up to a limit', 0, { limit: 4 }, [1, 2, 3, 4], ['1-1']],
    ['a limit of one takes one', 0, { limit: 1 }, [1], ['1-1']],
    ['an execution counts where its first entry is', 1, {}, [2, 3, 4, 5, 6, 7], ['7-1']],
    ['of one run, as long as it went', 0, { run: RUN }, [1, 2, 3, 4], ['1-1']],
    ['of the next run', 4, { run: NEXT }, [5, 6, 7], ['7-1']],
    ['of a run that has nothing there', 0, { run: NEXT }, [], []],
    ['behind the end there is nothing', 7, {}, [], []],
  ])('%s', (_, entry, query, entries, orders) => {
    const { fills, ledger } = bookedAfter(twoRuns().database, entry, query);
    expect([ledger.map(({ entry_id }) => entry_id), fills.map(({ orderId }) => orderId)]).toEqual([entries, orders]);
  });
});

test.each([
  [0, 0],
  [2, 0],
  [2.001, 3],
  [5, 3],
  [5.001, 4],
  [8, 4],
  [9, 7],
  [Number.MAX_SAFE_INTEGER, 7],
])('before second %d stand %i entries', (second, entry) => {
  expect(entryBefore(twoRuns().database, Math.min(at(second), Number.MAX_SAFE_INTEGER))).toBe(entry);
});

test('a search for a time goes on where a number has no entry', () => {
  const { database } = twoRuns();
  database.exec('DELETE FROM ledger WHERE entry_id IN (1, 2, 3, 6)');
  expect([2, 6, 9].map((second) => entryBefore(database, at(second)))).toEqual([0, 4, 7]);
  expect(entryBefore(JournalInMemory.empty().database, at(1))).toBe(0);
});

test('executions of a stretch of time have the first instant of it, and not the last', () => {
  const { database } = twoRuns();
  const ids = (from: number, to: number) => fillsBetween(database, { from: at(from), to: at(to) }).map(({ orderId }) => orderId);
  expect([ids(2, 8), ids(2, 8.001), ids(2.001, 9), ids(3, 8)]).toEqual([['1-1'], ['1-1', '7-1'], ['7-1'], []]);
});

test('what each run has is counted between two ends of the journal', () => {
  const journal = JournalInMemory.of(...filled(1), ...permits(orderFacts(2)), rejected(orderFacts(2)));
  const first = endsOf(journal.database);
  expect(first).toEqual({ entry: 3, seq: 6, order: 2 });
  journal.begin(NEXT).add(...filled(3), ...filled(4), ...permits(orderFacts(5)));
  const last = endsOf(journal.database);
  const counts = (from: typeof first, to: typeof first) =>
    countsBetween(journal.database, from, to).filter((row) => Object.values(row).some((count) => count !== 0));
  expect(counts(first, last)).toEqual([
    { run: NEXT, decisions: 8, orders: 0, accepted: 0 },
    { run: NEXT, decisions: 0, orders: 3, accepted: 0 },
    { run: NEXT, decisions: 0, orders: 0, accepted: 2 },
  ]);
  const none = endsOf(JournalInMemory.empty().database);
  expect(none).toEqual({ entry: 0, seq: 0, order: 0 });
  expect(counts(none, first)).toEqual([
    { run: RUN, decisions: 6, orders: 0, accepted: 0 },
    { run: RUN, decisions: 0, orders: 2, accepted: 0 },
    { run: RUN, decisions: 0, orders: 0, accepted: 1 },
  ]);
});

test('a journal is told from another one, and from an older copy of it', () => {
  const { database } = twoRuns();
  const told = fingerprint(database, 4);
  expect(fingerprint(twoRuns().database, 4)).toBe(told);
  const later = JournalInMemory.empty().begin(RUN, { started_at: isoTime(at(1)) });
  const others: readonly [string, JournalInMemory, number][] = [
    ['another last entry', twoRuns(), 3],
    ['none there yet', JournalInMemory.of(...filled(1)), 4],
    ['another amount there', JournalInMemory.of(...filled(1, 'BTCUSD'), booked('101', 5)), 4],
    ['another first run', later.add(...filled(1, 'BTCUSD'), booked('100', 5)), 4],
  ];
  for (const [what, other, entry] of others) expect(fingerprint(other.database, entry), what).not.toBe(told);
  expect(JSON.parse(fingerprint(JournalInMemory.empty().database, 0))).toEqual([null, null]);
});

test('why an order was wanted is what its intent says, and nothing where no row knows it', () => {
  const whyOf = whysOf(twoRuns().database);
  expect([whyOf('1-1'), whyOf('99-1')]).toEqual(['fast above slow', '']);
});

test('a run that never said how it ended crashed with its last decision, or as it began', () => {
  const { database } = JournalInMemory.of(booked('1', 9)).begin(NEXT).begin('a third');
  expect(runRows(database).map(({ end_state, ended_at }) => [end_state, ended_at])).toEqual([
    ['crashed', isoTime(at(9))],
    ['crashed', isoTime(START)],
    [null, null],
  ]);
});

test('runs are listed oldest first, with their ends and the states of their orders', () => {
  const journal = JournalInMemory.of(...filled(1), ...filled(2), ...permits(orderFacts(3)))
    .end('stopped', 9)
    .begin(NEXT)
    .add(...filled(4));
  expect(ordersOf(journal.database, RUN)).toEqual([
    { state: 'accepted', count: 2 },
    { state: 'intent', count: 1 },
  ]);
  const began = isoTime(START);
  expect(runSpans(journal.database)).toEqual([
    { run_id: RUN, started_at: began, ended_at: isoTime(at(9)) },
    { run_id: NEXT, started_at: began, ended_at: null },
  ]);
  expect(runRows(journal.database).map(({ run_id, end_state }) => [run_id, end_state])).toEqual([
    [RUN, 'stopped'],
    [NEXT, null],
  ]);
});
