import { expect, test, vi } from 'vitest';
import { printSweep } from '#cli/sweep-lines.ts';
import { type Sweep, sweep } from '#research/sweep/sweep.ts';
import { sweptIn } from '#research/sweep/sweep-axes.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

const OTHER = '  - { id: two, use: eager, product: btcusd, amount: { base: 0.01 } }\n';
/** There are no quotes of its product. */
const UNQUOTED = '  - { id: three, use: eager, product: ethusd, amount: { base: 0.1 } }\n';
const yamlOf = (others: string): string => `${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${others}${OFF}backtest: { latency: 20 }\n`;
const wanted = { vary: ['one.fast=2,3'], random: undefined, seed: '1', by: 'netProfit' };

/** What `kairos sweep` prints, line by line. */
function printed(result: Sweep): readonly string[] {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    printSweep(result);
    return write.mock.calls
      .map(([text]) => String(text))
      .join('')
      .split('\n');
  } finally {
    write.mockRestore();
  }
}

test('a sweep plays the varied strategy alone, and says so; with the others its figures are of all together', async () => {
  const both = bench(yamlOf(OTHER + UNQUOTED), { seconds: 300 });
  const only = sweptIn(wanted, both.config.settings.strategies);
  expect(only).toEqual(['one']);
  expect(sweptIn({ vary: ['none.fast=2,3'] }, both.config.settings.strategies)).toBeUndefined();
  const alone = await sweep(await studyOf(both, { only, players: here }), wanted, playing());
  const single = await sweep(await studyOf(bench(yamlOf(''), { seconds: 300 }), { players: here }), wanted, playing());
  const profits = ({ ranking }: Sweep) => ranking.trials.map(({ params, fills, figures }) => [params.one?.fast, fills, figures.netProfit]);
  expect(profits(alone)).toEqual(profits(single));
  expect(profits(alone)[0]?.[1]).toBeGreaterThan(5);
  expect(alone.strategies).toEqual(['one']);
  const note = 'note: played without two of the settings, which nothing varies; --with-others plays it along';
  expect(printed(alone)).toContain(note);
  expect(printed(single).join('\n')).not.toMatch(/played without|strategies together/);

  const along = await sweep(await studyOf(both, { players: here }), wanted, playing());
  expect(along).toMatchObject({ strategies: ['one', 'two'], played: { known: 0 } });
  expect(along.ranking.trials[0]?.fills).toBeGreaterThan(alone.ranking.trials[0]?.fills ?? 0);
  expect(printed(along)).toContain('note: every figure is of 2 strategies together: one, two');

  const [trial] = alone.ranking.trials;
  const many = trial ? Array.from({ length: 25 }, () => trial) : [];
  const lines = printed({ ...alone, ranking: { ...alone.ranking, trials: many, ranked: 25 } });
  expect(lines).toContain('and 5 more; --out FILE.csv has all');
  expect(printed({ ...alone, ranking: { ...alone.ranking, trials: many.slice(0, 20), ranked: 20 } }).join('\n')).not.toContain(
    'more; --out',
  );
});
