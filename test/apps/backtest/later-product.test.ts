import { expect, test } from 'vitest';
import { reportOfBacktest } from '#apps/backtest/backtest-report.ts';
import { outcomeOf } from '#apps/backtest/outcome.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { metricIn } from '#report/figures.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, OFF } from './session-bench.ts';

test('the return of all together is that of the report, also where the quotes of a product begin days later', async () => {
  const other = '  - { id: two, use: eager, product: ethusd, amount: { base: 0.1 } }\n';
  const b = bench(`${strategyYaml({ use: 'eager' })}${other}${OFF}backtest: { latency: 0 }\n`);
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['eurusd 100', 'ethusd 0.1'], seconds: 120, from: RECORDED_FROM + 2 * DAY_MS });
  const session = await b.open();
  const run = session.play();
  const report = reportOfBacktest(session, run, { curve: undefined });
  const { profit } = outcomeOf(run);
  const total = profit.find(({ group }) => group === 'total');
  expect(profit.map(({ group }) => group)).toEqual(['one', 'two', 'total']);
  expect(total?.profit.isZero()).toBe(false);
  expect(total?.return?.toNumber()).toBeCloseTo(Number(metricIn(report.sections, 'totalReturn')), 9);
});
