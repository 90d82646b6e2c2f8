import { describe, expect, test } from 'vitest';
import { buyAndHold } from '#report/benchmark/buy-and-hold.ts';
import { metricIn } from '#report/figures.ts';
import { calmar, drawdowns, sortino, volatility } from '#report/metrics/returns.ts';
import { columnsOfTrips, tripFigures } from '#report/metrics/trips.ts';
import { makeReport } from '#report/report.ts';
import { DAY, type FillParts, laneColumns, recordOf } from '../support/report-data.ts';
import { NO_VECTORS, vector, vectorsAtHand } from '../support/vectors.ts';

const rowsOf = (name: string): string[][] =>
  vector(`backtest_goog_sma/${name}`)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

/** Bars as quotes: the close of a day at 21:00 UTC, both sides at one price; fills at the open, seven hours before. */
const close = (day: string): number => Date.parse(day) + 21 * 3_600_000;
const open = (day: string): number => Date.parse(day) + 14 * 3_600_000;

function published() {
  const bars = rowsOf('GOOG_daily_2004-2013.csv').map(([day = '', , , , price]) => ({ at: close(day), buy: Number(price) }));
  const trades = rowsOf('trades.csv');
  const last = bars.at(-1)?.at ?? 0;
  const fills = trades.flatMap(([size = '', , , entry, exit, , , entryDay = '', exitDay = ''], n): FillParts[] => {
    const long = Number(size) > 0;
    const common = { size: Math.abs(Number(size)), product: 'gogusd' };
    // The position that is left is closed at the last close.
    const closedAt = n === trades.length - 1 ? last + 1 : open(exitDay);
    return [
      { ...common, at: open(entryDay), side: long ? 'buy' : 'sell', price: Number(entry) },
      { ...common, at: closedAt, side: long ? 'sell' : 'buy', price: Number(exit) },
    ];
  });
  // An exit comes before the entry of the next trade at the same open.
  const inOrder = fills.map((fill, n) => ({ fill, n })).sort((a, b) => a.fill.at - b.fill.at || a.n - b.n);
  const columns = [laneColumns(bars, { product: 'gogusd', size: 1000 })];
  const from = (bars[0]?.at ?? 0) - 1000;
  const record = recordOf({
    from,
    to: last + 2,
    flows: [{ at: from, kind: 'opening', amount: 10_000 }],
    fills: inOrder.map(({ fill }) => fill),
  });
  const expected: Record<string, number> = JSON.parse(vector('backtest_goog_sma/expected.json')).published;
  return { bars, columns, record, expected };
}

describe(`a published moving-average backtest${NO_VECTORS}`, () => {
  test.skipIf(!vectorsAtHand)('trades, win rate, best, worst, drawdown, final equity, and the equity of every day', () => {
    const { columns, record, expected } = published();
    const report = makeReport(record, columns);
    const { sections, equity } = report;
    const percent = (id: string): number => Number(metricIn(sections, id)) * 100;
    expect(metricIn(sections, 'trades')).toBe(expected['# Trades']);
    expect(percent('winRate')).toBeCloseTo(expected['Win Rate [%]'] ?? 0, 9);
    expect(percent('bestShare')).toBeCloseTo(expected['Best Trade [%]'] ?? 0, 9);
    expect(percent('worstShare')).toBeCloseTo(expected['Worst Trade [%]'] ?? 0, 9);
    expect(percent('averageShare')).toBeCloseTo(expected['Expectancy [%]'] ?? 0, 9);
    expect(-percent('maxDrawdown')).toBeCloseTo(expected['Max. Drawdown [%]'] ?? 0, 9);
    expect(metricIn(sections, 'finalEquity')).toBeCloseTo(expected['Equity Final [$]'] ?? 0, 6);
    expect(percent('totalReturn')).toBeCloseTo(expected['Return [%]'] ?? 0, 7);
    expect(Number(metricIn(sections, 'underWater')) / DAY).toBeCloseTo(584, 6);
    expect(Number(metricIn(sections, 'betaToHold'))).toBeGreaterThan(0);
    expect(Number(metricIn(sections, 'bestDay'))).toBeGreaterThan(Number(metricIn(sections, 'worstDay')));
    if (typeof equity === 'string') throw new Error(equity);
    const byDay = new Map(equity.days.map(({ at, equity: value }) => [new Date(at - 1).toISOString().slice(0, 10), value]));
    for (const [day = '', value] of rowsOf('equity.csv')) expect(byDay.get(day), day).toBeCloseTo(Number(value), 6);
  });

  test.skipIf(!vectorsAtHand)('the rest by the formulas that its authors name', () => {
    const { columns, record, expected } = published();
    const { trades } = makeReport(record, columns);
    const curve = rowsOf('equity.csv').map(([, value]) => Number(value));
    const returns = curve.slice(1).map((value, n) => value / (curve[n] ?? 1) - 1);
    const year = { periods: 252, riskFree: 0 };
    const growth = ((curve.at(-1) ?? 0) / (curve[0] ?? 1)) ** (1 / returns.length);
    const yearly = growth ** 252 - 1;
    expect(yearly * 100).toBeCloseTo(expected['Return (Ann.) [%]'] ?? 0, 6);
    const deepest = Math.max(...drawdowns(returns));
    expect(calmar(yearly, deepest)).toBeCloseTo(expected['Calmar Ratio'] ?? 0, 6);
    const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
    expect((Number(sortino(returns, year)) * yearly) / (mean * year.periods)).toBeCloseTo(expected['Sortino Ratio'] ?? 0, 6);
    const variance = Number(volatility(returns, { periods: 1, riskFree: 0 })) ** 2;
    const spread = Math.sqrt((variance + growth ** 2) ** 252 - growth ** (2 * 252));
    expect(spread * 100).toBeCloseTo(expected['Volatility (Ann.) [%]'] ?? 0, 6);
    expect(yearly / spread).toBeCloseTo(expected['Sharpe Ratio'] ?? 0, 6);
    // Theirs takes profits in money for the SQN, and returns for the profit factor.
    const money = tripFigures(columnsOfTrips(trades.map((trade) => ({ ...trade, stake: 1 }))));
    const shares = tripFigures(columnsOfTrips(trades.map((trade) => ({ ...trade, profit: trade.return ?? 0, stake: 1 }))));
    expect(money.sqn).toBeCloseTo(expected.SQN ?? 0, 9);
    expect(shares.profitFactor).toBeCloseTo(expected['Profit Factor'] ?? 0, 9);
  });

  test.skipIf(!vectorsAtHand)('buy and hold, from the bar on which the averages are there', () => {
    const { bars, columns, expected } = published();
    const warm = bars[29]?.at ?? 0;
    const to = bars.at(-1)?.at ?? 0;
    const held = buyAndHold({ products: ['gogusd'], columns, capital: 10_000, currency: 'usd', from: warm, to });
    if (typeof held === 'string') throw new Error(held);
    expect(held.totalReturn * 100).toBeCloseTo(expected['Buy & Hold Return [%]'] ?? 0, 6);
  });
});
