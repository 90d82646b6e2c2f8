import { recoverOrders } from '#core/execution/recover-orders.ts';
import type { StartFacts } from '#domain/event.ts';
import { strategyId } from '#domain/names.ts';
import { NOT_ENABLED } from '#domain/not-enabled.ts';
import type { BuiltParts } from './build-parts.ts';
import type { EngineContext } from './engine-context.ts';

/** The first event of a run: books, latches, orders and states are as earlier runs left them, then strategies begin. */
export function restoreRun(facts: StartFacts, context: EngineContext, parts: BuiltParts): void {
  const { strategies, log, state, market } = context;
  const { openingBalances, financing, reports, remote, exitWatch, parentOrders, manual, host, strategySwitch } = parts;
  log.commit(log.make('started', { config: facts.configHash, strategies: strategies.map((s) => s.id) }));
  openingBalances.start(facts.openings);
  state.start(facts);
  recoverOrders(facts, context);
  financing.start(facts.financedUpTo ?? null, facts.financedByRoll);
  reports.start();
  remote.start(facts.creates);
  strategySwitch.restore(facts.latches);
  // Before any strategy's code runs: one that held up the process before must not get another chance to.
  if (facts.stalled) {
    strategySwitch.disable(strategyId(facts.stalled.strategy), { reason: 'STALLED', who: 'watchdog', why: facts.stalled.why });
  }
  for (const { strategy, why } of facts.misfits ?? []) {
    const id = strategyId(strategy);
    if (!host.isDisabled(id)) strategySwitch.disableUntilListed(id, { reason: 'PRODUCT_CHANGED', who: 'service', why });
  }
  for (const strategy of strategies) if (!strategy.enabled) host.disable(strategy.id, NOT_ENABLED);
  for (const [id, kept] of Object.entries(facts.states)) host.restore(strategyId(id), kept);
  for (const past of facts.signals ?? []) host.restoreSignal(past);
  market.restore(facts.learned);
  exitWatch.restore(facts);
  parentOrders.restore(facts.works);
  manual.restore(facts.hands);
  host.start();
}
