import { describe, expect, test } from 'vitest';
import { seeded } from '#domain/seeded.ts';
import { overfitting } from '#research/search/cscv.ts';
import { gaussian } from '#research/search/normal.ts';
import { plateauOf } from '#research/search/plateau.ts';
import { superiorAbility } from '#research/search/spa.ts';
import { range } from './problems.ts';

/** Daily returns of settings without skill but for the first one, whose mean is so many standard deviations. */
function series(
  seed: string,
  { settings, days, skill = 0 }: { readonly settings: number; readonly days: number; readonly skill?: number },
): number[][] {
  const random = seeded(seed);
  return Array.from({ length: settings }, (_, n) => Array.from({ length: days }, () => 0.01 * (gaussian(random) + (n === 0 ? skill : 0))));
}

const SEEDS = Array.from({ length: 100 }, (_, n) => `s${n}`);

describe("Hansen's test of superior predictive ability", () => {
  const pValue = (returns: number[][], seed: string): number => superiorAbility(returns, seed)?.pValue ?? Number.NaN;

  test('of noise at most one in twenty has a p-value of 5 %, give or take what 200 seeds allow; skill is found', () => {
    const noise = SEEDS.map((seed) => pValue(series(seed, { settings: 10, days: 60 }), seed));
    // At a rate of 9 % fewer than 1 in 100 such tests would see 17.
    expect(noise.filter((p) => p <= 0.05).length).toBeLessThan(17);
    const half = noise.filter((p) => p <= 0.5).length;
    expect(half).toBeGreaterThan(35);
    expect(half).toBeLessThan(65);
    const skilled = SEEDS.slice(0, 20).map((seed) => pValue(series(seed, { settings: 10, days: 60, skill: 0.7 }), seed));
    expect(skilled.filter((p) => p <= 0.05).length).toBeGreaterThan(17);
  });

  test('hopeless settings beside a good one change nothing, and neither do copies', () => {
    const good = series('a', { settings: 5, days: 100, skill: 0.3 });
    const alone = pValue(good, 's');
    const hopeless = series('b', { settings: 30, days: 100 }).map((one) => one.map((r) => r - 0.05));
    expect(Math.abs(pValue([...good, ...hopeless], 's') - alone)).toBeLessThan(0.02);
    expect(pValue([...good, ...good], 's')).toBe(alone);
    expect(superiorAbility([[0, 0, 0]], 's')).toBeUndefined();
  });
});

describe('the probability of backtest overfitting', () => {
  test('is even for noise and none for a setting that is better throughout', () => {
    const noise = SEEDS.slice(0, 20).map((seed) => overfitting(series(seed, { settings: 20, days: 160 }))?.probability ?? Number.NaN);
    const mean = noise.reduce((sum, one) => sum + one, 0) / noise.length;
    expect(mean).toBeGreaterThan(0.4);
    expect(mean).toBeLessThan(0.6);
    expect(overfitting(series('x', { settings: 20, days: 160, skill: 0.8 }))).toMatchObject({
      probability: 0,
      loss: 0,
      parts: 16,
      halves: 12_870,
    });
  });

  test('by hand: two settings that take turns are always behind on the other half', () => {
    // Four parts of two days; what wins on a half of them loses on the other, unless the halves are even.
    const a = [1, 2, 1, 2, -1, -2, -1, -2];
    const b = a.map((one) => -one);
    const { probability, loss, parts, halves } = overfitting([a, b]) ?? {};
    expect({ parts, halves }).toEqual({ parts: 4, halves: 6 });
    // Of 6 halves 2 are one-sided, and in these the winner is last. In the other 4 both have a mean of 0: an equal rank, in the middle.
    expect(probability).toBe(1);
    expect(loss).toBeCloseTo(2 / 6, 12);
    expect(overfitting([a])).toBeUndefined();
  });
});

describe('the plateau', () => {
  test('has neighbours one place away in a list of numbers, however it is written, and none in a choice of words', () => {
    const at = (list: number | string, value: number) => ({ point: { list }, value });
    const others = [at(6, 6), at(24, 8), at(99, 1)];
    const numbers = [{ name: 'list', values: [99, 24, 6, 12] }];
    expect(plateauOf(at(12, 10), [...others, at(12, 9)], numbers)).toEqual({ score: 0.8, neighbours: 3 });
    expect(plateauOf(at('a', 10), [at('b', 6), at('c', 8), at('d', 7)], [{ name: 'list', values: ['a', 'b', 'c', 'd'] }])).toBeUndefined();
  });

  const dimensions = [
    { name: 'x', values: range(0, 100, { step: 5 }) },
    { name: 'kind', values: ['a', 'b'] },
  ];
  const valued = (x: number, value: number, kind = 'a') => ({ point: { x, kind }, value });

  test('is the median of what lies within a tenth of each range and differs in no choice, over the best', () => {
    const best = valued(50, 10);
    const others = [valued(45, 9), valued(55, 8), valued(60, 7), valued(40, 1), valued(70, 100), valued(50, 100, 'b')];
    expect(plateauOf(best, [best, ...others], dimensions)).toEqual({ score: 0.75, neighbours: 4 });
    expect(plateauOf(best, [valued(45, 9), valued(55, 8)], dimensions)).toBeUndefined();
    expect(plateauOf(valued(50, -1), others, dimensions)).toBeUndefined();
  });
});
