import { describe, expect, test } from 'vitest';
import type { ProfitState } from '#core/portfolio/profit-state.ts';
import type { Limits } from '#core/risk/limits.ts';
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
    profit: { currencies: standings.length, standings: () => standings, isResumed: () => false },
    capital: (name) => (name === 'usd' ? 1000 : 10_000),
    rate: (from, to) => (rated && from === 'sek' && to === 'usd' ? Number(krona) : undefined),
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
    const trips = all.map((one) => limits(all, rated).trip(one)?.why);
    expect(trips.find((trip) => trip !== undefined)).toBe(why);
  });

  test('the peak of two currencies together is seen where no limit is reached', () => {
    const both = [standing('usd', 0), standing('sek', 0)].map((one, index) => ({ ...one, peak: index === 0 ? 40 : 100 }));
    const held = limits(both, true);
    expect([held.trip(both[0] ?? expect.fail()), held.peak.highest]).toMatchObject([undefined, { peak: 50, of: ['usd', 'sek'] }]);
  });
});

test('a currency that is above the limit alone reaches it where all together do', () => {
  const all = [standing('usd', 90), standing('sek', 1200)];
  expect(all.map((one) => limits(all, true).trip(one)?.why)).toEqual(
    Array(2).fill('210 usd below the peak, 10.5 %; risk.maxDrawdownPct is 10'),
  );
});

test('where no currency counts towards a figure of the day, none is shown', () => {
  expect(limits([standing('sek', 100)], false).held([standing('sek', 100)]).dayLosses).toEqual([]);
});

test('the only currency says its drawdown in its own, whatever the rate', () => {
  const one = standing('sek', 1000);
  expect(limits([one], true).trip(one)?.why).toBe('1000 sek below the peak, 10 %; risk.maxDrawdownPct is 10');
});

test('a rate that falls under an untouched budget is no loss and no drawdown', () => {
  const all = [standing('usd', 10), standing('sek', 0)];
  for (const krona of ['0.1', '0.05', '0.001']) {
    expect(all.map((one) => limits(all, true, krona).trip(one))).toEqual([undefined, undefined]);
  }
});

const DAY_LOSS = { maxDayLoss: new Map([['usd', decimalOf(500)]]), maxDrawdownPct: null };

/** Limits on an account of one currency or more, each with a capital of 1,000. */
function only(given: Partial<Limits>, standings: readonly ProfitState[], rates: Readonly<Record<string, string>> = {}): LossLimits {
  return new LossLimits({
    limits: { ...NO_LIMITS, ...given },
    currency: 'usd',
    profit: { currencies: standings.length, standings: () => standings, isResumed: () => false },
    capital: () => 1000,
    rate: (from, to) => (rates[`${from} ${to}`] === undefined ? undefined : Number(rates[`${from} ${to}`])),
  });
}
const lost = (name: string, dayLoss: number): ProfitState => ({ currency: currency(name), dayLoss, belowPeak: 0, peak: 0 });
const fallen = (belowPeak: number, peak: number): ProfitState => ({ currency: currency('usd'), dayLoss: 0, belowPeak, peak });

describe('what was lost since the day began, on both sides of the limit', () => {
  test.each<[string, readonly ProfitState[], Readonly<Record<string, string>>, string | undefined]>([
    ['in one currency, below', [lost('usd', 499.99)], {}, undefined],
    ['in one currency, at the limit', [lost('usd', 500)], {}, 'lost 500 usd'],
    ['in two currencies together, below', [lost('usd', 300), lost('sek', 1999)], { 'sek usd': '0.1' }, undefined],
    ['in two currencies together, at the limit', [lost('usd', 300), lost('sek', 2000)], { 'sek usd': '0.1' }, 'lost 500 usd'],
    ['what the one won makes up for the other', [lost('usd', 600), lost('sek', -2000)], { 'sek usd': '0.1' }, undefined],
    ['a currency without a rate counts for nothing', [lost('usd', 300), lost('sek', 1e9)], {}, undefined],
    ['the only currency is another, with a rate', [lost('sek', 5000)], { 'sek usd': '0.1' }, 'lost 500 usd'],
    ['the only currency is another, with a rate, below', [lost('sek', 4999)], { 'sek usd': '0.1' }, undefined],
    ['the only currency is another, without a rate', [lost('sek', 1e9)], {}, undefined],
  ])('%s', (_, standings, rates, says) => {
    const trips = standings.map((one) => only(DAY_LOSS, standings, rates).trip(one));
    expect(trips.find((trip) => trip !== undefined)?.reason).toBe(says && 'MAX_DAY_LOSS');
    expect(trips.find((trip) => trip !== undefined)?.why.split(' since')[0]).toBe(says);
    if (says !== undefined) expect(trips[0]?.why).toBe(`${says} since the day began; risk.maxDayLoss is 500 usd`);
  });

  test('says where it counts from within the day in one of the currencies', () => {
    const standings = [lost('usd', 300), lost('sek', 2000)];
    const made = new LossLimits({
      limits: { ...NO_LIMITS, ...DAY_LOSS },
      currency: 'usd',
      profit: { currencies: 2, standings: () => standings, isResumed: (name) => name === 'sek' },
      capital: () => 1000,
      rate: () => 0.1,
    });
    expect(standings.map((one) => made.trip(one)?.why)[0]).toBe(
      'lost 500 usd since trading went on within this day; risk.maxDayLoss is 500 usd',
    );
  });

  test('a currency with a limit of its own counts towards that alone', () => {
    const both = { maxDrawdownPct: null, maxDayLoss: new Map([...DAY_LOSS.maxDayLoss, ['sek', decimalOf(3000)] as const]) };
    const standings = [lost('usd', 499), lost('sek', 2999)];
    const rates = { 'sek usd': '0.1', 'usd sek': '10' };
    expect(standings.map((one) => only(both, standings, rates).trip(one))).toEqual([undefined, undefined]);
    expect(only(both, [lost('usd', 0), lost('sek', 3000)], rates).trip(lost('sek', 3000))?.why).toMatch(/^lost 3000 sek /);
  });

  test('others count towards that of the account alone, whichever rate there is at the moment', () => {
    const both = { maxDrawdownPct: null, maxDayLoss: new Map([['sek', decimalOf(120)] as const, ...DAY_LOSS.maxDayLoss]) };
    const standings = [lost('eur', 24), lost('sek', 0)];
    expect(only(both, standings, { 'eur sek': '10.5' }).trip(lost('eur', 24))).toBeUndefined();
    expect(only(both, [lost('eur', 500), lost('sek', 0)], { 'eur sek': '10.5', 'eur usd': '1' }).trip(lost('eur', 500))?.why).toMatch(
      /^lost 500 usd /,
    );
    const apart = { maxDrawdownPct: null, maxDayLoss: new Map([['sek', decimalOf(120)] as const]) };
    expect(only(apart, standings, { 'eur sek': '10.5' }).trip(lost('eur', 24))?.why).toMatch(/^lost 252 sek /);
  });

  test('without limits nothing is reached', () => {
    const off = { maxDayLoss: null, maxDrawdownPct: null };
    expect(only(off, [lost('usd', 1e9)]).trip({ ...lost('usd', 1e9), belowPeak: 1e9 })).toBeUndefined();
    expect(only(off, [lost('usd', 1e9)]).ofOne(currency('usd'))?.(1e9, 1e9, 1)).toBe(false);
  });
});

describe('drawdown of one currency is of capital and peak together', () => {
  const limits = { maxDayLoss: null, maxDrawdownPct: 10 };
  test.each<[number, number, string | undefined]>([
    [149, 500, undefined],
    [150, 500, '150 usd below the peak, 10 %'],
    [0, 500, undefined],
    [75, -250, '75 usd below the peak, 10 %'],
    // What is measured of no capital is no share of anything.
    [75, -1000, undefined],
    [75, -2000, undefined],
  ])('%d below a peak of %d: %s', (belowPeak, peak, says) => {
    const one = fallen(belowPeak, peak);
    const trip = only(limits, [one]).trip(one);
    expect(trip?.reason).toBe(says && 'MAX_DRAWDOWN');
    expect(trip?.why).toBe(says && `${says}; risk.maxDrawdownPct is 10`);
    expect(only(limits, [one]).ofOne(one.currency)?.(0, belowPeak, peak)).toBe(says !== undefined);
  });

  test('a peak in another currency counts by its rate', () => {
    const all = [fallen(150, 500), { ...fallen(0, 5000), currency: currency('sek') }];
    expect(only(limits, all, { 'sek usd': '0.1' }).trip(fallen(150, 500))).toBeUndefined();
    const more = [fallen(210, 500), { ...fallen(0, 5000), currency: currency('sek') }];
    expect(only(limits, more, { 'sek usd': '0.1' }).trip(fallen(210, 500))?.why).toMatch(/^210 usd below the peak, 10 %/);
  });
});

describe('rows that are passed over without a look at limits never pass over one that is reached', () => {
  test.each([
    [499.99, 0, false],
    [500, 0, true],
    [Number.NaN, 0, true],
    [0, 99.9, false],
    [0, 100, true],
    [0, Number.NaN, true],
  ])('%d lost today and %d below the peak', (dayLoss, belowPeak, reached) => {
    const limits = only({ ...DAY_LOSS, maxDrawdownPct: 10 }, [lost('usd', 0)]);
    expect(limits.ofOne(currency('usd'))?.(dayLoss, belowPeak, 0)).toBe(reached);
  });

  test('where several currencies stand, or one whose limit is another’s, each row is looked at', () => {
    expect(only(DAY_LOSS, [lost('usd', 0), lost('sek', 0)]).ofOne(currency('usd'))).toBeUndefined();
    expect(only(DAY_LOSS, [lost('sek', 0)]).ofOne(currency('sek'))).toBeUndefined();
  });
});

describe('what is shown of losses is what the limits hold', () => {
  const fell = (name: string, belowPeak: number, peak: number): ProfitState => ({
    currency: currency(name),
    dayLoss: belowPeak,
    belowPeak,
    peak,
  });
  const drawdown = (rates: Readonly<Record<string, string>>, ...standings: ProfitState[]) =>
    only({ maxDrawdownPct: 50 }, standings, rates).held(standings).drawdown;

  test('the drawdown of all currencies that have a rate, amounts and capitals alike', () => {
    expect(drawdown({}, fell('usd', 50, 100))).toEqual({ amount: 50, pct: (50 / 1100) * 100, currency: 'usd' });
    const both = { amount: 150, pct: (150 / (1100 + 2040)) * 100, currency: 'usd' };
    expect(drawdown({ 'eur usd': '2' }, fell('usd', 50, 100), fell('eur', 50, 20))).toEqual(both);
    expect(drawdown({ 'eur usd': '2' }, fell('usd', 50, 100), fell('eur', 0, 90))?.amount, 'nothing makes up for it').toBe(50);
  });

  test('a currency without a rate has one of its own, and that which is nearest to the limit is shown', () => {
    expect(drawdown({}, fell('sek', 100, 0))).toEqual({ amount: 100, pct: 10, currency: 'sek' });
    expect(drawdown({}, fell('jpy', 30, 0), fell('sek', 100, 0))).toEqual({ amount: 100, pct: 10, currency: 'sek' });
    const rated = drawdown({ 'eur usd': '2' }, fell('usd', 300, 0), fell('eur', 300, 0), fell('sek', 100, 0));
    expect(rated).toEqual({ amount: 900, pct: 30, currency: 'usd' });
  });

  test('what cannot be measured has none', () => {
    expect(drawdown({})).toBeUndefined();
  });

  test('the day by figure of the limit: what the one won makes up for the other there, and currencies with figures of their own stay apart', () => {
    const caps = { maxDayLoss: new Map([...DAY_LOSS.maxDayLoss, ['sek', decimalOf(3000)] as const]) };
    const standings = [lost('usd', 30), lost('eur', -5), lost('sek', 200), lost('jpy', 1e6)];
    expect(only(caps, standings, { 'eur usd': '2', 'sek usd': '0.1' }).held(standings).dayLosses).toEqual([
      { currency: 'usd', lost: 20, limit: 500, isResumed: false },
      { currency: 'sek', lost: 200, limit: 3000, isResumed: false },
    ]);
  });
});
