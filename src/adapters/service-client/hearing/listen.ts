import { decodeFrame, type Frame } from '#adapters/service-client/quotes/decode-frame.ts';
import { type Fields, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { quotesUrl } from '#adapters/service-client/quotes/feed.ts';
import { type OpenQuoteSocket, type QuoteSocket, wsSockets } from '#adapters/service-client/quotes/quote-socket.ts';
import { type Subscription, subscriptionOf } from '#adapters/service-client/quotes/subscription.ts';
import { watchedForOne } from '#adapters/service-client/rest/one-connection.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import type { Amount, QuoteType } from '#domain/lane.ts';
import { laneIdOf, type Millis } from '#domain/names.ts';
import { pause } from '#ports/pause.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** One subscription to listen to: a lane, or a full quote of its product. */
export interface Ear {
  readonly quoteType: QuoteType;
  /** In the service's spelling. */
  readonly product: string;
  readonly amount: Amount | null;
}

/** A text frame: how Kairos decodes it, and its JSON. */
interface HeardFrame {
  readonly atMs: Millis;
  readonly wallMs: Millis;
  readonly frame: Frame;
  readonly message: Fields;
}

/** One open connection. */
export interface HeardConnection {
  readonly openedMs: Millis;
  readonly frames: HeardFrame[];
  /** Why it ended, and when; null while it is open. */
  ended: { readonly why: string; readonly atMs: Millis } | null;
}

/** Everything that was heard on one subscription. */
export interface HeardLane extends Ear {
  readonly title: string;
  readonly connections: HeardConnection[];
  /** Failed attempts to connect. */
  readonly unopened: string[];
}

/** What was heard of the feed for a while. */
export interface FeedObservation {
  readonly lanes: readonly HeardLane[];
  /** The service closes one connection when another one opens. */
  readonly isOneConnection: boolean;
}

interface ListenOptions {
  readonly baseUrl: string;
  readonly service: Pick<ServiceSettings, 'brand' | 'userId' | 'paths'>;
  readonly timers: Timers;
  readonly ears: readonly Ear[];
  readonly ms: Millis;
  readonly sockets?: OpenQuoteSocket;
}

const AGAIN_MS = 700;
/** Maximum number of frames kept; a minute of any lane has fewer. */
const MAX_FRAMES = 2000;

/**
 * Listens to each subscription on a connection of its own, reconnects after a refusal or an end, and keeps the frames.
 * If the service allows a single connection, only the first goes on. Sends nothing but subscriptions (spec 2.7).
 */
export async function listen({ baseUrl, service, timers, ears, ms, sockets }: ListenOptions): Promise<FeedObservation> {
  const url = quotesUrl(baseUrl, service);
  let isOneConnection = false;
  const open = watchedForOne(sockets ?? wsSockets(timers), timers, () => {
    isOneConnection = true;
    for (const other of all.slice(1)) other.stop();
  });
  const all = ears.map((ear) => new LaneListener(ear, { url, open, timers }));
  for (const one of all) one.start();
  await pause(timers, ms);
  for (const one of all) one.stop();
  return { lanes: all.map(({ heard }) => heard), isOneConnection };
}

class LaneListener {
  readonly heard: HeardLane;
  private readonly subscription: Subscription;
  private readonly wire: { readonly url: string; readonly open: OpenQuoteSocket; readonly timers: Timers };
  private socket: QuoteSocket | null = null;
  private cancel: Cancel = () => {};
  private isOver = false;

  constructor(ear: Ear, wire: LaneListener['wire']) {
    this.subscription = subscriptionOf(ear.quoteType, ear.product, ear.amount);
    this.heard = { ...ear, title: this.subscription.title, connections: [], unopened: [] };
    this.wire = wire;
  }

  start(): void {
    if (this.isOver) return;
    const { url, open, timers } = this.wire;
    let connection: HeardConnection | null = null;
    this.socket = open(url, {
      opened: () => {
        connection = { openedMs: timers.monotonicMs(), frames: [], ended: null };
        this.heard.connections.push(connection);
        this.socket?.send(this.subscription.text);
      },
      text: (text) => connection && this.receive(text, connection),
      alive: () => {},
      ended: (why) => {
        if (connection) connection.ended = { why, atMs: timers.monotonicMs() };
        else this.heard.unopened.push(why);
        this.again();
      },
    });
  }

  stop(): void {
    this.isOver = true;
    this.cancel();
    this.socket?.destroy();
  }

  private receive(text: string, { frames }: HeardConnection): void {
    const { timers } = this.wire;
    const frame = decodeFrame(text, { lane: laneIdOf(this.heard.title), epoch: 0 });
    const said = { atMs: timers.monotonicMs(), wallMs: timers.wallMs(), frame, message: fieldsIn(text) };
    if (frames.length < MAX_FRAMES) frames.push(said);
    if (frame.kind !== 'err') return;
    this.socket?.destroy();
    this.again();
  }

  private again(): void {
    this.socket = null;
    if (this.isOver) return;
    this.cancel();
    this.cancel = this.wire.timers.after(AGAIN_MS, () => this.start());
  }
}

function fieldsIn(text: string): Fields {
  try {
    const message: unknown = JSON.parse(text);
    return isFields(message) ? message : {};
  } catch {
    // The decoded frame already says that it is no JSON.
    return {};
  }
}
