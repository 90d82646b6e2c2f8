import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runEquity } from '#report/valued.ts';
import { recordOfBacktest } from '#research/backtest/backtest-record.ts';
import type { TrialJob, TrialResult } from '#research/replay/trial.ts';
import { foldsOf } from '#research/sweep/folds.ts';
import { objectiveIn } from '#research/sweep/objective.ts';
import { foldRows } from '#research/sweep/sweep-table.ts';
import type { TrialWork } from '#research/sweep/trial-players.ts';
import { chainOf, dailyOf, walkForward } from '#research/sweep/walk-forward.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf, TIMED, TIMED_YAML } from './study.ts';

const YAML = `${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${OFF}backtest: { latency: 20 }\n`;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A quote each 20 minutes of five days and two hours; nothing is recorded from the third evening to the fifth morning. */
const FIVE_DAYS = {
  from: Date.UTC(2026, 0, 5),
  seconds: 5 * 72 + 6,
  quotesPerSecond: 1,
  stretch: 1200,
  silent: [2.9 * 72, 4.2 * 72],
} as const;

test('parameters are the best of each training, and the tests are chained', async () => {
  const study = await studyOf(bench(TIMED_YAML, { seconds: 600, volatility: 10 }, { timed: TIMED }), { players: here });
  const windows = { trainMs: 240_000, testMs: 120_000, embargoMs: 10_000, anchored: false };
  const options = { vary: ['one.side=long,short', 'one.until=120,239'], random: undefined, seed: '1', by: 'netProfit', ...windows };
  const result = await walkForward(study, options, playing());
  expect(result.steps).toHaveLength(2);
  expect(result).toMatchObject({ wanted: 10, finished: 10, by: { by: 'netProfit' } });
  for (const { fold, train, test: tested, why } of result.steps) {
    const rivals = ['long', 'short'].flatMap((side) =>
      [120, 239].map((until) => study.log.trial(study.job({ one: { side, until } }, fold.train).id)?.figures.netProfit ?? Number.NaN),
    );
    expect(why).toBeNull();
    expect(train?.figures.netProfit).toBe(Math.max(...rivals));
    expect(tested).toMatchObject({ params: train?.params, from: fold.test.from, to: fold.test.to, failed: null });
    expect(tested?.fills).toBeGreaterThan(0);
  }
  const out = result.outOfSample;
  const growth = result.steps.reduce((product, step) => product * (1 + (step.test?.figures.totalReturn ?? Number.NaN)), 1);
  expect(out?.totalReturn).toBeCloseTo(growth - 1, 12);
  expect(out?.equity.at(-1)?.value).toBeCloseTo(growth, 12);
  expect(out?.trials).toBe(1);
  const again = await walkForward(study, options, playing());
  expect(again).toEqual(result);
  const more = await walkForward(study, { ...options, by: 'totalReturn' }, playing());
  expect(more.outOfSample?.trials).toBe(2);
});

test('walk-forwards that pick by other objectives, or of more round trips, are others: luck may choose among them all', async () => {
  const b = bench(TIMED_YAML, { seconds: 600, volatility: 10 }, { timed: TIMED });
  const windows = { trainMs: 240_000, testMs: 120_000, embargoMs: 0, anchored: false };
  const walked = async (text: string, minTrades?: number) => {
    const file = path.join(b.cwd, 'objective.ts');
    writeFileSync(file, text);
    const study = await studyOf(b, { players: here, objective: await objectiveIn(file), minTrades });
    const options = { vary: ['one.side=long,short'], random: undefined, seed: '1', by: 'objective', ...windows };
    return (await walkForward(study, options, playing())).outOfSample?.trials;
  };
  const most = 'export default (of) => of.netProfit;\n';
  expect(await walked(most)).toBe(1);
  expect(await walked(most)).toBe(1);
  expect(await walked('export default (of) => -of.netProfit;\n')).toBe(2);
  expect(await walked(most, 2)).toBe(3);
});

test('a training in which every trial lost picks nothing: its test is not traded, and the result says so', async () => {
  const study = await studyOf(bench(YAML, { seconds: 600 }), { players: here });
  const windows = { trainMs: 240_000, testMs: 120_000, embargoMs: 0, anchored: false };
  const result = await walkForward(study, { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: undefined, ...windows }, playing());
  expect(result).toMatchObject({ wanted: 4, finished: 4, outOfSample: { totalReturn: 0, fills: 0, promised: 0, netProfit: null } });
  for (const { train, test: tested, why } of result.steps) {
    expect(tested).toBeNull();
    expect(train?.figures.netProfit).toBeLessThan(0);
    expect(why).toMatch(/^every trial lost: net profit from \u2212[\d,]+\.\d+ to \u2212[\d,]+\.\d+/);
  }
  const [line] = result.headlines.filter(({ code }) => code === 'NO_FOLD_CHOSEN');
  expect(line?.text).toMatch(
    /^2 of 2 folds had no trial worth picking, .* from 2026-01-05T09:04:00\.000Z and 2026-01-05T09:06:00\.000Z; in the .* every trial lost/,
  );
});

test('cut short it says what there is, and goes on from there', async () => {
  const b = bench(YAML, { seconds: 600 });
  const windows = { trainMs: 240_000, testMs: 120_000, embargoMs: 0, anchored: true };
  const options = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: undefined, ...windows };
  const cut = new AbortController();
  const onShare = (share: number): void => {
    if (share > 0.2) cut.abort();
  };
  const first = await walkForward(await studyOf(b, { players: here }), options, { ...playing(1, cut.signal), onShare });
  expect(first.outOfSample).toBeNull();
  expect(first.finished).toBeLessThan(first.wanted);
  const second = await walkForward(await studyOf(b, { players: here }), options, playing());
  expect(second.finished).toBe(second.wanted);
  expect(second.outOfSample).not.toBeNull();
});

test('signals of a test begin warm, from the quotes before it; positions begin flat', async () => {
  const warm = TIMED.replace("name: 'timed',", "name: 'timed',\n  warmup: () => ({ quotes: 100 }),").replace(
    'n >= until',
    'n >= 100 + until',
  );
  const study = await studyOf(bench(TIMED_YAML, { seconds: 600, volatility: 10 }, { timed: warm }), { players: here });
  const windows = { trainMs: 240_000, testMs: 60_000, embargoMs: 0, anchored: false };
  const options = { vary: ['one.side=long,short', 'one.until=50'], random: undefined, seed: '1', by: 'netProfit', ...windows };
  const { steps } = await walkForward(study, options, playing());
  const tests = steps.flatMap(({ test: tested }) => tested ?? []);
  expect(tests.length).toBeGreaterThan(2);
  for (const tested of tests) {
    // Cold it waits for 100 of the test's 120 quotes, and never comes to close.
    const cold = await study.play([study.job(tested.params, { from: tested.from, to: tested.to })], playing());
    expect(cold.results[0]?.id).not.toBe(tested.id);
    expect(cold.results[0]?.fills).toBe(1);
    expect(tested.fills).toBe(2);
  }
});

test('trainings that grow: after a twentieth of the work the time that is left is right within a factor of two', async () => {
  let spent = 0;
  const shares: { readonly share: number; readonly spent: number }[] = [];
  const players: typeof here = async (base) => {
    const { play, close } = await here(base);
    const costOf = (jobs: readonly TrialJob[]): number => jobs.reduce((sum, { from, to }) => sum + (to ?? 0) - from, 0);
    const counted = (work: TrialWork): TrialWork => ({
      ...work,
      onResults: (of) => {
        spent += costOf(of);
        work.onResults(of);
      },
    });
    return { close, play: (work) => play(counted(work)) };
  };
  const study = await studyOf(bench(TIMED_YAML, { seconds: 600, quotesPerSecond: 1, volatility: 10 }, { timed: TIMED }), { players });
  const windows = { trainMs: 60_000, testMs: 60_000, embargoMs: 0, anchored: true };
  const options = { vary: ['one.side=long,short', 'one.until=20..60:20'], random: undefined, seed: '1', by: 'netProfit', ...windows };
  await walkForward(study, options, { ...playing(), onShare: (share) => shares.push({ share, spent }) });
  const looks = shares.filter(({ share }) => share >= 0.05 && share <= 0.9);
  expect(looks.length).toBeGreaterThan(20);
  for (const { share, spent: then } of looks) {
    const [estimate, real] = [(then * (1 - share)) / share, spent - then];
    expect(estimate / real).toBeGreaterThan(0.5);
    expect(estimate / real).toBeLessThan(2);
  }
});

test('tests without a quote are told before the run', async () => {
  const b = bench(YAML, FIVE_DAYS);
  const windows = { trainMs: DAY, testMs: DAY, embargoMs: 0, anchored: false };
  const told: string[] = [];
  const options = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: 'netProfit', ...windows };
  const { headlines } = await walkForward(await studyOf(b, { players: here }), options, {
    ...playing(),
    onNote: (text) => told.push(text),
  });
  expect(told).toEqual(['1 of 4 tests has no quote and cannot trade, from 2026-01-08T00:00:00.000Z: a longer --test avoids it']);
  expect(headlines.map(({ text }) => text)).toEqual(expect.arrayContaining(told));
});

test('a test without a quote is not traded: it neither fails nor voids the verdict', async () => {
  const b = bench(TIMED_YAML, { ...FIVE_DAYS, volatility: 10 }, { timed: TIMED });
  const windows = { trainMs: DAY, testMs: DAY, embargoMs: 0, anchored: true };
  const options = { vary: ['one.side=long,short', 'one.until=40'], random: undefined, seed: '1', by: 'netProfit', ...windows };
  const result = await walkForward(await studyOf(b, { players: here }), options, playing());
  // Nothing was worth picking for the second.
  expect(result.steps.map(({ why }) => why)).toEqual([null, expect.stringMatching(/^every trial lost/), 'the test has no quote', null]);
  expect(result.steps.map(({ test: tested }) => tested?.failed)).toEqual([null, undefined, undefined, null]);
  expect(result.outOfSample?.verdict.text).toMatch(/^too short to tell/);
  expect(result.headlines.find(({ code }) => code === 'NO_FOLD_CHOSEN')?.text).toMatch(/^1 of 4 folds/);
  expect(foldRows(result)[2]?.at(-1)).toBe('not traded: the test has no quote');
});

describe('the chain', () => {
  test('a day in which one test ends and the next begins is whole', () => {
    const parts = [
      { at: 1 * DAY + 12 * HOUR, return: 0.1, whole: false },
      { at: 2 * DAY, return: 0.1, whole: false },
      { at: 3 * DAY, return: -0.5, whole: true },
      { at: 3 * DAY + 5 * HOUR, return: 0.2, whole: false },
    ];
    const days = dailyOf(parts, [{ from: DAY, to: 3 * DAY + 5 * HOUR }]);
    expect(days).toHaveLength(2);
    expect(days[0]).toBeCloseTo(0.21, 12);
    expect(days[1]).toBe(-0.5);
    expect(dailyOf(parts, [{ from: DAY + 1, to: 3 * DAY }])).toEqual([-0.5]);
  });

  test('a day without a quote is a whole day without a profit, whichever test it falls into', () => {
    const parts = [
      // The first test ends with Friday's last quote, the second falls into the weekend, the third begins on Monday.
      { at: 1 * DAY + 21 * HOUR, return: 0.1, whole: false },
      { at: 5 * DAY, return: -0.2, whole: true },
    ];
    const days = dailyOf(parts, [{ from: DAY, to: 5 * DAY }]);
    expect(days.map((change) => Number(change.toFixed(12)))).toEqual([0.1, 0, 0, -0.2]);
    expect(dailyOf([], [{ from: DAY + 1, to: 2 * DAY - 1 }])).toEqual([]);
  });

  test('counts as many whole days as one backtest of the same time, with a day without quotes in it', async () => {
    const b = bench(YAML, FIVE_DAYS);
    const windows = { trainMs: DAY, testMs: DAY, embargoMs: 0, anchored: false };
    const options = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: 'netProfit', ...windows };
    const { outOfSample, steps, headlines } = await walkForward(await studyOf(b, { players: here }), options, playing());
    expect(steps).toHaveLength(4);
    const session = await b.open({ from: FIVE_DAYS.from + DAY, to: FIVE_DAYS.from + 5 * DAY + 1 });
    const run = session.play();
    const equity = runEquity(recordOfBacktest(session.config, run), session.columns, { currency: 'usd' });
    expect(equity).toMatchObject({ days: [{ whole: true }, { whole: true }, { whole: true }, { whole: true }] });
    expect(outOfSample?.verdict.text).toContain('4 whole days');
    expect(headlines).toContainEqual(
      expect.objectContaining({
        code: 'NOTE',
        level: 'note',
        text: expect.stringMatching(/^the last .* are in no test, from 2026-01-10T00:/),
      }),
    );
  });

  test('the training behind a hole is untested: its days are no days without a change', () => {
    const empty = [{ from: 35 * DAY, to: 55 * DAY }];
    const folds = foldsOf({ from: 0, to: 90 * DAY }, { trainMs: 30 * DAY, testMs: 5 * DAY, embargoMs: 0, anchored: false }, empty);
    expect(folds.map(({ test: { from, to } }) => [from / DAY, to / DAY])).toEqual([
      [30, 35],
      [85, 90],
    ]);
    const days = folds.flatMap(({ test: { from } }) => [1, 2, 3, 4, 5].map((n) => ({ at: from + n * DAY, return: n / 1000, whole: true })));
    const tests = folds.map((fold) => fold.test);
    expect(dailyOf(days, tests, empty)).toHaveLength(10);
    const [first] = tests;
    expect(dailyOf(days, first ? [first] : [], empty)).toHaveLength(5);
  });

  test('its fall goes over the borders of tests', () => {
    const trial = (at: number, change: number): TrialResult => ({
      id: String(at),
      setup: 's',
      params: {},
      from: 0,
      to: null,
      figures: { netProfit: change * 100, totalReturn: change },
      days: [{ at, return: change, whole: false }],
      fills: 2,
      exact: 2,
      halted: null,
      failed: null,
      headlines: [],
      refusals: [],
    });
    const fold = { train: { from: 0, to: 1 }, test: { from: 1, to: 2 } };
    const steps = [0.1, -0.1, -0.2].map((change, n) => ({ fold, train: trial(n, 0.5), test: trial(n + 1, change), why: null }));
    const out = chainOf(steps, { tried: 1, seed: 's' });
    expect(out.drawdown).toBeCloseTo(0.28, 12);
    expect(out.totalReturn).toBeCloseTo(1.1 * 0.9 * 0.8 - 1, 12);
    expect(out.promised).toBeCloseTo(1.5 ** 3 - 1, 12);
    expect(out.netProfit).toBeCloseTo(-20, 12);
    // A test that was cut short is no result: neither is the chain.
    const halted = { stopped: 'trading was halted at noon' };
    const cut = chainOf(
      steps.map((step, n) => (n === 0 ? { ...step, test: { ...step.test, ...halted } } : step)),
      { tried: 1, seed: 's' },
    );
    const why = '1 of 3 tests cut short, as trading was halted at noon';
    expect(cut).toMatchObject({
      verdict: { significant: false, text: `skill or luck n/a: ${why}` },
      deflated: { why },
      returnOfPaths: null,
    });
    // Trainings twice as long as their tests overlap: each promises for a test no more than the half of its own time.
    const long = steps.map((step) => ({ ...step, fold: { train: { from: 0, to: 2 }, test: { from: 2, to: 3 } } }));
    expect(chainOf(long, { tried: 1, seed: 's' }).promised).toBeCloseTo(1.5 ** 1.5 - 1, 12);
    // A hole of the data in half of the training is no time of it.
    expect(chainOf(long, { tried: 1, seed: 's', empty: [{ from: 1, to: 2 }] }).promised).toBeCloseTo(1.5 ** 3 - 1, 12);
  });

  test('what sweeps tried on the days of tests takes nothing for more than luck', () => {
    const returns = Array.from({ length: 60 }, (_, day) => 0.01 + (day % 3) * 0.001);
    const test = { from: 0, to: 60 * DAY };
    const days = returns.map((change, day) => ({ at: (day + 1) * DAY, return: change, whole: true }));
    const played = { days, figures: { netProfit: 1 }, fills: 1 } as unknown as TrialResult;
    const step = { fold: { train: test, test }, train: null, test: played, why: null };
    expect(chainOf([step], { tried: 1, seed: 's' }).verdict.text).toMatch(/^more than luck/);
    expect(chainOf([step], { tried: 1, swept: 3, seed: 's' }).verdict).toEqual({
      significant: false,
      text: 'not distinct from luck: 3 settings were tried on these test days by sweeps before',
    });
  });
});
