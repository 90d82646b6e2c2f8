import { expect, test } from 'vitest';
import { isFailed } from '#report/headline.ts';
import { foldsSummary } from '#research/sweep/search-view.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { walkForward } from '#research/sweep/walk-forward.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

/** Buys and sells in turn at each so-many-th of the first 200 quotes, of which two come in a second. */
const TURNS = `import { buy, param, sell, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'turns',
  params: { every: param.int(10, { min: 1, max: 100 }) },
  signals: ({ quotes$ }) => quotes$.pipe(map((_quote, n) => n)),
  decide: (n, { position, amount }, { every }) =>
    n >= 200 || n % every !== 0 ? undefined : position.isLong ? sell('position', 'out') : buy(amount, 'in'),
});
`;

const yaml = (limits: string): string =>
  `${strategyYaml({ use: 'turns' })}risk: { maxLossStreak: off, maxThrottledPerMinute: 10 }\nbacktest: { latency: 20${limits} }\n`;

const OPTIONS = { random: undefined, seed: '1', by: 'netProfit', vary: ['one.every=2,4,10'] } as const;

const swept = async (limits: string) => {
  const study = await studyOf(bench(yaml(limits), { seconds: 120 }, { turns: TURNS }), { players: here });
  const { summary, headlines, ranking } = await sweep(study, OPTIONS, playing());
  const fills = ranking.trials.map(({ params, fills: of }) => [params.one?.every, of]).sort(([a], [b]) => Number(a) - Number(b));
  return { summary, headlines, ranking, fills };
};

test('a search judges the idea: no trial is held back by how often orders come, and the result says so first', async () => {
  const { summary, headlines, fills } = await swept('');
  // An order at each second, fourth or tenth of 200 quotes.
  expect(fills).toEqual([
    [2, 100],
    [4, 50],
    [10, 20],
  ]);
  expect(summary).not.toContain('limits held back');
  const [first] = headlines.filter(({ code }) => code === 'LIMITS');
  expect(first).toMatchObject({ level: 'note', text: expect.stringMatching(/how often orders come were off: --limits live/) });
});

test('asked to judge the limits, it says first in how many trials they held, and none of these is a failed strategy', async () => {
  const { summary, headlines, ranking, fills } = await swept(', limits: live');
  // At most 20 orders of a strategy in a minute: a second after a second is 60, a fourth 30, a tenth 12.
  expect(fills.at(-1)).toEqual([10, 20]);
  expect(fills.slice(0, 2).map(([, of]) => Number(of))).toEqual([20, expect.any(Number)]);
  expect(fills[1]?.[1]).toBeLessThan(50);
  expect(summary).toMatch(/; limits held back 2 of 3 trials: MAX_ORDERS_PER_MINUTE_OF_STRATEGY 2, RUNAWAY 1$/);
  expect(isFailed(headlines)).toBe(false);
  expect(ranking.ranked).toBe(3);
});

test('a walk-forward says so of the trials of its trainings and tests', async () => {
  const study = await studyOf(bench(yaml(', limits: live'), { seconds: 120 }, { turns: TURNS }), { players: here });
  const windows = { trainMs: 60_000, testMs: 50_000, embargoMs: 0, anchored: false };
  const result = await walkForward(study, { ...OPTIONS, ...windows }, playing());
  expect(foldsSummary(result)).toMatch(/; limits held back 2 of 3 trials: MAX_ORDERS_PER_MINUTE_OF_STRATEGY 2/);
});
