import type { Timers } from '#ports/timers.ts';
import type { QuoteBook } from '#venue/core/quote-book.ts';
import type { OrderDialect } from '#venue/dialect/orders.ts';
import type { FaultDraws } from '#venue/faults/draws.ts';
import type { Deposits } from '#venue/notify/deposits.ts';
import type { Strategies } from '#venue/orchestrator/strategies.ts';
import type { VenueSettings } from '#venue/settings.ts';
import type { AccountStore } from '#venue/store/account-store.ts';
import type { NotificationStore } from '#venue/store/notification-store.ts';
import type { VenueStore } from '#venue/store/venue-store.ts';
import type { Sessions } from '#venue/users/sessions.ts';
import type { VenueWatch } from '#venue/watch/venue-watch.ts';

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
