import { expect, test, vi } from 'vitest';
import { isStrategyRunning } from '#core/strategy/ambient.ts';
import { LimitedSteps } from '#research/backtest/limited-steps.ts';
import { playTrial } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench } from './session-bench.ts';

// A second in place of half a minute: a machine that stands still for a moment is not taken for a loop.
vi.mock('#adapters/time/execution-limit.ts', async (load) => {
  const { endsWithin } = await load<typeof import('#adapters/time/execution-limit.ts')>();
  return { endsWithin: (work: () => void) => endsWithin(work, 1_000) };
});

const endless = (where: 'signals' | 'decide'): string => `import { strategy } from 'kairos/strategy';
import { tap } from 'rxjs';
const loop = () => {
  try {
    for (;;);
  } catch {}
};
export default strategy({
  name: 'endless',
  signals: ({ quotes$ }) => ${where === 'signals' ? 'quotes$.pipe(tap(loop))' : 'quotes$'},
  decide: ${where === 'decide' ? 'loop' : '() => undefined'},
});
`;

test.each(['signals', 'decide'] as const)('an endless loop in %s ends a backtest in one line that names the strategy', async (where) => {
  const b = bench(strategyYaml({ use: 'endless' }), {}, { endless: endless(where) });
  const session = await b.open();
  const line = /^strategy one did not come back within 30 s: look for an endless loop in its decide, signals or state/;
  expect(() => session.play()).toThrow(expect.objectContaining({ code: 'STRATEGY_FAILED', message: expect.stringMatching(line) }));
  // What the guard of the process goes by: the command could not end otherwise.
  expect(isStrategyRunning()).toBe(false);
  const job = { id: 'a', setup: 's', params: {}, from: session.from, to: null };
  const trial = await playTrial({ config: b.config, shared: session.shared }, job);
  expect(trial).toMatchObject({ failed: expect.stringMatching(line), headlines: [{ code: 'STRATEGY_FAILED', level: 'failed' }] });
});

test('steps are taken until one is the last, however long they take, and an error goes on', () => {
  const steps = new LimitedSteps(() => undefined);
  let taken = 0;
  steps.all(() => {
    taken += 1;
    return taken < 12_345;
  });
  expect(taken).toBe(12_345);
  expect(() => steps.once(() => expect.fail('as it is'))).toThrow('as it is');
  expect(() =>
    steps.once(() => {
      for (;;);
    }),
  ).toThrow('a strategy did not come back');
});
