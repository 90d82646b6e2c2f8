import { describe, expect, test } from 'vitest';
import { seeded } from '#domain/seeded.ts';
import { type TrialResult, wholeDaysOf } from '#research/replay/trial.ts';
import { judged, ranked } from '#research/sweep/sweep-ranking.ts';

const SEEDS = 200;
/** Of strategies of pure noise at most one in twenty may be told to be more than luck. */
const PROMISED = SEEDS / 20;

/** Normal daily returns of mean 0. */
function noise(seed: string, days: number): readonly number[] {
  const random = seeded(seed);
  return Array.from({ length: days }, () => 0.01 * Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()));
}

function trialOf(id: string, returns: readonly number[]): TrialResult {
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1);
  return {
    id,
    setup: id,
    params: { coin: { seed: id } },
    from: 0,
    to: null,
    figures: { sharpe: mean / Math.sqrt(variance) },
    days: returns.map((r, n) => ({ at: n, return: r, whole: true })),
    fills: 1,
    exact: 1,
    halted: null,
    failed: null,
    headlines: [],
    refusals: [],
  };
}

/** Whether the best of a sweep over noise is told to be more than luck, by the way a sweep goes. */
function toldSignificant(
  seed: string,
  { tries, days, alike = 0 }: { readonly tries: number; readonly days: number; readonly alike?: number },
): boolean {
  const common = noise(`${seed} common`, days);
  const trials = Array.from({ length: tries }, (_, n) => {
    const own = noise(`${seed} ${n}`, days);
    return trialOf(
      String(n),
      own.map((r, day) => alike * (common[day] ?? 0) + Math.sqrt(1 - alike ** 2) * r),
    );
  });
  const [best] = ranked(trials, undefined).trials;
  if (!best) throw new Error('no trial');
  return judged(wholeDaysOf(best), { tried: tries, others: trials.map(wholeDaysOf), seed }).verdict.significant;
}

describe(`of ${SEEDS} sweeps over pure noise at most ${PROMISED} are told to have found something`, () => {
  test.each([
    { tries: 1, days: 30 },
    { tries: 1, days: 120 },
    { tries: 2, days: 60 },
    { tries: 5, days: 60 },
    { tries: 20, days: 60 },
    { tries: 20, days: 60, alike: 0.8 },
  ])('%j', (of) => {
    const told = Array.from({ length: SEEDS }, (_, n) => `noise ${n}`).filter((seed) => toldSignificant(seed, of));
    expect(told.length).toBeLessThanOrEqual(PROMISED);
  });
});
