import type { WhoWhy } from './who-why.ts';

/**
 * The states of a notification: `booked` into the ledger; for another user of the partner; of an unknown type; a deposit
 * that cannot be read; authentic but `late`, until a person accepts it; in `conflict` with an earlier one of its
 * transfer. Only `booked` moves money.
 */
export const NOTIFICATION_STATES = ['booked', 'other_user', 'unknown_type', 'unreadable', 'late', 'conflict'] as const;

/** What became of a notification. */
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** True for the name of such a state. */
export function isNotificationState(text: string): text is NotificationState {
  return NOTIFICATION_STATES.some((state) => state === text);
}

/** A notification of the service as it enters the inbox: authentic by its signature, and not seen before (spec 2.9, 6.1). */
export interface InboxNotification {
  readonly type: string;
  readonly transferId: string | null;
  /** The raw body. */
  readonly body: string;
  readonly status: NotificationState;
  /** The deposit that is booked; null for none. Currency in small letters, amount as decimal text above 0. */
  readonly deposit: { readonly currency: string; readonly amount: string } | null;
  /** The late notification that this one settles; null for a new one. */
  readonly earlier: { readonly id: string; readonly receivedAt: string } | null;
  /** The person who accepted it; null if it was booked as it came. */
  readonly by: WhoWhy | null;
}

/** A notification as the journal keeps it. `receivedAt` is ISO 8601 UTC. */
export interface NotificationDetail {
  readonly id: string;
  readonly receivedAt: string;
  readonly type: string;
  readonly transferId: string | null;
  readonly status: NotificationState;
  readonly body: string;
  /** Who accepted it, and why; null if it was booked as it came. */
  readonly by: WhoWhy | null;
}
