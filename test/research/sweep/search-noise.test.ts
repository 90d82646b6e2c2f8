import { expect, test } from 'vitest';
import { seeded } from '#domain/seeded.ts';
import { type TrialResult, wholeDaysOf } from '#research/replay/trial.ts';
import { CmaSampler } from '#research/search/cmaes.ts';
import { gaussian } from '#research/search/normal.ts';
import type { Sampler } from '#research/search/sampler.ts';
import type { ParameterPoint, Space } from '#research/search/space.ts';
import { TpeSampler } from '#research/search/tpe.ts';
import { judgedSearch } from '#research/sweep/search-verdict.ts';
import { judged, ranked } from '#research/sweep/sweep-ranking.ts';
import { minimised, range } from '../search/problems.ts';

const DAYS = 60;
const TRIALS = 40;
const WAVES = 40;

const names = ['p', 'q', 'r'];
const space: Space = { dimensions: names.map((name) => ({ name: `one.${name}`, values: range(0, 1) })), accepts: () => true };

/**
 * Daily returns of a strategy without any skill whose results change smoothly with its parameters, as those of a real one do: waves over
 * the parameters, each with noise of its own a day. A search climbs to the luckiest place. `rough`: waves over the width of a parameter.
 */
function luck(seed: string, rough: number): (point: ParameterPoint) => readonly number[] {
  const random = seeded(`luck ${seed}`);
  const waves = Array.from({ length: WAVES }, () => ({
    at: names.map(() => 2 * Math.PI * rough * gaussian(random)),
    phase: 2 * Math.PI * random.next(),
  }));
  const noise = Array.from({ length: DAYS }, () => waves.map(() => gaussian(random)));
  return (point) => {
    const x = Object.values(point).map(Number);
    const heights = waves.map(
      ({ at, phase }) => Math.cos(at.reduce((sum, one, k) => sum + one * (x[k] ?? 0), phase)) * Math.sqrt(2 / WAVES),
    );
    return noise.map((day) => 0.01 * day.reduce((sum, one, k) => sum + one * (heights[k] ?? 0), 0));
  };
}

function trialOf(point: ParameterPoint, returns: readonly number[]): TrialResult {
  const id = JSON.stringify(point);
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const deviation = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1));
  const params = { one: Object.fromEntries(Object.entries(point).map(([name, value]) => [name.slice(4), value])) };
  return {
    ...{ id, setup: id, params, from: 0, to: null, fills: 1, exact: 1, halted: null, failed: null, headlines: [], refusals: [] },
    figures: { sharpe: mean / deviation, netProfit: mean },
    days: returns.map((r, n) => ({ at: n, return: r, whole: true })),
  };
}

/** Whether the best of a search is told to be more than luck, by the way a sweep goes. */
function isToldSkill(
  seed: string,
  sampler: (seed: string) => Sampler,
  { rough, skill = 0 }: { readonly rough: number; readonly skill?: number },
): boolean {
  const returnsAt = luck(seed, rough);
  const returns = (point: ParameterPoint): readonly number[] => {
    // Skill is a hill in the middle of the space.
    const away = Object.values(point).reduce<number>((sum, one) => sum + (Number(one) - 0.5) ** 2, 0);
    return returnsAt(point).map((one) => one + 0.01 * skill * Math.exp(-away / 0.1));
  };
  const played: TrialResult[] = [];
  const value = (point: ParameterPoint): number => {
    const trial = trialOf(point, returns(point));
    played.push(trial);
    return -(trial.figures.sharpe ?? 0);
  };
  minimised(sampler(seed), { value }, TRIALS);
  const trials = played.slice(0, TRIALS);
  const { trials: inOrder, by } = ranked(trials, undefined);
  const [best] = inOrder;
  if (!best) throw new Error('no trial');
  // What luck explains by this alone, which is quick, is told so whatever the other tests say.
  const alone = judged(wholeDaysOf(best), { tried: trials.length, others: trials.map(wholeDaysOf), learned: true, seed });
  if (!alone.verdict.significant) return false;
  return judgedSearch(best, { trials, count: trials.length, learned: true, dimensions: space.dimensions, by, seed }).verdict.significant;
}

const tpe = (seed: string): Sampler => new TpeSampler({ space, seed, batch: 8 });
const cmaes = (seed: string): Sampler => new CmaSampler({ space, seed, batch: 8 });
const seeds = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `n${n}`);

// The stated rate is one in twenty; what is seen over so many searches is held to it itself.
test.each([
  ['tpe', 150, 'smooth', tpe, 0.3],
  ['tpe', 100, 'rough', tpe, 1.5],
  ['cmaes', 100, 'smooth', cmaes, 0.3],
] as const)(
  '%s: of %s searches over %s noise at most one in twenty is told to have found something',
  (_name, count, _kind, sampler, rough) => {
    const told = seeds(count).filter((seed) => isToldSkill(seed, sampler, { rough }));
    expect(told.length).toBeLessThanOrEqual(count / 20);
  },
);

test('a hill of skill is found and told in most searches', () => {
  const told = seeds(10).filter((seed) => isToldSkill(seed, tpe, { rough: 0.3, skill: 0.9 }));
  expect(told.length).toBeGreaterThanOrEqual(8);
});

test('what is best on half of the days and among the worst on the others is told as luck, however sure its Sharpe ratio looks', () => {
  // Two settings that earn in turns, each in blocks of four days: who chose by one half of the blocks has the worse one on the other.
  const days = Array.from({ length: 64 }, (_, n) => n);
  const wins = (turn: number, more: number) =>
    days.map((n) => (Math.floor(n / 4) % 2 === turn ? 0.01 : 0) + 0.001 * Math.sin(n) + (n % 4 === 0 ? more : 0));
  const trials = [wins(0, 0.0002), wins(1, 0)].map((returns, n) => trialOf({ 'one.p': n }, returns));
  const [best] = trials;
  if (!best) throw new Error('no trial');
  const found = judgedSearch(best, { trials, count: 2, learned: false, dimensions: space.dimensions, by: 'sharpe', seed: 'turns' });
  expect(found.deflated).toBeGreaterThan(0.975);
  expect(found.overfitting).toBeGreaterThan(0.5);
  expect(found.verdict.significant).toBe(false);
  expect(found.verdict.text).toMatch(
    /^not distinct from luck: what is best on half of the days .* in \d+\.\d % of cases, at most 50\.0 % may be$/,
  );
});
