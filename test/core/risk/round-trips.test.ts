import { expect, test } from 'vitest';
import { RoundTrips } from '#core/risk/service-state.ts';

/** The 99th percentile as it is defined, of answers not older than ten minutes, of which the last hundred count. */
function p99(answers: readonly { readonly at: number; readonly ms: number }[], now: number): number {
  const kept = answers.slice(-100).filter(({ at }) => now - at <= 600_000);
  const sorted = kept.map(({ ms }) => ms).sort((a, b) => b - a);
  return Math.ceil((kept.length < 100 ? sorted[0] : sorted[1]) ?? 0);
}

test('the time that a quote must have left covers the slowest of the last hundred answers but one, of ten minutes', () => {
  const trips = new RoundTrips();
  const answers: { readonly at: number; readonly ms: number }[] = [];
  expect(trips.p99(0)).toBe(0);
  for (let index = 0; index < 400; index++) {
    // Slow ones now and then, equal ones often, and a long pause in which all but the last few are forgotten.
    const at = index * 1_000 + (index >= 300 ? 580_000 : 0);
    const ms = index % 37 === 0 ? 900.5 - index : index % 5;
    trips.add(at, ms);
    answers.push({ at, ms });
    expect(trips.p99(at), `answer ${index}`).toBe(p99(answers, at));
  }
  const last = 399 * 1_000 + 580_000;
  expect(trips.p99(last + 600_001)).toBe(0);
  expect(trips.standsUntil(last + 600_001)).toBeUndefined();
});

test('a percentile stands until its answer is ten minutes old', () => {
  const trips = new RoundTrips();
  for (const [at, ms] of [
    [1_000, 5],
    [2_000, 2_500],
    [3_000, 40],
  ] as const)
    trips.add(at, ms);
  expect([trips.p99(3_000), trips.standsUntil(3_000)]).toEqual([2_500, 602_000]);
  trips.add(4_000, 2_500);
  expect(trips.standsUntil(4_000), 'of equal ones the newest').toBe(604_000);
  // Of a hundred the second longest counts.
  for (let at = 10_000; at < 110_000; at += 1_000) trips.add(at, at === 50_000 ? 900 : at === 40_000 ? 300 : 1);
  expect([trips.p99(109_000), trips.standsUntil(109_000)]).toEqual([300, 640_000]);
  trips.add(110_000, 300);
  expect(trips.standsUntil(110_000)).toBe(710_000);
});
