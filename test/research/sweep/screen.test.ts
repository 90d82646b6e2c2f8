import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { writeTrials } from '#cli/sweep-lines.ts';
import { RecordingColumns } from '#core/quick-trials/columns.ts';
import { Course } from '#core/quick-trials/course.ts';
import { TrialExits } from '#core/quick-trials/exits.ts';
import type { KernelColumn } from '#core/strategy/kernel.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import { crossValidation } from '#research/sweep/cross-validation.ts';
import { sweep } from '#research/sweep/sweep.ts';
import type { TrialGround } from '#research/sweep/trial-ground.ts';
import { walkForward } from '#research/sweep/walk-forward.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench } from '../backtest/session-bench.ts';
import { type Alter, benchOf, type Case, OPTIONS, RECORDING, screened, screening, screenOf, screenOver, VARY, WIDE } from './screening.ts';
import { playing, studyOf } from './study.ts';

/** Every setting played by both: how many were screened, and the first place at which one differs. */
async function both(of: Case) {
  const { study, screen } = await screenOf(of);
  const [first, ...settings] = [2, 5].flatMap((fast) => [12, 21, 34].map((slow) => ({ one: { fast, slow } })));
  await screen.play(study.job(first ?? {}));
  const played: (Pick<TrialResult, 'unscreened' | 'fills'> & { readonly unequal: unknown })[] = [];
  for (const params of settings) {
    const { unscreened, fills } = await screen.play(study.job(params));
    played.push({ ...(unscreened !== undefined && { unscreened }), fills, unequal: (await screen.replay(study.job(params))).unequal });
  }
  return played;
}

describe('a screened trial is the engine’s, fill by fill and figure by figure', () => {
  const cases: Readonly<Record<string, Case>> = {
    'quotes that come as an answer does': {},
    'answers at once': { latency: 0 },
    'answers between quotes': { latency: 333, use: 'ema-cross' },
    'answers late, without limits': { latency: '[50, 900], limits: off' },
    'positions short': { more: 'account: { allowShort: [btcusd] }\n', use: 'ema-cross' },
    'openings that wait after losses': { losses: 'maxLossStreak: 2, lossCooldown: 20s' },
    'no fees': { recording: { feePercentage: 0, seed: 'other' } },
    'minutes in which prices move far': {
      recording: { stretch: 240, validityMs: 300_000, silent: [0, 0], volatility: 60 },
      more: 'lanes: { staleAfter: { btcusd: 300s } }\n',
    },
    'days that end': {
      recording: { stretch: 240, validityMs: 300_000, silent: [0, 0] },
      more: 'lanes: { staleAfter: { btcusd: 300s } }\n',
    },
  };
  for (const [name, of] of Object.entries(cases))
    test(name, async () => {
      const played = await both(of);
      expect(played.map(({ unequal }) => unequal)).toEqual(played.map(() => null));
      expect(played.filter(({ unscreened }) => unscreened === undefined).length).toBeGreaterThan(3);
      expect(Math.max(...played.map(({ fills }) => fills))).toBeGreaterThan(10);
    });
});

test('a trial that leaves a parameter out has that of the settings, not that of the trial before it', async () => {
  const { screen, study } = await screenOf({});
  await screen.play(study.job({ one: { fast: 2, slow: 12 } }));
  const { result, unequal } = await screen.replay(study.job({ one: { fast: 3 } }));
  expect([result.unscreened, unequal]).toEqual([undefined, null]);
});

test('a trial whose openings waited after losses says so', async () => {
  const { screen, study } = await screenOf({ losses: 'maxLossStreak: 2, lossCooldown: 20s' });
  await screen.play(study.job({ one: { fast: 2, slow: 12 } }));
  const waited: TrialResult[] = [];
  for (const slow of [15, 21, 34, 55]) {
    const played = await screen.play(study.job({ one: { fast: 5, slow } }));
    if (played.screened && played.refusals.length > 0) waited.push(played, (await screen.replay(study.job(played.params))).result);
  }
  expect(waited.length).toBeGreaterThan(0);
  expect(waited.every(({ refusals }) => refusals.some(({ reason }) => reason === 'LOSS_COOLDOWN'))).toBe(true);
});

test('trials in which nothing is wanted come to what the engine made of the first of them', async () => {
  const { screen, study } = await screenOf({});
  const silent = (slow: number) => study.job({ one: { slow } });
  await screen.play(study.job({ one: { fast: 2, slow: 12 } }));
  const first = await screen.play(silent(100_000));
  expect(first).toMatchObject({ unscreened: 'the first of each thread in which nothing is wanted', fills: 0 });
  const { screened, ...second } = await screen.play(silent(100_001));
  expect(screened).toBe(true);
  const { result, unequal } = await screen.replay(silent(100_001));
  expect([{ ...second, replayed: true }, unequal]).toEqual([result, null]);
});

test('fills on imported prices are modelled, also where the first trial never trades', async () => {
  const b = benchOf({});
  const file = path.join(b.cwd, 'ticks.csv');
  const prices = Array.from({ length: 300 }, (_, n) => 60_000 + Math.round(200 * Math.sin(n / 6)));
  const rows = prices.map((price, n) => `${Date.UTC(2026, 0, 5, 9) + n * 1_000},${price - 1},${price + 1}`);
  writeFileSync(file, `time,bid,ask\n${rows.join('\n')}\n`);
  const names = { lane: laneFor(productCode('btcusd'), amountOf({ base: '0.01' })), baseCcy: currency('btc'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 0.01, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  const data = path.join(b.cwd, 'imported');
  await importFile({ file, map: { unit: 'auto' }, ticks, out: data });
  const { screen, study } = await screenOver(b, data);
  const silent = await screen.play(study.job({ one: { slow: 100_000 } }));
  const job = study.job({ one: { fast: 2, slow: 12 } });
  const played = await screen.play(job);
  expect([silent.fills, played.screened, played.fills > 0, played.exact]).toEqual([0, true, true, 0]);
  expect((await screen.replay(job)).unequal).toBeNull();
});

describe('a sweep', () => {
  test('confirms the best of what it screened, says how many, and keeps both apart in its log', async () => {
    const { study, result } = await screened({});
    expect(result.summary).toMatch(/; 20 trials screened, \d+ replayed, all equal$/);
    expect(result.ranking.trials.slice(0, 10).map((one) => one.screened)).toEqual(Array.from({ length: 10 }, () => undefined));
    const last = result.ranking.trials.find((one) => one.screened);
    expect(last && study.log.trial(last.id)).toBeUndefined();
    expect(last && study.log.known(last.id)?.fills).toBe(last?.fills);
    const again = readFileSync(study.log.file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"screened":true'));
    expect(again).toHaveLength(result.screen?.screened ?? 0);
  });

  test('says of each trial in its CSV how it was played, and the numbers add up; the same again counts the same', async () => {
    const { study, result } = await screened({});
    const file = path.join(path.dirname(study.log.file), 'trials.csv');
    writeTrials(result, file);
    const [head = [], ...rows] = readFileSync(file, 'utf8')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const count = (way: string): number => rows.filter((row) => row[head.indexOf('played')] === way).length;
    const { screen } = result;
    if (!screen) throw new Error('a screened sweep says so');
    const byEngine = screen.unscreened.reduce((sum, { trials }) => sum + trials, 0);
    expect([count('screened') + count('replayed'), count('replayed'), count('engine')]).toEqual([
      ...[screen.screened, screen.confirmed, byEngine],
    ]);
    expect(rows).toHaveLength(20);
    const again = await sweep(study, { ...OPTIONS, vary: VARY }, playing());
    expect([again.played.known, again.screen, again.summary]).toEqual([20, screen, result.summary]);
  });

  test('tells how many trials are replayed, and how many of them are done', async () => {
    const study = await studyOf(benchOf({}), { players: screening(), screen: true });
    const told: number[] = [];
    const onReplays = (count: number): ((share: number) => void) => {
      told.push(count);
      return (share) => told.push(share * count);
    };
    const { screen } = await sweep(study, { ...OPTIONS, vary: VARY }, { ...playing(), onReplays });
    const confirmed = screen?.confirmed ?? 0;
    expect(told).toEqual([confirmed, ...Array.from({ length: confirmed }, (_, n) => expect.closeTo(n + 1))]);
  });

  test('ranks no replayed trial that has too few trades', async () => {
    const { result } = await screened({}, { minTrades: 1_000_000 });
    expect([result.screen?.confirmed === 0, result.ranking.ranked]).toEqual([false, 0]);
  });

  test('of a cross-validation says what was screened and replayed', async () => {
    const study = await studyOf(benchOf({ recording: { seconds: 600, silent: [0, 0] } }), { players: screening(), screen: true });
    const result = await crossValidation(study, { ...OPTIONS, vary: VARY, folds: 3, purgeMs: 0, embargoMs: 0 }, playing());
    const lines = result.headlines.map(({ text }) => text);
    expect(lines).toContainEqual(expect.stringMatching(/^60 trials screened, [1-9]\d* replayed, all equal$/));
  });

  test('of a walk-forward is screened training by training, and its lines say so', async () => {
    const study = await studyOf(benchOf({ recording: { seconds: 500, silent: [0, 0] } }), { players: screening(), screen: true });
    const windows = { trainMs: 120_000, testMs: 60_000, embargoMs: 0, anchored: false };
    const result = await walkForward(study, { ...OPTIONS, ...windows, vary: VARY }, playing());
    const lines = result.headlines.map(({ text }) => text);
    expect(result.steps.length).toBeGreaterThan(5);
    const replayed = `${20 * result.steps.length} trials screened, ${11 * result.steps.length} replayed, all equal`;
    expect(lines).toContainEqual(replayed);
  });

  test.each(['tpe', 'cmaes'] as const)(
    'by %s tries the same whoever of its threads begins, and nothing more once it is confirmed',
    async (search) => {
      const wanted = { ...OPTIONS, search, trials: 24, batch: 4, vary: ['one.fast=2..5', 'one.exits.stopLossPct=50..90'] };
      const tried = async (screens: number) => {
        const study = await studyOf(benchOf({}), { players: screening(undefined, screens), screen: true });
        const { ranking, screen } = await sweep(study, wanted, playing());
        const again = await sweep(study, wanted, playing());
        expect(again.played).toMatchObject({ known: 24, wanted: 24 });
        expect(again.screen).toEqual(screen);
        return ranking.trials.map(({ params }) => JSON.stringify(params)).toSorted();
      };
      const alone = await tried(1);
      expect(alone).toHaveLength(24);
      expect(await tried(3)).toEqual(alone);
    },
  );

  test('counts trials that were stopped early as well', async () => {
    const days = { stretch: 960, validityMs: 1_200_000, silent: [0, 0] } as const;
    const of = benchOf({ recording: days, more: 'lanes: { staleAfter: { btcusd: 1200s } }\n' });
    const study = await studyOf(of, { players: screening(), screen: true });
    const { played, screen } = await sweep(study, { ...OPTIONS, vary: VARY, prune: 'median', batch: 5 }, playing());
    expect([played.pruned > 0, screen?.trials, screen?.screened]).toEqual([true, 20, 20]);
  });

  test('names what the engine played, and why', async () => {
    const { result } = await screened(
      { more: 'schedule: [{ name: noon, cron: "0 12 * * *", action: bot.pause }]\n' },
      { vary: ['one.fast=2,3'] },
    );
    expect(result.summary).not.toContain('screened');
    expect(result.headlines.map(({ text }) => text)).toContainEqual('2 of 2 trials played by the engine: schedule');
  });

  test('names the line of a strategy that is beyond the screen', async () => {
    const lucky = `import { buy, close, param, strategy } from 'kairos/strategy';
export default strategy({
  name: 'lucky',
  params: { often: param.number(0.1) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount, random }, { often }) => {
    if (random() > often) return undefined;
    return position.isFlat ? buy(amount, 'in') : close(100, 'out');
  },
});
`;
    const of = bench(`${strategyYaml({ use: 'lucky' })}risk: { maxLossStreak: off, ${WIDE} }\n`, RECORDING, { lucky });
    const study = await studyOf(of, { players: screening(), screen: true });
    const result = await sweep(study, { ...OPTIONS, vary: ['one.often=0.1,0.2'] }, playing());
    const told = result.headlines.map(({ text }) => text);
    expect(told).toContainEqual('2 of 2 trials played by the engine: view.random() (strategies/lucky.ts:6:40)');
  });

  test('leaves a trial to the engine that a limit may have held back', async () => {
    const { result } = await screened({ more: '', recording: {}, latency: 20 }, { vary: ['one.fast=2,3,4', 'one.slow=15'] });
    expect(result.ranking.trials.some((one) => one.screened === true || one.unscreened === undefined)).toBe(true);
  });
});

type Rows = TrialGround['lanes'][number]['rows'];

/** Other rows of each lane. */
const rowsWith = (shared: TrialGround, change: (rows: Rows) => Partial<Rows>): TrialGround => ({
  ...shared,
  lanes: shared.lanes.map((lane) => ({ ...lane, rows: { ...lane.rows, ...change(lane.rows) } })),
});
const quotesWith = (shared: TrialGround, change: (quotes: Rows['quotes']) => Partial<Rows['quotes']>): TrialGround =>
  rowsWith(shared, ({ quotes }) => ({ quotes: { ...quotes, ...change(quotes) } }));
/** Other columns that signals are made from. */
const columnsOf = (shared: TrialGround, made: (quotes: Rows['quotes']) => RecordingColumns): TrialGround => ({
  ...shared,
  lanes: shared.lanes.map((lane) => ({ ...lane, columns: made(lane.rows.quotes) })),
});
/** Orders are answered so long after their decisions; 500 ms after them in truth. */
const answeredAfter = (shared: TrialGround, backMs: number): TrialGround => ({
  ...shared,
  conditions: { ...shared.conditions, delays: () => () => ({ thereMs: 0, backMs }) },
});

class Swapped extends RecordingColumns {
  override compared<Word extends string>(
    first: KernelColumn<number>,
    second: KernelColumn<number> | number,
    told: Parameters<RecordingColumns['compared']>[2] & { readonly words: readonly Word[] },
  ): KernelColumn<Word> {
    return typeof second === 'number' ? super.compared(first, second, told) : super.compared(second, first, told);
  }
}

/** Faults that a change could bring into the screen. */
const FAULTS: Readonly<Record<string, Alter>> = {
  latency: (shared) => answeredAfter(shared, 250),
  staleness: (shared) => rowsWith(shared, ({ orders }) => ({ orders: orders.slice().fill(1) })),
  step: (shared) => quotesWith(shared, ({ buy }) => ({ buy: { ...buy, price: buy.price.map(Math.round) } })),
  fee: (shared) => rowsWith(shared, ({ fees }) => ({ fees: { ...fees, buy: fees.buy.slice().fill(0) } })),
  'tie of times': (shared) => answeredAfter(shared, 499.5),
  crossing: (shared) => columnsOf(shared, (quotes) => new Swapped(quotes)),
  'warm-up': (shared) => ({
    ...shared,
    strategies: shared.strategies.map((one) => ({
      ...one,
      strategy: { ...one.strategy, definition: { ...one.strategy.definition, warmup: () => ({ quotes: 300 }) } },
    })),
  }),
  'end of data': (shared) =>
    columnsOf(
      quotesWith(shared, ({ length }) => ({ length: length - 200 })),
      (quotes) => new RecordingColumns(quotes),
    ),
  hole: (shared) => quotesWith(shared, ({ at }) => ({ at: at.map((time, row) => (row < 300 ? time : time - 20_000)) })),
  'exit on the same row': (shared) => {
    const { filled } = TrialExits.prototype;
    vi.spyOn(TrialExits.prototype, 'filled').mockImplementation(function (this: TrialExits, sign, fill) {
      filled.call(this, sign, { ...fill, from: fill.on });
    });
    return shared;
  },
  'money of another strategy': (shared) => {
    const { filled } = Course.prototype;
    vi.spyOn(Course.prototype, 'filled').mockImplementation(function (this: Course, trader, size, money) {
      filled.call(this, trader, size, trader === 0 ? money : 0);
    });
    return shared;
  },
};

/** What shows a fault, where plain trials would not. */
const SEEN_WITH: Readonly<Record<string, Case>> = {
  // Quotes so far apart that none is fresh.
  staleness: { recording: { quotesPerSecond: 0.4 } },
  'exit on the same row': { exits: '{ stopLossPct: 0.001 }' },
  'money of another strategy': { second: 'id: two, use: ema-cross, product: btcusd, amount: { base: 0.01 }' },
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('replayed trials alone find a fault in the screen', () => {
  for (const [name, alter] of Object.entries(FAULTS))
    test(name, async () => {
      const of = SEEN_WITH[name] ?? {};
      const study = await studyOf(benchOf(of), { players: screening(alter), screen: true });
      const again = () => sweep(study, { ...OPTIONS, vary: ['one.fast=2,8', 'one.slow=15,55'] }, playing());
      const swept = again();
      await expect(swept).rejects.toMatchObject({ code: 'SCREEN_DIFFERS' });
      const file = await swept.catch((error: Error) => /report (\S+\.json)$/.exec(error.message)?.[1] ?? '');
      expect(JSON.parse(readFileSync(String(file), 'utf8'))).toMatchObject({ job: { params: { one: {} } }, what: expect.any(String) });
      await expect(again(), 'the same command again').rejects.toMatchObject({ code: 'SCREEN_DIFFERS' });
    });
});
