import { expect, test } from 'vitest';
import type { DecisionView } from '#server/page/past-view.ts';
import { collapsed } from '../../web/words/repeats.ts';

const OF: DecisionView = {
  ...{ seq: 0, run: 'r', at: '2026-04-06T10:00:00.000Z', kind: 'refused', strategy: 'a', product: 'btcusd', reason: 'MAX_SPREAD' },
  ...{ meaning: null, order: null, words: 'buy 0.01: dip | spread 0.3 % over 0.2 %', fill: null, closed: null },
};

/** Rows of the journal in the order of its numbers. */
const told = (...rows: readonly Partial<DecisionView>[]) =>
  collapsed(rows.map((row, seq) => ({ ...OF, seq, ...row })).toReversed()).map(({ row, times, first }) => [row.seq, times, first.seq]);

test('what a strategy says again, with other figures and others between, is one row with its count', () => {
  const again = { words: 'buy 0.01: dip | spread 0.4 % over 0.2 % | 5 times' };
  expect(told({}, { strategy: 'b' }, again, {})).toEqual([
    [3, 7, 0],
    [1, 1, 1],
  ]);
});

test.each<[string, Partial<DecisionView>]>([
  ['another reason', { reason: 'MAX_FEE' }],
  ['another wish', { words: 'sell 0.01: up | spread 0.3 % over 0.2 %' }],
  ['an order', { kind: 'accepted', order: '7-1' }],
])('%s between them parts them', (_what, other) => expect(told({}, other, {})).toHaveLength(3));

test('what was booked, and each step of an order, stays a row of its own', () => {
  for (const row of [{ kind: 'booked' }, { order: '7-1' }]) expect(told(row, row)).toHaveLength(2);
});
