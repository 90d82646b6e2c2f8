import type { BookedByPerson } from '#domain/decision.ts';
import type { Millis } from '#domain/names.ts';
import { appendAtRest } from './at-rest.ts';

export interface Booking {
  readonly entries: readonly BookedByPerson[];
  readonly who: string;
  readonly why: string;
  readonly now: Millis;
}

/** Books movements that no order made. Throws JOURNAL_LEASED while a daemon runs, NOT_FOUND where no run has begun. */
export function bookEntries(path: string, { entries, who, why, now }: Booking): void {
  const nothing = { strategy: null, product: null, quoteId: null, orderId: null };
  appendAtRest(path, [{ ...nothing, kind: 'booked', at: now, inboxSeq: 0, reason: 'BY_PERSON', detail: { who, why, entries } }], now);
}
