import { expect, test } from 'vitest';
import { axisLabels } from '../../web/charts/bars.ts';
import { edgeOf, thinnedMarks } from '../../web/charts/thinned.ts';
import { barsOf, serves, windowAround } from '../../web/charts/window.ts';

const buyAt = (at: number) => ({ at, price: 100 + at / 1000, side: 'buy' as const });

test('fills that would lie over each other are one mark, each side by itself; zoomed in each stands alone', () => {
  const marks = [buyAt(0), { ...buyAt(1_000), side: 'sell' as const }, buyAt(10_000), buyAt(60_000)];
  const counts = (msPerPx: number) => thinnedMarks(marks, msPerPx).map(({ side, members }) => [side, members.length]);
  expect(counts(1_000)).toEqual([
    ['buy', 2],
    ['sell', 1],
    ['buy', 1],
  ]);
  expect(counts(10)).toHaveLength(4);
  expect(thinnedMarks(marks, 1_000)[0]).toMatchObject({ at: 5_000, price: 105 });
});

test('a mark stands beyond the bars of its fills: below what was bought, above what was sold', () => {
  const barAt = (at: number) => ({ low: 90 + at / 1000, high: 120 + at / 1000 });
  const [bought] = thinnedMarks([buyAt(0), buyAt(10_000)], 1_000);
  if (bought === undefined) throw new Error('two are one');
  expect(edgeOf(bought, barAt)).toBe(90);
  expect(edgeOf({ ...bought, side: 'sell' }, barAt)).toBe(130);
  expect(edgeOf(bought, () => undefined)).toBe(100);
});

test('no label of an axis lies half under a price that is marked there', () => {
  const labels = axisLabels([130, 120, 110, 100], { marked: [118, 101], near: 5, text: String });
  expect(labels).toEqual(['130', '', '110', '']);
  expect(axisLabels([130, 120], { marked: [126], near: 3, text: String })).toEqual(['130', '120']);
});

test('what is asked for has room to both sides, nothing of the time to come, and no more than the daemon answers for', () => {
  expect(windowAround({ from: 1_000, to: 2_000 }, 10_000)).toEqual({ from: 0, to: 3_000 });
  expect(windowAround({ from: 1_000, to: 2_000 }, 2_500)).toEqual({ from: 0, to: 2_500 });
  const day = 86_400_000;
  const { from, to } = windowAround({ from: 0, to: 100 * day }, 200 * day);
  expect(to - from).toBe(30 * day);
});

test.each([
  ['in the middle of it, with bars that fit', { from: 400_000, to: 500_000 }, true],
  ['near its begin', { from: 5_000, to: 100_000 }, false],
  ['beyond its end, which is long past', { from: 950_000, to: 1_050_000 }, false],
  ['zoomed in until few bars are left', { from: 500_000, to: 505_000 }, false],
  ['zoomed out until the bars touch', { from: 160_000, to: 850_000 }, false],
])('what was loaded serves what is in sight: %s', (_, seen, expected) => {
  const loaded = { from: 0, to: 1_000_000, stepMs: 2_000 };
  expect(serves(loaded, seen, { nowMs: 5_000_000, bars: 100 })).toBe(expected);
});

test.each([
  ['five minutes on a large screen, which has room for bars of two seconds', 300_000, 240, 60],
  ['an hour on it', 3_600_000, 240, 240],
  ['five minutes on a phone', 300_000, 40, 40],
  ['a minute, of which there are too few candles', 60_000, 240, 240],
])('a wide chart keeps its candles: %s', (_, spanMs, fitting, expected) => {
  expect(barsOf({ from: 0, to: spanMs }, fitting)).toBe(expected);
});
