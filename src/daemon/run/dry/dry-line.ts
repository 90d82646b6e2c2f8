import type { ServiceSettings } from '#config/settings.ts';
import type { OrderLine } from '#daemon/run/order-line.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedEntry, Decision } from '#domain/decision.ts';
import type { BookAmount } from '#domain/event.ts';
import { quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { MatchingBroker, type OrderLatency } from '#paper-venue/core/matching-broker.ts';
import type { LastGate, ReportSink } from '#ports/broker.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { Journal } from '#ports/journal.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';

interface DryLineOptions {
  readonly service: Pick<ServiceSettings, 'feeIn'>;
  /** The account's balances at the start, by currency. */
  readonly held: ReadonlyMap<string, Decimal>;
  readonly timers: Timers;
  readonly gate: LastGate;
  readonly serviceClock: ServiceClock;
}

/** Number of measured round trips to draw from. */
const KEPT_TRIPS = 200;

/**
 * Dry mode: orders are executed in this process, on the service's quotes, after the latency that they would have had.
 * The service is asked only for quotes, products and its time.
 */
export function dryLine({ service, held, timers, gate, serviceClock }: DryLineOptions): OrderLine {
  const latency = new MeasuredLatency(timers);
  let sink: ReportSink = () => {};
  const broker = new MatchingBroker({
    timers,
    gate,
    serviceClock,
    latency: () => latency.draw(),
    feeIn: service.feeIn,
    balances: held,
  });
  return {
    broker,
    connect(reports) {
      sink = reports;
      broker.connect(reports);
    },
    // An order that a crash or a stop interrupted was executed nowhere.
    onUnknown: ({ id }) => sink(id, { type: 'found', executed: false, figures: {}, body: '' }),
    close: (drainMs) => broker.close(drainMs),
    journalTo: (journal) => tellingOfBookings(journal, (entries) => broker.move(entries)),
    quotesTo: (inbox) => offering(inbox, (quote) => broker.quoted(quote), timers),
    onRoundTrip: (ms) => latency.measured(ms),
    renew() {},
    strategies: {
      ask: async () => ({
        status: 'failed',
        httpStatus: null,
        response: 'dry mode: the service was not asked, since that would reach real strategies',
      }),
      find: async () => null,
    },
  };
}

/** Passes on what the feed delivers. Every quote is tradable; an anonymous one gets an id of our own (F32). */
function offering(inbox: FeedSink, offer: (quote: Quote) => void, timers: Pick<Timers, 'uuid'>): FeedSink {
  return {
    quote(arrived) {
      const quote = arrived.id === null ? Object.freeze({ ...arrived, id: quoteId(timers.uuid()) }) : arrived;
      offer(quote);
      inbox.quote(quote);
    },
    change: (change) => inbox.change(change),
    shown: (source, shown) => inbox.shown(source, shown),
  };
}

/** The account's balances after earlier runs, in the currencies that the configuration names. */
export function heldAtStart(from: {
  /** The account's balances before the first run, by currency. */
  readonly opening: Readonly<Record<string, string>>;
  /** Opening balances that earlier runs booked, and all other movements. */
  readonly openings: readonly BookAmount[];
  readonly flows: Readonly<Record<string, string>>;
}): ReadonlyMap<string, Decimal> {
  const held = new Map(Object.keys(from.opening).map((currency): [string, Decimal] => [currency, decimalOf(from.flows[currency] ?? 0)]));
  for (const { currency, amount } of from.openings) {
    if (held.has(currency)) held.set(currency, (held.get(currency) ?? ZERO).plus(amount));
  }
  return held;
}

/** The journal, which reports all movements without an order: openings, deposits, withdrawals, corrections. */
function tellingOfBookings(journal: Journal, booked: (entries: readonly BookedEntry[]) => void): Journal {
  const tell = (decisions: readonly Decision[]): void => {
    for (const decision of decisions) if (decision.kind === 'booked') booked(decision.detail.entries);
  };
  return {
    commit(decisions) {
      journal.commit(decisions);
      tell(decisions);
    },
    defer(decisions) {
      journal.defer(decisions);
      tell(decisions);
    },
    write: () => journal.write(),
    flush: () => journal.flush(),
    end: (run, endState) => journal.end(run, endState),
  };
}

/** An order's round trip before the first measurement, in milliseconds. */
export const UNMEASURED_ROUND_TRIP_MS = 200;
/** The latency of an order: one of the last measured round trips, half of it each way. */
export class MeasuredLatency {
  private readonly timers: Pick<Timers, 'random'>;
  private readonly trips: number[] = [];

  constructor(timers: Pick<Timers, 'random'>) {
    this.timers = timers;
  }

  /** Records the round trip of a harmless request, in milliseconds. */
  measured(roundTripMs: number): void {
    this.trips.push(roundTripMs);
    if (this.trips.length > KEPT_TRIPS) this.trips.shift();
  }

  draw(): OrderLatency {
    const roundTripMs = this.trips[Math.floor(this.timers.random() * this.trips.length)] ?? UNMEASURED_ROUND_TRIP_MS;
    return { thereMs: roundTripMs / 2, backMs: roundTripMs / 2 };
  }
}
