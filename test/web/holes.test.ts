import { expect, test } from 'vitest';
import type { PriceData } from '#report/page/page-data.ts';
import { isSeen, withGaps } from '../../web/charts/gaps.ts';
import { slotsOf } from '../../web/charts/slots.ts';
import { barsOf } from '../../web/report/series.ts';

const MINUTE = 60_000;
const NIGHT = 16 * 60;
const START = Date.UTC(2026, 10, 2);
const barAt = (minute: number) => ({ at: START + minute * MINUTE, open: 1, high: 2, low: 1, close: 2 });
const minutes = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
const slotsAt = (at: readonly number[]) => slotsOf(at.map(barAt), MINUTE);
const holesIn = (slots: ReturnType<typeof slotsOf>) => slots.filter(({ bar }) => bar === null);

test('hours without quotes are a narrow hole between two bars, the same for a day and for a week', () => {
  for (const empty of [45 * 60, 7 * 24 * 60]) {
    const slots = slotsAt([...minutes(0, 300), ...minutes(300 + empty, 300)]);
    const [first, ...others] = holesIn(slots);
    expect([first?.at, others.length, others.at(-1)?.at]).toEqual([barAt(300).at, 3, barAt(300 + empty - 1).at]);
    expect(slots.map(({ at }) => at)).toEqual(slots.map(({ at }) => at).sort((a, b) => a - b));
  }
});

test('a market that closes each night is a chart of its days, and a hole is no wider than it was', () => {
  const year = Array.from({ length: 250 }, (_, day) => minutes(day * (NIGHT + 480), 20)).flat();
  const slots = slotsAt(year);
  expect(slots.length).toBeLessThanOrEqual(1.1 * year.length);
  expect(new Set(slots.filter((_, n) => slots[n + 1]?.bar === null).flatMap(({ bar }) => bar?.at ?? []))).toHaveProperty('size', 249);
  expect(holesIn(slotsAt([...minutes(0, 2_000), ...minutes(2_002, 2_000)]))).toEqual([]);
  expect(holesIn(slotsAt([...minutes(0, 2_000), ...minutes(2_003, 2_000)]))).toHaveLength(3);
});

test('quotes that come now and then have no holes, and a few bars none either', () => {
  const rare = minutes(0, 300).map((n) => 5 * n + (n % 4));
  expect(holesIn(slotsAt(rare))).toEqual([]);
  for (const few of [[], [0], [0, 90]]) expect(slotsAt(few)).toHaveLength(few.length);
});

test('no line goes through a hole, however far its values may be apart else', () => {
  const times = minutes(0, 12);
  const at = (time: number) => ({ time, value: time });
  const points = [at(0), at(3), at(8), at(11)];
  const line = withGaps(points, times, { reach: 9, holes: new Set([5, 6]) });
  expect(line.map((point) => [point.time, isSeen(point)])).toEqual([
    [0, true],
    [3, true],
    [4, false],
    [8, true],
    [11, true],
  ]);
});

test('a bar of a report opens where the one before closed, and after a time without quotes at a price of its own', () => {
  const closes = [100, 101, null, null, 90, 91];
  const last = { t0: START + MINUTE, stepMs: MINUTE, values: closes };
  const price = {
    ...{ product: 'btcusd', lane: 'btcusd@base:1', last, signals: [], refusals: [], refusalsLeftOut: 0, marks: [] },
    low: closes.map((one) => one && one - 1),
    high: closes.map((one) => one && one + 1),
  } satisfies PriceData;
  const { bars } = barsOf(price);
  expect(bars.map(({ at, open, low, high }) => [(at - START) / MINUTE, open, low, high])).toEqual([
    [0, 100, 99, 101],
    [1, 100, 100, 102],
    [4, 90, 89, 91],
    [5, 90, 90, 92],
  ]);
});
