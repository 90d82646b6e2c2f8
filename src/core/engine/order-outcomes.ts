import type { ChildOrderResult } from '#core/execution/child-order-result.ts';
import type { OrderAbout, OrderListener } from '#core/execution/order-feedback.ts';
import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { Plan } from '#core/execution/plan.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { orderId, type StrategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineContext } from './engine-context.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { StrategyPositions } from './strategy-positions.ts';
import type { StrategySwitch } from './strategy-switch.ts';
import { exitWaitTold, HALT_DRILL, outcomesTold, tooMuchTold } from './told.ts';
import type { Views } from './views.ts';

/** Those who hear what came of orders. */
interface Hearers {
  readonly views: Views;
  readonly positions: StrategyPositions;
  readonly parentOrders: ParentOrders;
  readonly manual: ManualOrders;
  readonly host: StrategyHost;
  readonly strategySwitch: StrategySwitch;
}

/** Tells what came of an order, always in the same order: what strategies may look at, people, the person's task, who works it, the strategy itself. */
export class OrderOutcomes implements OrderListener {
  private readonly context: EngineContext;
  private readonly hearers: Hearers;
  private readonly tell: ReturnType<typeof outcomesTold>;
  private readonly tellTooMuch: ReturnType<typeof tooMuchTold>;
  readonly exitWaits: (order: OrderCore) => void;

  constructor(context: EngineContext, hearers: Hearers) {
    this.context = context;
    this.hearers = hearers;
    this.tell = outcomesTold(context.notice);
    this.tellTooMuch = tooMuchTold(context.notice);
    this.exitWaits = exitWaitTold(context.notice);
  }

  outcome(strategy: StrategyId, outcome: Outcome, about: OrderAbout = {}): void {
    const { views, manual, host } = this.hearers;
    views.outcome(strategy, outcome);
    const isDrill = outcome.orderId !== undefined && this.context.drilled.has(orderId(outcome.orderId));
    this.tell(isDrill ? HALT_DRILL : strategy, outcome, about);
    if (outcome.state === 'rejected')
      this.tellTooMuch(strategy, outcome, { held: this.context.books.largestOf(strategy).toNumber(), why: about.why });
    manual.heard(outcome);
    this.settled(strategy, outcome);
    host.outcome(strategy, outcome);
  }

  attempted(plan: Plan, attempt: ChildOrderResult, quote: Quote): void {
    this.hearers.manual.attempted(plan, attempt, quote);
  }

  runaway(strategy: StrategyId, why: string): void {
    this.hearers.strategySwitch.disable(strategy, { reason: 'RUNAWAY', who: 'kairos', why });
  }

  private settled(strategy: StrategyId, { orderId: id, state, price }: Outcome): void {
    if (id === undefined || state === 'refused' || state === 'lapsed') return;
    if (state === 'accepted') this.hearers.positions.nameDust(strategy, price ?? 0);
    this.hearers.parentOrders.settled(orderId(id), state);
  }
}
