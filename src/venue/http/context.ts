import type { Timers } from '../../ports/timers.ts';
import type { QuoteBook } from '../core/quote-book.ts';
import type { VenueSettings } from '../settings.ts';
import type { VenueStore } from '../store/venue-store.ts';
import type { Sessions } from '../users/sessions.ts';

/** What happened since the start, for tests and logs. */
export interface VenueCounts {
  /** Orders whose quote existed but had expired when they arrived. */
  lateOrders: number;
  pauseAll: number;
  resumeAll: number;
  /** Feed readers that were cut because they left too much unread. */
  stalledReaders: number;
}

/** What the venue's endpoints work with. */
export interface VenueContext {
  readonly settings: VenueSettings;
  readonly timers: Timers;
  readonly book: QuoteBook;
  readonly store: VenueStore;
  readonly sessions: Sessions;
  readonly counts: VenueCounts;
  readonly log: (line: string) => void;
}
