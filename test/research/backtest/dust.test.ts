import { expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from './session-bench.ts';

/** Of 40 quotes it holds about ten. */
const SHORTLY = `import { buy, sell, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'shortly',
  signals: ({ quotes$ }) => quotes$.pipe(map((_quote, n) => n % 40)),
  decide: (n, { position, amount }) => (n === 10 ? buy(amount, 'in') : n >= 20 && position.isLong ? sell('position', 'out') : undefined),
});
`;

test.each(['eager', 'shortly'])(
  '%s: what a fee in base currency leaves of a position is no time in the market and not open',
  async (use) => {
    const reports = [];
    for (const feeIn of ['quote', 'base']) {
      const yaml = `${strategyYaml({ use })}${OFF}service: { feeIn: ${feeIn} }\nbacktest: { latency: 20, atEnd: close }\n`;
      const session = await bench(yaml, { seconds: 120 }, { shortly: SHORTLY }).open();
      reports.push(reportOfBacktest(session, session.play(), { curve: undefined }));
    }
    const [inQuote, inBase] = reports;
    if (!inQuote || !inBase) throw new Error('no report');
    expect(inBase.trades.length).toBeGreaterThan(3);
    expect(inBase.trades).toHaveLength(inQuote.trades.length);
    const [exposure, isSame] = reports.map(({ sections }) => Number(metricIn(sections, 'exposure')));
    expect(isSame).toBeCloseTo(exposure ?? 0, 2);
    expect([inBase.open, inBase.summary.includes('still open')]).toEqual([[], false]);
    // It is worth something all the same.
    const made = Number(metricIn(inBase.sections, 'netProfit')) - Number(metricIn(inBase.sections, 'tradeProfit'));
    expect(Math.abs(made)).toBeGreaterThan(0);
  },
);
