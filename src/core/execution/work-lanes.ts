import { type Amount, amountText } from '#domain/lane.ts';
import type { ChildOrderResult } from './child-order-result.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { Leg, Plan, Work } from './plan.ts';
import { sideWanted } from './sizing.ts';
import { heldBy, isTriedOnce } from './work-state.ts';

/** While every lane is lent, an exit asks again so often. */
export const AGAIN_MS = 1000;

/** The lanes that plans at work are lent for amounts that no standing lane has. */
export class WorkLanes {
  private readonly context: ExecutionContext;

  constructor(context: ExecutionContext) {
    this.context = context;
  }

  /**
   * An attempt that needs a lane of another amount is lent one, and waits for its first quote; when there is none, or the
   * quote does not come in time (`late`), that is the refusal.
   */
  acquire(
    work: Work,
    { leg, attempt }: { readonly leg: Leg; readonly attempt: ChildOrderResult },
    late: (refused: ChildOrderResult) => void,
  ): ChildOrderResult | 'waiting' {
    // Refused on the lent lane's quote: the lane is kept for the next one while its time lasts.
    if (attempt.kind !== 'needs_lane') return attempt;
    this.release(work);
    const { lanePool, log, after } = this.context;
    const wanted = amountText(attempt.amount);
    const lane = lanePool.acquire(leg.product, attempt.amount, String(log.inboxSeq));
    if (!lane) {
      const check = { check: 'LANE_POOL_EMPTY', passed: false, figure: lanePool.inUse, limit: lanePool.size } as const;
      return attempt.refuse('LANE_POOL_EMPTY', check);
    }
    work.lent = lane.id;
    work.cancelWait = after(lanePool.waitMs, () => {
      this.release(work);
      const check = { check: 'LANE_WAIT', passed: false, figure: wanted, limit: lanePool.waitMs } as const;
      late(attempt.refuse('LANE_WAIT', check));
    });
    return 'waiting';
  }

  /** An exit whose own lane brings nothing is lent another of that amount; `again` is called where that comes to nothing either. */
  instead(work: Work, { leg, amount }: { readonly leg: Leg; readonly amount: Amount }, again: () => void): void {
    const { lanePool, log, after, state } = this.context;
    work.cancelWait();
    const lane = state.isHalted || state.isDisarmed ? undefined : lanePool.acquire(leg.product, amount, String(log.inboxSeq));
    work.lent = lane?.id;
    work.cancelWait = after(lane ? lanePool.waitMs : AGAIN_MS, () => {
      this.release(work);
      again();
    });
  }

  /**
   * True where one of these works, an intent without `within`, waits for the first quote of its lane, and a plan asks for the same side at the
   * same limit: begun anew on each quote, no lane would ever come to its first one.
   */
  isAwaited({ strategy, legs: asked }: Plan, works: readonly Work[]): boolean {
    const [wanted] = asked;
    if (!wanted || asked.length > 1 || wanted.intent.within !== null) return false;
    return works.some((work) => {
      const [waiting] = work.legs;
      if (!waiting || work.legs.length > 1 || work.plan.strategy !== strategy || work.kind === 'manual') return false;
      if (work.lent === undefined || !isTriedOnce(work) || wanted.lane !== waiting.lane) return false;
      const held = heldBy(work, waiting, this.context);
      const side = sideWanted(wanted.intent, held);
      return side !== undefined && side === sideWanted(waiting.intent, held) && wanted.intent.limit === waiting.intent.limit;
    });
  }

  release(work: Work): void {
    work.cancelWait();
    if (work.lent !== undefined) this.context.lanePool.release(work.lent);
    work.lent = undefined;
  }
}
