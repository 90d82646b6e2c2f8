import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, isoTime, productCode } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { wholeDaysOf } from '#research/replay/trial.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { playTrial } from '#research/sweep/sweep-trial.ts';
import { dailyOf, walkForward } from '#research/sweep/walk-forward.ts';
import { strategyYaml } from '../../config/support.ts';
import { playing, studyOf } from '../sweep/study.ts';
import { type Bench, bench, OFF } from './session-bench.ts';

const FROM = Date.UTC(2026, 8, 1);
const MINUTE = 60_000;

/** Bars from midnight to midnight, each named by its begin as files have them. */
async function imported({ cwd }: Bench, days: number, barMs: number, empty = { from: 0, to: 0 }): Promise<string> {
  const draw = seeded('days');
  const rows = ['time,open,high,low,close'];
  let price = 60_000;
  for (let at = FROM; at < FROM + days * DAY_MS; at += barMs) {
    if (at >= empty.from && at < empty.to) continue;
    const open = price;
    price = Math.round(price + (draw.next() - 0.5) * 200);
    rows.push([at, open, Math.max(open, price), Math.min(open, price), price].join());
  }
  const file = path.join(cwd, 'bars.csv');
  writeFileSync(file, `${rows.join('\n')}\n`);
  const out = path.join(cwd, 'imported');
  const lane = laneFor(productCode('btcusd'), amountOf({ base: '0.01' }));
  const ticks = { lane, baseCcy: currency('btc'), quoteCcy: currency('usd'), size: 0.01, feePercentage: 0, validMs: 3000, afterMs: 0 };
  await importFile({ file, map: { unit: 'auto' }, ticks: { ...ticks, crossed: 'keep' }, spreadBps: 2, out });
  return out;
}

const yaml = (latency: number): string =>
  `${strategyYaml({ use: 'sma-cross', product: 'btcusd', amount: '{ base: 0.01 }', params: '{ fast: 2, slow: 5 }' })}${OFF}backtest: { latency: ${latency} }\n`;

function reported(session: BacktestSession) {
  const report = reportOfBacktest(session, session.play(), { curve: undefined });
  if (typeof report.equity === 'string') throw new Error(report.equity);
  const { equity, months, sections } = report;
  return {
    equity,
    months,
    wholeDays: metricIn(sections, 'wholeDays'),
    days: metricIn(sections, 'days'),
    cut: metricIn(sections, 'cutDays'),
  };
}

test('a run that begins and ends within a day tells what it made on those two', async () => {
  const b = bench(yaml(0));
  const data = await imported(b, 3, 5 * MINUTE);
  const { equity, wholeDays, cut } = reported(await b.open({ data, from: FROM + 6 * 60 * MINUTE, to: FROM + 2.5 * DAY_MS }));
  expect(wholeDays).toBe(1);
  const [first, whole, last] = equity.days;
  expect([first?.whole, whole?.whole, last?.whole]).toEqual([false, true, false]);
  expect(first?.return).not.toBe(0);
  expect(cut).toBeCloseTo((1 + (first?.return ?? 0)) * (1 + (last?.return ?? 0)) - 1, 12);
  expect((1 + Number(cut)) * (1 + (whole?.return ?? 0)) - 1).toBeCloseTo(equity.totalReturn, 12);
});

describe('a calendar day whose bars are all there is a whole day', () => {
  test.each([
    [5 * MINUTE, 0],
    [5 * MINUTE, 100],
    [60 * MINUTE, 0],
    [DAY_MS, 100],
  ])('three days of bars of %d ms at a latency of %d ms', async (barMs, latency) => {
    const b = bench(yaml(latency));
    const session = await b.open({ data: await imported(b, 3, barMs) });
    const { equity, months, wholeDays, days } = reported(session);
    expect(isoTime(session.from)).toBe('2026-09-01T00:00:00.000Z');
    expect(wholeDays).toBe(3);
    expect(days).toBeCloseTo(3, 4);
    expect(months).toMatchObject([{ month: '2026-09', days: 3 }]);
    expect(equity.days.map(({ at }) => at)).toEqual([1, 2, 3].map((n) => FROM + n * DAY_MS));
    // Every price and every order is of one of these days.
    expect(equity.days.reduce((growth, day) => growth * (1 + day.return), 1) - 1).toBeCloseTo(equity.totalReturn, 12);
  });

  test('days that are cut out of them are whole as well, with the bar that closes them', async () => {
    const b = bench(yaml(100));
    const data = await imported(b, 4, 5 * MINUTE);
    const session = await b.open({ data, from: FROM + DAY_MS, to: FROM + 3 * DAY_MS });
    expect(reported(session)).toMatchObject({ wholeDays: 2, months: [{ days: 2 }] });
    expect(session.columns[0]?.at.at(-1)).toBe(FROM + 3 * DAY_MS);
    expect(session.play().quotes).toBe(2 * 288);
    const [day, next] = await Promise.all([1, 2].map((n) => b.open({ data, from: FROM + n * DAY_MS, to: FROM + (n + 1) * DAY_MS })));
    expect(day?.columns[0]?.at.at(-1)).toBe(FROM + 2 * DAY_MS);
    expect(next?.columns[0]?.at[0]).toBe(FROM + 2 * DAY_MS + 5 * MINUTE);
    expect(reported(await b.open({ data, from: FROM + 5 * MINUTE })).wholeDays).toBe(3);
    expect(reported(await b.open({ data, to: FROM + 4 * DAY_MS - 1 })).wholeDays).toBe(3);
  });

  test('the day that a bar closes has its price', async () => {
    const hold = strategyYaml({ use: 'buy-and-hold', product: 'btcusd', amount: '{ base: 0.01 }' });
    const b = bench(`${hold}${OFF}backtest: { latency: 0 }\n`);
    const session = await b.open({ data: await imported(b, 3, 60 * MINUTE) });
    const { equity } = reported(session);
    const [columns] = session.columns;
    const paid = columns?.buy.price[0] ?? Number.NaN;
    const closing = [1, 2, 3].map((n) => columns?.sell.price[24 * n - 1] ?? Number.NaN);
    const worth = equity.days.map((day) => day.equity - equity.capital);
    for (const [n, price] of closing.entries()) expect(worth[n]).toBeCloseTo((price - paid) * 0.01, 6);
  });

  test('thirty of them are enough for the verdict of a sweep, and tests of a walk-forward fill them', async () => {
    const b = bench(yaml(100));
    const data = await imported(b, 30, 60 * MINUTE);
    const study = await studyOf(b, { data });
    const trial = await playTrial({ config: b.config, shared: study.session.shared }, study.job({ one: { fast: 2, slow: 5 } }));
    expect(wholeDaysOf(trial)).toHaveLength(30);
    const searching = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: undefined };
    const { best, first } = await sweep(study, searching, playing());
    expect((best ?? first)?.verdict.text).not.toMatch(/too short/);
    const cut = { trainMs: 20 * DAY_MS, testMs: 5 * DAY_MS, embargoMs: 0, anchored: false };
    const { steps, outOfSample } = await walkForward(study, { ...searching, ...cut }, playing());
    expect(steps.map(({ fold }) => isoTime(fold.test.to))).toEqual(['2026-09-26T00:00:00.000Z', '2026-10-01T00:00:00.000Z']);
    expect(outOfSample?.verdict.text).toMatch(/10 whole days/);
    for (const { test: out } of steps) if (out) expect(wholeDaysOf(out)).toHaveLength(5);
  });

  test('months without a bar are no flat days: they are named, with the way out, and no sweep and no walk-forward counts them', async () => {
    const b = bench(yaml(100));
    const empty = { from: FROM + 12 * DAY_MS, to: FROM + 60 * DAY_MS };
    const study = await studyOf(b, { data: await imported(b, 72, 240 * MINUTE, empty) });
    const { session } = study;
    expect(session.empty).toEqual([empty]);
    expect(reported(session)).toMatchObject({ wholeDays: 24, months: [{ month: '2026-09', days: 12 }, { days: 1 }, { days: 11 }] });
    const named = session.headlines.filter(({ code }) => code === 'EMPTY_TIME').map(({ text }) => text);
    expect(named).toEqual([
      expect.stringMatching(/from 2026-09-13T00:00:00.000Z to 2026-10-31T00:00:00.000Z \(48 whole days\).*--to or --from/),
    ]);
    const trial = await playTrial({ config: b.config, shared: session.shared }, study.job({ one: { fast: 2, slow: 5 } }));
    expect(wholeDaysOf(trial)).toHaveLength(24);
    // What a walk-forward counts: the trial's days, and flat ones where nothing was traded.
    const tests = { from: FROM + 6 * DAY_MS, to: FROM + 72 * DAY_MS };
    expect(dailyOf([], [tests], session.empty)).toHaveLength(18);
    expect(dailyOf(trial.days, [{ from: FROM, to: tests.to }], session.empty)).toEqual(wholeDaysOf(trial));
  });
});
