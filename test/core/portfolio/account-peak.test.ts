import { expect, test } from 'vitest';
import { AccountPeak } from '#core/portfolio/account-peak.ts';
import type { ProfitState } from '#core/portfolio/profit-state.ts';
import { currency } from '#domain/names.ts';

/** Where a currency stands, and its own highest so far. */
const stands = (name: string, present: number, peak = Math.max(0, present)): ProfitState => ({
  ...{ currency: currency(name), dayLoss: 0, peak },
  belowPeak: peak - present,
});

/** An account in usd; what one unit of other currencies is worth in it may change. */
function account(rates: Record<string, number> = { eur: 2, sek: 0.1 }) {
  const peak = new AccountPeak({
    currency: 'usd',
    worth: (amount, from, to) => (from === to ? amount : rates[from] && amount * rates[from]),
  });
  const seen = (...standings: readonly ProfitState[]) => {
    peak.see(standings);
    const { present, peak: highest } = peak.at(standings) ?? {};
    return [present, highest];
  };
  return { peak, seen, rates };
}

test('is the highest sum, not the sum of the highest: what one lost while another won is no drawdown', () => {
  const { seen } = account();
  expect(seen(stands('usd', 0), stands('eur', 0))).toEqual([0, 0]);
  expect(seen(stands('usd', 500), stands('eur', -250, 0))).toEqual([0, 0]);
  expect(seen(stands('usd', -500, 500), stands('eur', 250))).toEqual([0, 0]);
  expect(seen(stands('usd', -400, 500), stands('eur', 250))).toEqual([100, 100]);
  expect(seen(stands('usd', -500, 500), stands('eur', 200, 250))).toEqual([-100, 100]);
});

test('profits count at the rates of now, and the highest stays as it was at the rates of its time', () => {
  const { seen, rates } = account();
  expect(seen(stands('usd', 0), stands('eur', 100))).toEqual([200, 200]);
  rates.eur = 1;
  expect(seen(stands('usd', 0), stands('eur', 100))).toEqual([100, 200]);
});

test('a currency that is traded later, or has its first rate later, comes with its own highest', () => {
  const { seen, rates } = account({ eur: 2 });
  expect(seen(stands('usd', 100), stands('sek', 4000, 5000))).toEqual([100, 100]);
  expect(seen(stands('usd', 90, 100), stands('sek', 4000, 5000), stands('eur', -1, 0))).toEqual([88, 100]);
  rates.sek = 0.1;
  expect(seen(stands('usd', 90, 100), stands('sek', 4000, 5000), stands('eur', -1, 0))).toEqual([488, 600]);
});

test('while one that is in it has no measure or no rate nothing is said, and nothing changes', () => {
  const { peak, seen, rates } = account();
  expect(seen(stands('usd', 100), stands('eur', 100))).toEqual([300, 300]);
  expect(seen(stands('usd', 900))).toEqual([undefined, undefined]);
  delete rates.eur;
  expect(seen(stands('usd', 900), stands('eur', 100))).toEqual([undefined, undefined]);
  expect(peak.past()).toEqual({ currency: 'usd', peak: 300, of: ['usd', 'eur'] });
  expect(new AccountPeak({ currency: 'chf', worth: () => undefined }).at([stands('usd', 1)])).toBeUndefined();
});

test('a restart goes on from it, but not in another currency; a person who takes note of what was lost begins it anew', () => {
  const { peak, seen } = account();
  peak.restore({ currency: 'usd', peak: 300, of: [currency('usd'), currency('eur')] });
  expect(seen(stands('usd', 50, 100), stands('eur', 100))).toEqual([250, 300]);
  const { changes } = peak;
  expect(seen(stands('usd', 60, 100), stands('eur', 100))).toEqual([260, 300]);
  expect(peak.changes).toBe(changes);
  peak.begin();
  const before = { peak: 300, of: ['usd', 'eur'] };
  expect([peak.past(), peak.changes]).toEqual([{ currency: 'usd', peak: 0, of: [], before }, changes + 1]);
  expect(seen(stands('usd', 50, 50), stands('eur', 100))).toEqual([250, 250]);
  expect([peak.past(), peak.highest]).toEqual([{ currency: 'usd', peak: 250, of: ['usd', 'eur'], before }, before]);
  expect(seen(stands('usd', 150, 150), stands('eur', 100))).toEqual([350, 350]);
  expect([peak.past(), peak.highest]).toEqual(expect.arrayContaining([{ currency: 'usd', peak: 350, of: ['usd', 'eur'] }]));
  const other = account().peak;
  other.restore({ currency: 'eur', peak: 300, of: [currency('usd')] });
  other.restore(undefined);
  expect([other.past(), other.changes]).toEqual([undefined, 0]);
});

test('one currency alone is not kept: it says its own', () => {
  const { peak, seen } = account();
  expect(seen(stands('eur', 10))).toEqual([20, 20]);
  expect(peak.past()).toBeUndefined();
});
