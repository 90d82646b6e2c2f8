import type { Decision } from '../domain/decision.ts';

/** Rows that may wait for a commit. */
const KEPT = 10_000;

/**
 * Decisions that wait for the next commit. Bounded: when commits keep failing, the oldest row that belongs to no order
 * is dropped and counted. A row of an order is never dropped.
 */
export class Deferred {
  private rows: Decision[] = [];
  private lost = 0;

  get waiting(): readonly Decision[] {
    return this.rows;
  }

  /** Rows lost since the start. */
  get dropped(): number {
    return this.lost;
  }

  add(decisions: readonly Decision[]): void {
    this.rows.push(...decisions);
    while (this.rows.length > KEPT) {
      const oldest = this.rows.findIndex((row) => row.orderId === null);
      if (oldest < 0) return;
      this.rows.splice(oldest, 1);
      this.lost += 1;
    }
  }

  clear(): void {
    this.rows = [];
  }
}
