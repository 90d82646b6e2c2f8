import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { DecisionRow } from '#domain/decision.ts';
import type { Reason } from '#domain/reasons.ts';

/**
 * The row with which a plan begins. It stands before the plan's first order, and is written as soon as the plan waits for anything. A
 * plan that ends at once, without an order, has none: a restart has nothing to go on with, and its refusal says it all.
 */
export class PlanBegin {
  /** True for a refusal of the present leg that ends the plan. */
  readonly endsAt: (refusal: Reason) => boolean;
  private readonly row: DecisionRow<'working'>;
  private pending = true;

  constructor(row: DecisionRow<'working'>, endsAt: (refusal: Reason) => boolean) {
    this.row = row;
    this.endsAt = endsAt;
  }

  get isWritten(): boolean {
    return !this.pending;
  }

  /** What is to be committed before an order of the plan; then call `written`. */
  get owed(): readonly DecisionRow<'working'>[] {
    return this.pending ? [this.row] : [];
  }

  written(): void {
    this.pending = false;
  }

  /** The plan goes on beyond its first event. */
  goesOn(log: DecisionLog): void {
    if (this.pending) log.defer(this.row);
    this.written();
  }
}
