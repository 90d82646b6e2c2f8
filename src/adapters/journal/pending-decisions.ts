import type { Decision } from '#domain/decision.ts';
import { LATCHING } from './latches.ts';

/** Above so many waiting rows, those that belong to no order, move no money, latch nothing and are no signal or word of a person are dropped. */
const KEPT = 10_000;

/** Number of rows that are written even without a commit or flush. */
const WRITTEN_AT = 1_000;

const NEVER_DROPPED: ReadonlySet<Decision['kind']> = new Set<Decision['kind']>([
  ...(['booked', 'notification', 'signal', 'by_hand'] as const),
  ...LATCHING,
]);

/**
 * Decisions that wait for the next commit. Bounded: when commits keep failing, the oldest row that belongs to no order
 * is dropped and counted, but none of money, of what stops trading or of what a person asks. A row of an order is never dropped.
 */
export class PendingDecisions {
  rows: Decision[] = [];
  /** Rows lost since the start. */
  dropped = 0;
  private dueAt = WRITTEN_AT;

  /** Takes rows. True once a thousand wait; while they cannot be written, again with each further thousand. */
  add(decisions: readonly Decision[]): boolean {
    this.rows.push(...decisions);
    while (this.rows.length > KEPT) {
      const oldest = this.rows.findIndex(({ orderId, kind }) => orderId === null && !NEVER_DROPPED.has(kind));
      if (oldest < 0) break;
      this.rows.splice(oldest, 1);
      this.dropped += 1;
    }
    if (this.rows.length < this.dueAt) return false;
    this.dueAt = this.rows.length + WRITTEN_AT;
    return true;
  }

  clear(): void {
    this.rows = [];
    this.dueAt = WRITTEN_AT;
  }
}
