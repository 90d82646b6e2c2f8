import type { AddressInfo } from 'node:net';
import type Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { type Dialect, dialectOf, OWN_DIALECT, readDialect } from '#adapters/service-client/dialect/dialect.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';
import { QuoteBook } from './core/quote-book.ts';
import { ACCOUNT_OPENINGS, LEAN_BALANCES, LIMITS, longestOf, OPENING_BALANCES, PARTNER_USERS } from './defaults.ts';
import { OrderDialect } from './dialect/orders.ts';
import { pathsIn } from './dialect/requests.ts';
import { FaultDraws } from './faults/draws.ts';
import { clockOf, repeatsOf } from './faults/service.ts';
import { FeedServer } from './feed/feed-server.ts';
import type { VenueContext, VenueCounts } from './http/context.ts';
import { httpServer } from './http/server.ts';
import { VenueMarket } from './market.ts';
import { Deposits } from './notify/deposits.ts';
import { Notifier } from './notify/notifier.ts';
import { recipientsOf } from './notify/recipients.ts';
import { Strategies } from './orchestrator/strategies.ts';
import { KeptWalks } from './prices/kept-walks.ts';
import { priceSources } from './prices/sources.ts';
import { makeVenueKey } from './proof.ts';
import type { VenueSettings } from './settings.ts';
import { AccountStore } from './store/account-store.ts';
import type { Execution } from './store/execution.ts';
import { NotificationStore } from './store/notification-store.ts';
import { openVenueDatabase } from './store/schema.ts';
import { VenueStore } from './store/venue-store.ts';
import { Sessions } from './users/sessions.ts';
import type { VenueWatch } from './watch/venue-watch.ts';

/** A running paper venue. Everything but its address is for code in the same thread, such as tests. */
export interface Venue {
  /** Its address, `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Ends every connection and closes the database. Idempotent. */
  close(): Promise<void>;
  /** Balances of a user by currency, decimal text. */
  balances(userId: string): Readonly<Record<string, string>>;
  /** Balances of an exchange account, on which strategies trade. */
  accountBalances(accountId: string): Readonly<Record<string, string>>;
  /** All executions, oldest first. */
  executions(): readonly Execution[];
  counts(): Readonly<VenueCounts & { connections: number; rememberedQuotes: number }>;
}

/**
 * Starts the paper venue: the service of the specification on one loopback port. `watch` observes its clients. Throws a
 * KairosError if prices, database or port are not available, and leaves nothing open.
 */
export async function startVenue(
  asked: VenueSettings,
  given: Timers,
  log: (line: string) => void = () => {},
  watch?: VenueWatch,
): Promise<Venue> {
  keepKey(log);
  const dialect = spoken(asked);
  const settings = dialect?.brand === 'brand-acme' ? { ...asked, brand: 'acme' } : asked;
  const faults = settings.faults.length > 0 ? new FaultDraws(settings.seed, settings.faults) : undefined;
  const timers = faults ? clockOf(faults, given) : given;
  const recipientOf = recipientsOf(settings.webhooks);
  const sources = await priceSources(settings);
  const { seed, feePercentage } = settings;
  const db = openVenueDatabase(settings.database);
  const walks = new KeptWalks(sources, { db, seed, log });
  const market = new VenueMarket(walks.sources, feePercentage);
  const store = new VenueStore(db, PARTNER_USERS, dialect?.balances === 'lean-balances' ? LEAN_BALANCES : OPENING_BALANCES);
  const counts: VenueCounts = { lateOrders: 0, pauseAll: 0, resumeAll: 0, stalledReaders: 0 };
  const accounts = new AccountStore(db, ACCOUNT_OPENINGS);
  const notifications = new NotificationStore(db);
  const repeats = repeatsOf(faults);
  const notifier = new Notifier({ store: notifications, timers, recipientOf, settings: settings.webhooks, repeats, log });
  const context: VenueContext = {
    settings,
    timers,
    book: new QuoteBook(timers.uuid(), {
      keepMs: longestOf(settings.validityMs) + LIMITS.rememberExpiredMs,
      maxQuotes: LIMITS.rememberedQuotes,
    }),
    store,
    sessions: new Sessions(db, timers, { access: settings.signIn.tokenSeconds, refresh: settings.signIn.refreshTokenSeconds }),
    accounts,
    strategies: new Strategies({ db, accounts, timers, prices: market, seed, stepMs: settings.strategyStepMs, feePercentage, log }),
    notifications,
    deposits: new Deposits({ db, store, notifications, notifier, timers, brand: settings.brand, dialect: dialect ?? OWN_DIALECT }),
    counts,
    faults,
    dialect: dialect && new OrderDialect(dialect),
    paths: pathsIn(dialect),
    log,
    watch,
  };
  const http = await httpServer(context);
  const feed = new FeedServer(context, market, http.server);
  try {
    await http.listen({ host: settings.host, port: settings.port });
  } catch (error) {
    await closeAll({ context, notifier, feed, http, db, walks });
    throw listenFault(settings, error);
  }
  walks.begin(timers, () => market.elapsedMs);
  notifier.pump();
  const port = portOf(http);
  let closing: Promise<void> | undefined;
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    port,
    close() {
      closing ??= closeAll({ context, notifier, feed, http, db, walks });
      return closing;
    },
    balances: (userId) => store.balances(userId),
    accountBalances: (accountId) => accounts.balances(accountId),
    executions: () => store.executions(),
    counts: () => ({ ...counts, connections: feed.connections, rememberedQuotes: context.book.size }),
  };
}

/** A venue without a key trades like any other; a bot at it takes it for a service of somebody else's, and runs dry. */
function keepKey(log: (line: string) => void): void {
  try {
    makeVenueKey();
  } catch (error) {
    log(`bots cannot prove that this is a Kairos venue, and run dry at it: ${messageOf(error)}`);
  }
}

/** The dialect of the settings; undefined for the venue's own. Throws CONFIG_INVALID for unknown names. */
function spoken({ dialect: given }: VenueSettings): Dialect | undefined {
  const names = readDialect(given);
  const read = typeof names === 'string' ? names : dialectOf(names);
  if (typeof read === 'string') throw new KairosError('CONFIG_INVALID', `venue.dialect: must ${read}`);
  return names.length === 0 ? undefined : read;
}

async function closeAll(parts: {
  readonly context: VenueContext;
  readonly notifier: Notifier;
  readonly feed: FeedServer;
  readonly http: FastifyInstance;
  readonly db: Database.Database;
  readonly walks: KeptWalks;
}): Promise<void> {
  parts.context.strategies.close();
  parts.feed.close();
  await parts.notifier.close();
  await parts.http.close();
  parts.walks.close();
  parts.db.close();
}

function portOf(http: FastifyInstance): number {
  const address: AddressInfo | string | null = http.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function listenFault(settings: VenueSettings, error: unknown): KairosError {
  const where = `${settings.host}:${settings.port}`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const what = 'another program listens there; set venue.port to another one';
    return new KairosError('PORT_IN_USE', `the paper venue cannot listen on ${where}: ${what}`, { cause: error });
  }
  const mend = 'check venue.host and venue.port';
  return new KairosError('CONFIG_INVALID', `the paper venue cannot listen on ${where}: ${messageOf(error)}; ${mend}`, { cause: error });
}
