import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { ExecutionReports } from '#core/execution/execution-reports.ts';
import type { OrderPlacer } from '#core/execution/order-placer.ts';
import type { OpeningBalances } from '#core/portfolio/ledger.ts';
import type { TradingState } from '#core/risk/trading-state.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import type { StartFacts } from '#domain/event.ts';
import { strategyId } from '#domain/names.ts';
import type { EngineStrategy } from './engine-options.ts';
import type { Financing } from './financing.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { RemoteActs } from './remote-acts.ts';
import type { StrategyExecution } from './strategy-execution.ts';
import type { StrategySwitch } from './strategy-switch.ts';

interface RestoreParts {
  readonly strategies: readonly EngineStrategy[];
  readonly log: DecisionLog;
  readonly openings: OpeningBalances;
  readonly state: TradingState;
  readonly placer: OrderPlacer;
  readonly financing: Financing;
  readonly reports: ExecutionReports;
  readonly remote: RemoteActs;
  readonly execution: StrategyExecution;
  readonly manual: ManualOrders;
  readonly host: StrategyHost;
  readonly switch: Pick<StrategySwitch, 'disable'>;
}

/** The first event of a run: books, latches, orders and states are as earlier runs left them, then strategies begin. */
export function restoreRun(facts: StartFacts, parts: RestoreParts): void {
  const { strategies, log, openings, state, placer, financing, reports, remote, execution, manual, host } = parts;
  log.commit(log.make('started', { config: facts.configHash, strategies: strategies.map((s) => s.id) }));
  openings.start(facts.openings);
  state.start(facts);
  placer.recover(facts);
  financing.start(facts.financedUpTo ?? null);
  reports.start();
  remote.start(facts.creates ?? []);
  // Before any strategy's code runs: one that held up the process before must not get another chance to.
  if (facts.stalled) {
    parts.switch.disable(strategyId(facts.stalled.strategy), { reason: 'STALLED', who: 'watchdog', why: facts.stalled.why });
  }
  for (const latch of facts.latches) {
    if (latch.kind === 'disabled' && latch.strategy !== null) host.disable(strategyId(latch.strategy), latch.why);
  }
  for (const strategy of strategies) if (!strategy.enabled) host.disable(strategy.id, 'enabled: false in the configuration');
  for (const [id, kept] of Object.entries(facts.states)) host.restore(strategyId(id), kept);
  execution.restore(facts);
  manual.restore(facts.hands ?? []);
  host.start();
}
