import { expect, test } from 'vitest';
import { Cadence, standingFrom } from '#domain/freshness.ts';
import { seeded } from '#domain/seeded.ts';

function silenceOf(...pauses: readonly number[]): number {
  const cadence = new Cadence();
  for (const ms of pauses) cadence.add(ms);
  return cadence.silenceMs;
}

test('a silence is 2 s where quotes come twice a second, or nothing is known of them', () => {
  expect(silenceOf()).toBe(2_000);
  expect(silenceOf(...new Array<number>(100).fill(500))).toBe(2_000);
  expect(silenceOf(60_000, 60_000)).toBe(2_000);
});

test('where quotes come less often it is thrice the pause that half of all stay below, whatever a night does', () => {
  for (const usual of [1_500, 10_000, 60_000, 86_400_000]) {
    const silence = silenceOf(...new Array<number>(100).fill(usual), 0, 0, 3 * 86_400_000);
    expect(silence).toBeGreaterThan(2 * usual);
    expect(silence).toBeLessThanOrEqual(6 * usual);
  }
});

test('a rare silence is rarer than one in a hundred pauses, also of ticks that come by chance', () => {
  const random = seeded('ticks');
  const pauses = Array.from({ length: 20_000 }, () => -3_000 * Math.log(1 - random.next()));
  const cadence = new Cadence();
  for (const ms of pauses) cadence.add(ms);
  const over = (limit: number) => pauses.filter((ms) => ms > limit).length / pauses.length;
  expect(over(cadence.rareMs)).toBeLessThan(0.01);
  // What only comes at its own pace is longer than thrice the median more often.
  expect(over(cadence.silenceMs)).toBeGreaterThan(0.01);
});

test('quotes of a product are of the past five seconds before the newest one of its lanes', () => {
  expect(standingFrom([{ at: 7_000 }, { at: 20_000 }, { at: 9_000 }])).toBe(15_000);
  expect(standingFrom([])).toBe(Number.NEGATIVE_INFINITY);
});
