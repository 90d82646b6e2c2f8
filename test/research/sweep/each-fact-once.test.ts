import { expect, test } from 'vitest';
import { reportOfSweep, sweep } from '#research/sweep/sweep.ts';
import { walkForward } from '#research/sweep/walk-forward.ts';
import { bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from './study.ts';

const THROWS = `import { param, strategy } from 'kairos/strategy';
export default strategy({
  name: 'throws',
  params: { n: param.int(1, { min: 1, max: 3 }) },
  signals: ({ quotes$ }) => quotes$,
  decide: () => {
    throw new Error('boom');
  },
});
`;

const entry = (id: string, use: string, product = 'btcusd'): string =>
  `  - { id: ${id}, use: ${use}, product: ${product}, amount: { base: 0.01 } }\n`;

const benchOf = (entries: readonly string[]) =>
  bench(`strategies:\n${entries.join('')}${OFF}backtest: { latency: 20 }\n`, { seconds: 300 }, { throws: THROWS });

const SEARCHED = { vary: ['first.n=1..3:1'], random: undefined, seed: '1', by: undefined };
const WINDOWS = { trainMs: 120_000, testMs: 60_000, embargoMs: 0, anchored: false };

test('a sweep and a walk-forward name every strategy that failed, not the first of them alone', async () => {
  const study = await studyOf(benchOf(['first', 'second', 'third'].map((id) => entry(id, 'throws'))), { players: here });
  const failures = (lines: readonly { readonly level: string; readonly strategy: string | null; readonly text: string }[]) =>
    lines.filter(({ level }) => level === 'failed').map(({ strategy, text }) => `${strategy} ${text.slice(0, text.indexOf(':'))}`);
  const swept = await sweep(study, { ...SEARCHED }, playing());
  expect(failures(swept.headlines)).toEqual(['first 3 of 3 trials', 'second 3 of 3 trials', 'third 3 of 3 trials']);
  const walked = await walkForward(study, { ...SEARCHED, ...WINDOWS }, playing());
  expect(failures(walked.headlines)).toEqual(
    ['first', 'second', 'third'].map((id) => expect.stringMatching(`^${id} (\\d+) of \\1 trials$`)),
  );
});

test('a sweep says once what its data lacks and what failed, in its lines and on its page', async () => {
  const study = await studyOf(benchOf([entry('first', 'throws'), entry('lacks', 'eager', 'ethusd'), entry('eager', 'eager')]), {
    players: here,
  });
  const swept = await sweep(study, { ...SEARCHED }, playing());
  const report = await reportOfSweep(study, swept);
  for (const lines of [swept.headlines, report?.headlines ?? []]) {
    const told = lines.filter(({ strategy }) => strategy !== null).map(({ code, strategy }) => `${strategy} ${code}`);
    expect(told).toEqual(['first STRATEGY_FAILED', 'lacks STRATEGY_LEFT_OUT']);
  }
  expect(report?.headlines.find(({ level }) => level === 'failed')?.text).toMatch(/^3 of 3 trials: FAILED {2}strategy first/);
});
