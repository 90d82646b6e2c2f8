import { describe, expect, test } from 'vitest';
import type { ProfitState } from '#core/portfolio/profit-state.ts';
import { LossLimits } from '#core/risk/loss-limits.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency } from '#domain/names.ts';
import { NO_LIMITS } from '../../support/limits.ts';

const standing = (name: string, belowPeak: number): ProfitState => ({ currency: currency(name), dayLoss: belowPeak, belowPeak, peak: 0 });

/** 1,000 usd and 10,000 sek of capital, a dollar at 10 kronor where there is a rate. */
function limits(standings: readonly ProfitState[], rated: boolean, krona = '0.1'): LossLimits {
  return new LossLimits({
    limits: { ...NO_LIMITS, maxDrawdownPct: 10, maxDayLoss: new Map([['usd', decimalOf(500)]]) },
    currency: 'usd',
    currencies: () => standings.length,
    standings: () => standings,
    capital: (name) => (name === 'usd' ? 1000 : 10_000),
    rate: (from, to) => (from === to ? decimalOf(1) : rated && from === 'sek' && to === 'usd' ? decimalOf(krona) : undefined),
  });
}

describe('drawdown is valued in the currency of the account, on both sides of its boundary', () => {
  test.each<[string, number, number, boolean, string | undefined]>([
    ['two currencies together, below', 100, 999, true, undefined],
    ['two currencies together, at the limit', 100, 1000, true, '200 usd below the peak, 10 %; risk.maxDrawdownPct is 10'],
    ['much of the one is little of all', 0, 1990, true, undefined],
    ['without a rate each by itself, below', 99, 999, false, undefined],
    ['without a rate each by itself, at the limit', 0, 1000, false, '1000 sek below the peak, 10 %; risk.maxDrawdownPct is 10'],
  ])('%s', (_, usd, sek, rated, why) => {
    const all = [standing('usd', usd), standing('sek', sek)];
    const trips = all.map((one) => limits(all, rated).trip(one, 0)?.why);
    expect(trips.find((trip) => trip !== undefined)).toBe(why);
  });
});

test('a rate that falls under an untouched budget is no loss and no drawdown', () => {
  const all = [standing('usd', 10), standing('sek', 0)];
  for (const krona of ['0.1', '0.05', '0.001']) {
    expect(all.map((one) => limits(all, true, krona).trip(one, 0))).toEqual([undefined, undefined]);
  }
});
