import { describe, expect, test } from 'vitest';
import { loadStrategies } from '#apps/assembly/assemble.ts';
import { engineRules } from '#apps/assembly/engine-rules.ts';
import { OrderPractice } from '#apps/assembly/order-practice.ts';
import { startFacts } from '#apps/assembly/start-facts.ts';
import { goOnPractising, ORDERS_AT_START } from '#apps/daemon/practice.ts';
import { runId } from '#domain/names.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';
import { ROOT } from '../../support/process.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

describe('before the first quote and beside the run the way of an order is taken without effect', () => {
  test.each([
    ['as it comes', ''],
    ['fees in base currency', 'service: { feeIn: base }\n'],
    [
      'limits so tight that no order of the run would pass',
      'risk: { maxOrderValue: { usd: 0.01 }, maxSpreadPct: 0.0001, maxOrdersPerMinute: 1 }\n',
    ],
    [
      'every limit off',
      'risk: { maxOrderValue: "off", maxDayLoss: "off", maxDrawdownPct: "off", collarPct: "off", minTimeLeftMs: "off" }\n',
    ],
  ])('orders are executed: %s', async (_what, yaml) => {
    const cwd = folder();
    const config = configOf(`${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${yaml}`, { cwd });
    const strategies = await loadStrategies(config.settings, { cwd: ROOT, packaged: `${ROOT}/strategies` });
    const practice = new OrderPractice(engineRules(config.settings, strategies), (recovered) =>
      startFacts({ config, run: runId('practice'), book: 'paper', strategies, recovered, stall: undefined }),
    );
    const timers = new VirtualTimers();
    const told: string[] = [];
    expect(practice.play(ORDERS_AT_START)).toBeGreaterThan(90);
    const end = goOnPractising({ orders: practice, requests: null }, { timers, notice: (_level, text) => told.push(text) });
    timers.advance(16_000);
    expect(practice.play(0)).toBeGreaterThan(890);
    end();
    timers.advance(10_000);
    expect(practice.play(0)).toBeLessThan(910);
    expect(told).toEqual([]);
  });
});

test.each(['orders', 'requests'])(
  'practice of %s that fails beside the run ends, is told of once, and is the error of nobody else',
  async (which) => {
    const timers = new VirtualTimers();
    const told: string[] = [];
    const closed: number[] = [];
    const fail = () => {
      throw new Error('broken');
    };
    const orders = { play: which === 'orders' ? fail : () => 0, close: () => closed.push(1) };
    const requests = { play: which === 'requests' ? async () => fail() : async () => 0 };
    goOnPractising({ orders, requests }, { timers, notice: (level, text) => told.push(`${level}: ${text}`) });
    for (let n = 0; n < 10; n++) {
      timers.advance(200);
      await Promise.resolve();
    }
    expect(told).toEqual(['warn: orders are no longer practised beside the run: broken']);
    expect(closed).toHaveLength(1);
  },
);
