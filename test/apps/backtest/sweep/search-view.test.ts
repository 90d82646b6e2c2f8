import { describe, expect, test } from 'vitest';
import type { TrialResult } from '#apps/backtest/replay/trial.ts';
import { judgedLines } from '#apps/backtest/sweep/judged-lines.ts';
import { searchLines } from '#apps/backtest/sweep/search-verdict.ts';
import { foldsSummary, plateauText, viewOfFolds, viewOfSweep } from '#apps/backtest/sweep/search-view.ts';
import { ranked } from '#apps/backtest/sweep/sweep-ranking.ts';
import { trialTable } from '#apps/backtest/sweep/sweep-table.ts';
import { chainOf } from '#apps/backtest/sweep/walk-forward.ts';
import { foldsPage } from '#report/page/search-page.ts';

const DAY = 86_400_000;
const MONDAY = Date.UTC(2026, 0, 5);

/** A trial whose days come in turn. */
function trial(fast: number, days: readonly number[], trades = 20): TrialResult {
  const netProfit = days.reduce((sum, one) => sum + one, 0) * 1000;
  return {
    ...{ id: String(fast), setup: String(fast), params: { cross: { fast, slow: 50 } }, from: MONDAY, to: MONDAY + days.length * DAY },
    figures: { netProfit, totalReturn: netProfit / 1000, profitOverDrawdown: netProfit, trades },
    days: days.map((one, n) => ({ at: MONDAY + (n + 1) * DAY, return: one, whole: true })),
    ...{ fills: 2 * trades, exact: 0, halted: null, failed: null, headlines: [], refusals: [] },
  };
}

const verdict = { significant: false, text: 'too short to tell skill from luck: 4 whole days, 30 are needed' };
const judged = { verdict, trials: 3, sharpe: 0, deflated: 0, totalReturn: null, spa: 0.4, overfitting: 0.5, plateau: 0.9 };

describe('what a sweep found', () => {
  const trials = [trial(5, [0.02, 0.02, -0.01, -0.01]), trial(10, [0.01, 0.01, 0.01, 0.02]), trial(20, [-0.01, 0, 0.01, 0.01])];
  const ranking = ranked(trials, 'netProfit');
  const [leading] = ranking.trials;
  if (!leading) throw new Error('no trial');
  const first = { trial: leading, ...judged };
  const view = viewOfSweep({ ranking, pruned: [], first, best: first });

  test('is one sentence, with what luck says of it', () => {
    expect(view.summary).toBe(`The best of 3 trials, cross.fast=10 cross.slow=50 made 5.00 % in 20 trades; ${verdict.text}`);
    const none = viewOfSweep({
      ranking: ranked([trial(5, [-0.01])], 'netProfit'),
      pruned: [],
      first: { ...first, trial: trial(5, [-0.01]) },
      best: null,
    });
    expect(none.summary).toBe('Every one of 1 trial lost: the least with cross.fast=5 cross.slow=50 lost 1.00 % in 20 trades');
  });

  test('says whether it is luck in the words of the terminal, and its table has even digits', () => {
    expect(view.luck).toEqual(judgedLines(first, 'trial', searchLines(first)));
    expect(view.luck[0]).toBe('Sharpe ratio 0; deflated for 3 trials of these quotes: 0 %');
    expect(view.luck).toHaveLength(6);
    const uneven = [17, 12.36, 0.5].map((netProfit, n) => {
      const one = trial(5 + n, [0.01]);
      return {
        ...one,
        figures: { ...one.figures, netProfit, sharpe: null },
        refusals: [
          { reason: 'LANE_STALE', count: 3 },
          { reason: 'BUDGET', count: 1 },
        ],
      };
    });
    const { head, rows } = trialTable(ranked(uneven, 'netProfit'));
    expect(rows.map((row) => row[head.indexOf('net profit')])).toEqual(['17.00', '12.36', '0.50']);
    expect(rows[0]?.[head.indexOf('Sharpe')]).toBe('n/a');
    expect(rows[0]?.at(-1)).toMatch(/refused 3 LANE_STALE and for 1 other reason$/);
  });

  test('is drawn by its parameters, and held on the second half of the days against the first', () => {
    expect(view.parameters).toEqual(['cross.fast', 'cross.slow']);
    expect(view.points[0]).toMatchObject({ values: [10, 50], isRanked: true });
    if (typeof view.halves === 'string') throw new Error(view.halves);
    expect(view.halves.points.find(({ isChosen }) => isChosen)).toMatchObject({ label: 'cross.fast=5 cross.slow=50' });
    expect(view.halves.says).toMatch(
      /^Who chose by the first half takes cross\.fast=5 .* made 4\.04 % there and lost 1\.99 % .*better than 0 of the 2 others.*too few to say/,
    );
    expect(viewOfSweep({ ranking: ranked([trial(5, [0.1])], undefined), pruned: [], first: null, best: null }).halves).toBe(
      'it needs three trials that traded, there is 1',
    );
  });

  test.each([
    [0.85, 'A plateau: settings next to the best keep 85 % of its figure.'],
    [0.5, 'A slope: settings next to the best keep 50 % of its figure.'],
    [
      -0.2,
      'A peak that stands alone: settings next to the best keep -20 % of its figure, and a small change of the market may be enough to lose it.',
    ],
  ])('a score of %d is said as plateau or peak', (plateau, words) => {
    expect(plateauText({ ...first, plateau })).toBe(words);
    expect(plateauText({ ...first, plateau: { why: 'needs three neighbours' } })).toBe(
      'Plateau or peak cannot be said: needs three neighbours.',
    );
  });
});

test('tests of a walk-forward stand against their trainings, in a sentence and on a page', () => {
  const window = (n: number) => ({ from: MONDAY + n * DAY, to: MONDAY + (n + 1) * DAY });
  const steps = [0, 1, 2].map((n) => ({
    fold: { train: window(n), test: window(n + 1) },
    ...{ train: trial(5 + n, [0.02]), test: trial(5 + n, [n === 1 ? 0.01 : -0.01]), why: null },
  }));
  const result = {
    ...{
      by: { by: 'netProfit' as const, why: 'as asked' },
      steps,
      wanted: 6,
      finished: 6,
      strategies: [],
      headlines: [],
      log: '',
      remarks: [],
    },
    outOfSample: chainOf(steps, { tried: 1, seed: '1' }),
  };
  expect(foldsSummary(result)).toMatch(
    /^Out of sample it lost 1\.01 % with 120 fills in 3 of 3 tests, where the trainings, scaled to the length of the tests, promised to have made 6\.12 %; too short/,
  );
  const view = viewOfFolds(result, 'Walk-forward', ['verdict: luck']);
  expect(view.scatter).toMatchObject({ says: expect.stringMatching(/^1 of 3 tests made a profit/) });
  // Made with 20 trades and 40 fills, and a net profit that no round trip has.
  expect(view.table.rows[0]?.slice(-5)).toEqual(['-10', '-10', '20', '40', '']);
  const page = foldsPage(view);
  for (const words of ['1 of 3 tests made a profit', 'verdict: luck', 'data-chart="scatter"', 'data-chart="chained"'])
    expect(page).toContain(words);
});
