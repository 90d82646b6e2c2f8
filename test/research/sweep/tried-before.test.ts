import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { MeasuredOrder } from '#adapters/journal/measured-orders.ts';
import { codeHash } from '#assembly/package.ts';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import type { OpenOptions } from '#research/backtest/open-session.ts';
import { playedIn } from '#research/backtest/played-in.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { BacktestSession } from '#research/backtest/session.ts';
import { settingOf } from '#research/replay/trial.ts';
import { KeptTrials } from '#research/replay/trial-log.ts';
import { triedBeside } from '#research/sweep/search-verdict.ts';
import { reportOfSweep, sweep } from '#research/sweep/sweep.ts';
import { decisiveIn, jobOf } from '#research/sweep/sweep-config.ts';
import { playTrial } from '#research/sweep/sweep-trial.ts';
import { triedBefore } from '#research/sweep/tried-before.ts';
import { settingsTried } from '#research/sweep/tried-settings.ts';
import { walkForward } from '#research/sweep/walk-forward.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { type Bench, bench, OFF, sessionOf } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

/** Buys at one quote and sells at one `gap` later, over and over. */
const TURNS = `import { buy, param, sell, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'turns',
  params: { gap: param.int(3, { min: 1, max: 99 }) },
  signals: ({ quotes$ }) => quotes$.pipe(map((_quote, n) => n)),
  decide: (n, { position, amount }, { gap }) => {
    if (n % gap !== 0) return undefined;
    return position.isLong ? sell('position', 'out') : buy(amount, 'in');
  },
});
`;
/** Quotes may be half an hour apart. */
const RULES = `${OFF}lanes: { staleAfter: { btcusd: 1h } }\n`;
const YAML = `${strategyYaml({ use: 'turns', params: '{ gap: 1 }' })}${RULES}backtest: { latency: 20 }\n`;
const GRID = { vary: ['one.gap=2..4:1'], random: undefined, seed: '1', by: undefined };

interface BacktestParts {
  readonly gap?: number;
  readonly params?: string;
  readonly latencyMs?: number;
}

/** The backtest of one gap after a sweep, by its settings as a person writes them. */
async function backtestOf(b: Bench, { gap, params = `{ gap: ${gap} }`, latencyMs }: BacktestParts) {
  const latency = latencyMs ?? 20;
  const yaml = `${strategyYaml({ use: 'turns', params })}${RULES}backtest: { latency: ${latency} }\n`;
  const config = configOf(`${yaml}recording: { dir: recordings }\njournal: { path: kairos.db }\n`, { cwd: b.cwd });
  const session = await b.open({ config });
  const run = session.play();
  const before = triedBefore(session, run, config);
  return { session, run, before };
}

describe('a backtest counts what was tried on its quotes', () => {
  test('as the sweep does: the same setting is not one more, and another is', async () => {
    const b = bench(YAML, { seconds: 60 }, { turns: TURNS });
    expect((await backtestOf(b, { gap: 2 })).before).toBeUndefined();
    const study = await studyOf(b, { players: here });
    const { first } = await sweep(study, GRID, playing());
    if (!first) throw new Error('no trial is ranked');
    const gap = Number(first.trial.params.one?.gap);

    const { before, session, run } = await backtestOf(b, { gap });
    const report = reportOfBacktest(session, run, { curve: undefined, tried: before?.tried, headlines: before ? [before.headline] : [] });
    expect(report.verdict).toEqual(first.verdict);
    expect(metricIn(report.sections, 'trials')).toBe(3);
    expect(report.headlines.map(({ text }) => text)).toContain(`3 settings were tried on these days, this among them: ${study.log.file}`);

    const again = await backtestOf(b, { gap, latencyMs: 20 });
    expect(again.before?.tried.count, 'its latency on the command line').toBe(3);
    const slower = await backtestOf(b, { gap, latencyMs: 300 });
    expect(slower.before?.tried.count, 'the same idea at another latency').toBe(3);
    expect(slower.before?.headline.text).toContain(', this among them');
    const other = await backtestOf(b, { gap: 20 });
    expect(other.before?.tried.count).toBe(4);
    expect(other.before?.headline.text).toContain('and this is one more');
    expect(study.log.all, 'a backtest is not kept').toHaveLength(3);

    const kept = path.join(b.cwd, 'kept.db');
    keepBacktest(session, run, kept, before);
    const settings = { ...b.config.settings, journal: { path: kept } };
    expect(metricIn(reportOfRun({ settings, run: 'last' }).sections, 'trials'), 'kept with its decisions').toBe(3);
    expect(playedIn(session, run)).not.toHaveProperty('tried');
  });
});

test.each([
  ['left at its default, as the sweep had it', '{}', 'one.gap=3..5:1'],
  ['named with its default, which the sweep had left out', '{ gap: 4, least: 0 }', 'one.gap=3..5:1'],
])('a parameter that is %s is no other setting', async (_what, params, vary) => {
  const module = TURNS.replace('max: 99 }) }', 'max: 99 }), least: param.int(0) }');
  const b = bench(YAML, { seconds: 60 }, { turns: module });
  await sweep(await studyOf(b, { players: here }), { ...GRID, vary: [vary] }, playing());
  const { before } = await backtestOf(b, { params });
  expect(before?.headline.text).toMatch(/^3 settings were tried on these days, this among them/);
  expect(before?.tried.count).toBe(3);
  expect((await backtestOf(b, { params: '{ gap: 3, least: 1 }' })).before?.tried.count, 'another value is one more').toBe(4);
});

test('the page of a second sweep is judged as the sweep is, by all that was tried on the quotes', async () => {
  const b = bench(YAML, { seconds: 120, stretch: 3600, validityMs: 60_000 }, { turns: TURNS });
  const study = await studyOf(b, { players: here });
  await sweep(study, { ...GRID, vary: ['one.gap=10..40:10'] }, playing());
  const second = await sweep(study, { ...GRID, vary: ['one.gap=55..85:10'] }, playing());
  const read = vi.spyOn(KeptTrials, 'readAll');
  const report = await reportOfSweep(study, second);
  expect(read, 'the logs of trials are read once, for the sweep').not.toHaveBeenCalled();
  read.mockRestore();
  if (!second.first || !report) throw new Error('no trial is ranked');
  expect(second.first.trials).toBe(8);
  expect(metricIn(report.sections, 'trials')).toBe(8);
  expect(metricIn(report.sections, 'deflatedSharpe')).toEqual(second.first.deflated);
  const { sharpes } = second.tried ?? {};
  expect(sharpes).toHaveLength(8);

  const { session, run, before } = await backtestOf(b, { gap: Number(second.first.trial.params.one?.gap) });
  expect(before?.tried.count).toBe(8);
  expect(before?.tried.sharpes.toSorted()).toEqual(sharpes?.toSorted());
  const alone = reportOfBacktest(session, run, { curve: undefined, tried: before?.tried });
  expect(metricIn(alone.sections, 'deflatedSharpe')).toEqual(second.first.deflated);
});

/** What a run beside the sweep has measured. */
const SLOW: readonly MeasuredOrder[] = [
  {
    strategy: 'x',
    side: 'buy',
    quoteId: 'q',
    outcome: 'accepted',
    intentAt: 0,
    gateMs: 1,
    roundTripMs: 900,
    httpStatus: 200,
    body: '',
    late: false,
  },
];

test('a setting counts once, whatever latency was measured meanwhile, and its results stay apart', async () => {
  const yaml = YAML.replace('latency: 20', 'latency: measured');
  const b = bench(yaml, { seconds: 120, stretch: 3600, validityMs: 60_000 }, { turns: TURNS });
  const study = await studyOf(b, { players: here });
  const { first } = await sweep(study, GRID, playing());
  if (!first) throw new Error('no trial is ranked');

  const shared = { ...study.session.shared, measured: SLOW };
  const config = { ...b.config, ...configOf(yaml.replace('gap: 1', `gap: ${first.trial.params.one?.gap}`), { cwd: b.cwd }) };
  const settings = { ...config.settings, journal: b.config.settings.journal };
  const session = await BacktestSession.over({ config, from: undefined, to: undefined, notice: () => {} }, shared);
  const backtest = () => triedBefore(session, session.play(), { ...config, settings });
  expect(backtest()?.headline.text).toBe(`3 settings were tried on these days, this among them: ${study.log.file}`);
  expect(backtest()?.tried.count).toBe(3);

  const decisive = decisiveIn({ strategies: study.session.strategies, shared }, codeHash());
  const jobs = study.log.all.map(({ params, from, to }) => jobOf({ config: b.config, decisive, params, from, to }));
  expect(jobs.map(({ id }) => study.log.trial(id))).toEqual([undefined, undefined, undefined]);
  study.log.keep(await Promise.all(jobs.map((job) => playTrial({ config: b.config, shared }, job))));
  expect(study.log.all).toHaveLength(6);
  expect(new Set(study.log.all.map(settingOf)).size).toBe(3);
  expect(backtest()?.tried).toMatchObject({ count: 3, sharpes: [expect.any(Number), expect.any(Number), expect.any(Number)] });
  expect((await sweep(study, GRID, playing())).first?.trials).toBe(3);
});

test('a walk-forward that is made again after a run has measured another latency counts once', async () => {
  const b = bench(YAML.replace('latency: 20', 'latency: measured'), { seconds: 60 }, { turns: TURNS });
  const windows = { trainMs: 30_000, testMs: 20_000, embargoMs: 0, anchored: false };
  const walked = async () => {
    const study = await studyOf(b, { players: here });
    await walkForward(study, { ...GRID, ...windows }, playing());
    return { measured: study.session.shared.measured.length, trials: study.log.all.length, walks: study.log.walkForwards.length };
  };
  const before = await walked();
  const { session, run } = await backtestOf(b, { gap: 2, latencyMs: 300 });
  keepBacktest(session, run, b.config.settings.journal.path);
  const after = await walked();
  expect(after.measured).toBeGreaterThan(before.measured);
  expect(after.trials).toBeGreaterThan(before.trials);
  expect([before.walks, after.walks]).toEqual([1, 1]);
});

test('what was tried before the recording grew still counts, whatever the path to it is written as', async () => {
  const recording = { seconds: 60, validityMs: 3_600_000, stretch: 600 };
  const b = bench(YAML, recording, { turns: TURNS });
  const windows = { trainMs: 4 * 3_600_000, testMs: 2 * 3_600_000, embargoMs: 0, anchored: false };
  const walked = async (vary: string, data?: string) =>
    (await walkForward(await studyOf(b, { players: here, data }), { ...GRID, vary: [vary], ...windows }, playing())).outOfSample?.trials;
  const swept = async (vary: string, data?: string) =>
    (await sweep(await studyOf(b, { players: here, data }), { ...GRID, vary: [vary] }, playing())).first?.trials;
  expect([await walked('one.gap=2,3'), await walked('one.gap=3,4'), await swept('one.gap=2..4:1')]).toEqual([1, 2, 3]);
  syntheticRecording({ ...recording, dir: b.dir, run: 'run-2', lanes: ['btcusd 0.01'], from: RECORDED_FROM + 600_000 * 60 });
  const typed = path.relative(process.cwd(), b.dir);
  expect(await walked('one.gap=4,5', typed), 'two before and this one').toBe(3);
  expect(await walked('one.gap=2,3', typed), 'the same on more days').toBe(3);
  expect(await swept('one.gap=5,6', typed), 'four in walk-forwards, and one').toBe(5);
  const later = { from: RECORDED_FROM + 600_000 * 60, to: RECORDED_FROM + 600_000 * 120 };
  expect((await studyOf(b)).walksOn(later), 'tests of the first two end before').toBe(2);
});

test('a walk-forward says how many settings sweeps tried on its test days before, and no more of those of walk-forwards', async () => {
  const b = bench(YAML, { seconds: 60, validityMs: 3_600_000, stretch: 600 }, { turns: TURNS });
  const windows = { trainMs: 4 * 3_600_000, testMs: 2 * 3_600_000, embargoMs: 0, anchored: false };
  const warned = async (vary: string) =>
    (await walkForward(await studyOf(b, { players: here }), { ...GRID, vary: [vary], ...windows }, playing())).headlines
      .filter(({ code }) => code === 'SWEPT_BEFORE')
      .map(({ level, text }) => [level, text]);
  const swept = async (to: number) => sweep(await studyOf(b, { players: here, to }), GRID, playing());
  const begin = RECORDED_FROM;
  expect([await warned('one.gap=2,3'), await warned('one.gap=3,4'), await warned('one.gap=2,3')]).toEqual([[], [], []]);
  await swept(begin + windows.trainMs);
  expect(await warned('one.gap=2'), 'tried on the first training alone').toEqual([]);
  await swept(begin + windows.trainMs + 600_000);
  expect(await warned('one.gap=2')).toEqual([
    ['warning', '3 settings were tried on these test days by sweeps before; the range may come from them'],
  ]);
});

describe('what was tried follows the strategy and the days', () => {
  const options = { seconds: 192, stretch: 3600, validityMs: 60_000 } as const;
  const swept = async () => {
    const b = bench(YAML, options, { turns: TURNS });
    const study = await studyOf(b, { players: here });
    const { first } = await sweep(study, { ...GRID, vary: ['one.gap=10..40:10'] }, playing());
    if (!first) throw new Error('no trial is ranked');
    return { b, study, first, gap: Number(first.trial.params.one?.gap) };
  };
  const triedIn = async ({ cwd }: Bench, yaml: string, open: Partial<OpenOptions> = {}) => {
    const config = configOf(`${yaml}${RULES}backtest: { latency: 20 }\nrecording: { dir: recordings }\njournal: { path: kairos.db }\n`, {
      cwd,
    });
    const session = await sessionOf(config, cwd, { config, ...open });
    const run = session.play();
    return { before: triedBefore(session, run, config), session, run };
  };
  const one = (gap: number) => strategyYaml({ use: 'turns', params: `{ gap: ${gap} }` });
  type Swept = Awaited<ReturnType<typeof swept>>;
  /** What the deflated Sharpe ratio of the sweep's first is made of. */
  const sortedOf = (sharpes: readonly number[]) => sharpes.map((one) => Number(one.toFixed(9))).sort((a, b) => a - b);
  const luckOf = ({ study, first }: Pick<Swept, 'study' | 'first'>) =>
    sortedOf(triedBeside(first.trial, first, study.triedWith(first.trial)).sharpes);
  const luckIn = ({ before }: Awaited<ReturnType<typeof triedIn>>) => sortedOf(before?.tried.sharpes ?? []);

  test('another strategy in the settings that has no quotes changes nothing, there or gone', async () => {
    const { b, study, first, gap } = await swept();
    const idle = '  - id: idle\n    use: eager\n    product: ethusd\n    amount: { base: 0.1 }\n';
    const beside = await triedIn(b, `${one(gap)}${idle}`);
    expect(beside.before?.tried.count).toBe(4);
    expect(beside.before?.headline.text).toContain(', this among them');
    expect(luckIn(beside)).toEqual(luckOf({ study, first }));
  });

  test('a product beside those of the settings leaves the quotes as they were, and a further day of theirs has the same count', async () => {
    const { b, study, first, gap } = await swept();
    syntheticRecording({ dir: b.dir, lanes: ['ethusd 0.1'], ...options, run: 'other' });
    const beside = await triedIn(b, one(gap));
    expect(beside.session.shared.hash).toBe(study.session.shared.hash);
    expect(beside.before?.tried.count).toBe(4);
    expect(luckIn(beside)).toEqual(luckOf({ study, first }));
    syntheticRecording({ dir: b.dir, lanes: ['btcusd 0.01'], ...options, run: 'later', from: Date.UTC(2026, 0, 20) });
    const more = await triedIn(b, one(gap));
    expect(more.session.shared.hash).not.toBe(study.session.shared.hash);
    expect(more.before?.tried.count).toBe(4);
  });

  test('the same days of other quotes elsewhere are clean', async () => {
    const { b, study, first } = await swept();
    const { strategies, journal } = b.config.settings;
    const { hash, data } = study.session.shared;
    const countOn = (quotes: Parameters<typeof settingsTried>[2]) => settingsTried({ strategies, journal }, first.trial, quotes).count;
    const elsewhere = { path: 'imported/other' };
    expect([countOn({ hash, data: elsewhere }), countOn({ hash: 'other', data }), countOn({ hash: 'other', data: elsewhere })]).toEqual([
      4, 4, 0,
    ]);
    const at = (place: string) => countOn({ hash: 'other', data: { path: path.join(data.path, place) } });
    expect([at('run-1'), at('..'), at('../other'), at('..run'), at('../recordings-2')], 'one run of the folder, and what has it').toEqual([
      4, 4, 0, 4, 0,
    ]);
  });

  test('a later begin leaves the luck of the days that remain as it was', async () => {
    const { b, study, first, gap } = await swept();
    const whole = first.trial.days.filter((day) => day.whole);
    const from = (whole[0]?.at ?? 0) - 1_000;
    const cut = await triedIn(b, one(gap), { from });
    expect(cut.before?.tried.count).toBe(4);
    const [before, after] = [luckOf({ study, first }), luckIn(cut)];
    expect(after).toHaveLength(4);
    expect(Math.max(...after) / Math.max(...before)).toBeCloseTo(1, 0);
  });

  test('days on which nothing was tried are clean, and so is another product', async () => {
    const { b, study, first } = await swept();
    const { at } = first.trial.days.at(-1) ?? {};
    const { strategies, journal } = b.config.settings;
    const later = { from: Number(at), to: null, days: [] };
    expect(settingsTried({ strategies, journal }, later, study.session.shared).count).toBe(0);
    expect(settingsTried({ strategies, journal }, { ...later, from: Number(at) - 1 }, study.session.shared).count).toBe(4);
    const others = strategies.map((strategy) => ({ ...strategy, product: 'ethusd' as (typeof strategy)['product'] }));
    expect(settingsTried({ strategies: others, journal }, first.trial, study.session.shared).count).toBe(0);
    expect(study.log.all).toHaveLength(4);
  });
});
