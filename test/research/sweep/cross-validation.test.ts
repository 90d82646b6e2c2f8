import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TrialResult } from '#research/replay/trial.ts';
import { type CrossOptions, crossValidation, merged, partsOf } from '#research/sweep/cross-validation.ts';
import { bench } from '../backtest/session-bench.ts';
import { here, playing, studyOf, TIMED, TIMED_YAML } from './study.ts';

const DAY = 86_400_000;

test('each part is the test of what is best on the others, whatever the number of threads; a learning search sees its training alone', async () => {
  const b = () => bench(TIMED_YAML, { seconds: 480 }, { timed: TIMED });
  const options: CrossOptions = {
    ...{ vary: ['one.side=long,short', 'one.until=60..220:40'], random: undefined, seed: '1', by: 'netProfit' },
    ...{ search: 'tpe', trials: 6, batch: 3, folds: 3, purgeMs: 0, embargoMs: 0 },
  };
  const study = await studyOf(b());
  const result = await crossValidation(study, options, playing(2));
  expect(result.steps).toHaveLength(3);
  expect(result).toMatchObject({ finished: result.wanted, by: { by: 'netProfit' } });
  for (const { fold, train, test: tested } of result.steps) {
    const parts = result.steps.map((step) => step.fold.test).filter((part) => part !== fold.test);
    const own = parts.map((part) => study.log.trial(study.job(train?.params ?? {}, part).id)?.figures.totalReturn ?? Number.NaN);
    expect(train?.figures.totalReturn).toBeCloseTo(own.reduce((all, one) => all * (1 + one), 1) - 1, 12);
    if (tested) expect(tested).toMatchObject({ params: train?.params, from: fold.test.from, to: fold.test.to });
  }
  const other = await crossValidation(await studyOf(b(), { players: here }), options, playing());
  expect(other.steps).toEqual(result.steps);
  // All folds ask for the same settings of a grid: each part of each is played once.
  const grid = await studyOf(b(), { players: here });
  const all = await crossValidation(grid, { ...options, search: 'grid', trials: undefined, vary: ['one.side=long,short'] }, playing());
  expect(all.wanted).toBeGreaterThanOrEqual(6);
  const lines = readFileSync(grid.log.file, 'utf8').split('\n');
  expect(lines.filter((line) => line.startsWith('{"kind":"trial"'))).toHaveLength(6);
  await expect(crossValidation(study, { ...options, prune: 'median' }, playing())).rejects.toThrow(
    /--prune median: the trials of --folds are short/,
  );
  await expect(crossValidation(study, { ...options, by: 'winRate' }, playing())).rejects.toThrow(
    /--by winRate: a training of several parts has sharpe/,
  );
});

test('a training with fewer round trips than --min-trades picks nothing, whatever its parts have', async () => {
  const b = bench(TIMED_YAML, { seconds: 480, volatility: 10 }, { timed: TIMED });
  const vary = { vary: ['one.side=long,short', 'one.until=60'], random: undefined, seed: '1', by: 'netProfit' };
  const options: CrossOptions = { ...vary, folds: 3, purgeMs: 0, embargoMs: 0 };
  // One in each of its two parts.
  const rankedOf = async (minTrades: number) => {
    const { steps } = await crossValidation(await studyOf(b, { minTrades, players: here }), options, playing());
    return steps.map(({ train, why }) => [train !== null, why?.includes('fewer trades than --min-trades') ?? false]);
  };
  expect((await rankedOf(2)).map(([isRanked]) => isRanked)).toEqual([true, true, true]);
  expect(await rankedOf(3)).toEqual(Array.from({ length: 3 }, () => [false, true]));
});

const DAYS = { from: Date.UTC(2026, 0, 5), seconds: 5 * 72 + 6, quotesPerSecond: 1, stretch: 1200, volatility: 10 } as const;

test('a purge that leaves no day to train on is refused: every trial would have come to nothing', async () => {
  const study = await studyOf(bench(TIMED_YAML, DAYS, { timed: TIMED }), { players: here });
  const options = { vary: ['one.side=long,short'], random: undefined, seed: '1', by: 'netProfit', folds: 2, embargoMs: 0 };
  await expect(crossValidation(study, { ...options, purgeMs: 4 * DAY }, playing())).rejects.toThrow(
    '--purge leaves no day to train on for the test from 2026-01-05T00:00:00.000Z: take a shorter one, or more --folds',
  );
  expect((await crossValidation(study, { ...options, purgeMs: DAY }, playing())).finished).toBeGreaterThan(2);
});

describe('a part without quotes', () => {
  const vary = { vary: ['one.side=long,short', 'one.until=40'], random: undefined, seed: '1', by: 'netProfit' };

  test('is in no training, and not traded; the others are chosen and tested', async () => {
    const b = bench(TIMED_YAML, { ...DAYS, silent: [1.9 * 72, 3.1 * 72] }, { timed: TIMED });
    const told: string[] = [];
    const study = await studyOf(b, { players: here });
    const options: CrossOptions = { ...vary, folds: 5, purgeMs: 0, embargoMs: 0 };
    const { steps, headlines } = await crossValidation(study, options, { ...playing(), onNote: (text) => told.push(text) });
    expect(steps.map(({ train }) => train?.failed)).toEqual([null, null, null, null, null]);
    const lost = expect.stringMatching(/^every trial lost/);
    expect(steps.map(({ why }) => why)).toEqual([lost, null, 'the test has no quote', null, lost]);
    expect(told).toEqual([expect.stringMatching(/^1 of 5 tests has no quote .*: fewer --folds avoid it$/)]);
    expect(headlines.map(({ code }) => code)).not.toContain('TRIAL_UNPLAYED');
  });

  test('leaves one: nothing can be chosen', async () => {
    const b = bench(TIMED_YAML, { ...DAYS, silent: [1.9 * 72, 4.9 * 72] }, { timed: TIMED });
    const study = await studyOf(b, { players: here, from: DAYS.from + 2 * DAY });
    await expect(crossValidation(study, { ...vary, folds: 2, purgeMs: 0, embargoMs: 0 }, playing())).rejects.toThrow(
      /^--folds 2: quotes lie in 1 of the parts/,
    );
  });
});

describe('folds', () => {
  test('are equal, follow each other and end at midnight where they are days long', () => {
    const parts = partsOf({ from: 0.5 * DAY, to: 9.9 * DAY }, 3);
    expect(parts).toEqual([
      { from: 0.5 * DAY, to: 4 * DAY },
      { from: 4 * DAY, to: 7 * DAY },
      { from: 7 * DAY, to: 9.9 * DAY },
    ]);
    expect(partsOf({ from: 0, to: 100 }, 4).map(({ to }) => to)).toEqual([25, 50, 75, 100]);
    expect(() => partsOf({ from: 0, to: 100 }, 1)).toThrow(/--folds 1/);
  });

  test('a training has none of the days that reach into its test or what is purged around it', () => {
    const part = (from: number, returns: readonly number[]): TrialResult => ({
      ...{ id: String(from), setup: 's', params: {}, from: from * DAY, to: (from + returns.length) * DAY, fills: 2, exact: 2 },
      ...{ halted: null, failed: null, headlines: [], refusals: [], figures: { capital: 100, trades: 3, netProfit: 999 } },
      days: returns.map((change, n) => ({ at: (from + n + 1) * DAY, return: change, whole: true })),
    });
    // The test is days 3 to 5; one day before it and one behind it are purged, and another behind is the embargo.
    const without = { from: 2 * DAY, to: 7.5 * DAY };
    const all = merged({}, [part(0, [0.1, 0.2, 0.5]), part(5, [0.5, 0.5, 0.5, -0.1])], { span: { from: 0, to: 9 * DAY }, without });
    expect(all?.days.map((day) => day.return)).toEqual([0.1, 0.2, -0.1]);
    expect(all?.figures.totalReturn).toBeCloseTo(1.1 * 1.2 * 0.9 - 1, 12);
    expect(all?.figures.netProfit).toBeCloseTo(100 * (1.1 * 1.2 - 1) - 10, 12);
    expect(all?.figures.maxDrawdown).toBeCloseTo(0.1, 12);
    expect(all).toMatchObject({ fills: 4, figures: { trades: 6, sharpe: null } });
  });
});
