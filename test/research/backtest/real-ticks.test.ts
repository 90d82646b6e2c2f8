import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench } from './session-bench.ts';

/** Real EUR/USD ticks beside the checkout, which do not belong to the project. CI must have them. */
const TICKS = fileURLToPath(new URL('../../../../shared/data/eurusd_oanda_ticks_20140501-15.csv.gz', import.meta.url));
const atHand = existsSync(TICKS) || process.env.CI !== undefined;
const title = `real EUR/USD ticks are imported, replayed and reported${atHand ? '' : ' (skipped: no ../shared/data beside the checkout)'}`;
if (!atHand) console.warn(title);

test.runIf(atHand)(title, async () => {
  const yaml = `${strategyYaml({ product: 'eurusd', amount: '{ base: 1000 }', params: '{ fast: 200, slow: 600 }' })}backtest: { latency: 50 }\n`;
  const { cwd, open } = bench(yaml);
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const out = path.join(cwd, 'ticks');
  const ticks = { ...names, size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'fail' } as const;
  await importFile({ file: TICKS, map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' }, ticks, out });

  const session = await open({ data: out, to: Date.UTC(2014, 4, 6) });
  const run = session.play();
  const { shares, orders, net } = outcomeOf(run);
  // All ticks before 6 May, the one that repeats another included.
  expect(run.quotes).toBe(session.columns[0]?.length);
  expect(run.quotes).toBeGreaterThan(80_000);
  expect(orders.accepted).toBeGreaterThan(100);
  // Nobody had offered these prices for that size.
  expect(shares).toMatchObject({ fills: orders.accepted, exact: 0, modelled: orders.accepted });
  const report = reportOfBacktest(session, run, { curve: undefined });
  expect(report.run).toMatchObject({ run: run.run, mode: 'backtest', book: 'backtest' });
  expect(report.headlines[0]?.text).toMatch(/0 %|exact/);
  expect(Object.keys(net)).toEqual(['usd']);
});
