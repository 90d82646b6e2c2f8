import { OTHER_BACKEND_MS } from '#lab/simulator/service/answers.ts';
import type { HttpConnection } from '#lab/simulator/service/http-connection.ts';
import type { WireRequest } from '#lab/simulator/service/http-text.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import { isSigned } from '#lab/simulator/service/order-judge.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { FeedConnections } from './feed-watch.ts';
import type { Violate } from './finding.ts';
import type { JournalEye, JournalOrder } from './journal-eye.ts';

/** An order on the wire. */
export interface WireOrder {
  readonly quoteId: string;
  readonly side: 'buy' | 'sell';
  readonly at: number;
  /** When the journal had its row, in world time. */
  readonly decidedAt: number;
  readonly row: JournalOrder | undefined;
  readonly quote: SimulatedQuote | undefined;
  /** True once an answer, or part of one, has reached the machine. */
  isAnswered: boolean;
  /** When the machine learned beyond doubt that it was executed; null if it did not. */
  executedAt: number | null;
  /** How long the service asked to wait after it, in milliseconds. */
  waitMs: number;
  /** True once the journal has its outcome. */
  isSettled: boolean;
}

interface OrderWatchParts {
  readonly scene: Scene;
  readonly eye: JournalEye;
  readonly feed: FeedConnections;
  readonly quoteOf: (id: string) => SimulatedQuote | undefined;
  readonly violate: Violate;
}

/** Tolerance of a signature's time in milliseconds: a clock error of 1.5 s and an age of 250 ms (I14). */
const STAMP_MS = 1_750;
/** Time after a process has started between two backends until it has heard both, in milliseconds (F58). */
const HEARD_MS = 120_000;
const BODY = /^\{"orderType":"MARKET","quoteId":"([0-9a-f-]{36})","side":"([A-Za-z]+)"\}$/;
const BUYS = new Set(['BUY', 'buy']);

/** Checks every order that the machine writes. */
export class OrderWatch {
  readonly orders = new Map<string, WireOrder>();
  private readonly parts: OrderWatchParts;
  private readonly byConnection = new Map<HttpConnection, WireOrder>();
  /** When each order was decided, by its quote. */
  private readonly decidedAt = new Map<string, number>();
  private stopped: string | null = null;
  private startedAt = 0;
  private marginMs = 0;

  constructor(parts: OrderWatchParts) {
    this.parts = parts;
  }

  /** Forbids orders from now on (I07); `null`: a person allows them again. */
  stop(why: string | null): void {
    if (why === null || this.stopped === null) this.stopped = why;
  }

  /** An order on this quote is in the journal. */
  approved(quoteId: string): void {
    this.decidedAt.set(quoteId, this.parts.scene.world.now);
  }

  wrote(request: WireRequest, connection: HttpConnection): WireOrder | undefined {
    const { scene, eye, violate, quoteOf } = this.parts;
    const [, quoteId = '', wireSide = ''] = BODY.exec(request.body) ?? [];
    if (quoteId === '') {
      violate('I12', `an order has the body ${request.body.slice(0, 200)}`);
      return undefined;
    }
    if (this.stopped !== null) violate('I07', `an order on quote ${quoteId} was written after a halt: ${this.stopped}`);
    if (!isSigned(request)) violate('I13', `the signature of the order on quote ${quoteId} is not that of the bytes that were sent`);
    const besideMs = Number(request.headers.get('x-api-timestamp')) - this.serviceNow;
    if (!(Math.abs(besideMs) <= this.stampMs)) violate('I14', `an order is stamped ${besideMs} ms beside the service's time`);
    if (this.orders.has(quoteId)) violate('I02', `quote ${quoteId} is on the wire a second time`);
    const row = eye.order(quoteId);
    if (!row) violate('I01', `the order on quote ${quoteId} left without a durable intent`);
    else if (row.state !== 'intent') violate('I01', `the order on quote ${quoteId} left when the journal had it as ${row.state}`);
    const order: WireOrder = {
      quoteId,
      side: BUYS.has(wireSide) ? 'buy' : 'sell',
      at: scene.machine.felt,
      decidedAt: this.decidedAt.get(quoteId) ?? 0,
      row,
      quote: quoteOf(quoteId),
      isAnswered: false,
      executedAt: null,
      waitMs: 0,
      isSettled: false,
    };
    this.checkQuote(order);
    this.orders.set(quoteId, order);
    this.byConnection.set(connection, order);
    return order;
  }

  /** Bytes of the service have reached the machine on this connection. */
  came(connection: HttpConnection, { bytes, isClear }: { readonly bytes: Buffer; readonly isClear: boolean }): WireOrder | undefined {
    const order = this.byConnection.get(connection);
    if (!order) return undefined;
    order.isAnswered = true;
    order.waitMs = Number(/\r\nretry-after: (\d+)\r\n/.exec(bytes.toString('latin1'))?.[1] ?? 0) * 1_000;
    if (isClear) order.executedAt ??= this.parts.scene.world.now;
    return order;
  }

  /** The process has crashed: what it had read of orders is lost, but for what is journaled. */
  crashed(): void {
    for (const order of this.orders.values()) if (!order.isSettled) order.executedAt = null;
  }

  /** Tells that a process is about to start, whose orders leave so long before their quotes expire. */
  starting(marginMs: number): void {
    this.startedAt = this.parts.scene.world.now;
    this.marginMs = marginMs;
  }

  /** A process that starts between two backends may hear the one that is ahead several times in a row, and cannot know that there is another. */
  private get stampMs(): number {
    const { world, troubles } = this.parts.scene;
    const isBetween = troubles
      .all('F58')
      .some(({ trouble: { from, to } }) => this.startedAt >= from && this.startedAt < to && world.now < to + HEARD_MS);
    return isBetween ? STAMP_MS + OTHER_BACKEND_MS : STAMP_MS;
  }

  /** The service's time as the order leaves. */
  private get serviceNow(): number {
    const { time, machine } = this.parts.scene;
    return Math.floor(time.at(machine.felt));
  }

  /** Checks the quote of an order (I10, I24). */
  private checkQuote({ quote, quoteId, row, side, decidedAt }: WireOrder): void {
    const { feed, violate } = this.parts;
    if (!quote) {
      violate('I10', `an order names quote ${quoteId}, which the service never gave out`);
      return;
    }
    if (quote.deliveredAt === null) violate('I10', `an order names quote ${quoteId}, which never reached the machine`);
    if (quote.spoiled) violate('I10', `an order names quote ${quoteId}, whose price no market has`);
    const overMs = this.serviceNow - quote.validUntil;
    if (overMs > -this.marginMs)
      violate('I10', `an order left ${-overMs} ms before its quote expired, and ${this.marginMs} ms are to be left`);
    if (!row) return;
    const fault = feed.faultOf(quote, decidedAt);
    if (fault !== null) violate('I10', `an order names quote ${quoteId}: ${fault}`);
    const figures = side === 'buy' ? quote.buy : quote.sell;
    if (row.side !== side || row.product !== quote.product)
      violate('I10', `the order on quote ${quoteId} is ${row.side} ${row.product} in the journal`);
    if (Number(row.price) !== figures.price || Number(row.size) !== figures.size || Number(row.value) !== figures.value) {
      violate(
        'I10',
        `the journal has ${row.size} at ${row.price} for the order on quote ${quoteId}, which is ${figures.size} at ${figures.price}`,
      );
    }
  }
}
