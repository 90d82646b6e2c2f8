import { WireBroker } from '#adapters/service/orders/broker.ts';
import { BrokerQuery } from '#adapters/service/orders/broker-query.ts';
import type { LoadedConfig } from '#config/load.ts';
import { modeFacts } from '#domain/mode.ts';
import type { OrderCore } from '#domain/order.ts';
import type { LastGate } from '#ports/broker.ts';
import type { Notice } from '#ports/notice.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { tellingOfAnonymous } from './anonymous-quotes.ts';
import { heldAtStart } from './dry/account.ts';
import { dryLine } from './dry/dry-line.ts';
import type { RunResources } from './opening.ts';
import type { OrderLine } from './order-line.ts';
import { UnknownOrders } from './unknown-orders.ts';
import { tellingOfUntoldFees } from './untold-fees.ts';

interface OrderLineOptions {
  readonly opened: Pick<RunResources, 'service' | 'recovered'>;
  readonly timers: Timers;
  readonly gate: LastGate;
  readonly serviceClock: ServiceClock;
  /** Told when no connection can be opened ahead; `certificate` when the service could not prove who it is. */
  readonly onConnectTrouble: (why: string, certificate: boolean) => void;
  readonly notice: Notice;
}

/** Throws CONFIG_INVALID for credentials, an address or a path that cannot be used. */
export function orderLine(
  { mode, settings, origins }: Pick<LoadedConfig, 'mode' | 'settings' | 'origins'>,
  options: OrderLineOptions,
): OrderLine {
  const { opened, notice, ...rest } = options;
  const { service } = opened;
  if (!modeFacts(mode).sendsOrders) {
    const { openings, risk } = opened.recovered;
    const held = heldAtStart({ opening: settings.account.opening ?? {}, openings, flows: risk.flows });
    return dryLine({ service: service.settings, held, ...rest });
  }
  const wire = { baseUrl: service.baseUrl, service: service.settings, ...rest };
  const broker = new WireBroker(wire);
  const isFeeNamed = origins().some(({ key, origin }) => key === 'service.feeIn' && origin !== 'default');
  const asks = service.settings.capabilities.includes('order-query');
  const unknowns = asks ? new UnknownOrders({ query: new BrokerQuery(wire), notice, ...rest }) : null;
  return {
    broker,
    connect(sink) {
      const { feeIn } = service.settings;
      broker.connect(isFeeNamed ? sink : tellingOfUntoldFees(sink, { feeIn, notice }));
      unknowns?.connect(sink);
    },
    ...(unknowns && { onUnknown: (order: OrderCore, isAwaited: boolean) => unknowns.settle(order, isAwaited) }),
    journalTo: (journal) => journal,
    quotesTo: (inbox) => tellingOfAnonymous(inbox, { notice, timers: rest.timers }),
    renew: () => broker.renew(),
    strategies: service.client.strategies,
    async close(drainMs) {
      await unknowns?.close();
      await broker.close(drainMs);
    },
  };
}
