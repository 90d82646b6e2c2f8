import { expect, test } from 'vitest';
import type { ManualPart } from '#domain/manual-request.ts';
import { describeDecision } from '#report/decision-words.ts';
import { manualEnd } from '../../web/words/manual-end.ts';
import { row } from '../adapters/journal/rows.ts';

const part = (state: ManualPart['state'], ...orders: readonly string[]): ManualPart => ({
  ...{ book: 's', product: 'btcusd', wants: 'close', held: '1', left: '1', reason: null, why: null, state },
  orders: orders.map((one) => ({ orderId: '7-1', side: 'sell', price: 1, size: 1, quoteAgeMs: 1, state: one })),
});

test.each<[string, readonly ManualPart[], boolean, string]>([
  ['all of it', [part('done', 'accepted'), part('done')], true, 'Done.'],
  ['an order that was refused', [part('refused')], false, 'Nothing of it was done.'],
  ['an order that the service rejected', [part('open', 'rejected')], false, 'Nothing of it was done.'],
  ['one book of two', [part('done', 'accepted'), part('open')], false, 'Not all of it was done.'],
  ['a share of a book', [part('open', 'accepted', 'rejected')], false, 'Not all of it was done.'],
])('what came of a request by hand: %s', (_what, parts, isGood, says) => {
  expect(manualEnd({ ended: true, parts })).toEqual({ isGood, says });
  expect(manualEnd({ ended: false, parts })).toBeNull();
});

test('what is left of an ended request is not called open in the decisions', () => {
  const end = row('by_hand_end', { id: '1', act: 'close', refused: null, parts: [part('open')] });
  expect(describeDecision(end)).toBe('close: s btcusd close: not finished, 1 held');
});
