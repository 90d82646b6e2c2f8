import type { QuoteBook } from '#paper-venue/core/quote-book.ts';
import type { OrderDialect } from '#paper-venue/dialect/orders.ts';
import type { FaultDraws } from '#paper-venue/faults/draws.ts';
import type { Deposits } from '#paper-venue/notify/deposits.ts';
import type { Strategies } from '#paper-venue/orchestrator/strategies.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import type { AccountStore } from '#paper-venue/store/account-store.ts';
import type { NotificationStore } from '#paper-venue/store/notification-store.ts';
import type { VenueStore } from '#paper-venue/store/venue-store.ts';
import type { Sessions } from '#paper-venue/users/sessions.ts';
import type { VenueWatch } from '#paper-venue/watch/venue-watch.ts';
import type { Timers } from '#ports/timers.ts';

/** Counts since the start, for tests and logs. */
export interface VenueCounts {
  /** Orders whose quote existed but had expired when they arrived. */
  lateOrders: number;
  pauseAll: number;
  resumeAll: number;
  /** Feed readers that were cut because they left too much unread. */
  stalledReaders: number;
}

/** What the venue's endpoints share. */
export interface VenueContext {
  readonly settings: VenueSettings;
  readonly timers: Timers;
  readonly book: QuoteBook;
  readonly store: VenueStore;
  readonly sessions: Sessions;
  readonly accounts: AccountStore;
  readonly strategies: Strategies;
  readonly notifications: NotificationStore;
  readonly deposits: Deposits;
  readonly counts: VenueCounts;
  /** The drawn faults; undefined for none. */
  readonly faults: FaultDraws | undefined;
  /** The dialect; undefined for the venue's own. */
  readonly dialect: OrderDialect | undefined;
  /** Path of the feed below the brand's prefix, and of orders below its `/api`. */
  readonly paths: { readonly quotes: string; readonly orders: string };
  readonly log: (line: string) => void;
  /** The observer of clients; undefined for none. */
  readonly watch: VenueWatch | undefined;
}
