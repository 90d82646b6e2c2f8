import { expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { metricIn } from '#report/figures.ts';
import { makeReport } from '#report/report.ts';
import { recordOfBacktest } from '#research/backtest/backtest-record.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { saveRun } from '#research/backtest/save-run.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, ofKind } from './session-bench.ts';

/** Recordings begin at 09:00 UTC. */
const financing = (long: string): string =>
  `account: { financing: { time: '09:01', timezone: UTC, triple: none, rates: [{ product: btcusd, long: ${long}, short: 0, per: day }] } }\n`;
const HOLD = `${strategyYaml({ use: 'buy-and-hold' })}backtest: { latency: 20 }\n`;

test('a backtest books financing as a run does: in ledger, profit, report and net result', async () => {
  const free = (await bench(HOLD).open()).play();
  const bed = bench(HOLD + financing('-0.5'));
  const session = await bed.open();
  const run = session.play();
  const entries = ofKind(run, 'booked').flatMap(({ at, detail }) => detail.entries.map((entry) => ({ at, ...entry })));
  const [rolled] = entries.filter(({ kind }) => kind === 'financing');
  expect(rolled).toMatchObject({ at: Date.UTC(2026, 0, 5, 9, 1), book: 'one', product: 'btcusd', currency: 'usd' });
  const paid = Number(rolled?.amount);
  // 0.01 btc of about 61,800 at half a percent.
  expect(paid).toBeCloseTo(-3.09, 1);
  const outcome = outcomeOf(run);
  expect(outcome.profit.map(({ group, financing: of }) => [group, of.toNumber()])).toEqual([
    ['one', paid],
    ['total', paid],
  ]);
  expect(Number(outcome.net.usd) - Number(outcomeOf(free).net.usd)).toBeCloseTo(paid, 8);
  const report = makeReport(recordOfBacktest(session.config, run), session.columns);
  expect(metricIn(report.sections, 'financing')).toBeCloseTo(paid, 8);
  expect(metricIn(report.sections, 'netProfit')).toBeCloseTo(Number(outcome.net.usd), 6);
  expect(session.play().decisions).toEqual(run.decisions);
  const file = `${bed.cwd}/backtest.db`;
  saveRun(session.config, run, file);
  expect(verifyJournal(file)).toMatchObject({ ok: true });
});
