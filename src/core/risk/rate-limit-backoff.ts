import type { AnswerReport } from '#domain/execution-report.ts';
import type { Millis, OrderId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';

/**
 * The wait that the service asked for (429 with `Retry-After`). Openings wait for its end; one exit may be tried meanwhile,
 * since the service may count by another measure than ours (F09).
 */
export class RateLimitBackoff {
  private until: Millis = Number.NEGATIVE_INFINITY;
  /** The exit that was tried. */
  private tried: Pick<OrderCore, 'id'> | null = null;

  /** Continues a wait that an earlier run was asked for. */
  restore(until: Millis | null): void {
    if (until !== null) this.until = until;
  }

  answered({ retryAfterMs }: AnswerReport, at: Millis): void {
    if (retryAfterMs === undefined) return;
    if (at >= this.until) this.tried = null;
    this.until = Math.max(this.until, at + retryAfterMs);
  }

  /** An order that reduces a position was committed. */
  exitCommitted(order: Pick<OrderCore, 'id' | 'intentAt'>): void {
    if (order.intentAt < this.until) this.tried = order;
  }

  /** An order never left: it was no try. */
  neverLeft(id: OrderId): void {
    if (id === this.tried?.id) this.tried = null;
  }

  /** How long an opening still waits, in milliseconds; zero for not at all. */
  openingLeftMs(at: Millis): Millis {
    return Math.max(0, this.until - at);
  }

  /** How long an exit still waits, in milliseconds. */
  exitLeftMs(at: Millis): Millis {
    return this.tried !== null ? this.openingLeftMs(at) : 0;
  }

  /** When the wait ends; null if there is none at that instant. */
  endsAt(at: Millis): Millis | null {
    return at < this.until ? this.until : null;
  }
}
