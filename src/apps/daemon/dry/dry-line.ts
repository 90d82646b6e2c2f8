import type { OrderLine } from '#apps/daemon/order-line.ts';
import type { ServiceSettings } from '#config/settings.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedEntry, Decision } from '#domain/decision.ts';
import type { BookAmount } from '#domain/event.ts';
import { quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { LastGate, ReportSink } from '#ports/broker.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { Journal } from '#ports/journal.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { MatchingBroker, type OrderLatency } from '#venue/core/matching-broker.ts';

interface DryLineOptions {
  readonly service: Pick<ServiceSettings, 'feeIn'>;
  /** What the account holds at the start, by currency. */
  readonly held: ReadonlyMap<string, Decimal>;
  readonly timers: Timers;
  readonly gate: LastGate;
  readonly serviceClock: ServiceClock;
}

/** Round trips that are drawn from. */
const KEPT_TRIPS = 200;

/**
 * Dry mode: orders are executed in this process, on the quotes that the service sent, after as long as they would have
 * taken to it. The service is asked for quotes, products and its time, and for nothing else.
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
    // What a crash or a stop cut short was executed nowhere, and nobody else can know more.
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

/** Passes on what the feed delivers; each quote can be traded on, an anonymous one by an id of our own (F32). */
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

/** What earlier runs left in the account, of the currencies that the configuration names for it. */
export function heldAtStart(from: {
  /** What the account holds before the first run, by currency. */
  readonly opening: Readonly<Record<string, string>>;
  /** Openings that earlier runs booked, and all that moved besides. */
  readonly openings: readonly BookAmount[];
  readonly flows: Readonly<Record<string, string>>;
}): ReadonlyMap<string, Decimal> {
  const held = new Map(Object.keys(from.opening).map((currency): [string, Decimal] => [currency, decimalOf(from.flows[currency] ?? 0)]));
  for (const { currency, amount } of from.openings) {
    if (held.has(currency)) held.set(currency, (held.get(currency) ?? ZERO).plus(amount));
  }
  return held;
}

/** The journal, telling of all that is booked and that no order moved: openings, deposits, withdrawals, corrections. */
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

/** An order's round trip while none was measured, in milliseconds. */
export const UNMEASURED_ROUND_TRIP_MS = 200;
/** How long an order would take to the service and back: one of the round trips that were measured last, half of it each way. */
export class MeasuredLatency {
  private readonly timers: Pick<Timers, 'random'>;
  private readonly trips: number[] = [];

  constructor(timers: Pick<Timers, 'random'>) {
    this.timers = timers;
  }

  /** A harmless request was answered after so many milliseconds. */
  measured(roundTripMs: number): void {
    this.trips.push(roundTripMs);
    if (this.trips.length > KEPT_TRIPS) this.trips.shift();
  }

  draw(): OrderLatency {
    const roundTripMs = this.trips[Math.floor(this.timers.random() * this.trips.length)] ?? UNMEASURED_ROUND_TRIP_MS;
    return { thereMs: roundTripMs / 2, backMs: roundTripMs / 2 };
  }
}
