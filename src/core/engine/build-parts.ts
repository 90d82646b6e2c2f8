import { ExecutionReports } from '#core/execution/execution-reports.ts';
import { OrderPlacer } from '#core/execution/order-placer.ts';
import { ParentOrders } from '#core/execution/parent-orders.ts';
import { OpeningBalances } from '#core/portfolio/ledger.ts';
import { StrategyHost } from '#core/strategy/host.ts';
import type { EngineContext } from './engine-context.ts';
import { ExitWatch } from './exit-watch.ts';
import { Financing } from './financing.ts';
import { HostResults } from './host-results.ts';
import { ManualOrders } from './manual-orders.ts';
import { MoneyIn } from './money-in.ts';
import { OrderOutcomes } from './order-outcomes.ts';
import { OrderPreview } from './order-preview.ts';
import { RemoteActs } from './remote-acts.ts';
import { ScheduledActions } from './scheduled-actions.ts';
import { Silences } from './silences.ts';
import { StrategyStates } from './strategy-states.ts';
import { StrategySwitch } from './strategy-switch.ts';
import { StrategyPositions, Views } from './views.ts';

/** The parts of an engine, each built after those that it uses; what comes of orders goes back by the context's feedback. */
export function buildParts(context: EngineContext) {
  const { log, strategies, scheduler, disabled, cronNext, onInside, notesAsks = true, opening, capitals, defaultBudget } = context;
  const placer = new OrderPlacer(context);
  const parentOrders = new ParentOrders(context, placer);
  const positions = new StrategyPositions(context, parentOrders);
  const views = new Views(context);
  const results = new HostResults(context, parentOrders);
  const host = new StrategyHost({
    instances: strategies,
    scheduler,
    disabled,
    busy: positions.isBusy,
    viewOf: views.of,
    emit: results.take,
    cronNext,
    areBars: (product) => context.freshnessOf(product).areBars === true,
    notesAsks,
    ...(onInside && { onInside }),
  });
  const strategySwitch = new StrategySwitch(context, host);
  const manual = new ManualOrders(context, parentOrders);
  context.feedback = new OrderOutcomes(context, { views, positions, parentOrders, manual, host, strategySwitch });
  const states = new StrategyStates(context, host);
  return {
    placer,
    parentOrders,
    positions,
    views,
    results,
    host,
    strategySwitch,
    manual,
    preview: new OrderPreview(context, placer),
    states,
    openingBalances: new OpeningBalances({ log, account: opening, capitals, defaultBudget }),
    financing: new Financing(context),
    reports: new ExecutionReports(context),
    exitWatch: new ExitWatch(context, parentOrders),
    actions: new ScheduledActions(context, manual),
    remote: new RemoteActs(context),
    money: new MoneyIn(context, host),
    silences: new Silences(context, states),
  };
}

/** All parts of an engine, for those that start, stop and command it. */
export type BuiltParts = ReturnType<typeof buildParts>;
