import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMoney } from '#daemon/operations/report/money.ts';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { metricIn } from '#report/figures.ts';
import { profitBy } from '#report/profit.ts';
import type { RunReport } from '#report/report.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { resultOf } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from './session-bench.ts';

/** Buys its amount so often, and holds. */
const holding = (times: number): string => `import { take } from 'rxjs';
import { buy, strategy } from 'kairos/strategy';
export default strategy({
  name: 'holding',
  signals: ({ quotes$ }) => quotes$.pipe(take(${times})),
  decide: (_quote, { amount }) => buy(amount, 'in'),
});
`;

interface Case {
  readonly title: string;
  readonly lanes?: readonly string[];
  /** Of each strategy. */
  readonly amounts: readonly string[];
  readonly times?: number;
}

async function valued({ lanes = ['btcusd 0.01'], amounts, times = 1 }: Case) {
  const [first = '', ...others] = amounts;
  const more = others.map((amount, n) => `  - { id: more${n}, use: holding, product: btcusd, amount: ${amount} }\n`).join('');
  const yaml = `${strategyYaml({ use: 'holding', amount: first })}${more}${OFF}backtest: { latency: 20, limits: off }\n`;
  const folder = bench(yaml, { seconds: 60, lanes }, { holding: holding(times) });
  const session = await folder.open();
  const run = session.play();
  const journal = path.join(folder.cwd, 'kept.db');
  keepBacktest(session, run, journal);
  const settings = { ...session.config.settings, journal: { ...session.config.settings.journal, path: journal } };
  const money = readMoney(settings);
  const trial = resultOf({ id: '1', setup: '1', params: {}, from: session.from, to: session.to }, session, run);
  return {
    fills: outcomeOf(run).shares.fills,
    outcome: outcomeOf(run),
    report: reportOfBacktest(session, run, { curve: undefined }),
    kept: reportOfRun({ settings, run: 'last' }),
    trial,
    profit: profitBy('strategy', money, money.ledger).find(({ group }) => group === 'total'),
    positions: money.holdings,
    session,
    run,
  };
}

const netOf = (report: RunReport): number => Number(metricIn(report.sections, 'netProfit'));
const openOf = (report: RunReport): number => report.open.reduce((sum, { unrealised }) => sum + (unrealised ?? Number.NaN), 0);

describe('what is held at the end of a backtest has one value in table, report, sweep, kept journal and `profit`', () => {
  test.each<Case>([
    { title: 'below the recorded amount', amounts: ['{ base: 0.004 }'] },
    { title: 'the recorded amount', amounts: ['{ base: 0.01 }'] },
    { title: 'above the recorded amount', amounts: ['{ base: 0.08 }'] },
    { title: 'between recorded amounts', amounts: ['{ base: 0.03 }'], lanes: ['btcusd 0.01', 'btcusd 0.1'] },
    { title: 'a value above the recorded amount', amounts: ['{ quote: 3000 }'] },
    { title: 'more than an amount', amounts: ['{ base: 0.08 }'], times: 3 },
    {
      title: 'more than an amount, of which more is recorded',
      amounts: ['{ base: 0.01 }'],
      times: 3,
      lanes: ['btcusd 0.01', 'btcusd 0.1'],
    },
    { title: 'two strategies with two amounts', amounts: ['{ base: 0.01 }', '{ base: 0.08 }'] },
  ])('$title', async (given) => {
    const { fills, outcome, report, kept, trial, profit, positions } = await valued(given);
    expect(fills).toBe(given.amounts.length * (given.times ?? 1));
    const table = Number(outcome.net.usd);
    const open = Number(outcome.profit.find(({ group }) => group === 'total')?.unrealised);
    expect({
      report: netOf(report),
      kept: netOf(kept),
      sweep: trial.figures.netProfit,
      open: openOf(report),
      sweepOpen: trial.figures.open,
      keptOpen: openOf(kept),
      profit: Number(profit?.unrealised),
      positions: positions.reduce((sum, { estimate }) => sum + Number(estimate?.unrealised), 0),
    }).toEqual({
      report: expect.closeTo(table, 8),
      kept: expect.closeTo(table, 8),
      sweep: expect.closeTo(table, 8),
      open: expect.closeTo(open, 8),
      sweepOpen: expect.closeTo(open, 8),
      keptOpen: expect.closeTo(open, 8),
      profit: expect.closeTo(open, 8),
      positions: expect.closeTo(open, 8),
    });
    // The equity that ends there fell as deep as it says, and holding the same is worth the same.
    expect(Number(metricIn(kept.sections, 'maxDrawdown'))).toBe(Number(metricIn(report.sections, 'maxDrawdown')));
  });

  test('which is the price of its own amount, not that of a smaller one', async () => {
    const [small, large] = await Promise.all([
      valued({ title: '', amounts: ['{ base: 0.01 }'] }),
      valued({ title: '', amounts: ['{ base: 0.08 }'] }),
    ]);
    const price = ({ report }: { readonly report: RunReport }): number => report.open[0]?.price ?? Number.NaN;
    // Three doublings at 0.05 %.
    expect(price(large) / price(small)).toBeCloseTo(1 - 0.0015, 5);
  });
});
