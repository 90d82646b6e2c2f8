import { expect, test } from 'vitest';
import { pointsTogether } from '../../web/report/series.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 1);
const lineOf = (t0: number, hours: number, steps: number) => ({
  ...{ t0, stepMs: (hours * HOUR) / steps },
  values: Array.from({ length: steps + 1 }, (_, n) => 100 + n / steps),
});
const timesOf = (lines: ReturnType<typeof pointsTogether>) => [...new Set(lines.flat().map(({ time }) => time))].sort((a, b) => a - b);

test('curves of different length have room by time: three hours beside ten days are as wide as three hours of them', () => {
  const lines = pointsTogether([lineOf(START, 3, 240), lineOf(START, 240, 240)]);
  const times = timesOf(lines);
  expect(new Set(times.slice(1).map((time, n) => time - (times[n] ?? 0)))).toEqual(new Set([3_600]));
  expect(lines.map(({ length }) => length)).toEqual([4, 241]);
  // Each has the value that stood at the time, and ends with its own.
  expect(lines[0]?.map(({ value }) => Math.round(value * 300) / 300)).toEqual([100, 100 + 1 / 3, 100 + 2 / 3, 101]);
  expect(lines[1]?.at(-1)).toEqual({ time: START / 1_000 + 240 * 3_600, value: 101 });
});

test('curves over the same time keep their values, and one that began later begins there', () => {
  for (const hours of [7, 3.37]) {
    const one = lineOf(START, hours, 240);
    expect(pointsTogether([one, one]).map((points) => points.map(({ value }) => value))).toEqual([one.values, one.values]);
  }
  const [, later = []] = pointsTogether([lineOf(START, 4, 240), lineOf(START + 2 * HOUR, 1.99, 240)]);
  expect([later[0], later.at(-1)]).toEqual([
    { time: START / 1_000 + 7_200, value: 100 },
    { time: START / 1_000 + 4 * 3_600 - 60, value: 101 },
  ]);
});

test('one that is shorter than a step is seen, from its first value to its last', () => {
  const [short] = pointsTogether([lineOf(START, 0.01, 240), lineOf(START, 240, 240)]);
  expect(short).toEqual([
    { time: START / 1_000, value: 100 },
    { time: START / 1_000 + 3_600, value: 101 },
  ]);
});
