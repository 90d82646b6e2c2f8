import { describe, expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { makeReport } from '#report/report.ts';
import { DAY, type FillParts, type Flow, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;
const at = (hour: number): number => MONDAY + hour * HOUR;
const quotes = laneColumns([100, 90, 80, 85].map((buy, hour) => ({ at: at(hour), buy })));
const BUDGET: Flow = { at: at(-2), kind: 'opening', amount: 1000 };

describe('a run that began with a position of an earlier one', () => {
  /** Bought at 120 before the run, whose first price is 100. */
  const after = (fills: readonly FillParts[]) => {
    const earlier = recordOf({ from: at(-2), to: at(0), flows: [BUDGET], fills: [{ at: at(-1), side: 'buy', price: 120 }] });
    const record = recordOf({ from: at(0), to: at(0) + DAY, flows: [], fills });
    return makeReport({ ...record, earlier: { fills: earlier.fills, ledger: earlier.ledger } }, [quotes]);
  };
  const noteOf = (report: ReturnType<typeof after>) =>
    report.headlines.find(({ text }) => text.startsWith('opened in an earlier run'))?.text;

  test('says why its net profit is not that of its round trips', () => {
    const report = after([{ at: at(2), side: 'sell', price: 80, row: 2 }]);
    expect([metricIn(report.sections, 'netProfit'), metricIn(report.sections, 'tradeProfit')]).toEqual([-20, -40]);
    expect(noteOf(report)).toMatch(/^opened in an earlier run: 1 round trip, with the whole profit since then; the net profit has only/);
  });

  test('says so of a position that is still open', () => {
    const report = after([{ at: at(2), side: 'buy', price: 80, size: 0.5, row: 2 }]);
    expect(noteOf(report)).toMatch(/^opened in an earlier run: 1 open position, /);
  });

  test('says nothing where all began within the run', () => {
    const fills = [
      { at: at(1), side: 'buy', price: 90, row: 1 },
      { at: at(2), side: 'sell', price: 80, row: 2 },
    ] as const;
    const report = makeReport(recordOf({ from: at(0), to: at(0) + DAY, flows: [{ ...BUDGET, at: at(0) }], fills }), [quotes]);
    expect(noteOf(report)).toBeUndefined();
    expect(metricIn(report.sections, 'netProfit')).toBe(metricIn(report.sections, 'tradeProfit'));
  });
});

test('net profit is what was closed and what is open, rounded once for people, and the report says how it rounds', () => {
  const fills = [
    { at: at(0), side: 'buy', price: 80, row: 0 },
    { at: at(1), side: 'sell', price: 80.004, row: 1 },
    { at: at(2), side: 'buy', price: 84.996, row: 2 },
  ] as const;
  const report = makeReport(recordOf({ from: at(0), to: at(0) + DAY, flows: [{ ...BUDGET, at: at(0) }], fills }), [quotes]);
  const [net, closed, open] = [
    metricIn(report.sections, 'netProfit'),
    metricIn(report.sections, 'tradeProfit'),
    report.open[0]?.unrealised,
  ];
  expect(net).toBeCloseTo(Number(closed) + Number(open), 12);
  expect([closed, open].map((one) => Number(one).toFixed(3))).toEqual(['0.004', '0.004']);
  expect(Number(net).toFixed(2)).toBe('0.01');
  expect(report.conventions.find(({ about }) => about === 'rounding')?.rule).toMatch(/rounded by itself.*JSON has all digits/);
});
