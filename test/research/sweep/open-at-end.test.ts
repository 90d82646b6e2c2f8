import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeTrials } from '#cli/sweep-lines.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { foldHead } from '#research/sweep/sweep-table.ts';
import { walkForward } from '#research/sweep/walk-forward.ts';
import { strategyYaml } from '../../config/support.ts';
import { type Bench, bench, OFF, sessionOf } from '../backtest/session-bench.ts';
import { here, playing, studyOf, TIMED } from './study.ts';

/** The rate from the products' dollars to the account's euros moves with each quote. */
const YAML = `${strategyYaml({ use: 'timed', product: 'eurusd', amount: '{ base: 100 }' })}${OFF}account: { currency: eur, allowShort: [eurusd] }\nbacktest: { latency: 20, limits: off }\n`;

const RECORDED = { seconds: 160_000, quotesPerSecond: 1 / 200, stretch: 1 / 200, lanes: ['eurusd 100'] };

/** What the table of a backtest calls open, in dollars, and what that is in euros at the last quote. */
async function tableOpen({ cwd, config }: Bench, { params, from, to }: TrialResult) {
  const [one] = config.settings.strategies;
  const varied = {
    ...config,
    settings: { ...config.settings, strategies: one ? [{ ...one, params: { ...one.params, ...params.one } }] : [] },
  };
  const session = await sessionOf(varied, cwd, { from, to: to ?? undefined });
  const run = session.play();
  const dollars = Number(outcomeOf(run).profit.find(({ group }) => group === 'total')?.unrealised ?? 0);
  const last = run.lastQuotes.at(-1)?.quote;
  // Dollars that were won buy euros; those that were lost are bought for euros.
  return { dollars, euros: dollars / ((dollars > 0 ? last?.buy.price : last?.sell.price) ?? Number.NaN) };
}

const FIGURES = { random: undefined, seed: '1', by: 'netProfit' } as const;

test('open in a sweep is what open positions made, and no revaluation of what was closed in another currency', async () => {
  const b = bench(YAML, RECORDED, { timed: TIMED });
  const study = await studyOf(b, { players: here });
  const result = await sweep(study, { ...FIGURES, vary: ['one.side=long,short', 'one.until=120,900'] }, playing());
  const { trials } = result.ranking;
  expect(trials).toHaveLength(4);
  for (const trial of trials) {
    const { netProfit, tradeProfit } = trial.figures;
    const { dollars, euros } = await tableOpen(b, trial);
    if (trial.params.one?.until === 120) {
      // The rate has moved since it was closed.
      expect([trial.figures.trades, dollars]).toEqual([1, 0]);
      expect(netProfit).not.toBeCloseTo(tradeProfit ?? Number.NaN, 6);
      expect(trial.figures.open).toBe(0);
    } else {
      expect(Math.abs(dollars)).toBeGreaterThan(0.001);
      expect(trial.figures.open).toBeCloseTo(euros, 9);
      expect(netProfit).toBeCloseTo(euros, 9);
    }
  }
  const [csv, json] = ['out.csv', 'out.json'].map((name) => path.join(b.cwd, name));
  writeTrials(result, csv ?? '');
  writeTrials(result, json ?? '');
  const [head = [], ...rows] = readFileSync(csv ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  expect(head.filter((name) => name === 'open')).toHaveLength(1);
  expect(rows.map((row) => Number(row[head.indexOf('open')]))).toEqual(trials.map(({ figures }) => figures.open));
  expect(rows.map((row) => row[head.indexOf('currency')])).toEqual(trials.map(() => 'eur'));
  expect(JSON.parse(readFileSync(json ?? '', 'utf8'))).toMatchObject(
    trials.map(({ figures: { open } }) => ({ figures: { open }, currency: 'eur' })),
  );
});

test('open in a walk-forward is that of the positions at the end of each test', async () => {
  const b = bench(YAML, RECORDED, { timed: TIMED });
  const study = await studyOf(b, { players: here });
  const windows = { trainMs: 320_000, testMs: 160_000, embargoMs: 0, anchored: false };
  for (const [until, isHeld] of [
    ['40,80,120', false],
    ['900', true],
  ] as const) {
    const { steps, by } = await walkForward(
      study,
      { ...FIGURES, ...windows, vary: ['one.side=long,short', `one.until=${until}`] },
      playing(),
    );
    expect(steps.some(({ test: tested }) => tested !== null)).toBe(true);
    expect(foldHead({ steps, by })).toEqual(expect.arrayContaining(['net profit eur in training', 'net profit eur', 'open eur']));
    for (const { test: tested } of steps) {
      if (tested === null) continue;
      const { dollars, euros } = await tableOpen(b, tested);
      expect(dollars !== 0).toBe(isHeld);
      expect(tested.figures.netProfit).not.toBe(tested.figures.tradeProfit);
      expect(tested.figures.open).toBeCloseTo(euros, 9);
    }
  }
});
