/**
 * States of a notification (spec 3, "Webhook delivery"): not tried yet; accepted by the partner; refused or unanswered
 * and to be retried; given up after the last attempt (our own name).
 */
type NotificationState = 'pending' | 'delivered' | 'failed' | 'abandoned';

/** A notification in the queue. Times are ISO 8601 UTC unless they end in `Ms`. */
export interface Notification {
  readonly id: number;
  readonly createdAt: string;
  /** The user it is about, whose partner is notified. */
  readonly userId: string;
  readonly type: string;
  /** The bytes that each attempt signs and sends. */
  readonly body: string;
  readonly state: NotificationState;
  readonly attempts: number;
  /** `X-Webhook-Timestamp` of the first attempt; null before it. */
  readonly firstTimestamp: string | null;
  /** When the next attempt is due; null for none. */
  readonly nextAtMs: number | null;
  readonly lastAt: string | null;
  /** The result of the last attempt: a status, or why there was none. */
  readonly lastResult: string | null;
}

/** Maximum number of attempts (spec 8). */
const MAX_ATTEMPTS = 100;
const MINUTE_MS = 60_000;

/** The state after a failed attempt: waits are 1, 2, 3 .. 99 minutes, 82.5 hours in total (spec 6.1, 8). */
export function afterFailure(attempts: number, nowMs: number): Pick<Notification, 'state' | 'nextAtMs'> {
  return attempts >= MAX_ATTEMPTS ? { state: 'abandoned', nextAtMs: null } : { state: 'failed', nextAtMs: nowMs + attempts * MINUTE_MS };
}
