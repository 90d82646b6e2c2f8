import { describe, expect, test } from 'vitest';
import { runId } from '../../../src/domain/names.ts';
import { loadStrategies } from '../../../src/wiring/assemble.ts';
import { startFacts } from '../../../src/wiring/daemon/start-facts.ts';
import { engineRules } from '../../../src/wiring/engine/engine-rules.ts';
import { practiseOrders } from '../../../src/wiring/engine/order-practice.ts';
import { ROOT } from '../../support/process.ts';
import { configOf, folder, strategyYaml } from '../config/support.ts';

describe('before the first quote the way of an order is taken without effect', () => {
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
    const executed = practiseOrders(engineRules(config.settings, strategies), (recovered) =>
      startFacts({ config, run: runId('practice'), book: 'paper', strategies, recovered, stall: undefined }),
    );
    expect(executed).toBeGreaterThan(90);
  });
});
