/**
 * What became of a notification (spec 3, "Webhook delivery"): not tried yet; taken by the partner; refused or unanswered and to be
 * tried again; given up after the last attempt (our own word).
 */
type NotificationState = 'pending' | 'delivered' | 'failed' | 'abandoned';

/** A notification as it stands in the queue. Times are ISO 8601 UTC unless they end in `Ms`. */
export interface Notification {
  readonly id: number;
  readonly createdAt: string;
  /** The user it is about, who decides which partner is told. */
  readonly userId: string;
  readonly type: string;
  /** The bytes that are sent, and signed, at each attempt. */
  readonly body: string;
  readonly state: NotificationState;
  readonly attempts: number;
  /** `X-Webhook-Timestamp` of the first attempt; null before it. */
  readonly firstTimestamp: string | null;
  /** When the next attempt is due; null when there is none. */
  readonly nextAtMs: number | null;
  readonly lastAt: string | null;
  /** What the last attempt came to: a status, or why there was none. */
  readonly lastResult: string | null;
}

/** After this many attempts a notification is given up (spec 8). */
const MAX_ATTEMPTS = 100;
const MINUTE_MS = 60_000;

/** What a failed attempt makes of a notification: the waits are 1, 2, 3 .. 99 minutes, 82.5 hours in all (spec 6.1, 8). */
export function afterFailure(attempts: number, nowMs: number): Pick<Notification, 'state' | 'nextAtMs'> {
  return attempts >= MAX_ATTEMPTS ? { state: 'abandoned', nextAtMs: null } : { state: 'failed', nextAtMs: nowMs + attempts * MINUTE_MS };
}
