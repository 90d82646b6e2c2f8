import { expect, test } from 'vitest';
import { happened } from '#daemon/page/price-history.ts';

const pagesOf = (...signals: readonly Readonly<Record<string, number>>[]) => {
  const rows = signals.map((named, n) => ({
    ...{ seq: n + 1, at: `2026-01-05T00:00:0${n}.000Z`, inbox_seq: n, run_id: 'run', kind: 'hold', strategy: 'brk', product: 'btcusd' },
    ...{ reason: 'HOLD', quote_id: null, order_id: null, detail: JSON.stringify({ why: 'test', signals: named }), prev_hash: '', hash: '' },
  }));
  return { before: () => rows.toReversed(), end: () => rows.length, endAt: () => rows.length };
};
const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

test('a strategy whose last operator observes has one line on the live chart, not two', () => {
  const same = happened(pagesOf({ streak: 1, signal: 1 }, { streak: 2, signal: 2 }), 'brk', always);
  expect(Object.entries(same.signals).map(([name, points]) => [name, points.length])).toEqual([['streak', 2]]);
  const apart = happened(pagesOf({ streak: 1, signal: 1 }, { streak: 2, signal: 3 }), 'brk', always);
  expect(Object.keys(apart.signals)).toEqual(['streak', 'signal']);
});
