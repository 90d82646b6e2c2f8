import { describe, expect, test } from 'vitest';
import { seeded } from '#domain/seeded.ts';
import { coinFlips } from '#report/benchmark/coin-flip.ts';
import { blockBootstrap } from '#report/metrics/bootstrap.ts';
import {
  deflatedSharpe,
  ENOUGH_DAYS,
  luckySharpe,
  normalCdf,
  normalQuantile,
  probabilisticSharpe,
  significanceOf,
} from '#report/metrics/significance.ts';
import { DAY, laneColumns, MONDAY } from '../support/report-data.ts';

/** Normal numbers of mean 0 and deviation 1 (Box and Muller). */
function normals(seed: string, count: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()));
}

const noise = (seed: string, days: number): number[] => normals(seed, days).map((z) => z * 0.01);

/** Whether it counts as more than luck. Paths are drawn where the Sharpe ratio is near what is asked of it or above. */
function judged(returns: readonly number[], seed: string, trials = 1, trialSharpes?: readonly number[]): boolean {
  const deflated = deflatedSharpe({ returns, trials, ...(trialSharpes && { trialSharpes }) });
  if (Number(deflated) < 0.9) return false;
  return significanceOf(returns.length, { trials, deflated, paths: blockBootstrap(returns, seed, 1_000) }).significant;
}

test('the normal distribution, to seven places', () => {
  const known: readonly (readonly [number, number])[] = [
    [0, 0.5],
    [1.6448536, 0.95],
    [1.959964, 0.975],
    [-2.3263479, 0.01],
  ];
  for (const [z, share] of known) {
    expect(normalCdf(z)).toBeCloseTo(share, 6);
    expect(normalQuantile(share)).toBeCloseTo(z, 4);
  }
});

test('the probabilistic Sharpe ratio by its formula: normal returns of a known ratio', () => {
  // Two values, equally often: skewness 0, kurtosis 1, so that the variance of the estimate is 1.
  const returns = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 0.03 : -0.02));
  const mean = 0.005;
  const deviation = Math.sqrt((100 / 99) * 0.025 ** 2);
  const expected = normalCdf((mean / deviation) * Math.sqrt(99));
  expect(probabilisticSharpe(returns, 0)).toBeCloseTo(expected, 9);
});

test('the best of many tries is held against what luck alone brings', () => {
  const returns = noise('one', 250);
  // Expected maximum of 100 normals, by the formula of Bailey and Lopez de Prado.
  expect(luckySharpe({ returns, trials: 100 }) * Math.sqrt(249)).toBeCloseTo(2.5306, 3);
  expect(luckySharpe({ returns, trials: 1 })).toBe(0);
  expect(deflatedSharpe({ returns, trials: 1 })).toBe(probabilisticSharpe(returns, 0));
  expect(Number(deflatedSharpe({ returns, trials: 100 }))).toBeLessThan(Number(probabilisticSharpe(returns, 0)));
});

describe('a strategy of pure noise is told as such', () => {
  test.each([30, 60, 250])('of 200 seeds over %i days at most one in twenty counts as more than luck', (days) => {
    const significant = Array.from({ length: 200 }, (_, n) => n).filter((n) => judged(noise(`noise ${n}`, days), `paths ${n}`));
    expect(significant.length).toBeLessThanOrEqual(10);
  });

  test('of 200 sweeps the best of 20 tries counts so at most once in twenty', () => {
    const found = Array.from({ length: 200 }, (_, n) => n).filter((n) => {
      const tries = Array.from({ length: 20 }, (__, k) => noise(`sweep ${n} ${k}`, 60));
      const sharpes = tries.map((returns) => sharpeOf(returns));
      const best = tries[sharpes.indexOf(Math.max(...sharpes))] ?? [];
      return judged(best, `sweep ${n}`, 20, sharpes);
    });
    expect(found.length).toBeLessThanOrEqual(10);
  });

  test('without the correction for the tries, a third of those sweeps would have passed', () => {
    const found = Array.from({ length: 50 }, (_, n) => n).filter((n) => {
      const tries = Array.from({ length: 20 }, (__, k) => noise(`sweep ${n} ${k}`, 60));
      const best = [...tries].sort((a, b) => sharpeOf(b) - sharpeOf(a))[0] ?? [];
      return judged(best, `sweep ${n}`);
    });
    expect(found.length).toBeGreaterThan(15);
  });

  test('of 200 coins on a random walk with a spread, none earns what they all pay', () => {
    const steps = normals('walk', 60 * 144);
    let price = 100;
    const quotes = steps.map((z, n) => {
      price *= 1 + z * 0.0005;
      return { at: MONDAY + n * 600_000, buy: price * 1.0002, sell: price * 0.9998 };
    });
    const columns = [laneColumns(quotes)];
    const traded = [{ product: 'btcusd', trades: 300, size: 1, shorts: false }];
    const coins = coinFlips({ traded, columns, currency: 'usd', from: MONDAY, to: MONDAY + 60 * DAY, seed: 'coins' });
    if (typeof coins === 'string') throw new Error(coins);
    expect(coins.seeds).toBe(200);
    expect(coins.p50).toBeLessThan(0);
    expect(coins.profits.filter((profit) => profit > 0).length).toBeLessThanOrEqual(10);
  });
});

test('skill is told as such: a steady edge over a year', () => {
  const returns = noise('edge', 365).map((r) => r + 0.003);
  expect(judged(returns, 'edge')).toBe(true);
});

test('under thirty days nothing is said of skill, however good it looks', () => {
  const verdict = significanceOf(ENOUGH_DAYS - 1, { trials: 1, deflated: 0.999, paths: undefined });
  expect(verdict).toEqual({ significant: false, text: 'too short to tell skill from luck: 29 whole days, 30 are needed' });
});

test('a result that is sure enough by its Sharpe ratio, and whose paths may lose, is refused for its paths', () => {
  const paths = blockBootstrap(noise('paths', 100), 'seed');
  expect(paths?.totalReturn.p5).toBeLessThan(0);
  const text = (deflated: number) => significanceOf(100, { trials: 1, deflated, paths }).text;
  expect(text(0.994)).toBe(
    'not distinct from luck: 99.4 % sure that the Sharpe ratio is above what luck brings, but of paths drawn from its days fewer than 95 % end with a profit',
  );
  expect(text(0.9)).toBe('not distinct from luck: 90.0 % sure that the Sharpe ratio is above what luck brings, 97.5 % are needed');
});

test('the bootstrap draws the same paths from the same seed, and needs ten days', () => {
  const returns = noise('paths', 100);
  const first = blockBootstrap(returns, 'seed');
  expect(first).toMatchObject({ seed: 'seed', paths: 2_000, block: 5 });
  expect(blockBootstrap(returns, 'seed')).toEqual(first);
  expect(blockBootstrap(returns, 'other')).not.toEqual(first);
  expect(blockBootstrap(returns.slice(0, 9), 'seed')).toBeUndefined();
  // The middle of the paths is what the days themselves came to, as far as chance lets it.
  const total = returns.reduce((wealth, r) => wealth * (1 + r), 1) - 1;
  expect(first?.totalReturn.p5).toBeLessThan(total);
  expect(first?.totalReturn.p95).toBeGreaterThan(total);
});

function sharpeOf(returns: readonly number[]): number {
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1);
  return mean / Math.sqrt(variance);
}

test('nothing is told as wholly sure, nor as out of the question', () => {
  const text = (deflated: number) => significanceOf(365, { trials: 1, deflated, paths: undefined }).text;
  expect(text(0.99999)).toMatch(/ over 99\.9 % sure/);
  expect(text(0.9994)).toMatch(/ 99\.9 % sure/);
  expect(text(0.00001)).toMatch(/ under 0\.1 % sure/);
});
