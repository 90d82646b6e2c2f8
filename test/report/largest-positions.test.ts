import { expect, test } from 'vitest';
import { largestPositions } from '#report/benchmark/largest-positions.ts';
import type { LedgerMovement, RunRecord } from '#report/record.ts';
import { type FillParts, MONDAY, recordOf } from '../support/report-data.ts';

const MINUTE = 60_000;
const FEE = 0.001;

/** So many round trips with the fee in base currency, taken from what a buy brings; a sale sells what is left. */
function feesInBase(trips: number): Pick<RunRecord, 'earlier' | 'fills' | 'ledger'> {
  const parts = Array.from({ length: trips }, (_, n): readonly FillParts[] => [
    { at: MONDAY + 2 * n * MINUTE, side: 'buy', price: 100 },
    { at: MONDAY + (2 * n + 1) * MINUTE, side: 'sell', price: 100, size: 1 - FEE },
  ]).flat();
  const { earlier, fills, ledger } = recordOf({ from: MONDAY, to: MONDAY + 60 * MINUTE, flows: [], fills: parts });
  return {
    earlier,
    fills: fills.map((one) => (one.fill.side === 'buy' ? { ...one, fill: { ...one.fill, fee: String(FEE), feeCcy: 'btc' } } : one)),
    ledger: ledger.flatMap((row): LedgerMovement | readonly LedgerMovement[] => {
      const isBought = row.currency === 'btc' && Number(row.amount) > 0;
      return isBought ? [row, { ...row, kind: 'fee', amount: String(-FEE) }] : row;
    }),
  };
}

test('the largest position is net of the fees that were taken in base currency, however many round trips there are', () => {
  expect(largestPositions(feesInBase(1)).get('btcusd')).toBeCloseTo(0.999, 12);
  expect(largestPositions(feesInBase(12)).get('btcusd')).toBeCloseTo(0.999, 12);
});

test('what was held before counts, also where all that the run does is sell it', () => {
  const all = feesInBase(2);
  const [bought] = all.fills;
  const record = {
    earlier: { fills: all.fills.slice(0, 1), ledger: all.ledger.filter(({ at }) => at === bought?.at) },
    fills: all.fills.slice(1, 2),
    ledger: all.ledger.filter(({ at }) => at === MONDAY + MINUTE),
  };
  expect(largestPositions(record).get('btcusd')).toBeCloseTo(0.999, 12);
});
