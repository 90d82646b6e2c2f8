import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { exportTrials } from '#daemon/operations/bundle/export-trials.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { triedBefore } from '#research/sweep/tried-before.ts';
import { strategyYaml } from '../../config/support.ts';
import { type Bench, bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

const YAML = `${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${OFF}backtest: { latency: 20 }\n`;
const GRID = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: undefined };

/** Sweeps as a person does who has run the same command before: how many trials it knew, and what they made. */
async function swept(b: Bench, data?: string) {
  const study = await studyOf(b, { players: here, data });
  const { played, ranking, headlines } = await sweep(study, GRID, playing());
  await study.close();
  return { known: played.known, made: ranking.trials.map(({ figures }) => figures.netProfit), log: study.log.file, headlines };
}

/** Bars that are imported in the place of those that were there. */
async function importBars({ cwd }: Bench, feePercentage: number): Promise<string> {
  const draw = seeded('bars');
  const bars = Array.from({ length: 200 }, (_, n) => {
    const [open, close] = [60_000 + draw.next() * 200, 60_000 + draw.next() * 200];
    return [Date.UTC(2024, 7, 1) + n * 60_000, open, Math.max(open, close) + 20, Math.min(open, close) - 20, close].join();
  });
  const file = path.join(cwd, 'bars.csv');
  writeFileSync(file, `time,open,high,low,close\n${bars.join('\n')}\n`);
  const out = path.join(cwd, 'imported');
  rmSync(out, { recursive: true, force: true });
  const lane = laneFor(productCode('btcusd'), amountOf({ base: '0.01' }));
  const names = { lane, baseCcy: currency('btc'), quoteCcy: currency('usd'), size: 0.01 };
  const ticks = { ...names, feePercentage, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps: 2, out });
  return out;
}

test('bars that are imported again with another fee are swept anew: the old results were of other trades', async () => {
  const b = bench(YAML);
  const before = await swept(b, await importBars(b, 0));
  expect(await swept(b, await importBars(b, 0))).toMatchObject({ made: before.made, known: 2 });
  const after = await swept(b, await importBars(b, 1));
  expect(after.known).toBe(0);
  expect(after.made).not.toEqual(before.made);
});

test('a recording with other limits of its product is swept anew', async () => {
  const b = bench(YAML);
  const before = await swept(b);
  const log = path.join(b.dir, 'run-1/inbox.ndjson');
  writeFileSync(log, readFileSync(log, 'utf8').replace(/(?<="code":"btcusd",[^}]*"minNotionalValue":")[^"]+/, '1000000'));
  const after = await swept(b);
  expect(after.known).toBe(0);
  expect(after.made).not.toEqual(before.made);
});

test('settings with other deposits in the same file are swept anew: they were of other capital', async () => {
  const b = bench(`${YAML.replace('latency: 20', 'latency: 20, deposits: flows.csv')}account: { opening: { usd: 10 } }\n`);
  const deposit = (usd: number): void =>
    writeFileSync(path.join(b.cwd, 'flows.csv'), `time,currency,amount\n2026-01-05T09:00:10Z,usd,${usd}\n`);
  deposit(500);
  const before = await swept(b);
  deposit(500_000);
  const after = await swept(b);
  expect(after.known).toBe(0);
  expect(after.made).not.toEqual(before.made);
});

test('a figure that was changed in the log is not believed: its trial is played again, and it says so', async () => {
  const b = bench(YAML);
  const { log, ...before } = await swept(b);
  writeFileSync(log, readFileSync(log, 'utf8').replace(/"netProfit":[^,]+/, '"netProfit":777'));
  const after = await swept(b);
  expect(after).toMatchObject({ made: before.made, known: 1 });
  const told = [expect.objectContaining({ text: expect.stringContaining(`1 line of ${log} changed`) })];
  expect(after.headlines).toEqual(expect.arrayContaining(told));
  const { config } = b;
  const session = await b.open();
  expect(triedBefore(session, session.play(), config)?.headline.text).toContain(`1 line of ${log} changed`);
  expect(exportTrials(config.settings, { dir: path.join(b.cwd, 'bundle') }).notes).toEqual([expect.stringContaining(`1 line of ${log}`)]);
});

test.skipIf(process.platform === 'win32')('a FIFO in the place of the log is refused: nothing waits for who writes into it', async () => {
  const b = bench(YAML);
  const { log } = await swept(b);
  rmSync(log);
  execFileSync('mkfifo', [log]);
  await expect(swept(b)).rejects.toThrow(/cannot be kept \(it is no regular file\)/);
  expect(() => exportTrials(b.config.settings, { dir: path.join(b.cwd, 'bundle') })).toThrow(/cannot be read \(it is no regular file\)/);
});
