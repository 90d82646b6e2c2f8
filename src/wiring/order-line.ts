import type { ActionAnswer } from '../domain/event.ts';
import type { Broker, LastGate } from '../ports/broker.ts';
import type { FeedSink } from '../ports/feed.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { Timers } from '../ports/timers.ts';
import { WireBroker } from '../wire/broker.ts';
import type { LoadedConfig } from './config/load.ts';
import { dryLine } from './dry/dry-line.ts';
import { askPauseAll, type Service } from './service.ts';

/** Where a run's orders go, and what the service is asked to do besides: the one part of the daemon that modes differ in. */
export interface OrderLine {
  readonly broker: Broker;
  /** Stands between the feed and the inbox. */
  quotesTo(inbox: FeedSink): FeedSink;
  /** Wants to know how long harmless requests take; absent where orders are timed themselves. */
  readonly onRoundTrip?: (roundTripMs: number) => void;
  /** Connections that wait for orders may be dead. */
  renew(): void;
  askPauseAll(actionId: string): Promise<ActionAnswer>;
}

export interface OrderLineOptions {
  readonly service: Service;
  readonly timers: Timers;
  readonly gate: LastGate;
  readonly serviceClock: ServiceClock;
  /** Told when no connection can be opened ahead; `certificate` when the service could not prove who it is. */
  readonly onConnectTrouble: (why: string, certificate: boolean) => void;
}

/** Throws CONFIG_INVALID for credentials, an address or a path that cannot be used. */
export function orderLine(mode: LoadedConfig['mode'], options: OrderLineOptions): OrderLine {
  const { service, ...rest } = options;
  if (mode === 'dry') return dryLine({ service: service.settings, ...rest });
  const broker = new WireBroker({ baseUrl: service.baseUrl, service: service.settings, ...rest });
  return {
    broker,
    quotesTo: (inbox) => inbox,
    renew: () => broker.renew(),
    askPauseAll: (actionId) => askPauseAll(service.client, actionId),
  };
}
