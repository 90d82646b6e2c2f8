import { describe, expect, test } from 'vitest';
import { isKnown, type Metric } from '#report/metrics/metric.ts';
import {
  cagr,
  calmar,
  compounded,
  DAILY,
  excessKurtosis,
  expectedShortfall,
  maxDrawdown,
  omega,
  sharpe,
  skew,
  sortino,
  ulcerIndex,
  valueAtRisk,
  volatility,
  YEAR_DAYS,
} from '#report/metrics/returns.ts';
import { NO_VECTORS, vector, vectorsAtHand } from '../../support/vectors.ts';

interface Expected {
  readonly [figure: string]: unknown;
  readonly returns_pct?: readonly number[];
  readonly periods?: number;
}

interface Vectors {
  readonly performance_analytics: {
    readonly fixtures: Readonly<Record<string, { readonly periods: number; readonly returns: readonly number[] }>>;
    readonly expected: Readonly<Record<string, Expected>>;
  };
  readonly empyrical: { readonly cases: readonly (Expected & { readonly returns_pct: readonly number[]; readonly periods: number })[] };
}

const growthOf = (r: readonly number[], periods: number): Metric => cagr(compounded(r), (r.length * YEAR_DAYS) / periods);

/** Each published figure by our function, in the published sign. */
const FIGURES: Readonly<Record<string, (returns: readonly number[], periods: number) => Metric>> = {
  volatility_annual: (r, periods) => volatility(r, { periods, riskFree: 0 }),
  cagr: growthOf,
  sharpe: (r, periods) => sharpe(r, { periods, riskFree: 0 }),
  sortino: (r, periods) => sortino(r, { periods, riskFree: 0 }),
  max_drawdown: (r) => -maxDrawdown(r),
  calmar: (r, periods) => calmar(growthOf(r, periods), maxDrawdown(r)),
  omega0: (r) => omega(r),
  skew_G1: (r) => skew(r),
  kurt_G2: (r) => excessKurtosis(r),
  cum_return: (r) => compounded(r),
};

describe(`published values${NO_VECTORS}`, () => {
  const read = (): Vectors => JSON.parse(vector('metrics.json'));

  test.skipIf(!vectorsAtHand)('PerformanceAnalytics, as QuantStats reproduces it, to 1e-9', () => {
    const { fixtures, expected } = read().performance_analytics;
    let compared = 0;
    for (const [name, { periods, returns }] of Object.entries(fixtures)) {
      for (const [figure, value] of Object.entries(expected[name] ?? {})) {
        const ours = FIGURES[figure]?.(returns, periods);
        // A week makes no year.
        if (ours === undefined || !isKnown(ours)) continue;
        expect(ours, `${name} ${figure}`).toBeCloseTo(Number(value), 9);
        compared += 1;
      }
    }
    expect(compared).toBe(14);
  });

  test.skipIf(!vectorsAtHand)('empyrical, to the eight places it publishes', () => {
    let compared = 0;
    for (const { returns_pct, periods, ...expected } of read().empyrical.cases) {
      const returns = returns_pct.map((percent) => percent / 100);
      for (const [figure, value] of Object.entries(expected)) {
        const ours = FIGURES[figure]?.(returns, periods);
        if (ours === undefined) continue;
        // Where it divides by nothing and says infinity, we say why there is no figure.
        if (value === 'inf') expect(ours).toEqual({ why: 'no day lost' });
        else expect(ours, `${figure} of ${returns_pct}`).toBeCloseTo(Number(value), figure === 'cum_return' ? 5 : 8);
        compared += 1;
      }
    }
    expect(compared).toBe(21);
  });
});

test.each<[string, readonly number[], Readonly<Record<string, string>>]>([
  ['no day', [], { sharpe: 'needs 2 whole days (UTC), there are 0', sortino: 'needs 2 whole days (UTC), there are 0' }],
  ['one day', [0.01], { sharpe: 'needs 2 whole days (UTC), there is 1', ulcer: 'needs 2 whole days (UTC), there is 1' }],
  ['only gains', [0.01, 0.02, 0.01], { sortino: 'no day lost', omega: 'no day lost' }],
  ['equal losses', [-0.01, -0.01, -0.01], { sharpe: 'no two daily returns differ', skew: 'no two daily returns differ' }],
  ['flat days', [0, 0, 0], { sharpe: 'no two daily returns differ', sortino: 'no day lost', omega: 'no day lost' }],
])('%s: a figure that cannot be had says why, never 0 or NaN', (_name, returns, whys) => {
  const figures = {
    sharpe: sharpe(returns),
    sortino: sortino(returns),
    omega: omega(returns),
    skew: skew(returns),
    ulcer: ulcerIndex(returns),
  };
  for (const [name, figure] of Object.entries(figures)) {
    if (name in whys) expect(figure, name).toEqual({ why: whys[name] });
    else if (isKnown(figure)) expect(Number.isFinite(figure), name).toBe(true);
  }
});

test('equal losses still have a Sortino ratio: all losses are the same, and they are losses', () => {
  expect(sortino([-0.01, -0.01, -0.01])).toBeCloseTo(-Math.sqrt(365), 9);
});

test('a first loss counts as a drawdown: the capital at first is a peak', () => {
  expect(maxDrawdown([-0.1, 0.2])).toBeCloseTo(0.1, 12);
});

test('a risk-free rate is taken off each day', () => {
  const daily = 1.05 ** (1 / 365) - 1;
  const returns = [0.01, -0.005, 0.003];
  expect(sharpe(returns, { periods: 365, riskFree: 0.05 })).toBeCloseTo(
    Number(
      sharpe(
        returns.map((r) => r - daily),
        DAILY,
      ),
    ),
    9,
  );
});

test('a year is not made of a few days, and not of capital that is lost', () => {
  expect(cagr(0.1, 29.9)).toEqual({ why: 'needs 30 days, there are 29.90' });
  expect(cagr(-1, 400)).toEqual({ why: 'the capital was lost' });
  expect(cagr(0.21, 730)).toBeCloseTo(0.1, 12);
});

test('value at risk and the loss beyond it, by history', () => {
  const returns = Array.from({ length: 21 }, (_, n) => (n - 10) / 100);
  expect(valueAtRisk(returns, 0.95)).toBeCloseTo(0.09, 12);
  expect(expectedShortfall(returns, 0.95)).toBeCloseTo(0.095, 12);
  expect(valueAtRisk(returns.slice(2), 0.95)).toEqual({ why: 'needs 20 whole days (UTC), there are 19' });
  expect(valueAtRisk(returns, 0.99)).toEqual({ why: 'needs 100 whole days (UTC), there are 21' });
});
