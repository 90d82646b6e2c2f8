import type { ClosingAtWork } from '#domain/closing-wait.ts';
import { Decimal } from '#domain/decimal.ts';
import type { LaneId, Millis, OrderId, ProductCode, QuoteId, StrategyId } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import type { Reason } from '#domain/reasons.ts';
import type { PastWork } from '#domain/work-text.ts';
import { type AtWork, atWorkOf, closingsOf } from './at-work.ts';
import type { ChildOrderResult } from './child-order-result.ts';
import type { ExecutionContext } from './execution-context.ts';
import { onPresentLane, standIn } from './lent-lanes.ts';
import { feeShareIn, ManualLanes } from './manual-lanes.ts';
import type { OrderPlacer } from './order-placer.ts';
import { workOf } from './past-work.ts';
import {
  type ExitOrder,
  exitOrder,
  goToLeg,
  type Leg,
  laneOf,
  leftOf,
  type ManualEnd,
  type ManualPlan,
  manualOrder,
  opensAgain,
  outlivesItsQuote,
  type Plan,
  prolongs,
  refuse,
  rejected,
  type StrategyOrder,
  strategyOrder,
  trades,
  undoes,
  undoing,
  type Work,
  withinMsOf,
  withLeft,
} from './plan.ts';
import {
  AGAIN_MS,
  awaitsUnknown,
  closesAll,
  heldBy,
  isClosingInFlight,
  isGone,
  isOver,
  isPast,
  isStranded,
  isTriedOnce,
  isUnknown,
  lapsedOutcome,
  named,
  WorkLanes,
  WorkRows,
} from './work.ts';

/**
 * Works what strategies and people want: tries it on quotes, never twice on the same, until it is executed, lapses or is replaced. A
 * first intent without `within` is tried once. After `accepted` or `unknown` a leg is never tried again; after `rejected` it waits. What
 * closes a position outlasts an unknown outcome: it sells what is certain, and goes on once the outcome is known.
 */
export class ParentOrders {
  private readonly context: ExecutionContext;
  private readonly placer: OrderPlacer;
  private readonly rows: WorkRows;
  private readonly lanes: WorkLanes;
  private readonly manualLanes: ManualLanes;
  private readonly works: Work[] = [];

  constructor(context: ExecutionContext, placer: OrderPlacer) {
    this.context = context;
    this.placer = placer;
    this.rows = new WorkRows(context);
    this.lanes = new WorkLanes(context, this.works, (work) => (work.kind === 'manual' ? this.manualLanes.begin(work) : this.step(work)));
    this.manualLanes = new ManualLanes(context, this.lanes, { step: (work) => this.step(work), end: (work, as) => this.remove(work, as) });
  }

  /**
   * Goes on with what an earlier run had at work, once books are as they were: executed legs stay done, and what is unknown ends a single
   * leg that opens. A plan whose time is over lapses now; what may open on a lane that its strategy does not trade on any more is withdrawn.
   */
  restore(past: readonly PastWork[]): void {
    const { market, laneById, log, after } = this.context;
    for (const one of past) {
      const { work, over } = workOf(one, market);
      if (work.kind === 'exit') work.legs = work.legs.map((leg) => onPresentLane(leg, work.plan.strategy, this.context));
      const leg = work.legs[work.index];
      if (leg) work.heldBefore = heldBy(work, leg, this.context);
      this.works.push(work);
      if (over || !leg || (closesAll(work, leg) && isGone(work, leg, this.context))) this.remove(work);
      else if (work.order === undefined && isStranded(work, leg, this.context)) this.strand(work, leg);
      else if (work.kind === 'exit') {
        // No quote and no change of its lane goes on with it.
        if (!laneById.has(leg.lane)) this.again(work, leg);
      } else if (work.until <= log.now) this.lapse(work);
      else work.cancelLapse = after(work.until - log.now, () => this.lapse(work));
    }
  }

  /** Begins a plan on the present quotes; on the one that counts as tried it is not tried. */
  begin(plan: Plan, tried?: QuoteId | null): void {
    const [first] = plan.legs;
    if (!first || (this.works.length > 0 && this.isAtWork(plan, first))) return;
    if (first.intent.within === null && !this.context.market.latest(first.lane)) return;
    this.enter(strategyOrder(plan, tried));
  }

  /** True where what the strategy has at work in the same products serves the plan, or a lane for it is awaited. Else that makes way. */
  private isAtWork(plan: Plan, { intent }: Leg): boolean {
    if (this.lanes.isAwaited(plan)) return true;
    this.makeWay(plan, (work) => !isUnknown(work));
    const current = this.works.find((work): work is StrategyOrder => prolongs(plan, work));
    if (!current) return false;
    this.limitTime(current, intent.within);
    this.step(current, true);
    return true;
  }

  /** Begins to close a position and does not stop before it is closed; what the strategy had at work, or would open again, makes way. */
  close(plan: Plan): void {
    this.makeWay(plan);
    this.endUndoing((strategy, leg) => strategy === plan.strategy && opensAgain(leg) && trades(plan, leg), 'REPLACED');
    this.enter(exitOrder(plan));
  }

  /** Begins an order of a person. */
  order(plan: ManualPlan): void {
    const work = manualOrder(plan);
    this.works.push(work);
    this.manualLanes.begin(work);
  }

  /** A person ends a plan. Its order on its way stays so. */
  withdraw(plan: Plan): void {
    const work = this.works.find((one) => one.plan === plan);
    if (work) this.remove(work);
  }

  /** Ends what undoes failed plans by such a leg. True where there was any; an order on its way stays so. */
  endUndoing(isMeant: (strategy: StrategyId, leg: Leg) => boolean, reason: Reason = 'BY_PERSON'): boolean {
    const before = this.works.length;
    for (const work of [...this.works]) {
      const leg = work.legs[work.index];
      if (work.kind !== 'exit' || !leg || !undoes(leg) || !isMeant(work.plan.strategy, leg)) continue;
      this.rows.withdrawn(work, leg, reason);
      this.remove(work);
    }
    return this.works.length < before;
  }

  /** Ends what strategies want and have not got, by such a leg. `isBegun`: an order of it is on its way, or was executed. True where there was any; an order on its way stays so. */
  endWanted(isMeant: (strategy: StrategyId, leg: Leg, isBegun: boolean) => boolean, reason: Reason): boolean {
    const meant = this.works.filter((work): work is StrategyOrder => {
      if (work.kind !== 'strategy') return false;
      const isBegun = work.order !== undefined || work.done.length > 0;
      return work.legs.some((leg) => isMeant(work.plan.strategy, leg, isBegun));
    });
    for (const work of meant) this.endWaiting(work, reason);
    return meant.length > 0;
  }

  /** Tries what waits on a lane, oldest first. Orders of people have their turn first, exits before strategies see the quote, then what strategies want. */
  onQuote(lane: LaneId, turn: Work['kind']): void {
    if (this.works.length === 0) return;
    for (const work of [...this.works]) if (work.kind === turn && laneOf(work) === lane) this.step(work);
  }

  /** The plan that closes a position of the strategy by such a leg, where one is at work. */
  closingOf(strategy: StrategyId, isIt: (leg: Leg) => boolean): Plan | undefined {
    const at = ({ legs, index }: Work) => legs.slice(index, index + 1);
    return this.works.find((work) => work.kind === 'exit' && work.plan.strategy === strategy && at(work).some(isIt))?.plan;
  }

  /** True while all that the strategy holds of a product is being closed. */
  isClosingAll(strategy: StrategyId, product: ProductCode): boolean {
    return this.closingOf(strategy, (leg) => leg.product === product && leg.intent.size.kind === 'position') !== undefined;
  }

  /** True while a position of the strategy is being closed whatever it says: by an exit, or to undo a failed plan. */
  isClosing(strategy: StrategyId): boolean {
    return this.works.some((work) => work.kind === 'exit' && work.plan.strategy === strategy);
  }

  /** The positions of a strategy that are being closed whatever it says, and what each waits for. */
  closings(strategy: StrategyId): readonly ClosingAtWork[] {
    const own = this.works.filter((work) => work.kind === 'exit' && work.plan.strategy === strategy);
    return closingsOf(own, this.context);
  }

  /** What a strategy wants and has not got yet. */
  wanted(strategy: StrategyId): readonly AtWork[] {
    return this.works.flatMap((work) => (work.kind === 'strategy' && work.plan.strategy === strategy ? atWorkOf(work) : []));
  }

  /** What waits, in the order in which it began. */
  atWork(): readonly AtWork[] {
    return this.works.flatMap(atWorkOf);
  }

  /** What became of an order: its plan goes on, and closings end of which it left nothing. */
  settled(orderId: OrderId, state: OrderState): void {
    if (state === 'intent' || state === 'sent') return;
    for (const work of [...this.works]) {
      const leg = work.legs[work.index];
      if (leg && work.order === orderId) this.settledOf(work, leg, state);
    }
    for (const work of [...this.works]) {
      const leg = work.legs[work.index];
      if (leg && closesAll(work, leg) && isGone(work, leg, this.context)) this.nextLeg(work);
    }
  }

  private settledOf(work: Work, leg: Leg, state: Exclude<OrderState, 'intent' | 'sent'>): void {
    work.last = state;
    if (work.kind !== 'manual') this.lanes.release(work);
    if (state === 'unknown') work.unknownAt = this.context.log.now;
    // It is never tried again, and nothing is undone on a guess: what comes of it decides how such a plan goes on.
    if (state === 'unknown' && awaitsUnknown(work, leg)) return;
    work.order = undefined;
    const mayBeFilled = state === 'accepted' || state === 'unknown';
    if (mayBeFilled && work.kind === 'manual' && work.plan.manual.lasting) return this.manualLanes.begin(work);
    if (mayBeFilled && closesAll(work, leg)) return this.again(work, leg);
    switch (state) {
      case 'accepted':
        if (work.kind === 'strategy') work.done.push({ leg, change: heldBy(work, leg, this.context).minus(work.heldBefore ?? 0) });
        return work.kind === 'exit' ? this.undone(work, leg) : this.nextLeg(work);
      case 'unknown':
        return this.remove(work, 'unknown');
      case 'rejected':
        if (work.unknownAt !== undefined && work.kind === 'strategy') return this.fail(work, leg);
        rejected(work, this.context.log.now);
        return this.failedAttempt(work, leg);
      case 'expired':
      case 'not_sent':
        return this.failedAttempt(work, leg);
    }
  }

  /** What undoes goes on with what its order left, as far as that makes a step and, where it closes, is held. */
  private undone(work: ExitOrder, leg: Leg): void {
    const held = heldBy(work, leg, this.context);
    const rest = leftOf(leg, held.minus(work.heldBefore ?? 0));
    const left = opensAgain(leg) ? rest : Decimal.min(rest, held.abs());
    if (left.isZero() || left.lt(this.context.products.get(leg.product)?.sizeIncrement ?? 0)) return this.nextLeg(work);
    work.legs = work.legs.with(work.index, withLeft(leg, left));
    goToLeg(work, work.index);
    this.step(work);
  }

  /** What the strategy had at work in a plan's products ends, unless the plan asks for the same. What has an unknown order makes way for the first order that is sent. */
  private makeWay(plan: Plan, isMeant: (work: StrategyOrder) => boolean = () => true): void {
    for (const work of [...this.works]) {
      if (work.kind !== 'strategy' || work.plan.strategy !== plan.strategy || !isMeant(work)) continue;
      if (work.legs.some((leg) => trades(plan, leg)) && !prolongs(plan, work)) this.endWaiting(work, 'REPLACED');
    }
  }

  private endWaiting(work: StrategyOrder, reason: Reason): void {
    const leg = work.legs[work.index];
    this.remove(work);
    if (leg && (work.withinMs !== null || isUnknown(work))) this.rows.withdrawn(work, leg, reason);
  }

  private enter(work: StrategyOrder | ExitOrder): void {
    this.works.push(work);
    if (outlivesItsQuote(work)) this.rows.begun(work);
    this.enterLeg(work);
    if (this.works.includes(work)) this.rows.waits(work);
  }

  private failedAttempt(work: Work, leg: Leg): void {
    this.rows.troubled(work, leg);
    if (isTriedOnce(work)) this.fail(work, leg);
    else if (work.kind === 'strategy' && this.context.log.now >= work.until) this.lapse(work);
    else this.again(work, leg);
  }

  /** No quote goes on with an exit whose own lane is not up, or with a person's closing whose lane is silent. */
  private again(work: Work, { lane }: Leg): void {
    const { after, log, market } = this.context;
    if (work.kind === 'manual') return this.manualLanes.awaits(work);
    if (work.kind !== 'exit' || work.lent !== undefined || market.lane(lane)?.isUp) return;
    work.cancelWait?.();
    work.cancelWait = after(Math.max(AGAIN_MS, work.notBefore - log.now), () => this.step(work));
  }

  /** Tries the present leg on the newest quote of its lane, where that has not been tried. `isAsked`: its strategy asks for it just now. */
  private step(work: Work, isAsked = work.attempts === 0): void {
    const leg = work.legs[work.index];
    const { log, market } = this.context;
    if (!leg || work.order !== undefined) return;
    if (log.now < work.notBefore) return this.again(work, leg);
    if (work.kind === 'exit' && work.lent === undefined) {
      const amount = standIn(this.context, work.plan.strategy, leg);
      if (amount) return this.lanes.instead(work, { leg, amount }, () => this.step(work));
      this.again(work, leg);
    }
    const quote = market.latest(work.lent ?? leg.lane);
    if (!quote || (quote.id !== null && quote.id === work.tried)) return;
    if (work.kind === 'exit' && isClosingInFlight(work, leg, this.context)) return;
    const sized = work.kind === 'manual' ? this.manualLanes.legFor(work, leg, quote) : leg;
    if (!sized) return;
    work.tried = quote.id;
    work.attempts += 1;
    work.heldBefore = heldBy(work, leg, this.context);
    const attempt = this.placer.place(work.plan, named(work, sized, !isAsked), quote);
    this.context.feedback.attempted(work.plan, attempt, quote);
    if (work.kind === 'manual') return this.afterAttempt(work, sized, attempt);
    const came = this.lanes.acquire(work, { leg, attempt }, (late) => this.afterAttempt(work, leg, late));
    if (came !== 'waiting') this.afterAttempt(work, leg, came);
  }

  private afterAttempt(work: Work, leg: Leg, attempt: ChildOrderResult): void {
    // A refusal is told to the strategy at once, which may have replaced the intent by now.
    if (!this.works.includes(work)) return;
    switch (attempt.kind) {
      case 'sent':
        if (work.kind === 'strategy') this.makeWay(work.plan, isUnknown);
        work.order = attempt.orderId;
        work.last = 'sent';
        work.refused = undefined;
        work.cancelWait?.();
        return;
      case 'nothing':
        return this.nextLeg(work);
      case 'needs_lane':
        if (work.kind === 'manual') this.manualLanes.acquire(work, { intent: leg.intent, amount: attempt.amount });
        return;
      case 'refused':
        work.last = attempt.reason;
        refuse(work, attempt);
        if (!isOver(work, leg, attempt.reason)) return this.rows.troubled(work, leg);
        if (work.kind !== 'exit') return this.fail(work, leg);
        if (opensAgain(leg)) this.rows.stays(work, leg);
        return this.nextLeg(work);
    }
  }

  private enterLeg(work: Work): void {
    work.unknownAt = undefined;
    const leg = work.legs[work.index];
    if (!leg) return;
    if (work.index > 0 && work.kind !== 'manual' && isStranded(work, leg, this.context)) return this.strand(work, leg);
    if (work.kind === 'strategy') this.limitTime(work, withinMsOf(work, this.context.market));
    this.step(work);
  }

  /** The leg has lost its lane. What closes goes on with the next one. */
  private strand(work: StrategyOrder | ExitOrder, leg: Leg): void {
    this.rows.withdrawn(work, leg, 'NOT_CONFIGURED');
    return work.kind === 'exit' ? this.nextLeg(work) : this.fail(work, leg);
  }

  private nextLeg(work: Work): void {
    if (work.index + 1 >= work.legs.length) return this.remove(work, 'done');
    this.lanes.release(work);
    goToLeg(work, work.index + 1);
    if (work.kind === 'strategy' && isPast(work, this.context)) this.lapse(work);
    else this.enterLeg(work);
  }

  private limitTime(work: StrategyOrder, withinMs: Millis | null): void {
    work.cancelLapse?.();
    work.withinMs = withinMs;
    work.until = withinMs === null ? Number.POSITIVE_INFINITY : this.context.log.now + withinMs;
    work.cancelLapse = withinMs === null ? undefined : this.context.after(withinMs, () => this.lapse(work));
  }

  /** The present leg's time is over. An order on its way is waited for: it may still be executed. */
  private lapse(work: StrategyOrder): void {
    const leg = work.legs[work.index];
    if (work.order !== undefined || !leg) return;
    this.rows.lapsed(work, leg);
    this.fail(work, leg);
    this.context.feedback.outcome(work.plan.strategy, lapsedOutcome(leg, this.context));
  }

  /** The present leg came to nothing. */
  private fail(work: Work, leg: Leg): void {
    this.remove(work);
    const { plan, legs } = work;
    const { products } = this.context;
    if (legs.length === 1 || work.kind !== 'strategy') return;
    const feeShare = (product: ProductCode) => feeShareIn(this.context, product);
    const held = (of: Leg) => heldBy(work, of, this.context);
    const undo = plan.onLegFailure === 'keep' ? [] : undoing(work, { products, feeShare, held, reopens: !isPast(work, this.context) });
    this.rows.legFailed(work, leg, undo.length > 0);
    if (undo.length > 0) this.enter(exitOrder(plan, undo));
  }

  private remove(work: Work, as: ManualEnd = 'refused'): void {
    this.rows.ended(work);
    work.cancelLapse?.();
    this.lanes.release(work);
    const at = this.works.indexOf(work);
    if (at >= 0) this.works.splice(at, 1);
    if (work.kind === 'manual') work.plan.manual.ended(as);
  }
}
