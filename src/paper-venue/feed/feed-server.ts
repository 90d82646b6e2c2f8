import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { drawLogUniform } from '#paper-venue/core/draws.ts';
import { LIMITS, PARTNER_USERS } from '#paper-venue/defaults.ts';
import { FeedDialect } from '#paper-venue/dialect/feed.ts';
import { FeedFaults, withEchoOfAnother } from '#paper-venue/faults/feed.ts';
import type { VenueContext } from '#paper-venue/http/context.ts';
import { declineUpgrade } from '#paper-venue/http/declined-upgrade.ts';
import type { VenueMarket } from '#paper-venue/market.ts';
import { ackFrame, errFrame, type QuoteFrameParts, quoteFrames } from './quote-frames.ts';
import { type FeedSubscription, readSubscription } from './subscription.ts';

interface Reader {
  readonly socket: WebSocket;
  /** Number of the connection, counted from the start. */
  readonly number: number;
  /** The partner's user of the connection; undefined for anonymous quotes. */
  readonly userId: string | undefined;
  subscription: FeedSubscription | undefined;
}

const MAX_SLOTS = 20;
const MIN_TICK_MS = 10;

/**
 * The quotes feed (spec 4.5): a WebSocket on a public path with one subscription for each connection, which the next
 * request replaces. One timer serves all connections, a share of them at each tick.
 */
export class FeedServer {
  private readonly context: VenueContext;
  private readonly market: VenueMarket;
  private readonly frames: QuoteFrameParts;
  private readonly rounds: Rounds<Reader>;
  private readonly readers = new Set<Reader>();
  private readonly startedMs: number;
  private readonly stopTicks: () => void;
  private readonly faults: FeedFaults | undefined;
  private readonly dialect: FeedDialect | undefined;
  private readonly sockets: WebSocketServer;
  private opened = 0;

  constructor(context: VenueContext, market: VenueMarket, server: Server) {
    const { settings, timers, book } = context;
    this.context = context;
    this.market = market;
    const faults = context.faults && new FeedFaults(context.faults, context);
    this.faults = faults;
    const { dialect } = context;
    this.dialect = dialect && new FeedDialect(dialect.dialect, { timers, alias: (id, quoteId) => dialect.alias(id, quoteId) });
    this.sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: LIMITS.frameBytes,
      autoPong: faults === undefined,
    });
    const validityMs = () => drawLogUniform(settings.validityMs, timers.random());
    this.frames = { market, book, timers, validityMs: faults ? () => faults.validityMs(validityMs()) : validityMs };
    this.rounds = new Rounds(1000 / settings.quotesPerSecond);
    this.startedMs = timers.monotonicMs();
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.upgrade?.toLowerCase() === 'websocket') this.upgrade(request, socket, head);
      else declineUpgrade(server, { request, socket, head });
    });
    this.stopTicks = timers.every(this.rounds.tickMs, () => this.tick());
  }

  get connections(): number {
    return this.readers.size;
  }

  /** Ends every connection with 1001, "going away". Idempotent. */
  close(): void {
    this.stopTicks();
    this.faults?.close();
    this.dialect?.close();
    for (const { socket } of this.readers) {
      socket.close(1001, 'the venue is closing');
      socket.terminate();
    }
    this.readers.clear();
    this.sockets.close();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // The peer is gone before its answer.
    socket.on('error', () => socket.destroy());
    const [path, query] = (request.url ?? '').split('?');
    if (path !== `/${this.context.settings.brand}-broker${this.context.paths.quotes}`) return refuse(socket, '404 Not Found');
    if (this.readers.size >= LIMITS.feedConnections) return refuse(socket, '503 Service Unavailable');
    const refusal = this.dialect?.refusalOf(request);
    if (refusal !== undefined) return refuse(socket, refusal);
    const isRefused = this.faults?.refuses(socket) === true;
    this.context.watch?.knocked(isRefused);
    if (isRefused) return;
    const userId = new URLSearchParams(query ?? '').get('userId') ?? '';
    this.sockets.handleUpgrade(request, socket, head, (opened) => this.welcome(opened, PARTNER_USERS.has(userId) ? userId : undefined));
  }

  private welcome(socket: WebSocket, userId: string | undefined): void {
    this.opened += 1;
    const reader: Reader = { socket, number: this.opened, userId, subscription: undefined };
    this.readers.add(reader);
    this.dialect?.welcome(socket, userId);
    this.faults?.watch(socket);
    const gone = () => {
      this.rounds.leave(reader);
      this.readers.delete(reader);
      this.context.watch?.closed(reader.number);
    };
    socket.on('close', gone);
    // The library itself answers violations of the protocol (oversize frame, bad UTF-8) with their close code.
    socket.on('error', (error) => this.context.log(`feed: ${error.message}`));
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) return socket.close(1003, 'requests must be JSON text');
      this.request(reader, data.toString());
    });
  }

  /** Handles a request. A valid one replaces the subscription and gets quotes at once; an invalid one changes nothing. */
  private request(reader: Reader, text: string): void {
    this.context.watch?.requested(reader.number, text);
    this.moveMarket();
    const meant = this.dialect?.request(text) ?? { text };
    const read = 'errorMsg' in meant ? meant : readSubscription(meant.text, this.market);
    if ('errorMsg' in read) return this.send(reader, errFrame(read.errorMsg));
    const fault = this.faults?.subscription();
    if (fault === 'refused-subscriptions') return this.send(reader, errFrame('the service is busy; try again later'));
    reader.subscription = read.subscription;
    const acked = fault === 'wrong-acks' ? withEchoOfAnother(read.subscription) : read.subscription;
    const ack = ackFrame(acked, reader.userId, this.context.settings.quotesPerSecond);
    if (fault !== 'missing-acks') this.sendAck(reader, ack);
    this.serve(reader);
    this.rounds.join(reader);
  }

  private tick(): void {
    const elapsedMs = this.moveMarket();
    this.context.book.forget(this.context.timers.wallMs());
    for (const reader of this.rounds.due(elapsedMs)) this.serve(reader);
  }

  private moveMarket(): number {
    const elapsedMs = this.context.timers.monotonicMs() - this.startedMs;
    this.market.advance(elapsedMs);
    return elapsedMs;
  }

  private serve(reader: Reader): void {
    if (!reader.subscription) return;
    for (const frame of quoteFrames(this.frames, reader.subscription, reader.userId)) this.sendQuote(reader, frame);
  }

  private sendAck(reader: Reader, frame: string): void {
    if (!this.dialect) return this.send(reader, frame);
    this.dialect.ack(reader.socket, frame, (sent) => this.send(reader, sent));
  }

  private sendQuote(reader: Reader, made: string): void {
    this.context.watch?.issued(made);
    const frame = this.dialect?.quote(reader.socket, made) ?? made;
    if (!this.faults) return this.send(reader, frame);
    this.faults.quote({ socket: reader.socket, frame, send: (sent) => this.send(reader, sent) });
  }

  private send(reader: Reader, frame: string): void {
    const { socket } = reader;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > LIMITS.unreadBytes) {
      this.context.counts.stalledReaders += 1;
      this.context.log(`feed: a client left more than ${LIMITS.unreadBytes} bytes unread and was disconnected`);
      return socket.terminate();
    }
    this.context.watch?.sent(reader.number, frame);
    socket.send(frame);
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The serving order. A round is one period with slots, over which the members are spread. */
class Rounds<Member> {
  readonly tickMs: number;
  private readonly slots: readonly Set<Member>[];
  private readonly slotOf = new Map<Member, Set<Member>>();
  private lastTick = 0;

  constructor(periodMs: number) {
    const count = Math.max(1, Math.min(MAX_SLOTS, Math.floor(periodMs / MIN_TICK_MS)));
    this.tickMs = periodMs / count;
    this.slots = Array.from({ length: count }, () => new Set<Member>());
  }

  /**
   * Adds a member, or moves it, to the emptiest slot of the second half of the next round: it has just been served, so
   * its next turn is half a period to a whole one away.
   */
  join(member: Member): void {
    this.leave(member);
    const count = this.slots.length;
    let best: Set<Member> | undefined;
    for (let ahead = count; ahead >= Math.max(1, count >> 1); ahead -= 1) {
      const slot = this.slots[(this.lastTick + ahead) % count];
      if (slot && (!best || slot.size < best.size)) best = slot;
    }
    if (!best) return;
    best.add(member);
    this.slotOf.set(member, best);
  }

  leave(member: Member): void {
    this.slotOf.get(member)?.delete(member);
    this.slotOf.delete(member);
  }

  /** The members that are due. After a stall each is served once, not once for every missed round. */
  *due(elapsedMs: number): Generator<Member> {
    const tick = Math.floor(elapsedMs / this.tickMs);
    const count = this.slots.length;
    const from = Math.max(this.lastTick, tick - count) + 1;
    this.lastTick = Math.max(this.lastTick, tick);
    for (let slot = from; slot <= tick; slot += 1) yield* this.slots[slot % count] ?? [];
  }
}
