import { expect, test } from 'vitest';
import { ClockOffset } from '#adapters/service-client/clock/clock-offset.ts';

const DATE = Date.UTC(2026, 0, 1);

/** From and to of a bound, to the millisecond's hundredth. */
const edges = (bound: { readonly offsetMs: number; readonly halfWidthMs: number } | undefined): readonly number[] | undefined =>
  bound && [bound.offsetMs - bound.halfWidthMs - DATE, bound.offsetMs + bound.halfWidthMs - DATE].map((ms) => Math.round(ms * 100) / 100);

test('a date says that the second had begun when the answer came, and was not over when the request left', () => {
  const offset = new ClockOffset();
  expect(offset.newestMs).toBeUndefined();
  expect([offset.guess(0), offset.bound(0, 0)]).toEqual([undefined, undefined]);
  expect(offset.add({ sentMs: 1000, receivedMs: 1100, dateMs: DATE })).toBe(true);
  expect(offset.newestMs).toBe(1100);
  // A percent of the round trip, by which the clocks may part meanwhile, widens both.
  expect(edges(offset.guess(1100))).toEqual([-1101, 1]);
  // A second later by a percent and 200 ppm of it, to each side.
  expect(edges(offset.guess(2100))).toEqual([-1111.2, 11.2]);
});

test('a bound over a span is as wide as at its wider end', () => {
  const offset = new ClockOffset();
  offset.add({ sentMs: 1000, receivedMs: 1100, dateMs: DATE });
  expect(edges(offset.bound(1100, 2100))).toEqual([-1111.2, 11.2]);
});

test('samples bound the rate: between two that are ten minutes apart and agree to the millisecond the clocks go alike', () => {
  const offset = new ClockOffset();
  for (const at of [0, 999, 600_000, 600_999]) offset.add({ sentMs: at, receivedMs: at, dateMs: DATE + Math.floor(at / 1000) * 1000 });
  const [low = 0, high = 0] = edges(offset.guess(601_999)) ?? [];
  // At most 1 ms between edges of the second, 200 ppm of ten minutes of wandering, and what that leaves open of the rate.
  expect(high - low).toBeLessThan(3);
  expect(low).toBeLessThanOrEqual(0);
  expect(high).toBeGreaterThanOrEqual(0);
});

test('F58 a sample that no line joins with the others is told, and ten in a row must agree before anything is known', () => {
  const offset = new ClockOffset();
  offset.add({ sentMs: 0, receivedMs: 10, dateMs: DATE });
  expect(offset.isSplit).toBe(false);
  const add = (at: number) => offset.add({ sentMs: at, receivedMs: at + 10, dateMs: DATE + 30_000 + Math.floor(at / 1000) * 1000 });
  expect(add(1000)).toBe(false);
  expect([offset.isSplit, offset.bound(1010, 1010)]).toEqual([true, undefined]);
  // For aiming the next it is good enough.
  expect(edges(offset.guess(1010))?.[0]).toBeCloseTo(29_989.9, 1);
  for (let n = 2; n <= 9; n += 1) expect([add(n * 1000), offset.isSplit]).toEqual([true, true]);
  expect([add(10_000), offset.isSplit]).toEqual([true, false]);
  expect(offset.bound(10_010, 10_010)).toBeDefined();
});

test('F58 forgetting what contradicted does not end the doubt', () => {
  const offset = new ClockOffset();
  const add = (at: number, aheadMs: number) => offset.add({ sentMs: at, receivedMs: at, dateMs: DATE + at + aheadMs });
  add(0, 0);
  add(1000, 30_000);
  for (let n = 2; n <= 8; n += 1) add(n * 1000, 30_000);
  offset.reset();
  expect([offset.newestMs, offset.isSplit]).toEqual([undefined, true]);
  for (let n = 9; n <= 17; n += 1) expect([add(n * 1000, 30_000), offset.isSplit]).toEqual([true, true]);
  expect([add(18_000, 30_000), offset.isSplit]).toEqual([true, false]);
  offset.reset();
  expect([offset.newestMs, offset.isSplit, offset.guess(0)]).toEqual([undefined, false, undefined]);
});

test('two dates of one instant agree only where their seconds overlap', () => {
  const dates = (second: number): boolean => {
    const offset = new ClockOffset();
    offset.add({ sentMs: 0, receivedMs: 0, dateMs: DATE });
    return offset.add({ sentMs: 0, receivedMs: 0, dateMs: DATE + second });
  };
  expect([dates(0), dates(1000), dates(1001), dates(-1001)]).toEqual([true, true, false, false]);
});

test('a sample counts for a quarter of an hour, and thirty of them at a time', () => {
  const offset = new ClockOffset();
  const QUARTER = 15 * 60_000;
  // Half a second of the first is cut off by the second; when the first is too old, the second alone is left.
  offset.add({ sentMs: 0, receivedMs: 0, dateMs: DATE - 500 });
  offset.add({ sentMs: 1, receivedMs: 1, dateMs: DATE });
  const narrow = edges(offset.guess(1)) ?? [];
  expect((narrow[1] ?? 0) - (narrow[0] ?? 0)).toBeCloseTo(500, -1);
  // By then a rate of a percent has opened nine seconds to each side: a date five seconds off agrees with what is left, or with nothing.
  expect(offset.add({ sentMs: QUARTER, receivedMs: QUARTER, dateMs: DATE + QUARTER })).toBe(true);
  // What counts of the past bounds the rate, and so the minute that follows.
  const minuteAfter = (...times: readonly number[]) => {
    const one = new ClockOffset();
    for (const at of times) one.add({ sentMs: at, receivedMs: at, dateMs: DATE + at });
    return one.guess(QUARTER + 60_000);
  };
  expect(minuteAfter(0, QUARTER)).toEqual(minuteAfter(QUARTER));
  expect(minuteAfter(1, QUARTER)?.halfWidthMs).toBeLessThan(minuteAfter(QUARTER)?.halfWidthMs ?? 0);
});

/** From and to of what every rate leaves possible that any of many is. */
function byTrial(dates: readonly (readonly [at: number, date: number])[], atMs: number): readonly number[] {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let rate = -0.01; rate <= 0.01; rate += 0.000_002) {
    const lows = dates.map(([at, date]) => date - at - 0.0002 * (atMs - at) + rate * (atMs - at));
    const highs = dates.map(([at, date]) => date + 1000 - at + 0.0002 * (atMs - at) + rate * (atMs - at));
    const [low, high] = [Math.max(...lows), Math.min(...highs)];
    if (low > high) continue;
    [from, to] = [Math.min(from, low), Math.max(to, high)];
  }
  return [from - DATE, to - DATE];
}

test.each<[string, rate: number, times: readonly number[]]>([
  ['that goes fast', 0.004, [0, 40_300, 90_700, 151_200]],
  ['that goes slow', -0.006, [0, 30_100, 120_900, 200_400]],
  ['that goes like ours', 0, [0, 70_250, 140_600, 260_900, 300_050]],
])('the bound of a clock %s is the one that trying all rates finds, and the clock is within', (_, rate, times) => {
  const offset = new ClockOffset();
  const clockAt = (at: number): number => DATE + 400 + at * (1 + rate);
  const dates = times.map((at): readonly [number, number] => [at, Math.floor(clockAt(at) / 1000) * 1000]);
  for (const [at, dateMs] of dates) expect(offset.add({ sentMs: at, receivedMs: at, dateMs })).toBe(true);
  const now = (times.at(-1) ?? 0) + 5000;
  const [low = 0, high = 0] = edges(offset.guess(now)) ?? [];
  const [from = 0, to = 0] = byTrial(dates, now);
  expect([low - from, high - to].map(Math.abs)).toEqual([expect.closeTo(0, 0), expect.closeTo(0, 0)]);
  const is = clockAt(now) - now - DATE;
  expect(is).toBeGreaterThanOrEqual(low);
  expect(is).toBeLessThanOrEqual(high);
});
