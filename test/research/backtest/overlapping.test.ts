import path from 'node:path';
import { expect, test } from 'vitest';
import { lanesIn } from '#adapters/recording/catalog.ts';
import { overlapping } from '#adapters/recording/spans.ts';
import { isoTime } from '#domain/names.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { resultOf } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, OFF } from './session-bench.ts';

const at = (seconds: number): string => isoTime(RECORDED_FROM + seconds * 1000);

test('two recordings of one lane and time are named by every result that plays both, with the time and the way out', async () => {
  const b = bench(`${strategyYaml({ use: 'eager' })}${OFF}backtest: { latency: 20 }\n`, { seconds: 20 });
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['btcusd 0.01'], seconds: 20, from: RECORDED_FROM + 10_000, seed: 'other' });
  syntheticRecording({ dir: b.dir, run: 'run-3', lanes: ['btcusd 0.01'], seconds: 5, from: RECORDED_FROM + 60_000 });
  const session = await b.open();
  const run = session.play();
  const [line, ...others] = backtestHeadlines(session, run).filter(({ code }) => code === 'OVERLAPPING');
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    level: 'warning',
    text: `btcusd@base:0.01: run-1 and run-2 both have quotes from ${at(10)} to ${at(19.5)}, which are played mixed, though their prices may be of different services: name one with --data, or another time with --from and --to`,
  });
  expect(reportOfBacktest(session, run, { curve: undefined }).headlines).toContainEqual(line);
  const job = { id: '1', setup: '1', params: {}, from: session.from, to: null };
  expect(resultOf(job, session, run).headlines).toContainEqual(line);
  for (const alone of [{ data: path.join(b.dir, 'run-1') }, { from: RECORDED_FROM + 20_000 }, { to: RECORDED_FROM + 9_000 }]) {
    const { headlines } = await b.open(alone);
    expect(headlines.filter(({ code }) => code === 'OVERLAPPING')).toEqual([]);
  }
  // What data list marks.
  const lanes = ['run-1', 'run-2', 'run-3'].flatMap((name) => lanesIn(path.join(b.dir, name, 'inbox.ndjson')));
  expect(overlapping(lanes).map((pair) => pair.map(({ run: name }) => name))).toEqual([['run-1', 'run-2']]);
});

test('recordings of different fees that are played together are told in one line, with the way to one of them', async () => {
  const b = bench(`${strategyYaml({ use: 'eager' })}${OFF}`, { seconds: 20 });
  const more = { dir: b.dir, lanes: ['btcusd 0.01'], seconds: 5, feePercentage: 0.01 };
  syntheticRecording({ ...more, run: 'run-2', from: RECORDED_FROM + 60_000 });
  syntheticRecording({ ...more, run: 'run-3', from: RECORDED_FROM + 120_000 });
  const told = async (options = {}) =>
    (await b.open(options)).headlines.flatMap(({ code, text }) => (code === 'FEES_DIFFER' ? [text] : []));
  expect(await told()).toEqual([
    'the fee was 0.01 % in 2 recordings (such as run-2) and 0.1 % in 1 recording (run-1): fills pay that of their recording; --data names one',
  ]);
  for (const alone of [{ data: path.join(b.dir, 'run-1') }, { from: RECORDED_FROM + 40_000 }, { to: RECORDED_FROM + 40_000 }])
    expect(await told(alone)).toEqual([]);
});
