import { expect, test, vi } from 'vitest';
import type { DecisionView } from '#server/page/past-view.ts';
import { Model } from '../../web/live/model.ts';

test('a page that slept through decisions shows the newest without a hole in the list: older ones are loaded on request', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const model = new Model();
  const hear = (...seqs: readonly number[]): readonly number[] => {
    for (const seq of seqs) model.decided({ seq } as DecisionView);
    return model.decisions.get().map((row) => row.seq);
  };
  expect(hear(7, 8, 9)).toEqual([9, 8, 7]);
  expect(hear(8, 9, 10), 'each is taken once').toEqual([10, 9, 8, 7]);
  expect(hear(50, 51)).toEqual([51, 50]);
});
