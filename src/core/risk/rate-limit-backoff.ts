import type { AnswerReport } from '#domain/execution-report.ts';
import type { Millis } from '#domain/names.ts';

/**
 * The wait that the service asked for (429 with `Retry-After`). Openings wait for its end; one exit may be tried meanwhile,
 * since the service may count by another measure than ours (F09).
 */
export class RateLimitBackoff {
  private until: Millis = Number.NEGATIVE_INFINITY;
  private exitTried = false;

  /** Continues a wait that an earlier run was asked for. */
  restore(until: Millis | null): void {
    if (until !== null) this.until = until;
  }

  answered({ retryAfterMs }: AnswerReport, at: Millis): void {
    if (retryAfterMs === undefined) return;
    if (at >= this.until) this.exitTried = false;
    this.until = Math.max(this.until, at + retryAfterMs);
  }

  /** An order that reduces a position was committed. */
  exitCommitted(at: Millis): void {
    if (at < this.until) this.exitTried = true;
  }

  /** How long an opening still waits, in milliseconds; zero for not at all. */
  openingLeftMs(at: Millis): Millis {
    return Math.max(0, this.until - at);
  }

  /** How long an exit still waits, in milliseconds. */
  exitLeftMs(at: Millis): Millis {
    return this.exitTried ? this.openingLeftMs(at) : 0;
  }

  /** When the wait ends; null if there is none at that instant. */
  endsAt(at: Millis): Millis | null {
    return at < this.until ? this.until : null;
  }
}
