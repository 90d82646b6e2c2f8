import { expect, test } from 'vitest';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench } from './session-bench.ts';

const TIGHT = 'risk: { maxOrderValue: 1, maxOrdersPerMinute: 1, maxDayLoss: 1, maxLossStreak: 1, minTimeLeftMs: 2999 }\n';

const played = async (yaml: string, modules: Readonly<Record<string, string>> = {}) => {
  const session = await bench(yaml, {}, modules).open();
  const run = session.play();
  return { outcome: outcomeOf(run), codes: backtestHeadlines(session, run).map(({ code }) => code) };
};

const eager = (amount: string, rest: string): string =>
  `${strategyYaml({ use: 'eager', amount, budget: '{ usd: 100 }' })}${TIGHT}backtest: { latency: 20${rest} }\n`;

test('one switch takes budgets and risk limits off, and the head of the result says so', async () => {
  const limited = await played(eager('{ base: 0.01 }', ''));
  expect(limited.outcome.shares.fills).toBe(0);
  expect(limited.codes).not.toContain('LIMITS');
  const free = await played(eager('{ base: 0.01 }', ', limits: off'));
  expect(free.outcome.shares.fills).toBeGreaterThan(50);
  expect(free.outcome.refusals.map(({ reason }) => reason)).not.toContain('BUDGET');
  expect(free.codes.slice(0, 2)).toEqual(['FILLS', 'LIMITS']);
});

const SHORT = `import { sell, strategy } from 'kairos/strategy';
export default strategy({ name: 'short', signals: ({ quotes$ }) => quotes$, decide: (_, { amount }) => sell(amount, 'short') });
`;

test('what an account makes necessary stays', async () => {
  const { outcome } = await played(`${strategyYaml({ use: 'short' })}backtest: { limits: off }\n`, { short: SHORT });
  expect(outcome.shares.fills).toBe(0);
  expect(outcome.refusals.map(({ reason }) => reason)).toEqual(['SHORT_NOT_ALLOWED']);
});
