import { expect, test } from 'vitest';
import { Cadence, standingFrom } from '#domain/freshness.ts';

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

test('quotes of a product are of the past five seconds before the newest one of its lanes', () => {
  expect(standingFrom([{ at: 7_000 }, { at: 20_000 }, { at: 9_000 }])).toBe(15_000);
  expect(standingFrom([])).toBe(Number.NEGATIVE_INFINITY);
});
