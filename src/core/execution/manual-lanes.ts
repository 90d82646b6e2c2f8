import { refusalWords } from '#domain/check-words.ts';
import { type Amount, amountText, type Lane, sameAmount } from '#domain/lane.ts';
import type { LaneId, ProductCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { ExecutionContext } from './execution-context.ts';
import { latchedFor } from './order-placer.ts';
import type { Leg, ManualEnd, ManualOrder, ManualSizing, ManualTerms } from './plan.ts';
import { feeShareOf } from './sizing.ts';
import { AGAIN_MS, type WorkLanes } from './work.ts';

/** What the worker of orders does with a plan that has got its lane, or that is over. */
interface Worker {
  readonly step: (work: ManualOrder) => void;
  readonly end: (work: ManualOrder, as: ManualEnd) => void;
}

/** Every lane is lent: the refusal, which has no figures. */
const NO_LANE = { reason: 'LANE_POOL_EMPTY', checks: [] } as const;

/** Sizes people's orders and finds each a lane of exactly its amount: a standing one, or one that is lent. */
export class ManualLanes {
  private readonly context: ExecutionContext;
  private readonly lanes: WorkLanes;
  private readonly worker: Worker;

  constructor(context: ExecutionContext, lanes: WorkLanes, worker: Worker) {
    this.context = context;
    this.lanes = lanes;
    this.worker = worker;
  }

  /** Sizes the order by the newest price of its product and takes a lane. */
  begin(work: ManualOrder): void {
    const { manual } = work.plan;
    const seen = seenOf(this.context, manual.product);
    const sizing = manual.want(seen?.[manual.side].price);
    if ('over' in sizing) return this.end(work, manual, sizing);
    if ('waits' in sizing) return this.wait(work, manual, sizing);
    this.acquire(work, sizing);
  }

  /** The leg as it is to be tried on this quote; undefined where it is over, or waits on a lane of another amount. */
  legFor(work: ManualOrder, leg: Leg, quote: Quote): Leg | undefined {
    const { manual } = work.plan;
    const sizing = manual.want(quote[manual.side].price);
    if ('over' in sizing) this.end(work, manual, sizing);
    else if ('waits' in sizing) this.wait(work, manual, sizing);
    else if (!this.has(leg, sizing.amount)) this.acquire(work, sizing);
    else {
      if (!this.lanes.isWanted(work)) this.awaits(work);
      return { ...leg, intent: sizing.intent };
    }
    return undefined;
  }

  /** Takes a lane of that amount, in place of one for which the position or the price has changed; its quote is tried at once where it has one. */
  acquire(work: ManualOrder, { intent, amount }: Extract<ManualSizing, { amount: Amount }>): void {
    const { lanePool, after } = this.context;
    const { manual, strategy } = work.plan;
    const { product, side } = manual;
    const latched = latchedFor(this.context, { strategy, product, intent, side, amount });
    this.lanes.release(work);
    const standing = standingLane(this.context, product, amount);
    work.lent = standing === undefined && latched === undefined ? this.lanes.lend(work, product, amount) : undefined;
    const lane = standing ?? work.lent;
    if (lane === undefined) {
      const { reason, checks } = latched ?? NO_LANE;
      work.last = reason;
      manual.failed(reason, refusalWords(reason, checks));
      return this.again(work, manual);
    }
    work.legs = [{ intent, lane, product }];
    work.cancelWait = after(lanePool.waitMs, () => this.late(work, manual, amount));
    if (standing !== undefined) this.worker.step(work);
  }

  /** After an attempt, one that lasts waits for the next quotes of its lane, and looks for a lane anew once that brings none, or is wanted by another. */
  awaits(work: ManualOrder): void {
    const { after, lanePool, log } = this.context;
    const { manual } = work.plan;
    if (!manual.lasting) return;
    if (this.lanes.isWanted(work)) return this.again(work, manual);
    work.cancelWait?.();
    work.cancelWait = after(Math.max(0, work.notBefore - log.now) + lanePool.waitMs, () => this.again(work, manual));
  }

  /** The lane has brought nothing that an order could use. */
  private late(work: ManualOrder, manual: ManualTerms, amount: Amount): void {
    if (work.last === null) manual.failed('LANE_WAIT', `${amountText(amount)}: no quote within ${this.context.lanePool.waitMs} ms`);
    work.last ??= 'LANE_WAIT';
    this.again(work, manual);
  }

  private wait(work: ManualOrder, manual: ManualTerms, { waits, why }: Extract<ManualSizing, { waits: Reason }>): void {
    work.last = waits;
    manual.failed(waits, why);
    this.again(work, manual);
  }

  /** Without a lane, or before an outcome is known: one that lasts asks again a little later. */
  private again(work: ManualOrder, manual: ManualTerms): void {
    if (!manual.lasting) return this.worker.end(work, 'refused');
    this.lanes.release(work);
    work.legs = [];
    work.cancelWait = this.context.after(AGAIN_MS, () => this.begin(work));
  }

  private end(work: ManualOrder, manual: ManualTerms, { over, why, done }: Extract<ManualSizing, { done: boolean }>): void {
    if (over !== null) manual.failed(over, why);
    this.worker.end(work, done ? 'done' : 'refused');
  }

  private has({ lane }: Leg, amount: Amount): boolean {
    const { laneById, lanePool } = this.context;
    const its = laneById.get(lane) ?? lanePool.lane(lane);
    return its !== undefined && sameAmount(its.amount, amount);
  }
}

/** The newest quote of any standing lane of a product. */
export function seenOf({ laneById, market }: ExecutionContext, product: ProductCode): Quote | undefined {
  return [...laneById.values()].filter((lane) => lane.product === product).flatMap(({ id }) => market.latest(id) ?? [])[0];
}

/** The fee of a sale as a share of its size by the newest quote of the product (`feeShareOf`). */
export function feeShareIn(context: ExecutionContext, product: ProductCode): number {
  const seen = seenOf(context, product);
  return seen ? feeShareOf(context.feeIn, seen) : 0;
}

/** The standing lane of exactly that amount, where it is up. */
function standingLane({ laneById, market }: ExecutionContext, product: ProductCode, amount: Amount): LaneId | undefined {
  const fits = (lane: Lane) => lane.product === product && sameAmount(lane.amount, amount) && market.lane(lane.id)?.phase === 'acked';
  return [...laneById.values()].find(fits)?.id;
}
