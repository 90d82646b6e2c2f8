import type { Decision } from '#domain/decision.ts';

/** Above so many waiting rows, those that belong to no order and move no money are dropped. */
const KEPT = 10_000;

const OF_MONEY: ReadonlySet<Decision['kind']> = new Set<Decision['kind']>(['booked', 'notification']);

/**
 * Decisions that wait for the next commit. Bounded: when commits keep failing, the oldest row that belongs to no order
 * and moves no money is dropped and counted. A row of an order or of money is never dropped.
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
      const oldest = this.rows.findIndex(({ orderId, kind }) => orderId === null && !OF_MONEY.has(kind));
      if (oldest < 0) return;
      this.rows.splice(oldest, 1);
      this.lost += 1;
    }
  }

  clear(): void {
    this.rows = [];
  }
}
