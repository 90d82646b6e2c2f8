import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { paramsText, type TrialResult } from '#research/replay/trial.ts';
import type { SearchOptions } from '#research/sweep/study.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { ranked } from '#research/sweep/sweep-ranking.ts';
import { trialTable } from '#research/sweep/sweep-table.ts';
import { walkForward } from '#research/sweep/walk-forward.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

const YAML = `${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${OFF}backtest: { latency: 20 }\n`;
const SEARCH: SearchOptions = {
  vary: ['one.fast=2..30', 'one.slow=5..60'],
  random: undefined,
  seed: '1',
  by: 'netProfit',
  search: 'tpe',
  trials: 20,
  batch: 4,
};
/** Begins a minute before midnight. */
const DAYS = { from: Date.UTC(2026, 0, 5, 23, 59), seconds: 300 };

const tried = (trials: readonly TrialResult[]): readonly string[] => trials.map(({ params }) => paramsText(params)).sort();

describe('a search', () => {
  test('tries the same with one thread and with two, none twice, as many as it was told; another seed tries others', async () => {
    const b = () => bench(YAML, { seconds: 200 });
    const one = await sweep(await studyOf(b(), { players: here }), SEARCH, playing());
    const two = await sweep(await studyOf(b()), SEARCH, playing(2));
    expect(one.played).toMatchObject({ wanted: 20, known: 0, finished: 20, pruned: 0 });
    expect(new Set(tried(one.ranking.trials)).size).toBe(20);
    expect(two.ranking).toEqual(one.ranking);
    for (const { params } of one.ranking.trials) expect(Number(params.one?.fast)).toBeLessThan(Number(params.one?.slow));
    const other = await sweep(await studyOf(b(), { players: here }), { ...SEARCH, seed: '2', trials: 8 }, playing());
    expect(tried(other.ranking.trials)).not.toEqual(tried(one.ranking.trials).slice(0, 8));
  });

  test.each(['tpe', 'cmaes'] as const)('%s goes on from its log after a crash, and comes to the same', async (search) => {
    const whole = await sweep(await studyOf(bench(YAML, { seconds: 200 }), { players: here }), { ...SEARCH, search }, playing());
    const b = bench(YAML, { seconds: 200 });
    const cut = new AbortController();
    const onShare = (share: number): void => {
      if (share >= 0.5) cut.abort();
    };
    const first = await sweep(await studyOf(b), { ...SEARCH, search }, { ...playing(2, cut.signal), onShare });
    expect(first.played.finished).toBeLessThan(20);
    writeFileSync(first.log, '{"kind":"trial","trial":{"id":"', { flag: 'a' });
    const rest = await sweep(await studyOf(b, { players: here }), { ...SEARCH, search }, playing());
    expect(rest.played).toMatchObject({ wanted: 20, finished: 20 });
    expect(rest.played.known).toBeGreaterThanOrEqual(first.played.finished);
    expect(rest.ranking).toEqual(whole.ranking);
  });

  test('stops what is behind after the first days, the same with any number of threads, and ranks none of it', async () => {
    const search: SearchOptions = { ...SEARCH, prune: 'halving', trials: 16 };
    const one = await sweep(await studyOf(bench(YAML, DAYS), { players: here }), search, playing());
    const two = await sweep(await studyOf(bench(YAML, DAYS)), search, playing(2));
    expect(one.played.finished).toBe(16);
    expect(one.pruned.length).toBeGreaterThan(4);
    expect(one.ranking.trials).toHaveLength(16 - one.pruned.length);
    expect([two.ranking, two.pruned]).toEqual([one.ranking, one.pruned]);
    for (const { on, why } of one.pruned) {
      expect(on.to).not.toBeNull();
      expect(why).toMatch(/^stopped at 2026-01-06: not of the best third of the trials so far$/);
    }
    // What was stopped counts among the tries all the same.
    expect(one.first?.trials).toBe(16);
    const { rows } = trialTable(one.ranking, one.pruned);
    expect(rows.filter(([place]) => place === '-')).toHaveLength(one.pruned.length + one.ranking.trials.length - one.ranking.ranked);
    await expect(async () => sweep(await studyOf(bench(YAML, { seconds: 200 })), search, playing())).rejects.toThrow(
      /--prune halving stops trials at midnight/,
    );
  });

  test('a space has logarithms, choices and conditions; what does not count is not varied', async () => {
    const space = { 'one.fast': { choices: [2, 3, 30] }, 'one.slow': { low: 5, high: 500, log: true, when: { 'one.fast': [2, 3] } } };
    const study = await studyOf(bench(YAML, { seconds: 120 }), { players: here });
    const { ranking } = await sweep(study, { ...SEARCH, vary: [], space, trials: 12 }, playing());
    const all = ranking.trials.map(({ params }) => params.one ?? {});
    expect(all.some(({ fast }) => fast === 2)).toBe(true);
    for (const { fast, slow } of all) expect(slow === undefined).toBe(fast === 30);
    await expect(sweep(study, { ...SEARCH, vary: [], space, search: 'cmaes' }, playing())).rejects.toThrow(/cmaes: one\.fast is a choice/);
  });

  test.each([
    [{ vary: [], space: { 'one.fast': { low: 5 } } }, /--space one\.fast: needs numbers `low` and `high`/],
    [{ vary: [], space: { 'one.fast': { low: 5, high: 9, stp: 1 } } }, /has no stp; there are low, high, step/],
    [{ vary: [], space: { 'one.fst': [1] } }, /--space one\.fst: one has no parameter fst; did you mean fast\?/],
    [{ vary: [], space: { 'one.fast': { low: 2, high: 9, when: { 'one.slow': 5 } } } }, /names one\.slow, which is not varied above it/],
    [{ random: 5 }, /--random 5: --search tpe takes --trials 5/],
    [{ search: 'grid' }, /--trials 20: a grid has all combinations/],
    [{ search: 'cmaes', by: 'sharpe,netProfit' }, /cmaes takes one figure; take tpe/],
    [{ by: 'sharpe,sharpe' }, /sharpe is named twice/],
  ] as const)('%j is refused in one line', async (other, why) => {
    const study = await studyOf(bench(YAML));
    await expect(sweep(study, { ...SEARCH, ...other }, playing())).rejects.toThrow(why);
  });

  test('each training of a walk-forward is searched by itself', async () => {
    const windows = { trainMs: 100_000, testMs: 60_000, embargoMs: 0, anchored: false };
    const options = { ...SEARCH, trials: 6, ...windows };
    const study = await studyOf(bench(YAML, { seconds: 240 }));
    const result = await walkForward(study, options, playing(2));
    expect(result.steps.length).toBeGreaterThanOrEqual(2);
    expect(result.finished).toBe(result.wanted);
    const other = await walkForward(await studyOf(bench(YAML, { seconds: 240 }), { players: here }), options, playing());
    expect(other.steps).toEqual(result.steps);
    const trained = readFileSync(study.log.file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"kind":"trial"'));
    expect(trained.length).toBeGreaterThanOrEqual(6 * result.steps.length);
  });
});

describe('several figures', () => {
  const trial = (id: string, netProfit: number, maxDrawdown: number): TrialResult => ({
    ...{ id, setup: id, params: { a: { id } }, from: 0, to: null, days: [], fills: 1, exact: 1, halted: null, failed: null },
    ...{ headlines: [], refusals: [], figures: { netProfit, maxDrawdown } },
  });

  test('the front is what none betters by all figures at once; a loss is never on it', () => {
    const trials = [trial('a', 5, 0.5), trial('b', 9, 0.9), trial('c', 4, 0.6), trial('d', 1, 0.1), trial('lost', -1, 0.01)];
    const ranking = ranked(trials, 'netProfit', ['netProfit', 'maxDrawdown']);
    expect(ranking.trials.map(({ id }) => id)).toEqual(['b', 'a', 'd', 'c', 'lost']);
    expect(ranking).toMatchObject({ front: 3, ranked: 5 });
    expect(trialTable(ranking).rows.map(([place]) => place)).toEqual(['1 *', '2 *', '3 *', '4', '5']);
  });
});
