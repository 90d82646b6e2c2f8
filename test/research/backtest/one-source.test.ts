import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { besideImport } from '#adapters/recording/import/beside.ts';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, isoTime, productCode } from '#domain/names.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { dataFaults } from '#research/backtest/data-faults.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { here, playing, studyOf } from '../sweep/study.ts';
import { type Bench, bench, OFF, ofKind } from './session-bench.ts';

const AT = Date.UTC(2024, 7, 1);
const BARS = 300;

/** Bars of 2024, imported as the lane of an amount beside what the bench has recorded. */
async function importBeside({ cwd, dir }: Bench, base: string, { bars = BARS, product = 'btcusd' } = {}): Promise<string> {
  const file = path.join(cwd, `bars-${base}.csv`);
  const rows = Array.from({ length: bars }, (_, n) => [AT + n * 60_000, ...Array.from({ length: 4 }, () => 50_000 + (n % 7) * 10)].join());
  writeFileSync(file, `time,open,high,low,close\n${rows.join('\n')}\n`);
  const lane = laneFor(productCode(product), amountOf({ base }));
  const quotes = {
    lane,
    baseCcy: currency(product.slice(0, 3)),
    quoteCcy: currency(product.slice(3)),
    size: Number(base),
    feePercentage: 0,
    validMs: 3000,
  };
  const ticks = { ...quotes, afterMs: 0, crossed: 'drop' } as const;
  return (await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps: 2, out: dir })).run;
}

const yaml = (amount = '0.01'): string =>
  `${strategyYaml({ use: 'sma-cross', amount: `{ base: ${amount} }`, params: '{ fast: 2, slow: 5 }' })}${OFF}backtest: { latency: 20, limits: off }\n`;

const textsOf = (lines: readonly { readonly code: string; readonly text: string }[], code: string): readonly string[] =>
  lines.filter((line) => line.code === code).map(({ text }) => text);

const pricesOf = (session: BacktestSession): readonly number[] =>
  ofKind(session.play(), 'approved').map(({ detail }) => Number(detail.order.price));

test('imported prices beside earlier runs are played alone, and every result says what is played and what is left out', async () => {
  const b = bench(yaml(), { seconds: 20 });
  const imported = await importBeside(b, '1');
  const [first, last] = [isoTime(AT + 60_000), isoTime(AT + BARS * 60_000)];
  const session = await b.open();
  const run = session.play();
  const headlines = backtestHeadlines(session, run);
  const played = `btcusd: plays btcusd@base:1, imported from bars-1.csv, as the nearest to base:0.01: ${BARS} quotes from ${first} to ${last}`;
  const left = `btcusd: leaves out 40 quotes of btcusd@base:0.01 from ${isoTime(RECORDED_FROM)} to ${isoTime(RECORDED_FROM + 19_500)}: recorded and imported prices are never mixed, and imported ones go first; it is played by --data ${path.join(b.dir, 'run-1')}`;
  expect(textsOf(headlines, 'PLAYED')).toEqual([played]);
  expect(textsOf(headlines, 'LEFT_OUT')).toEqual([left]);
  expect(outcomeOf(run)).toMatchObject({ quotes: BARS, from: isoTime(AT), to: expect.stringMatching(/^2024-08-01T05:00/) });
  const report = reportOfBacktest(session, run, { curve: undefined });
  expect(textsOf(report.headlines, 'PLAYED')).toEqual([played]);
  expect(report.prices).toMatchObject([{ lane: 'btcusd@base:1', quotes: BARS }]);
  expect(report.run.endedAt).toBeLessThan(RECORDED_FROM);
  const kept = path.join(b.cwd, 'kept.db');
  keepBacktest(session, run, kept);
  const settings = { journal: { path: kept }, recording: { dir: b.dir } };
  const again = reportOfRun({ settings, run: 'last' });
  expect(again.prices).toEqual(report.prices);
  expect(textsOf(again.headlines, 'LEFT_OUT')).toEqual([left]);

  expect(dataFaults(b.dir, b.config.settings).told).toEqual([played, left]);
  const study = await studyOf(b, { players: here });
  const searched = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: undefined };
  const swept = await sweep(study, searched, playing());
  expect(swept).toMatchObject({ quotes: BARS, from: AT });
  expect(textsOf(swept.headlines, 'LEFT_OUT')).toEqual([left]);
  expect(besideImport(b.dir, { run: imported, product: 'btcusd' })).toMatchObject({
    recorded: [{ run: 'run-1', quotes: 40 }],
    imported: [],
  });
});

test('a time without imported prices, and a recording that is named, are played as recorded, and nothing is said of the import', async () => {
  const b = bench(yaml(), { seconds: 20 });
  await importBeside(b, '1');
  for (const named of [{ from: RECORDED_FROM - 1000 }, { data: path.join(b.dir, 'run-1') }]) {
    const session = await b.open(named);
    const { headlines } = session;
    expect(textsOf(headlines, 'PLAYED')).toEqual([
      `btcusd: plays btcusd@base:0.01, recorded in run-1: 40 quotes from ${isoTime(RECORDED_FROM)} to ${isoTime(RECORDED_FROM + 19_500)}`,
    ]);
    expect(headlines.map(({ code }) => code)).not.toContain('LEFT_OUT');
    expect(textsOf(headlines, 'NOTE').join()).not.toContain('imported');
    expect(outcomeOf(session.play())).toMatchObject({ quotes: 40, from: isoTime(RECORDED_FROM) });
  }
});

test('recordings beside an import do not make its quotes others, so that sweeps go on where they were', async () => {
  const b = bench(yaml(), { seconds: 20 });
  await importBeside(b, '1');
  const before = (await b.open()).shared.hash;
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['btcusd 0.01'], seconds: 5, from: RECORDED_FROM + 60_000 });
  const both = await b.open();
  expect(both.shared.hash).toBe(before);
  expect(textsOf(both.headlines, 'LEFT_OUT')).toEqual([
    expect.stringMatching(
      /^btcusd: leaves out 50 quotes .* \(2 recordings\): .*; all are played by --from 2026-01-05T09:00:00\.000Z, the first by --data \S+run-1$/,
    ),
  ]);
  expect((await b.open({ from: RECORDED_FROM })).lanes.map(({ columns }) => columns.map(({ length }) => length))).toEqual([[50]]);
  const none = b.open({ from: AT + 86_400_000, to: AT + 90_000_000 });
  await expect(none).rejects.toThrow(
    /holds no quotes of btcusd from 2024-08-02T\S+ to \S+; it holds btcusd from 2024-08-01\S+ to 2026-01-05T/,
  );
});

test('of a product that no strategy, input or rate names nothing is read: neither its size nor a damage of it holds up a backtest', async () => {
  const b = bench(yaml(), { seconds: 20 });
  const before = await b.open();
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['ethusd 0.1'], seconds: 20 });
  tidyRecordings({ dir: b.dir, keepDays: 0, now: RECORDED_FROM + 30 * 86_400_000, tell: () => {} });
  const sealed = path.join(b.dir, 'run-2', 'sealed');
  const [quotes = ''] = readdirSync(sealed).filter((name) => name.startsWith('quotes-'));
  writeFileSync(path.join(sealed, quotes), 'not what was sealed');
  const session = await b.open();
  expect(session.data.columns.map(({ lane }) => lane)).toEqual(['btcusd@base:0.01']);
  expect(session.shared.hash).toBe(before.shared.hash);
  expect(outcomeOf(session.play())).toMatchObject({ quotes: 40 });
  expect(dataFaults(b.dir, b.config.settings).told).toEqual([expect.stringMatching(/^btcusd: plays /)]);
  const lacking = configOf(`${yaml().replace('btcusd', 'ltcusd')}recording: { dir: recordings }\n`, { cwd: b.cwd });
  await expect(b.open({ config: lacking })).rejects.toThrow(/holds no quotes of ltcusd.*; it holds btcusd from \S+ to \S+, ethusd from /);
});

test('a recording of an amount that no strategy trades is left out with a line, and its time is no part of the result', async () => {
  const b = bench(yaml(), { seconds: 20 });
  syntheticRecording({ dir: b.dir, run: 'run-0', lanes: ['btcusd 1'], seconds: 30, from: RECORDED_FROM - 86_400_000 });
  const session = await b.open();
  expect(session.from).toBe(RECORDED_FROM);
  expect(session.columns.map(({ lane }) => lane)).toEqual(['btcusd@base:0.01']);
  expect(textsOf(session.headlines, 'LEFT_OUT')).toEqual([
    expect.stringMatching(
      /^btcusd: leaves out 60 quotes of btcusd@base:1 from 2026-01-04T09:00:00.000Z to .*: what is played is nearer to base:0\.01; /,
    ),
  ]);
  // Nor does its last price of yesterday make those of an amount between the two.
  const between = configOf(`${yaml('0.05')}recording: { dir: recordings }\njournal: { path: kairos.db }\n`, { cwd: b.cwd });
  const together = await b.open({ config: between });
  const alone = await b.open({ config: between, data: path.join(b.dir, 'run-1') });
  expect(together.lanes.map(({ columns }) => columns.map(({ lane }) => lane))).toEqual([['btcusd@base:0.01']]);
  expect(pricesOf(together)).toEqual(pricesOf(alone));
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['btcusd 1'], seconds: 5, from: RECORDED_FROM + 86_400_000, seed: 'other' });
  expect(pricesOf(await b.open({ config: between }))).toEqual(pricesOf(alone));
  // Another amount of the same recording is no news.
  const both = bench(yaml(), { seconds: 20, lanes: ['btcusd 0.01', 'btcusd 1'] });
  const { headlines } = await both.open();
  expect(headlines.map(({ code }) => code)).toEqual(['LIMITS', 'PLAYED']);
});

test('limits that were not recorded are told of the products that are played, not of what else the folder has', async () => {
  const b = bench(yaml().replaceAll('btcusd', 'solusdt'), { seconds: 20 });
  await importBeside(b, '1', { product: 'solusdt' });
  await importBeside(b, '2', { product: 'adausdt' });
  const { remarks } = await b.open();
  expect(remarks.filter((line) => line.includes('were not recorded'))).toEqual(['the limits of solusdt were not recorded: none are used']);
});
