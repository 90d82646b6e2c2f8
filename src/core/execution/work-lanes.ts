import type { DecisionLog } from '#core/decisions/decision-log.ts';
import { type Amount, amountText } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import type { LanePool } from './lane-pool.ts';
import type { ChildOrderResult } from './order-placer.ts';
import type { Leg, Work } from './plan.ts';

/** While every lane is lent, an exit asks again so often. */
const AGAIN_MS = 1000;

export interface WorkLanesOptions {
  readonly log: DecisionLog;
  /** Lanes for amounts that have none of their own; null: there are none to lend. */
  readonly reserve: LanePool | null;
  /** Runs `work` after `delayMs` of engine time; the answer takes it back. */
  readonly after: (delayMs: Millis, work: () => void) => () => void;
}

/** The lanes that plans at work are lent for amounts that no standing lane has. */
export class WorkLanes {
  private readonly options: WorkLanesOptions;

  constructor(options: WorkLanesOptions) {
    this.options = options;
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
    const { reserve, log, after } = this.options;
    const wanted = amountText(attempt.amount);
    if (!reserve) return attempt.refuse('NO_LANE_OF_SIZE', { check: 'NO_LANE_OF_SIZE', passed: false, figure: wanted, limit: null });
    const lane = reserve.acquire(leg.product, attempt.amount, String(log.inboxSeq));
    if (!lane) {
      const check = { check: 'LANE_POOL_EMPTY', passed: false, figure: reserve.inUse, limit: reserve.size };
      return attempt.refuse('LANE_POOL_EMPTY', check);
    }
    work.lent = lane.id;
    work.cancelWait = after(reserve.waitMs, () => {
      if (work.order !== undefined || work.lent !== lane.id) return;
      this.release(work);
      const check = { check: 'LANE_WAIT', passed: false, figure: wanted, limit: reserve.waitMs };
      late(attempt.refuse('LANE_WAIT', check));
    });
    return 'waiting';
  }

  /** An exit whose own lane brings nothing is lent another of that amount; `again` is called where that comes to nothing either. */
  instead(work: Work, { leg, amount }: { readonly leg: Leg; readonly amount: Amount }, again: () => void): void {
    if (work.lent !== undefined) return;
    const { reserve, log, after } = this.options;
    work.cancelWait();
    const lane = reserve?.acquire(leg.product, amount, String(log.inboxSeq));
    work.lent = lane?.id;
    work.cancelWait = after(lane && reserve ? reserve.waitMs : AGAIN_MS, () => {
      if (work.order !== undefined || work.lent !== lane?.id) return;
      this.release(work);
      again();
    });
  }

  release(work: Work): void {
    work.cancelWait();
    if (work.lent !== undefined) this.options.reserve?.release(work.lent);
    work.lent = undefined;
  }
}
