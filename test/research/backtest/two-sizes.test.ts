import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';
import { sessionOf } from './session-bench.ts';

const FROM = Date.parse('2026-01-05T00:00:00Z');

/** Rows of imports of 1 and 3 btc: begun so many seconds after the start, with their prices. */
type Rows = readonly (readonly [at: number, prices: string])[];

/** The asks that a backtest of 1.5 btc plays, after how many seconds each. */
async function asksOf(one: Rows, three: Rows, head = 'time,bid,ask', barPath?: 'worst') {
  const cwd = folder();
  for (const [size, rows] of [
    [1, one],
    [3, three],
  ] as const) {
    const file = path.join(cwd, `${size}.csv`);
    writeFileSync(file, `${head}\n${rows.map(([at, prices]) => `${FROM + at * 1000},${prices}\n`).join('')}`);
    const lane = laneFor(productCode('btcusd'), amountOf({ base: String(size) }));
    const names = { baseCcy: currency('btc'), quoteCcy: currency('usd') };
    const ticks = { lane, ...names, size, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
    await importFile({ file, map: { unit: 'auto' }, ticks, out: path.join(cwd, 'recordings'), ...(barPath && { barPath, spreadBps: 0 }) });
  }
  const yaml = `${strategyYaml({ amount: '{ base: 1.5 }' })}backtest: { latency: 0, limits: off, slippagePct: 1 }\n`;
  const session = await sessionOf(configOf(`${yaml}recording: { dir: recordings }\njournal: { path: kairos.db }\n`, { cwd }), cwd);
  const [quotes] = session.modelled;
  return Array.from({ length: quotes?.length ?? 0 }, (_, n) => [((quotes?.at[n] ?? 0) - FROM) / 1000, quotes?.buy.price[n]] as const);
}

test('a size between two is not priced by one that has been silent for longer than orders may rely on its quotes', async () => {
  const every10s = Array.from({ length: 372 }, (_, n) => 10 * n);
  const asks = await asksOf(
    every10s.map((at) => [at, '99,101']),
    every10s.filter((at) => at < 120 || at >= 3600).map((at) => [at + 1, '97,103']),
  );
  const between = asks.filter(([, price]) => price === 101.5).map(([at]) => at);
  // Both are fresh for three times their usual pause, by powers of two.
  expect(between).toEqual(every10s.filter((at) => (at > 1 && at < 111 + 3 * 16.384) || at > 3601));
  expect(asks.length).toBe(372);
});

test('quotes of one time price it together, bars with their ranges as well', async () => {
  const rises: Rows = [0, 10, 20].map((at) => [at, `${99 + at},${101 + at}`]);
  const wider: Rows = [0, 10, 20].map((at) => [at, `${97 + at},${103 + at}`]);
  expect(await asksOf(rises, wider)).toEqual([
    [0, 101.5],
    [10, 111.5],
    [20, 121.5],
  ]);
  const head = 'time,high,low,close';
  const one: Rows = [0, 60, 120].map((at) => [at, `${110 + at},${90 + at},${100 + at}`]);
  const three: Rows = [0, 60, 120].map((at) => [at, `${130 + at},${70 + at},${104 + at}`]);
  // Of each bar its highest price, then its last one.
  expect(await asksOf(one, three, head, 'worst')).toEqual([
    [60, 115],
    [60, 101],
    [120, 175],
    [120, 161],
    [180, 235],
    [180, 221],
  ]);
});
