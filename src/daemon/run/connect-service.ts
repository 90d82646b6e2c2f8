import type { ClockKeeperOptions } from '#adapters/service-client/clock/clock-keeper.ts';
import { WireFeed } from '#adapters/service-client/quotes/feed.ts';
import { ONE_CONNECTION } from '#adapters/service-client/rest/one-connection.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { LanePoolOptions } from '#core/execution/lane-pool.ts';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import type { HaltLatch } from '#core/risk/latch.ts';
import type { InboxEvent } from '#domain/event.ts';
import { freshnessFrom } from '#domain/freshness.ts';
import { modeFacts } from '#domain/mode.ts';
import { limitedNotice, type Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { BESIDE, type Beside } from './beside.ts';
import { orderLine } from './open-order-line.ts';
import type { RunResources } from './opening.ts';
import type { OrderLine } from './order-line.ts';
import { TimeKeeping } from './time-keeping.ts';

interface ServiceLinesParts {
  readonly opened: RunResources;
  readonly timers: Timers;
  readonly clock: ClockKeeperOptions['clock'];
  readonly latch: HaltLatch;
  readonly notice: Notice;
  readonly beside?: Pick<Beside, 'feesTaken'>;
  readonly post: (event: InboxEvent) => void;
  /** Called after the first event, when the engine exists. */
  readonly engine: () => Pick<Engine, 'restsOn' | 'inspect'>;
}

/** Spare connections for amounts without a lane. */
export function lanesToLend({ reserve, waitMs }: LoadedConfig['settings']['lanes'], feed: WireFeed): LanePoolOptions {
  return { size: reserve, waitMs, acquire: (lane) => feed.acquire(lane), release: (lane) => feed.release(lane) };
}

/** Connects a run with the service: its time, orders behind the last gate, and quotes. Repeated trouble is reported rarely. */
export function connectService(
  config: LoadedConfig,
  { opened, timers, clock, latch, notice, post, engine, beside = BESIDE }: ServiceLinesParts,
): { readonly time: TimeKeeping; readonly line: OrderLine; readonly feed: WireFeed } {
  const { service } = opened;
  const { lanes, trading } = config.settings;
  const limited = limitedNotice(notice, timers);
  const time = new TimeKeeping({
    settings: config.settings.clock,
    service,
    isSameClock: modeFacts(config.mode).isForTrials,
    timers,
    clock,
    post,
    onSuspension: (why) => {
      feed.replace(why);
      line.renew();
    },
    onRoundTrip: modeFacts(config.mode).sendsOrders ? undefined : (ms) => line.onRoundTrip?.(ms),
    notice,
  });
  const { serviceClock } = time;
  const line: OrderLine = orderLine(config, {
    opened,
    timers,
    gate: new RealTimeGate({ timers, serviceClock, latch, marginMs: trading.sendMarginMs }),
    serviceClock,
    notice,
    books: () => engine().inspect(({ books: { hasOpen, changes } }) => ({ hasOpen, changes })),
    feesTaken: beside.feesTaken,
    book: (entries, why) => post({ kind: 'command', command: { act: 'book', who: 'kairos', why, entries } }),
    onConnectTrouble: (why, certificate) => {
      limited('warn', `orders: no connection can be opened ahead: ${why}`);
      if (certificate && !latch.isSet) post({ kind: 'condition', name: 'certificate', on: true, figure: 1 });
    },
  });
  const feed = new WireFeed({
    spelling: service.client.spelling,
    onOneConnection: () => notice('error', ONE_CONNECTION),
    baseUrl: service.baseUrl,
    service: service.settings,
    ...service.network,
    timers,
    opensPerSecond: lanes.opensPerSecond,
    reserve: lanes.reserve,
    freshnessOf: freshnessFrom(lanes.staleAfterMs),
    isUrgent: (lane) => engine().restsOn(lane),
    onRefusedFrame: (lane, why) => limited('warn', `lane ${lane}: a frame was refused: ${why}`),
  });
  return { time, line, feed };
}
