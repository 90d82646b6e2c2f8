import type { Dial } from '#adapters/service-client/dial.ts';
import { checkUserId } from '#adapters/service-client/orders/canonical.ts';
import { watchedForOne } from '#adapters/service-client/rest/one-connection.ts';
import { serviceAddress, servicePath } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import type { Spelling } from '#adapters/service-client/spelling.ts';
import { invariant } from '#domain/errors.ts';
import { type FreshnessOf, USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { Lane, ShownInput } from '#domain/lane.ts';
import type { LaneId, Millis, ProductCode } from '#domain/names.ts';
import type { Feed, FeedSink } from '#ports/feed.ts';
import type { Timers } from '#ports/timers.ts';
import { FeedCounts, type FeedStats } from './feed-counts.ts';
import { LaneSocket } from './lane-socket.ts';
import { NO_QUOTE_MS } from './lane-socket-options.ts';
import { OpenQueue } from './open-queue.ts';
import { type OpenQuoteSocket, wsSockets } from './quote-socket.ts';
import { ReservePool } from './reserve-pool.ts';
import { laneSubscription, type Subscription, subscriptionOf } from './subscription.ts';

export interface WireFeedOptions {
  /** The service's base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly service: Pick<ServiceSettings, 'brand' | 'userId' | 'paths'>;
  readonly opensPerSecond: number;
  /** Connections kept open for lanes that are lent; none unless said. */
  readonly reserve?: number;
  /** How long a lane may be silent before no order uses it; it is connected anew after a minute without a quote, and thrice that. */
  readonly freshnessOf?: FreshnessOf;
  readonly timers: Timers;
  /** True while something rests on a lane, such as a position: it is connected before others. None unless said. */
  readonly isUrgent?: (lane: LaneId) => boolean;
  /** Told of each frame that could not be read; the caller limits how often it logs. */
  readonly onRefusedFrame?: (lane: LaneId, why: string) => void;
  /** Told of each text frame before it is decoded, with the monotonic time of its arrival. */
  readonly onFrame?: (lane: LaneId, monotonicMs: number) => void;
  /** How the service writes its products; as they are known here unless said. */
  readonly spelling?: Pick<Spelling, 'of'>;
  /** Told once when the service seems to allow a user one connection alone. */
  readonly onOneConnection?: () => void;
  /** Begins connections; the machine's network unless given. */
  readonly dial?: Dial;
  /** How connections are made; ws unless a test says otherwise. */
  readonly sockets?: OpenQuoteSocket;
}

/** The quotes feed of the service, one connection a lane (spec 4.5). */
export class WireFeed implements Feed {
  private readonly options: WireFeedOptions;
  private readonly url: string;
  private readonly queue: OpenQueue;
  private readonly sockets: OpenQuoteSocket;
  private readonly counts = new FeedCounts();
  private readonly lanes = new Map<LaneId, LaneSocket>();
  private reserve: ReservePool | null = null;
  private sink: FeedSink | null = null;
  private closed = false;

  /** Throws CONFIG_INVALID for an address, path or user id that cannot be used. */
  constructor(options: WireFeedOptions) {
    this.options = options;
    this.url = quotesUrl(options.baseUrl, options.service);
    this.queue = new OpenQueue({ timers: options.timers, opensPerSecond: options.opensPerSecond });
    const open = options.sockets ?? wsSockets(options.timers, options.dial);
    this.sockets = watchedForOne(open, options.timers, () => options.onOneConnection?.());
  }

  connect(sink: FeedSink): void {
    this.sink = sink;
    const { onRefusedFrame, timers, reserve = 0 } = this.options;
    this.reserve = new ReservePool(reserve, {
      url: this.url,
      timers,
      open: this.sockets,
      queue: this.queue,
      counts: this.counts,
      sink,
      onRefusedFrame: (lane, why) => onRefusedFrame?.(lane.id, why),
    });
  }

  /** Opens a lane and keeps it open; a lane that is open already stays as it is. */
  open(lane: Lane): void {
    const { staleMs } = (this.options.freshnessOf ?? (() => USUAL_FRESHNESS))(lane.product);
    this.keepOpen(lane.id, laneSubscription(lane, this.spelled(lane.product)), Math.max(NO_QUOTE_MS, 3 * staleMs));
  }

  show({ id, product, quoteType }: ShownInput): void {
    this.keepOpen(id, subscriptionOf(quoteType, this.spelled(product), null));
  }

  private spelled(product: ProductCode): string {
    return this.options.spelling?.of(product) ?? product;
  }

  private keepOpen(id: LaneId, subscription: Subscription, noQuoteMs?: Millis): void {
    const sink = this.sink;
    invariant(sink !== null, 'a feed is connected before lanes are opened');
    if (this.closed || this.lanes.has(id)) return;
    const { onRefusedFrame, onFrame, timers } = this.options;
    const socket = new LaneSocket({
      lane: id,
      url: this.url,
      subscription,
      timers,
      open: this.sockets,
      queue: this.queue,
      counts: this.counts,
      isUrgent: () => this.options.isUrgent?.(id) ?? false,
      noQuoteMs,
      quote: (quote) => sink.quote(quote),
      shown: (frame) => sink.shown(id, frame.kind === 'basic' ? frame.basic : frame.full),
      change: (change) => sink.change(change),
      refusedFrame: (why) => onRefusedFrame?.(id, why),
      ...(onFrame === undefined ? {} : { onFrame: (monotonicMs: number) => onFrame(id, monotonicMs) }),
    });
    this.lanes.set(id, socket);
    socket.start();
  }

  /** Opens every connection anew: the peers of the present ones may be gone, as after a suspension (F57). */
  replace(why: string): void {
    for (const lane of this.lanes.values()) lane.replace(why);
    this.reserve?.replace(why);
  }

  /** Opens the lanes, urgent ones first, then what is only looked at, then the reserve: in this order they have their turns. */
  openAll(lanes: readonly Lane[], shown: readonly ShownInput[]): void {
    const isUrgent = ({ id }: Lane): boolean => this.options.isUrgent?.(id) ?? false;
    for (const lane of [...lanes.filter(isUrgent), ...lanes]) this.open(lane);
    for (const input of shown) this.show(input);
    this.reserve?.start();
  }

  acquire(lane: Lane): void {
    this.reserve?.acquire(lane, laneSubscription(lane, this.spelled(lane.product)));
  }

  release(lane: LaneId): void {
    this.reserve?.release(lane);
  }

  /** What was received so far; live counters, not a copy. */
  stats(): FeedStats {
    return this.counts;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.queue.close();
    this.reserve?.close();
    for (const lane of this.lanes.values()) lane.close();
    this.lanes.clear();
  }
}

/** Address of the feed; without a user id its quotes are anonymous (spec 4.5, rule 1). */
export function quotesUrl(baseUrl: string, service: Pick<ServiceSettings, 'brand' | 'userId' | 'paths'>): string {
  const address = serviceAddress(baseUrl);
  const path = servicePath(address, service.paths.quotes, service.brand);
  if (service.userId !== null) checkUserId(service.userId);
  const query = service.userId === null ? '' : `?userId=${service.userId}`;
  return `${address.origin.replace(/^http/, 'ws')}${path}${query}`;
}
