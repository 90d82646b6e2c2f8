import { expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { makeReport } from '#report/report.ts';
import { runEquity } from '#report/valued.ts';
import { type Flow, laneColumns, MONDAY, recordOf } from '../../support/report-data.ts';

const at = (hour: number): number => MONDAY + hour * 3_600_000;
const btc = laneColumns([0, 1, 2, 3].map((hour) => ({ at: at(hour), buy: hour === 1 ? 110 : 100 })));

/** An earlier run left 1,000; in this one a strategy joined, whose budget was booked an hour after its begin, with the first quote of its product. */
function joinedRun(flows: readonly Flow[] = []) {
  const before = recordOf({ from: at(-2), to: at(-1), flows: [{ at: at(-2), kind: 'opening', amount: 1000 }] });
  const record = recordOf({
    ...{ from: at(0), to: at(3) },
    flows: [{ at: at(1), kind: 'opening', amount: 500 }, ...flows],
    fills: [
      { at: at(0), side: 'buy', price: 100, row: 0 },
      { at: at(2), side: 'sell', price: 100, fee: 15, row: 2 },
    ],
  });
  return { ...record, earlier: { fills: [], ledger: before.ledger } };
}

const worthOf = (flows?: readonly Flow[]) => {
  const equity = runEquity(joinedRun(flows), [btc], { currency: 'usd', ofAccount: true });
  if (typeof equity === 'string') throw new Error(equity);
  return equity;
};

test('the budget of a strategy that joins is capital from the begin: equity never jumps by it, and no return is made of it', () => {
  const equity = worthOf();
  expect([equity.capital, equity.joined, equity.flows, equity.final]).toEqual([1500, 500, 0, 1485]);
  expect(equity.totalReturn).toBeCloseTo(-15 / 1500, 12);
  expect(equity.chart.map(({ low }) => low).filter((low) => low < 1485)).toEqual([]);
  expect(equity.chart.map(({ high }) => high).filter((high) => high > 1510)).toEqual([]);
  expect(new Set(equity.paidChart.map(({ last }) => last))).toEqual(new Set([1500]));
});

test('a deposit raises the equity and what was paid in by the same amount', () => {
  const { chart, paidChart, netProfit, joined } = worthOf([{ at: at(1) + 1, kind: 'deposit', amount: 200 }]);
  const last = (points: typeof chart): number => points.at(-1)?.last ?? Number.NaN;
  expect([last(chart), last(paidChart), netProfit, joined]).toEqual([1685, 1700, -15, 500]);
  expect(paidChart.map(({ at: time }) => time)).toEqual(chart.map(({ at: time }) => time));
});

test('a report says that such a budget is a deposit, and counts none where nothing was there before', () => {
  const record = joinedRun();
  const report = makeReport(record, [btc]);
  const capital = report.sections.flatMap(({ figures }) => figures).find(({ id }) => id === 'capital');
  expect(capital).toMatchObject({ value: 1500, note: '500.00 usd of it came with this run as budgets: a deposit, no profit' });
  expect(metricIn(report.sections, 'flows')).toBe(0);
  const alone = makeReport({ ...record, earlier: { fills: [], ledger: [] } }, [btc]);
  const opened = alone.sections.flatMap(({ figures }) => figures).find(({ id }) => id === 'capital');
  expect(opened).toEqual({ id: 'capital', label: 'initial capital', unit: 'money', value: 500 });
});

test('a report says that a budget which is lowered is a withdrawal', () => {
  const { sections } = makeReport(joinedRun([{ at: at(1), kind: 'opening', amount: -700 }]), [btc]);
  const capital = sections.flatMap(({ figures }) => figures).find(({ id }) => id === 'capital');
  const note = '200.00 usd went out with this run, whose budgets are lower: a withdrawal, no loss';
  expect(capital).toMatchObject({ value: 800, note });
});
