import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { paramsText, type TrialResult } from '#research/replay/trial.ts';
import type { Study } from '#research/sweep/study.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { planned, type SweepRequest } from '#research/sweep/sweep-axes.ts';
import { variedConfig } from '#research/sweep/sweep-config.ts';
import { noEffectHeadlines, sweepHeadlines } from '#research/sweep/sweep-headlines.ts';
import { bestOf, METRICS, metricNamed, ranked } from '#research/sweep/sweep-ranking.ts';
import { playTrial, trialSession } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

const YAML = `${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${OFF}backtest: { latency: 20 }\n`;
const plannedBy = (study: Study, wanted: SweepRequest) => planned(wanted, study.varied(wanted));

const GRID = { vary: ['one.fast=2..6:2', 'one.slow=5,8'], random: undefined, seed: '1', by: undefined };

/** Buys three times and counts that at the top of its module, where it stays for as long as the copy does. */
const THRICE = `import { buy, param, sell, strategy } from 'kairos/strategy';
import { filter } from 'rxjs';
let heard = 0;
export default strategy({
  name: 'thrice',
  params: { unused: param.int(1, { min: 1, max: 9 }) },
  signals: ({ quotes$ }) => quotes$.pipe(filter(() => heard++ < 6)),
  decide: (_quote, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
});
`;

describe('a trial', () => {
  test('is the backtest of its parameters, and its figures are those of the report', async () => {
    const b = bench(YAML, { seconds: 600 });
    const study = await studyOf(b);
    const job = study.job({ one: { fast: 3, slow: 9 } });
    const base = { config: b.config, shared: study.session.shared };
    const result = await playTrial(base, job);
    const session = await trialSession(base, job);
    const run = session.play();
    const report = reportOfBacktest(session, run, { curve: undefined });
    expect(result.fills).toBeGreaterThan(20);
    expect(result).toMatchObject({ exact: result.fills, failed: null, halted: null });
    for (const id of ['netProfit', 'totalReturn', 'maxDrawdown', 'maxDrawdownMoney', 'trades', 'winRate', 'expectancy', 'exposure']) {
      expect(result.figures[id], id).toBe(metricIn(report.sections, id));
    }
    if (typeof report.equity === 'string') throw new Error(report.equity);
    expect(result.days.map((day) => day.return)).toEqual(report.equity.days.map((day) => day.return));
    const plain = bench(YAML.replace('{ fast: 2, slow: 4 }', '{ fast: 3, slow: 9 }'));
    expect(variedConfig(b.config, job.params).hash).toBe(plain.config.hash);
  });

  test('has the return that the table of a backtest shows: with what is open in it, on the capital of what traded', async () => {
    const hold = 'use: buy-and-hold, product: btcusd, amount: { base: 0.01 }';
    const idle = 'use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 100000 }';
    const yaml = `strategies: [{ id: one, ${hold} }, { id: idle, ${idle} }, { id: off, ${hold}, enabled: false }]\n`;
    const b = bench(`${yaml}${OFF}backtest: { latency: 20 }\n`, { seconds: 300 });
    const study = await studyOf(b);
    const job = study.job({});
    const { figures } = await playTrial({ config: b.config, shared: study.session.shared }, job);
    const total = outcomeOf((await b.open()).play()).profit.find(({ group }) => group === 'total');
    expect(total).toMatchObject({ trades: 0 });
    expect(total?.return?.toNumber()).not.toBe(0);
    expect(total?.return?.toNumber()).toBeCloseTo(figures.totalReturn ?? Number.NaN, 9);
  });

  test('on a time without quotes is finished, and says so', async () => {
    const study = await studyOf(bench(YAML), { players: here });
    const jobs = [study.job({ one: { fast: 2 } }, { from: Date.UTC(2030, 0, 1), to: null })];
    const { results } = await study.play(jobs, playing());
    expect(results[0]?.failed).toMatch(/holds no quotes of btcusd from \S+( on| to \S+); it holds btcusd from/);
  });
});

describe('a sweep', () => {
  test('tries every combination once, ranks them, and threads change nothing', async () => {
    const study = await studyOf(bench(YAML, { seconds: 300 }), { players: here });
    const one = await sweep(study, GRID, playing(1));
    expect(one.played).toEqual({ wanted: 5, known: 0, finished: 5, refused: 1, pruned: 0 });
    expect(one.ranking).toMatchObject({ by: 'profitOverDrawdown', why: '0 whole days: Sharpe from 30 on' });
    expect(one.first).toMatchObject({ trials: 5, verdict: { significant: false, text: expect.stringMatching(/^too short to tell/) } });
    const other = await studyOf(bench(YAML, { seconds: 300 }));
    const two = await sweep(other, GRID, playing(2));
    expect(two.ranking).toEqual(one.ranking);
    expect(two.first).toEqual(one.first);
  });

  test('names a parameter that changes nothing, and gives no Sharpe ratio of a few days', async () => {
    const b = bench(`${strategyYaml({ use: 'thrice' })}${OFF}backtest: { latency: 20 }\n`, { seconds: 300 }, { thrice: THRICE });
    const idle = await sweep(await studyOf(b, { players: here }), { ...GRID, vary: ['one.unused=1,2'], by: 'sharpe' }, playing());
    expect(idle.headlines.map(({ text }) => text)).toContain(
      'no effect: one.unused; trials that differ in it alone came out the same; does the strategy use it?',
    );
    expect(idle.ranking.why).toBe('as asked; no trial of 0 whole days has one: net profit decides');
    expect(idle.first?.sharpe).toEqual({ why: 'needs 30 whole days (UTC), there are 0' });
    const used = await sweep(await studyOf(bench(YAML, { seconds: 300 }), { players: here }), GRID, playing());
    expect(used.headlines.map(({ code }) => code)).not.toContain('NO_EFFECT');
  });

  test('gives each trial a fresh copy of the module as it was at the start, whatever is edited meanwhile', async () => {
    const b = bench(`${strategyYaml({ use: 'thrice' })}${OFF}backtest: { latency: 20 }\n`, { seconds: 300 }, { thrice: THRICE });
    const study = await studyOf(b);
    writeFileSync(path.join(b.cwd, 'strategies/thrice.ts'), THRICE.replace('< 6', '< 8'));
    const jobs = [1, 2, 3, 4].map((unused) => study.job({ one: { unused } }));
    const { results } = await study.play(jobs, playing(2));
    expect(results.map(({ fills }) => fills)).toEqual([6, 6, 6, 6]);
    const edited = await studyOf(b, { players: here });
    expect((await edited.play([edited.job({ one: { unused: 1 } })], playing())).results[0]?.fills).toBe(8);
  });

  test('is gone on with where it was cut: nothing finished is played again, nothing is counted twice', async () => {
    const b = bench(YAML, { seconds: 300 });
    const study = await studyOf(b);
    const cut = new AbortController();
    const onShare = (share: number): void => {
      if (share >= 0.4) cut.abort();
    };
    const first = await sweep(study, GRID, { ...playing(1, cut.signal), onShare });
    expect(first.played).toMatchObject({ wanted: 5, finished: 2 });
    expect(first.first?.trial.failed).toBeNull();
    // As after a crash: another process, that knows the log alone, and half a line at its end.
    writeFileSync(first.log, '{"kind":"trial","trial":{"id":"', { flag: 'a' });
    const resumed = await studyOf(b, { players: here });
    const rest = await sweep(resumed, GRID, playing());
    expect(rest.played).toEqual({ wanted: 5, known: 2, finished: 5, refused: 1, pruned: 0 });
    expect(rest.first?.trials).toBe(5);
    const lines = readFileSync(rest.log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"kind":"trial"') && line.endsWith('}'));
    expect(new Set(lines).size).toBe(5);
    expect(lines).toHaveLength(5);
  });

  test('remembers what was tried on the same quotes; other quotes and other sources are others', async () => {
    const b = bench(YAML);
    const tried = async (vary: readonly string[]): Promise<number> =>
      (await sweep(await studyOf(b, { players: here }), { ...GRID, vary }, playing())).first?.trials ?? 0;
    expect(await tried(['one.fast=2,3'])).toBe(2);
    expect(await tried(['one.fast=3', 'one.slow=4,9'])).toBe(3);
    mkdirSync(path.join(b.cwd, 'strategies'), { recursive: true });
    const source = readFileSync(path.join(import.meta.dirname, '../../../strategies/sma-cross.ts'), 'utf8');
    writeFileSync(path.join(b.cwd, 'strategies/sma-cross.ts'), `${source}// changed\n`);
    expect(await tried(['one.fast=2'])).toBe(4);
    const other = await studyOf(bench(YAML, { seed: 'other' }));
    expect(path.basename(other.log.file)).not.toBe(path.basename((await studyOf(b)).log.file));
    expect(readdirSync(path.join(b.cwd, 'sweeps'))).toHaveLength(1);
  });

  test('draws with a seed, and takes the range that the strategy declares', async () => {
    const study = await studyOf(bench(YAML));
    const drawn = plannedBy(study, { vary: ['one.fast=1..500', 'one.slow=2..1000'], random: 20, seed: 'x' });
    expect(drawn.params).toHaveLength(20);
    for (const { one } of drawn.params) expect(Number(one?.fast)).toBeLessThan(Number(one?.slow));
    expect(plannedBy(study, { vary: ['one.slow'], random: undefined, seed: '1' }).params.map(({ one }) => one?.slow)).toEqual([
      20, 40, 60, 80, 100, 120, 140, 160, 180, 200,
    ]);
  });

  test.each([
    [['two.fast=1..5'], /no strategy two; there is one/],
    [['one.fst=1..5'], /no parameter fst; did you mean fast\?/],
    [['one.fast=0..5'], /params\.fast: must be at least 1, not 0/],
    [['one.fast=1.5,2'], /params\.fast: must be a whole number, not 1\.5/],
    [['one.fast'], /says no range for it/],
    [['one.fast=2', 'one.fast=3'], /fast is named twice/],
    [['one.fast=9'], /none of 1 combinations is accepted/],
    [[], /name at least one parameter/],
  ])('%j is refused in one line', async (vary, why) => {
    const study = await studyOf(bench(YAML));
    expect(() => plannedBy(study, { vary, random: undefined, seed: '1' })).toThrow(why);
  });

  test('a figure that there is not is answered with the nearest', () => {
    expect(() => metricNamed('sharp')).toThrow('--by sharp: did you mean sharpe?');
  });
});

describe('ranking', () => {
  const trial = (id: string, figures: TrialResult['figures'], days: number): TrialResult => ({
    id,
    setup: id,
    params: { a: { id } },
    from: 0,
    to: null,
    figures,
    days: Array.from({ length: days }, (_, n) => ({ at: n, return: 0.01 * (n % 3), whole: true })),
    fills: 1,
    exact: 1,
    halted: null,
    failed: null,
    headlines: [],
    refusals: [],
  });

  test('is by Sharpe from 30 whole days on, else by net profit over drawdown; what has no figure is last, equals go by net profit', () => {
    const figures = [
      { sharpe: 1, profitOverDrawdown: 3, maxDrawdown: 0.2 },
      { sharpe: null },
      { sharpe: 2, profitOverDrawdown: 1, maxDrawdown: 0.1 },
    ];
    const order = (days: number, by?: 'maxDrawdown'): string =>
      ranked(
        figures.map((one, n) => trial(String(n), one, days)),
        by,
      )
        .trials.map(({ params }) => paramsText(params).slice(-1))
        .join('');
    expect([order(29), order(30), order(30, 'maxDrawdown')]).toEqual(['021', '201', '201']);
    expect(ranked([trial('0', {}, 30)], undefined)).toMatchObject({ by: 'sharpe', why: '30 whole days: Sharpe from 30 on' });
    expect(ranked([trial('0', {}, 29)], undefined)).toMatchObject({ by: 'profitOverDrawdown' });
    expect(ranked([trial('0', { maxDrawdown: 0.1 }, 29)], 'maxDrawdown')).toMatchObject({ by: 'maxDrawdown', why: 'as asked' });
  });

  test.each(Object.keys(METRICS))('by %s a trial with a profit stands before one that lost, and less lost before more', (name) => {
    const by = metricNamed(name);
    // Whatever the figure says of a loss: more risk makes a ratio of it look better.
    const profits = [-6, 4, -1, -9, 7];
    for (const figure of [
      [-0.1, 2, -0.6, -0.01, 3],
      [9, 1, 8, 7, 0.5],
      [null, 1, null, null, null],
    ]) {
      const trials = profits.map((netProfit, n) =>
        trial(String(n), { [by]: figure[n] ?? null, netProfit, ...(by === 'netProfit' && { netProfit }) }, 0),
      );
      const order = ranked(trials, by).trials.map(({ figures: { netProfit } }) => netProfit ?? 0);
      expect(order.slice(0, 2).sort()).toEqual([4, 7]);
      expect(order.slice(2)).toEqual([-1, -6, -9]);
    }
  });

  test('one that lost all its capital on the way is behind every other and never best, whatever its positions made afterwards', () => {
    const figures = [
      { netProfit: 50, totalReturn: -1, sharpe: 9 },
      { netProfit: -70, totalReturn: -0.7, sharpe: -1 },
      { netProfit: 1, totalReturn: 0.01, sharpe: 0.1 },
    ];
    const trials = figures.map((one, n) => ({ ...trial(String(n), one, 30), currency: 'usd' }));
    for (const by of ['sharpe', 'netProfit', 'totalReturn'] as const)
      expect(ranked(trials, by).trials.map(({ id }) => id)).toEqual(['2', '1', '0']);
    const alone = ranked(trials.slice(0, 1), 'netProfit');
    expect(bestOf(alone)).toBeUndefined();
    expect(sweepHeadlines(alone, []).map(({ text }) => text)).toEqual([
      'the only trial lost: net profit 50.00 usd (1 lost all the capital on the way), so that none is named best',
    ]);
  });

  test('a profit without any fall or loss to divide it by is the best of all; what has no figure comes behind what has one', () => {
    const figures = [
      { profitOverDrawdown: 2, netProfit: 5, maxDrawdownMoney: 1 },
      { profitOverDrawdown: null, netProfit: 1, maxDrawdownMoney: 0 },
      { profitOverDrawdown: null, netProfit: 9 },
    ];
    const { trials } = ranked(
      figures.map((one, n) => trial(String(n), one, 0)),
      undefined,
    );
    expect(trials.map(({ id }) => id)).toEqual(['1', '0', '2']);
  });

  test.each([
    ['sortino', {}],
    ['omega', {}],
    ['calmar', { maxDrawdown: 0 }],
    ['profitFactor', { lost: 0 }],
  ] as const)('by %s one without a loss to divide by is the best of all', (by, none) => {
    const losing = trial('losing', { [by]: 2, netProfit: 9, maxDrawdown: 0.1, lost: 4 }, 40);
    const trials = [
      { ...losing, days: losing.days.map((day, n) => ({ ...day, return: n === 5 ? -0.01 : day.return })) },
      trial('never', { [by]: null, netProfit: 1, ...none }, 40),
    ];
    expect(ranked(trials, by).trials.map(({ id }) => id)).toEqual(['never', 'losing']);
  });

  test('a value at which a trial failed or never traded, while others traded alike, is an effect of the parameter', () => {
    const made = { netProfit: -2, trades: 20 };
    const alike = ['1', '2'].map((id) => trial(id, made, 0));
    const told = (...others: readonly TrialResult[]): readonly string[] => noEffectHeadlines([...alike, ...others]).map(({ text }) => text);
    expect(told()).toEqual(['no effect: a.id; trials that differ in it alone came out the same; does the strategy use it?']);
    expect(told({ ...trial('3', made, 0), failed: 'boom' })).toEqual([]);
    expect(told({ ...trial('3', { netProfit: 0 }, 0), fills: 0 })).toEqual([]);
    expect(noEffectHeadlines(alike.map((one) => ({ ...one, fills: 0 })))).toEqual([]);
  });

  test('what failed or never traded has no place, and nothing is named best among losses', () => {
    const lost = [-2, -1].map((netProfit, n) => ({ ...trial(String(n), { netProfit, trades: 20 }, 0), currency: 'eur' }));
    const idle = { ...trial('idle', { netProfit: 0 }, 0), fills: 0 };
    const failed = { ...trial('failed', { netProfit: 100, trades: 20 }, 0), failed: 'boom' };
    const ranking = ranked([failed, idle, ...lost], 'netProfit');
    expect(ranking.trials.map(({ id }) => id)).toEqual(['1', '0', 'failed', 'idle']);
    expect(ranking.ranked).toBe(2);
    expect(bestOf(ranking)).toBeUndefined();
    const said = (trials: readonly TrialResult[]): readonly string[] =>
      sweepHeadlines(ranked(trials, 'netProfit'), []).map(({ text }) => text);
    expect(said(lost)).toEqual(['every trial lost: net profit from \u22122.00 to \u22121.00 eur, so that none is named best']);
    expect(said([failed, idle, ...lost])).toEqual([
      'every trial that can be ranked (2 of 4) lost: net profit from \u22122.00 to \u22121.00 eur, so that none is named best',
    ]);
    expect(said(lost.slice(0, 1))).toEqual(['the only trial lost: net profit \u22122.00 eur, so that none is named best']);
    expect(said([failed, idle])).toEqual(['no trial can be ranked: 1 failed, 1 never traded']);
    expect(said([trial('few', { netProfit: 3, trades: 2 }, 0), ...lost])).toEqual([
      'too few trades: the best trial closed 2 round trips, and below 10 a result says nothing',
    ]);
    expect(said([trial('fine', { netProfit: 3, trades: 10 }, 0), ...lost])).toEqual([]);
  });
});
