import { IN_MEMORY } from '#adapters/journal/files.ts';
import { WireBroker } from '#adapters/service-client/orders/broker.ts';
import { BrokerQuery } from '#adapters/service-client/orders/broker-query.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { modeFacts } from '#domain/mode.ts';
import type { OrderCore } from '#domain/order.ts';
import { BROKER_KEY, BROKER_SECRET } from '#paper-venue/defaults.ts';
import type { LastGate, ReportSink } from '#ports/broker.ts';
import type { FeedSink } from '#ports/feed.ts';
import { limitedNotice, type Notice } from '#ports/notice.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import type { Beside } from './beside.ts';
import { dryLine, heldAtStart } from './dry/dry-line.ts';
import { type BooksNow, FeeCheck } from './fee-check.ts';
import type { RunResources } from './opening.ts';
import type { OrderLine } from './order-line.ts';
import { StrangersOrders } from './strangers-orders.ts';
import { UnknownOrders } from './unknown-orders.ts';

interface OrderLineOptions {
  readonly opened: Pick<RunResources, 'service' | 'recovered'>;
  readonly timers: Timers;
  readonly gate: LastGate;
  readonly serviceClock: ServiceClock;
  /** Called if no connection can be opened ahead; `certificate` if the service's certificate was invalid. */
  readonly onConnectTrouble: (why: string, certificate: boolean) => void;
  readonly notice: Notice;
  /** The engine's present books. */
  readonly books: () => BooksNow;
  readonly feesTaken: Beside['feesTaken'];
  /** Posts a correction of the books to the inbox. */
  readonly book: (entries: readonly BookedEntry[], why: string) => void;
}

const ANONYMOUS = 'quotes have no id, so no order can name them: check that the service knows service.userId';

/** Throws CONFIG_INVALID for credentials, an address or a path that cannot be used. */
export function orderLine(
  { mode, settings, origins }: Pick<LoadedConfig, 'mode' | 'settings' | 'origins'>,
  options: OrderLineOptions,
): OrderLine {
  const { opened, notice, book, books, feesTaken, ...rest } = options;
  const { service } = opened;
  if (!modeFacts(mode).sendsOrders) {
    const { openings, risk } = opened.recovered;
    const held = heldAtStart({ opening: settings.account.opening ?? {}, openings, flows: risk.flows });
    return dryLine({ service: service.settings, held, ...rest });
  }
  // On paper no order is signed by a key of the user's: a real service that takes the venue's place later refuses it.
  const keys = modeFacts(mode).isForTrials ? { apiKey: BROKER_KEY, apiSecret: BROKER_SECRET } : {};
  const wire = { baseUrl: service.baseUrl, service: { ...service.settings, ...keys }, dial: service.network?.dial, ...rest };
  const broker = new WireBroker(wire);
  const isFeeNamed = origins().some(({ key, origin }) => key === 'service.feeIn' && origin !== 'default');
  const { capabilities, feeIn } = service.settings;
  const query = capabilities.length === 0 ? null : new BrokerQuery(wire);
  const unknowns = query && capabilities.includes('order-query') ? new UnknownOrders({ query, notice, books, ...rest }) : null;
  const { path } = settings.journal;
  // Where financing is booked, the account may differ by what the service takes for a night: that is no fee.
  const isComparable = capabilities.includes('balances') && settings.account.financing === null;
  const check =
    query && isComparable && path !== IN_MEMORY
      ? new FeeCheck({
          balances: () => query.balances(),
          books,
          compare: (balances, signal) => feesTaken({ journal: path, balances }, signal),
          book,
          notice,
          ...rest,
        })
      : null;
  const strangers =
    query && capabilities.includes('balances') ? new StrangersOrders({ balances: () => query.balances(), books, notice, ...rest }) : null;
  return {
    broker,
    connect(sink) {
      broker.connect(isFeeNamed ? sink : tellingOfUntoldFees(sink, { feeIn, notice, check }));
      unknowns?.connect(sink);
    },
    ...(unknowns && { onUnknown: (order: OrderCore, isAwaited: boolean) => unknowns.settle(order, isAwaited) }),
    journalTo: (journal) => journal,
    quotesTo: (inbox) => tellingOfAnonymous(inbox, { notice, timers: rest.timers }),
    renew: () => broker.renew(),
    strategies: service.client.strategies,
    async close(drainMs) {
      check?.close();
      strangers?.close();
      await unknowns?.close();
      await query?.close();
      await broker.close(drainMs);
    },
  };
}

/** Passes on what the feed delivers, and reports quotes that are not tradable (F32), at most once a minute. */
export function tellingOfAnonymous(inbox: FeedSink, from: { readonly notice: Notice; readonly timers: Timers }): FeedSink {
  const limited = limitedNotice(from.notice, from.timers);
  return {
    quote(quote) {
      if (quote.id === null) limited('error', ANONYMOUS);
      inbox.quote(quote);
    },
    change: (change) => inbox.change(change),
    shown: (source, shown) => inbox.shown(source, shown),
  };
}

/**
 * Wraps the sink of reports, and reports once if an executed order's answer has no fee. The fee's currency is then a
 * guess until a person reconciles the account, or `check` does if the service reports balances (spec 2.8 has a fee in
 * both currencies and does not say which is taken).
 */
function tellingOfUntoldFees(
  sink: ReportSink,
  { feeIn, notice, check }: { readonly feeIn: string; readonly notice: Notice; readonly check: Pick<FeeCheck, 'due'> | null },
): ReportSink {
  let told = false;
  return (orderId, report) => {
    const isUntold = report.type === 'answered' && report.outcome === 'accepted' && report.figures.fee === undefined;
    if (isUntold && check !== null) check.due();
    else if (isUntold && !told) {
      told = true;
      const booked = feeIn === 'received' ? 'in what is received' : `in ${feeIn} currency`;
      notice(
        'warn',
        `order ${orderId}: its answer tells no fee, so fees are booked ${booked} and may be taken otherwise: compare the account with \`kairos ledger balances\`, then set service.feeIn to quote, base or received`,
      );
    }
    sink(orderId, report);
  };
}
