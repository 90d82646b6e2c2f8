import { expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { makeReport } from '#report/report.ts';
import { laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const MINUTE = 60_000;
const at = (minute: number): number => MONDAY + minute * MINUTE;

/** A run of an hour whose first quote comes so many minutes after its start, and that began with a position of an earlier run. */
function continued(firstQuote: number) {
  const earlier = recordOf({
    from: at(-60),
    to: at(0),
    flows: [{ at: at(-60), kind: 'opening', amount: 1000 }],
    fills: [{ at: at(-30), side: 'buy', price: 100 }],
  });
  const minutes = Array.from({ length: 60 - firstQuote + 1 }, (_, n) => n + firstQuote);
  const record = {
    ...recordOf({ from: at(0), to: at(60), flows: [] }),
    earlier: { fills: earlier.fills, ledger: earlier.ledger },
  };
  return makeReport(record, [laneColumns(minutes.map((minute) => ({ at: at(minute), buy: 100 })))]);
}

test.each([0, 1, 20])(
  'a position that was open all the time was all of it in the market, with a first quote %i minutes after the start',
  (minutes) => {
    expect(metricIn(continued(minutes).sections, 'exposure')).toBe(1);
  },
);

test('a position of a hundredth of an earlier one is a position, and what an exit leaves of one is not', () => {
  const quotes = laneColumns(Array.from({ length: 61 }, (_, minute) => ({ at: at(minute), buy: 100 })));
  const flows = [{ at: at(0), kind: 'opening', amount: 1000 }] as const;
  const turn = [
    { at: at(0), side: 'buy', price: 100, size: 1 },
    { at: at(15), side: 'sell', price: 100, size: 0.995 },
  ] as const;
  const small = { at: at(30), side: 'buy', price: 100, size: 0.005 } as const;
  const [left, opened] = [turn, [...turn, small]].map((fills) => makeReport(recordOf({ from: at(0), to: at(60), flows, fills }), [quotes]));
  expect([left, opened].map((report) => report && metricIn(report.sections, 'exposure'))).toEqual([0.25, 0.75]);
  expect([left?.open, opened?.open.map(({ size }) => size)]).toEqual([[], [0.01]]);
});
