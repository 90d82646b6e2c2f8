import path from 'node:path';
import { expect, test } from 'vitest';
import { readMoney } from '#daemon/operations/report/money.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { metricIn } from '#report/figures.ts';
import { profitBy } from '#report/profit.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, OFF } from './session-bench.ts';

test('the return of all together is that of the report, also where the quotes of a product begin days later', async () => {
  const held = '  - { id: three, use: buy-and-hold, product: ethusd, amount: { base: 0.1 } }\n';
  const other = `${held}  - { id: two, use: eager, product: ethusd, amount: { base: 0.1 } }\n`;
  const b = bench(`${strategyYaml({ use: 'eager' })}${other}${OFF}backtest: { latency: 0 }\n`);
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['eurusd 100', 'ethusd 0.1'], seconds: 120, from: RECORDED_FROM + 2 * DAY_MS });
  const session = await b.open();
  const run = session.play();
  const report = reportOfBacktest(session, run, { curve: undefined });
  const { profit } = outcomeOf(run);
  const total = profit.find(({ group }) => group === 'total');
  expect(profit.map(({ group }) => group)).toEqual(['one', 'three', 'two', 'total']);
  expect(total?.profit.isZero()).toBe(false);
  expect(total?.return?.toNumber()).toBeCloseTo(Number(metricIn(report.sections, 'totalReturn')), 9);

  const file = path.join(b.cwd, 'kept.db');
  keepBacktest(session, run, file);
  const kept = readMoney({ ...b.config.settings, journal: { ...b.config.settings.journal, path: file } });
  expect(run.lastQuotes.length).toBeGreaterThan(1);
  const texts = (rows: typeof profit) => rows.map((row) => Object.values(row).map(String));
  expect(texts(profitBy('strategy', kept, kept.ledger)), 'kairos profit of its journal').toEqual(texts(profit));
  expect(kept.holdings.map(({ book }) => book)).toContain('three');
  expect(kept.unvalued).toBeNull();
});
