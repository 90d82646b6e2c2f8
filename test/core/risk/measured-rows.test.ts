import { expect, test } from 'vitest';
import { AccountPeak } from '#core/portfolio/account-peak.ts';
import type { ProfitTrack } from '#core/portfolio/profit-track.ts';
import { MeasuredRows } from '#core/risk/loss-limits.ts';
import { currency } from '#domain/names.ts';
import { Journaled } from '../../support/journaled.ts';

const MINUTE = 60_000;

/** Rows of a profit whose measures a test sets. */
function measuredRows() {
  const rows = new Journaled();
  const profit = { measured: 0, changes: 0, peak: 1, turned: [] as number[] };
  const peak = new AccountPeak({ currency: 'usd', worth: (amount) => amount });
  const track = {
    get measured() {
      return profit.measured;
    },
    get changes() {
      return profit.changes;
    },
    turn: (at: number) => profit.turned.push(at) > 0,
    past: () => ({ day: '2026-01-05', byCurrency: { usd: { dayStart: 0, peak: profit.peak, dayBegan: 0 } } }),
  };
  const measured = new MeasuredRows({ log: rows.log, profit: track as unknown as ProfitTrack, peak });
  const peaks = () =>
    rows.deferred.map(({ detail }) => (detail as unknown as { byCurrency: { usd: { peak: number } } }).byCurrency.usd.peak);
  return { profit, peak, rows, measured, peaks };
}

test('measures are journaled at once when there is a first one, then once a minute while they change; each look begins the day that is due', () => {
  const { profit, measured, peaks } = measuredRows();
  measured.poll(0);
  expect([peaks(), measured.isSettled, profit.turned]).toEqual([[], false, [0]]);
  profit.measured = 1;
  expect(measured.isSettled).toBe(false);
  measured.poll(5);
  expect([peaks(), measured.isSettled, measured.dueAt, measured.after(7)]).toEqual([[1], true, 5 + MINUTE, 7 + MINUTE]);
  Object.assign(profit, { peak: 2, changes: 1 });
  expect(measured.isChanged).toBe(true);
  measured.poll(4 + MINUTE);
  expect(peaks()).toEqual([1]);
  measured.poll(5 + MINUTE);
  expect([peaks(), profit.turned, measured.isChanged]).toEqual([[1, 2], [0, 5, 5 + MINUTE], false]);
  profit.changes = 2;
  measured.poll(5 + 2 * MINUTE);
  expect(peaks(), 'a change that changes no measure').toEqual([1, 2]);
  Object.assign(profit, { measured: 2, peak: 3, changes: 3 });
  expect(measured.isSettled).toBe(false);
  measured.poll(6 + 2 * MINUTE);
  expect(peaks(), 'another currency does not wait').toEqual([1, 2, 3]);
});

test('the peak of all currencies together is journaled with the measures, also where both change at once', () => {
  const { profit, peak, rows, measured, peaks } = measuredRows();
  profit.measured = 1;
  measured.poll(0);
  peak.restore({ currency: 'usd', peak: 300, of: [currency('usd'), currency('eur')] });
  Object.assign(profit, { peak: 2, changes: profit.changes + peak.changes });
  expect([peaks(), measured.isChanged]).toEqual([[1], true]);
  measured.poll(MINUTE);
  expect([peaks(), rows.deferred.at(-1)?.detail]).toEqual([
    [1, 2],
    expect.objectContaining({ together: { currency: 'usd', peak: 300, of: ['usd', 'eur'] } }),
  ]);
});

test('an unchanged measure of an earlier run is not journaled again', () => {
  const { profit, measured, peaks } = measuredRows();
  measured.restore({ day: '2026-01-05', byCurrency: { usd: { dayStart: 0, peak: 1, dayBegan: 0 } } });
  profit.measured = 1;
  measured.poll(0);
  expect(peaks()).toEqual([]);
});

test.each([
  ['none is due', [10, MINUTE - 1], 0],
  ['one comes just when it is due', [10, MINUTE], MINUTE],
  ['the second look is due a minute after the first', [MINUTE + 7, 2 * MINUTE, 2 * MINUTE + 7, 2 * MINUTE + 8], 2 * MINUTE + 7],
])('of quotes that are passed over each that a look was due at counts as one: %s', (_, times, looked) => {
  const { profit, measured } = measuredRows();
  profit.measured = 1;
  measured.poll(0);
  for (const time of times) measured.passed(time);
  expect(measured.dueAt).toBe(looked + MINUTE);
});
