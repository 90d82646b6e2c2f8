import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import type { AckMessage, BasicQuoteMessage, FullQuoteMessage, TradingQuoteMessage } from '#adapters/service-client/quotes/messages.ts';
import type { Millis } from '#domain/names.ts';
import { jsonObjectOf } from '#paper-venue/http/json.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { productIn, productOf } from './codes.ts';
import { fullQuoteIn, named, tradingQuoteIn } from './quotes.ts';

/** Delay of an ACK, and interval of unsolicited ones, in milliseconds. */
const LATE_ACK_MS = 800;
const UNASKED_MS = 1000;
/** Maintenance in milliseconds: at the start, and in each round. */
const FIRST_MAINTENANCE_MS = 2500;
const ROUND_MS = 3000;
const MAINTENANCE_MS = 500;
/** Number of quotes that share a kept id. */
const KEPT_FOR = 5;

const BUSY = 'the service is in maintenance; try again later';

interface Peer {
  readonly userId: string | undefined;
  /** Cancels its timers. */
  readonly cancels: Set<Cancel>;
  kept: { readonly id: string; left: number } | undefined;
}

interface FeedDialectParts {
  readonly timers: Timers;
  /** Maps `id` on the wire to `quoteId` in the venue's book. */
  readonly alias: (id: string, quoteId: string) => void;
}

/** Translates the feed's messages between the venue's own form and the dialect. */
export class FeedDialect {
  private readonly dialect: Dialect;
  private readonly parts: FeedDialectParts;
  private readonly peers = new Map<WebSocket, Peer>();
  private readonly startedMs: Millis;
  private readonly stops: Cancel[] = [];
  private busyUntilMs: Millis;

  constructor(dialect: Dialect, parts: FeedDialectParts) {
    this.dialect = dialect;
    this.parts = parts;
    this.startedMs = parts.timers.monotonicMs();
    this.busyUntilMs = this.startedMs + (dialect.maintenance === 'maintenance-at-start' ? FIRST_MAINTENANCE_MS : 0);
    if (dialect.maintenance === 'maintenance-by-turns') this.stops.push(parts.timers.every(ROUND_MS, () => this.beginMaintenance()));
  }

  /** The status with which a connection is refused; undefined if it is accepted. */
  refusalOf({ headers }: IncomingMessage): string | undefined {
    return this.dialect.agent === 'agent-needed' && !headers['user-agent'] ? '403 Forbidden' : undefined;
  }

  /** Handles a new connection. */
  welcome(socket: WebSocket, userId: string | undefined): void {
    if (this.dialect.connections === 'one-connection') {
      for (const [other, peer] of this.peers) if (peer.userId === userId) other.close(1008, 'the user opened another connection');
    }
    const peer: Peer = { userId, cancels: new Set(), kept: undefined };
    this.peers.set(socket, peer);
    socket.on('close', () => {
      for (const cancel of peer.cancels) cancel();
      this.peers.delete(socket);
    });
  }

  /** A request in the venue's own form, or the reason of its refusal. */
  request(text: string): { readonly text: string } | { readonly errorMsg: string } {
    if (this.parts.timers.monotonicMs() < this.busyUntilMs) return { errorMsg: BUSY };
    const request = jsonObjectOf(text);
    const code = request?.productCode;
    if (typeof code !== 'string') return { text };
    const productCode = productOf(this.dialect, code);
    if (productCode === undefined) return { errorMsg: `productCode '${code.slice(0, 40)}' is not a product of VB` };
    return { text: productCode === code ? text : JSON.stringify({ ...request, productCode }) };
  }

  /** Sends an ACK at the time and in the form of the dialect. */
  ack(socket: WebSocket, frame: string, send: (frame: string) => void): void {
    const peer = this.peers.get(socket);
    const written = this.ackIn(JSON.parse(frame));
    switch (this.dialect.acks) {
      case 'ack-missing':
        return;
      case 'ack-late':
        peer?.cancels.add(this.parts.timers.after(LATE_ACK_MS, () => send(written)));
        return;
      case 'ack-unasked':
        for (const cancel of peer?.cancels ?? []) cancel();
        peer?.cancels.add(this.parts.timers.every(UNASKED_MS, () => send(written)));
        return send(written);
      default:
        return send(written);
    }
  }

  quote(socket: WebSocket, frame: string): string {
    const quote: TradingQuoteMessage | FullQuoteMessage | BasicQuoteMessage = JSON.parse(frame);
    switch (quote.msgType) {
      case 'TQ':
        return JSON.stringify(tradingQuoteIn(this.dialect, quote, this.idOf(socket, quote.id)));
      case 'FQ':
        return JSON.stringify(fullQuoteIn(this.dialect, quote));
      case 'BQ':
        return JSON.stringify(named(this.dialect, quote));
    }
  }

  /** Nothing more is sent. Idempotent. */
  close(): void {
    for (const stop of this.stops) stop();
    for (const { cancels } of this.peers.values()) for (const cancel of cancels) cancel();
  }

  private ackIn({ msgType, userId, query, config }: AckMessage): string {
    const { acks } = this.dialect;
    const amount = (given: number | null | undefined) => {
      if (given === null || given === undefined) return acks === 'ack-zero' ? 0 : given;
      return acks === 'ack-texts' ? String(given) : given;
    };
    const { productCode } = query;
    const echo = {
      quoteType: query.quoteType,
      productCode: productCode === null ? null : productIn(this.dialect, productCode),
      inputSize: amount(query.inputSize),
      inputValue: amount(query.inputValue),
    };
    const more = acks === 'ack-without-user' ? {} : { ...(userId !== undefined && { userId }), config };
    return JSON.stringify({ msgType, ...more, query: echo });
  }

  /** The id under which a quote is sent. */
  private idOf(socket: WebSocket, own: string | undefined): string | undefined {
    const peer = this.peers.get(socket);
    if (own === undefined || peer === undefined || this.dialect.ids === 'new-ids') return own;
    if (peer.kept === undefined || peer.kept.left === 0) peer.kept = { id: own, left: KEPT_FOR };
    peer.kept.left -= 1;
    this.parts.alias(peer.kept.id, own);
    return peer.kept.id;
  }

  private beginMaintenance(): void {
    this.busyUntilMs = this.parts.timers.monotonicMs() + MAINTENANCE_MS;
    for (const socket of this.peers.keys()) socket.close(1012, 'maintenance');
  }
}
