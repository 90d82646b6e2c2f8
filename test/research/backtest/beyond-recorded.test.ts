import { expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { isKnown } from '#report/metrics/metric.ts';
import type { RunReport } from '#report/report.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { resultOf } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from './session-bench.ts';

async function playedWith(amount: string, slippagePct = 0.05) {
  const yaml = `${strategyYaml({ use: 'eager', amount: `{ base: ${amount} }` })}${OFF}`;
  const session = await bench(`${yaml}backtest: { latency: 20, limits: off, slippagePct: ${slippagePct} }\n`, { seconds: 60 }).open();
  const run = session.play();
  return { session, run, report: reportOfBacktest(session, run, { curve: undefined }) };
}

const figureIn = (report: RunReport, id: string): number => {
  const value = metricIn(report.sections, id);
  return isKnown(value) ? value : Number.NaN;
};

test('fills of an amount beyond the recorded one are told with both amounts and the rule, and their part of the costs has a row', async () => {
  const { session, run, report } = await playedWith('0.04');
  const line = backtestHeadlines(session, run).find(({ code }) => code === 'BEYOND_RECORDED');
  expect(line).toMatchObject({ level: 'warning', strategy: 'one' });
  expect(line?.text).toMatch(
    /^(\d+) of \1 fills of strategy one in btcusd are of an amount beyond what was recorded or imported \(0\.04 btc, recorded 0\.01\): modelled, 0\.05 % worse a side for each doubling \(backtest\.slippagePct\), here 0\.1 %; record or import that amount \(data import --size\), or set backtest\.slippagePct$/,
  );
  expect(report.headlines).toContainEqual(line);
  const trial = resultOf({ id: '1', setup: '1', params: {}, from: session.from, to: session.to }, session, run);
  expect(trial.headlines).toContainEqual(line);
  // Two doublings at 0.05 %: ten hundredths of a percent a side.
  expect(figureIn(report, 'beyondCostBps')).toBeCloseTo(10, 1);
  expect(figureIn(report, 'spreadCostBps')).toBeGreaterThan(10);
});

test('refusals that the modelled prices alone have brought about are told with the model, and the advice is not to raise the limit', async () => {
  const yaml = `${strategyYaml({ use: 'eager', amount: '{ base: 0.08 }' })}risk: { maxSpreadPct: 0.2, maxOrderValue: off, maxPositionValue: off }\n`;
  const session = await bench(`${yaml}backtest: { latency: 20 }\n`, { seconds: 5 }).open();
  const lines = backtestHeadlines(session, session.play()).map(({ code, text }) => `${code} ${text}`);
  expect(lines).toContain(
    'BEYOND_RECORDED strategy one trades 0.08 btc of btcusd, beyond the recorded or imported 0.01 btc: its quotes are modelled, 0.05 % worse a side for each doubling (backtest.slippagePct), here 0.15 %, and 0.3 % of the price in their spread; record or import that amount (data import --size), or set backtest.slippagePct',
  );
  expect(lines.find((line) => line.startsWith('NEVER_TRADED'))).toMatch(
    /refused \d+ MAX_SPREAD \(.* over 0\.2 %; the model of an amount beyond the recorded one makes it so: fix that first\)$/,
  );
});

test('an amount that was recorded, or less, has neither', async () => {
  for (const amount of ['0.01', '0.005']) {
    const { report } = await playedWith(amount);
    expect(report.headlines.map(({ code }) => code)).not.toContain('BEYOND_RECORDED');
    expect(figureIn(report, 'beyondCostBps')).toBe(0);
  }
});

test('coin flips and holding pay as much worse a side as the run did', async () => {
  const [free, paid] = await Promise.all([playedWith('0.04', 0), playedWith('0.04')]);
  // So much do 0.04 btc cost more for each of the run's fills: coins trade as often on average.
  const each = figureIn(paid.report, 'beyondCost') / figureIn(paid.report, 'fills');
  const coins = figureIn(free.report, 'coinP50') - figureIn(paid.report, 'coinP50');
  expect(coins / each).toBeGreaterThan(figureIn(paid.report, 'trades'));
  expect(coins / each).toBeLessThan(figureIn(paid.report, 'trades') * 3);
  const held = figureIn(free.report, 'holdSizeReturn') - figureIn(paid.report, 'holdSizeReturn');
  // It is bought at that price, and worth what closing it would bring.
  expect(held * 10_000).toBeCloseTo(2 * each, 0);
});

test('how far a trade went against its holder is seen at the price of its amount', async () => {
  const [free, paid] = await Promise.all([playedWith('0.04', 0), playedWith('0.04')]);
  expect(paid.report.trades.length).toBe(free.report.trades.length);
  // Two doublings at 0.05 % a side: entry and closing price are each 0.1 % worse.
  const [least, dearer] = [free, paid].map(({ report }) => report.trades.map(({ excursion }) => excursion?.adverse ?? Number.NaN));
  for (const [n, adverse] of (dearer ?? []).entries()) expect(adverse - (least?.[n] ?? Number.NaN)).toBeCloseTo(0.001998, 5);
});
