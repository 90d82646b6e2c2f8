import type { Decision } from '#domain/decision.ts';

/** Above so many waiting rows, those that say only why nothing was done are dropped. */
const KEPT = 10_000;

/** Number of rows that are written even without a commit or flush. */
const WRITTEN_AT = 1_000;

/** Nothing is rebuilt from them at a restart. */
const DROPPED: ReadonlySet<Decision['kind']> = new Set<Decision['kind']>(['refused', 'hold', 'blocked']);

const isDropped = ({ orderId, kind }: Decision): boolean => orderId === null && DROPPED.has(kind);

/**
 * Decisions that wait for the next commit. Bounded: when commits keep failing, the oldest that says only why nothing was done is dropped
 * and counted, and first of all those of attempts that found the journal held.
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
      const held = this.rows.findIndex((row) => row.reason === 'JOURNAL_BUSY' && isDropped(row));
      const oldest = held < 0 ? this.rows.findIndex(isDropped) : held;
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
