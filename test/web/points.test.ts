import { describe, expect, test } from 'vitest';
import { isSeen, onBars, withGaps } from '../../web/charts/gaps.ts';
import { bySecond, evenly, fallsOf } from '../../web/charts/points.ts';
import { LiveSeries } from '../../web/live/live-series.ts';

describe('points of a chart', () => {
  test('one a second, the last of each, and none that goes back in time', () => {
    const points = [
      { at: 1_000, value: 1 },
      { at: 1_900, value: 2 },
      { at: 3_000, value: 3 },
      { at: 2_500, value: 4 },
    ];
    expect(bySecond(points)).toEqual([
      { time: 1, value: 2 },
      { time: 3, value: 3 },
    ]);
  });

  test('falls are measured from the best before, in percent', () => {
    const points = [100, 110, 99, 110, 121].map((value, time) => ({ time, value }));
    expect(fallsOf(points).map(({ value }) => Math.round(value * 1e6) / 1e6)).toEqual([0, 0, -10, 0, 0]);
  });

  test('what a page saw pass goes on where a history ends, and what cannot be said is left out', () => {
    const grown = new LiveSeries();
    grown.add('price', 1_000, 1);
    grown.add('price', 2_000, null);
    grown.add('price', 2_100, 2);
    grown.add('price', 2_900, 3);
    grown.add('price', 1_500, 9);
    grown.add('price', 4_000, 4);
    expect(grown.after('price', [{ time: 1, value: 7 }])).toEqual([
      { time: 1, value: 7 },
      { time: 2, value: 3 },
      { time: 4, value: 4 },
    ]);
    expect(grown.after('none', [])).toEqual([]);
  });

  test('it keeps half an hour and no more, however long the page is open', () => {
    const grown = new LiveSeries();
    for (let second = 0; second < 5_000; second++) grown.add('price', second * 1_000, second);
    const kept = grown.after('price', []);
    expect([kept.length, kept[0]?.time, kept.at(-1)?.time]).toEqual([1_800, 3_200, 4_999]);
  });
});

test('a line of signals joins those alone that follow each other; a lone value stands until the next time of the chart', () => {
  const times = [0, 10, 20, 30, 40, 50, 60];
  const at = (time: number) => ({ time, value: time + 1 });
  const line = withGaps([at(0), at(10), at(15), at(40), at(60)], times);
  expect(line.filter(isSeen)).toEqual([at(0), at(10), at(40), at(60)]);
  expect(line.filter((point) => !isSeen(point)).map(({ time, value }) => [time, value])).toEqual([
    [20, 11],
    [50, 41],
  ]);
  const joined = withGaps([at(0), at(20), at(60)], times, { reach: 2 });
  expect(joined.map((point) => [point.time, isSeen(point)])).toEqual([
    [0, true],
    [20, true],
    [30, false],
    [60, true],
  ]);
  const within = [
    { at: 1_000, value: 1 },
    { at: 9_000, value: 2 },
    { at: 31_000, value: 3 },
  ];
  expect(onBars(within, 10_000)).toEqual([
    { time: 0, value: 2 },
    { time: 30, value: 3 },
  ]);
});

test('equity of two runs has room by time, however many points each has', () => {
  const past = Array.from({ length: 10 }, (_, n) => ({ time: n * 60, value: n }));
  const present = Array.from({ length: 600 }, (_, n) => ({ time: 600 + n, value: 10 }));
  const shown = evenly([...past, ...present], 20);
  expect([shown.filter(({ time }) => time < 600).length, shown.filter(({ time }) => time >= 600).length]).toEqual([10, 10]);
  expect(shown.at(-1)).toEqual(present.at(-1));
  expect(evenly(past, 600)).toEqual(past);
});
