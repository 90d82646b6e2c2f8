import type { OrderLine } from '#apps/daemon/order-line.ts';
import type { ServiceSettings } from '#config/settings.ts';
import type { Decimal } from '#domain/decimal.ts';
import { quoteId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { LastGate, ReportSink } from '#ports/broker.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { MatchingBroker } from '#venue/core/matching-broker.ts';
import { tellingOfBookings } from './account.ts';
import { MeasuredLatency } from './measured-latency.ts';

interface DryLineOptions {
  readonly service: Pick<ServiceSettings, 'feeIn'>;
  /** What the account holds at the start, by currency. */
  readonly held: ReadonlyMap<string, Decimal>;
  readonly timers: Timers;
  readonly gate: LastGate;
  readonly serviceClock: ServiceClock;
}

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
