import { describe, expect, test } from 'vitest';
import { type Headline, headline } from '#report/headline.ts';
import { foldsPage, searchData, searchParts } from '#report/page/search-page.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import { judgedLines } from '#research/sweep/judged-lines.ts';
import { searchLines } from '#research/sweep/search-verdict.ts';
import { chainLines, foldsSummary, plateauText, viewOfFolds, viewOfSweep } from '#research/sweep/search-view.ts';
import { sweepHeadlines } from '#research/sweep/sweep-headlines.ts';
import { bestOf, ranked } from '#research/sweep/sweep-ranking.ts';
import { foldRows, trialTable } from '#research/sweep/sweep-table.ts';
import { chainOf, unpickedHeadlines } from '#research/sweep/walk-forward.ts';

const DAY = 86_400_000;
const MONDAY = Date.UTC(2026, 0, 5);

/** A trial whose days come in turn. */
function trial(fast: number, days: readonly number[], trades = 20): TrialResult {
  const netProfit = days.reduce((sum, one) => sum + one, 0) * 1000;
  return {
    ...{ id: String(fast), setup: String(fast), params: { cross: { fast, slow: 50 } }, from: MONDAY, to: MONDAY + days.length * DAY },
    figures: { netProfit, totalReturn: netProfit / 1000, profitOverDrawdown: netProfit, open: 0.005 * netProfit, trades },
    days: days.map((one, n) => ({ at: MONDAY + (n + 1) * DAY, return: one, whole: true })),
    ...{ fills: 2 * trades, exact: 0, halted: null, failed: null, headlines: [], refusals: [] },
  };
}

const verdict = { significant: false, text: 'too short to tell skill from luck: 4 whole days, 30 are needed' };
const judged = { verdict, trials: 3, sharpe: 0, deflated: 0, returnOfPaths: null, spa: 0.4, overfitting: 0.5, plateau: 0.9 };

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
    expect(none.summary).toBe('The only trial, cross.fast=5 cross.slow=50 lost 1.00 % in 20 trades');
  });

  test.each<[string, readonly TrialResult[], RegExp]>([
    [
      'all lost',
      [trial(5, [-0.01]), trial(6, [-0.02])],
      /^Every one of 2 trials lost: the least with cross\.fast=5 cross\.slow=50 lost 1\.00 %/,
    ],
    [
      'one lost, one did not trade',
      [trial(5, [-0.01]), { ...trial(6, []), fills: 0 }],
      /^None of 2 trials made a profit: at best cross\.fast=5 cross\.slow=50 lost 1\.00 %/,
    ],
    [
      'one failed',
      [trial(5, [-0.01]), { ...trial(6, []), failed: 'boom' }],
      /^1 of 2 trials failed; the other trial, cross\.fast=5 .* lost 1\.00 %/,
    ],
    ['the only one won', [trial(5, [0.01])], /^The only trial, cross\.fast=5 cross\.slow=50 made 1\.00 % in 20 trades; /],
  ])('%s: said of as many trials as there are', (_name, trials, said) => {
    const ranking = ranked(trials, 'netProfit');
    const [leading] = ranking.trials;
    if (!leading) throw new Error('no trial');
    const first = { trial: leading, ...judged };
    expect(viewOfSweep({ ranking, pruned: [], first, best: bestOf(ranking) ? first : null }).summary).toMatch(said);
  });

  test('a trial says what of its profit its Sharpe ratio leaves out, where the two have different signs', () => {
    const of = (last: number, sharpe: number | null): string | undefined => {
      const one = trial(5, [-0.002, -0.001, last]);
      const days = one.days.map((day, n) => ({ ...day, whole: n < 2 }));
      return trialTable(ranked([{ ...one, days, figures: { ...one.figures, sharpe } }], 'netProfit')).rows[0]?.at(-1);
    };
    expect(of(0.0132, -3.1)).toBe('its Sharpe ratio leaves out 1.32 % of days cut by begin, end or a hole');
    for (const [last, sharpe] of [
      [0.0132, 3.1],
      [0.0132, null],
      [-0.0132, -3.1],
    ] as const)
      expect(of(last, sharpe)).toBe('');
  });

  test('says first that trials failed, and counts the others', () => {
    const broken = { ...trial(40, []), failed: 'FAILED  strategy cross: boom' };
    const all = ranked([...trials, broken], 'netProfit');
    const found = viewOfSweep({ ranking: all, pruned: [], first, best: first });
    expect(found.summary).toMatch(/^1 of 4 trials failed; the best of the other 3, cross\.fast=10 cross\.slow=50 made 5\.00 %/);
    const none = viewOfSweep({ ranking: ranked([broken, { ...broken, id: '41' }], 'netProfit'), pruned: [], first: null, best: null });
    expect(none.summary).toBe('None of 2 trials can be ranked: 2 failed, 0 never traded');
    const halted = { ...first, trial: { ...first.trial, halted: 'MAX_DRAWDOWN at 2026-01-06T00:00:00.000Z' } };
    expect(viewOfSweep({ ranking, pruned: [], first: halted, best: halted }).summary).toContain(
      'in 20 trades, halted by MAX_DRAWDOWN at 2026-01-06T00:00:00.000Z; ',
    );
  });

  test('ranks nothing that has no net profit, as without a rate between two currencies, and says why', () => {
    const unrated = (fast: number): TrialResult => {
      const figures = { netProfit: null, totalReturn: null, winRate: fast / 10, trades: 20 };
      return { ...trial(fast, []), figures, fills: 40, unvalued: 'no recorded quote leads from sek to usd' };
    };
    const none = ranked([unrated(5), unrated(10)], 'winRate');
    const why = 'no recorded quote leads from sek to usd; else vary the strategies of one currency at a time';
    const found = viewOfSweep({ ranking: none, pruned: [], first: null, best: null });
    expect(found.summary).toBe(`None of 2 trials can be ranked: ${why}`);
    expect([found.first, found.figures, found.points.map(({ isRanked }) => isRanked)]).toEqual([
      null,
      [{ name: 'win rate', isShare: true, currency: null }],
      [false, false],
    ]);
    expect(bestOf(none)).toBeUndefined();
    expect(sweepHeadlines(none, []).map(({ code, text }) => [code, text])).toEqual([['NO_RANKED_TRIAL', `no trial can be ranked: ${why}`]]);
    const { above, rows, head } = trialTable(none);
    expect(above).toBe('not ranked, in the order of the sweep');
    expect(rows.map((row) => [row[0], row[head.indexOf('trades')], row.at(-1)])).toEqual([
      ['-', '20', 'no recorded quote leads from sek to usd'],
      ['-', '20', 'no recorded quote leads from sek to usd'],
    ]);
    const mixed = ranked([...trials, unrated(40)], 'netProfit');
    expect([mixed.ranked, mixed.trials.at(-1)?.id]).toEqual([3, '40']);
    const broken = ranked([{ ...trial(1, []), failed: 'boom' }, unrated(5)], undefined);
    expect(viewOfSweep({ ranking: broken, pruned: [], first: null, best: null }).summary).toBe(
      `None of 2 trials can be ranked: 1 failed, 0 never traded, 1 traded without a net profit in one currency: ${why}`,
    );
  });

  test('says whether it is luck in the words of the terminal, and its table has even digits', () => {
    expect(view.luck).toEqual(judgedLines(first, 'trial', searchLines(first)));
    expect(view.luck[0]).toBe('Sharpe ratio 0.000; deflated for 3 trials of these quotes: 0.00 %');
    expect(view.luck).toHaveLength(6);
    const uneven = [4602.1658, 12.36, 0.5].map((netProfit, n) => {
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
    expect(rows.map((row) => row[head.indexOf('net profit')])).toEqual(['4,602.17', '12.36', '0.50']);
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
      'it needs three trials that can be ranked, there is 1',
    );
  });

  test('has the days of all in its halves, where the first trial was halted before the others', () => {
    const trials = [trial(5, [0.2, 0.2, 0.2, 0.2]), trial(10, [0, 0, 0, 0, 0.1, 0]), trial(20, [0.01, 0, 0, 0, 0, 0.02])];
    const { halves } = viewOfSweep({ ranking: ranked(trials, 'netProfit'), pruned: [], first: null, best: null });
    if (typeof halves === 'string') throw new Error(halves);
    const made = halves.points.map(({ inSample, outOfSample }) => [inSample, outOfSample].map((one) => Number(one.toFixed(6))));
    expect(made).toEqual([
      [0.728, 0.2],
      [0, 0.1],
      [0.01, 0.02],
    ]);
  });

  test('where most lost, their order is not said to be one of merit: who trades more pays more', () => {
    const losers = [1, 2, 3, 4, 5, 6].map((pays) =>
      trial(
        pays,
        [0, 0, 0, 0].map(() => -pays / 1000),
      ),
    );
    const { halves } = viewOfSweep({ ranking: ranked(losers, 'netProfit'), pruned: [], first: null, best: null });
    if (typeof halves === 'string') throw new Error(halves);
    expect(halves.says).toMatch(/; 6 of 6 earned nothing in sample: their order says how much they traded, not what is good\.$/);
  });

  test.each([
    [0.85, 'A plateau: settings next to the best keep 85 % of its figure.'],
    [0.5, 'A slope: settings next to the best keep 50 % of its figure.'],
    [
      -0.2,
      'A peak that stands alone: settings next to the best keep \u221220 % of its figure, and a small change of the market may be enough to lose it.',
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
    ...{ train: trial(5 + n, [0.02]), test: { ...trial(5 + n, [n === 1 ? 0.01 : -0.01]), currency: 'eur' }, why: null },
  }));
  const result = {
    ...{
      by: { by: 'netProfit' as const, why: 'as asked' },
      steps,
      wanted: 6,
      finished: 6,
      held: { trials: 0, of: 6, limits: [] },
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
  const held = { trials: 2, of: 6, limits: [{ reason: 'BUDGET', trials: 2 }] };
  expect(foldsSummary({ ...result, held })).toMatch(/; too short to tell .*; limits held back 2 of 6 trials: BUDGET 2$/);
  const brokenBy = (why: Headline) =>
    steps.map((step, n) => (n === 1 ? { ...step, test: { ...step.test, failed: why.text, headlines: [why] } } : step));
  const threw = headline('STRATEGY_FAILED', 'FAILED  strategy cross: boom', { level: 'failed' });
  expect(foldsSummary({ ...result, steps: brokenBy(threw) })).toMatch(
    /^1 of 3 tests had a strategy that failed, that from 2026-01-07T00:00:00\.000Z; out of sample it lost/,
  );
  expect(foldsSummary({ ...result, steps: brokenBy(headline('TRIAL_UNPLAYED', 'could not be played: no quotes')) })).toMatch(
    /^1 of 3 tests could not be played, that from /,
  );
  const untraded = steps.map((step) => ({ ...step, train: null, test: null, why: 'no trial can be ranked: 3 failed, 0 never traded' }));
  expect(foldsSummary({ ...result, steps: untraded })).toMatch(/ in the first of 3 folds no trial can be ranked: 3 failed,/);
  const alone = untraded.slice(0, 1);
  expect(foldsSummary({ ...result, steps: alone })).toMatch(/: no trial can be ranked: 3 failed/);
  const nothing = viewOfFolds({ ...result, steps: untraded }, 'Walk-forward', ['verdict: luck']);
  expect([nothing.equity, nothing.luck]).toEqual([[], []]);
  expect(chainLines(result.outOfSample, steps)).toEqual([
    'out of sample: return \u22121.01 %, where each test goes on with what the one before left (the trainings promised 6.12 % for as long)',
    'net profit \u221210.00 eur, the sum of the tests, each of which begins with the capital anew; 120 fills, maximum equity drawdown 1.01 % at the ends of days and tests',
  ]);
  const view = viewOfFolds(result, 'Walk-forward', ['verdict: luck']);
  expect(view.scatter).toMatchObject({ says: expect.stringMatching(/^1 of 3 tests made a profit/) });
  // Made with 20 trades and 40 fills, and a position that is still open.
  expect(view.table.rows[0]?.slice(-5)).toEqual(['\u221210.00', '\u22120.05', '20', '40', '']);
  const page = foldsPage(view);
  for (const words of [
    '1 of 3 tests made a profit',
    'verdict: luck',
    'net profit \u221210.00',
    'data-chart="scatter"',
    'data-chart="chained"',
  ])
    expect(page).toContain(words);
});

describe('folds without a trial worth its test', () => {
  const window = (n: number) => ({ from: MONDAY + n * DAY, to: MONDAY + (n + 1) * DAY });
  const why = 'every trial lost: net profit from -2.00 to -1.00, so that none is named best';
  const steps = (places: readonly number[], of: number) =>
    Array.from({ length: of }, (_, n) => ({
      fold: { train: window(n), test: window(n + 1) },
      ...(places.includes(n)
        ? { train: trial(9, [-0.01]), test: null, why }
        : { train: trial(5, [0.02]), test: trial(5, [0.01]), why: null }),
    }));

  test.each<[string, readonly number[], number, string]>([
    ['one', [1], 6, `1 of 6 folds had no trial worth picking, and its test, from 2026-01-07T00:00:00.000Z, was not traded: ${why}`],
    ['the only one', [0], 1, `1 of 1 fold had no trial worth picking, and its test, from 2026-01-06T00:00:00.000Z, was not traded: ${why}`],
    [
      'three',
      [0, 2, 3],
      6,
      `3 of 6 folds had no trial worth picking, and their tests were not traded, from 2026-01-06T00:00:00.000Z, 2026-01-08T00:00:00.000Z and 2026-01-09T00:00:00.000Z; in the training of the first of them ${why}`,
    ],
  ])('%s: each is named, by the time at which its test begins', (_name, places, of, text) => {
    expect(unpickedHeadlines(steps(places, of))).toMatchObject([{ code: 'NO_FOLD_CHOSEN', text }]);
  });

  test('many: the first are named, and the others counted; none: nothing is said', () => {
    expect(unpickedHeadlines(steps([0, 1, 2, 3, 4, 5, 6, 7], 9))[0]?.text).toMatch(
      /^8 of 9 folds .* were not traded, from 2026-01-06T.*, 2026-01-11T00:00:00\.000Z and 2 more; in the training of the first of them every trial lost/,
    );
    expect(unpickedHeadlines(steps([], 3))).toEqual([]);
  });

  test('have no figures of a training in the table: these would be of a trial that it does not name', () => {
    const [idle, played] = foldRows({ steps: steps([0], 2), by: { by: 'netProfit', why: 'as asked' } });
    expect(idle).toEqual(['-', '-', '-', '-', '-', '-', '0', '0', `not traded: ${why}`]);
    expect(played?.slice(0, 5)).toEqual(['cross.fast=5 cross.slow=50', '20.00', '2.00 %', '1.00 %', '10.00']);
  });
});

test('of more trials than are drawn, as many of the worst are as of the best', () => {
  const points = Array.from({ length: 20_001 }, (_, n) => ({ values: [n], figures: [-n], isRanked: true }));
  const halves = {
    ...{ x: 'first', y: 'second', says: '' },
    points: points.map((_, n) => ({ label: `${n}`, inSample: n, outOfSample: n, isChosen: n === 1 })),
  };
  const view = { summary: '', parameters: ['one.fast'], figures: [], points, first: 0, plateau: null, halves, luck: [] };
  const drawn = searchData(view);
  expect(drawn?.points.map(({ values }) => values[0])).toEqual(Array.from({ length: 6_667 }, (_, n) => 3 * n));
  expect(drawn?.scatter?.points.slice(0, 3).map(({ label }) => label)).toEqual(['0', '1', '7']);
  expect(searchParts(view)).toContain('of 6667 out of all 20001');
});
