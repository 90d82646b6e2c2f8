import { expect, test } from 'vitest';
import { changeOf } from '#server/page/changes.ts';
import { changed } from '../../web/live/changed.ts';

const VALUES: readonly unknown[] = [
  { a: 1, list: [{ b: 1 }, { b: 2 }], gone: null },
  { a: 1, list: [{ b: 1 }, { b: 3 }], come: { deep: [] } },
  { a: [1, 2], list: [], come: { deep: [[1], []] } },
  { a: { 0: 1, 1: 2 }, list: null },
  { a: [2, 1, 3], list: [null] },
  [],
  'text',
];

test('what has changed makes each value from each other one, and is told alone', () => {
  for (const before of VALUES) {
    for (const after of VALUES) {
      const change = changeOf(before, after);
      expect(change === undefined ? before : changed(before, change)).toEqual(after);
      expect(change === undefined).toBe(before === after);
    }
  }
  expect(changeOf(VALUES[0], VALUES[1])).toEqual({ gone: [], list: { 1: { b: [3] } }, come: [{ deep: [] }] });
});
