import { expect, test } from 'vitest';
import { NO_PAST_RUN } from '#research/backtest/past-run.ts';
import { BacktestSession } from '#research/backtest/session.ts';
import { RECORDED_FROM } from '../../support/synthetic-recording.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

const FROM = RECORDED_FROM + 50_000;
const STOPPED_AT = RECORDED_FROM + 59_900;

/** Its orders take 850 ms each way: one is on its way at the stop. */
const YAML = `${OFF}strategies:
  - { id: pulse, use: pulse, product: btcusd, amount: { base: 0.01 } }
  - { id: eager, use: eager, product: ethusd, amount: { base: 0.2 } }
backtest: { latency: 850 }
schedule: [{ name: late, cron: '1 9 * * *', timezone: UTC, action: bot.pause }]
`;

const PULSE = `import { buy, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'pulse',
  concurrent: true,
  signals: ({ every }) => every(500),
  decide: (_count, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

/** A backtest that is held against a run which a person stopped. */
async function stopped() {
  const b = bench(YAML, { lanes: ['btcusd 0.01', 'ethusd 0.2'], from: FROM }, { pulse: PULSE });
  const { shared, strategies } = await b.open();
  const options = { config: b.config, from: undefined, to: undefined, notice: () => {} };
  const past = { ...NO_PAST_RUN, startedAt: FROM - 100, endedAt: STOPPED_AT };
  return new BacktestSession(options, shared, { strategies, past }).play();
}

test('a backtest decides on nothing once the run that it is held against was stopped, and hears the answers to its orders', async () => {
  const run = await stopped();
  const orders = ofKind(run, 'approved');
  const late = orders.filter(({ at }) => at > STOPPED_AT - 1700);
  expect(late.length).toBeGreaterThan(0);
  expect(Math.max(...orders.map(({ at }) => at))).toBeLessThanOrEqual(STOPPED_AT);
  expect(ofKind(run, 'accepted').length).toBe(orders.length);
  expect(ofKind(run, 'stopped').map(({ at }) => at)).toEqual([STOPPED_AT]);
});

test('nor does its schedule act while the last answers are waited for', async () => {
  const run = await stopped();
  expect(ofKind(run, 'accepted').some(({ at }) => at > RECORDED_FROM + 60_000)).toBe(true);
  expect(ofKind(run, 'paused')).toEqual([]);
});
