import { Socket } from 'node:net';
import { serviceAddress } from '#adapters/service/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service/rest/settings.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, laneIdOf, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Timers } from '#ports/timers.ts';
import { OrderClients } from './order-clients.ts';
import { OrderExchange } from './order-exchange.ts';
import { OrderRequests } from './order-requests.ts';

const ANSWER_MS = 10_000;
/** Reserved for what is nowhere (RFC 2606); nobody is asked for it. */
const ORIGIN = 'https://practice.invalid';
const BODY = '{"status":"FILLED"}';
const ANSWER = `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

/**
 * Signs and dispatches orders that go nowhere, and reads their answers, so that real ones do not meet code that has never
 * run: with keys of its own, on sockets without a connection. Nothing leaves the process.
 */
export class RequestPractice {
  private readonly requests: OrderRequests;
  private readonly clients: OrderClients;
  private readonly options: { readonly rules: ServiceSettings; readonly timers: Timers };
  private dispatched = 0;
  private answered = 0;

  constructor(service: ServiceSettings, timers: Timers) {
    const address = serviceAddress(ORIGIN);
    const keys = { userId: 'practice', apiKey: 'practice', apiSecret: Buffer.alloc(32).toString('base64') };
    this.requests = new OrderRequests(address, { ...service, ...keys });
    this.clients = new OrderClients({ origin: address.origin, exchangeMs: ANSWER_MS });
    this.options = { rules: service, timers };
  }

  /** Dispatches so many further orders, one after the other. Returns how many were answered so far. */
  async play(orders: number): Promise<number> {
    for (let count = 0; count < orders; count++) await this.dispatch();
    return this.answered;
  }

  private async dispatch(): Promise<void> {
    const { rules, timers } = this.options;
    this.dispatched += 1;
    const order = orderOn(this.dispatched);
    const socket = new AnsweringSocket();
    const client = this.clients.take(socket);
    await new Promise<void>((over) => {
      const exchange = new OrderExchange({
        order,
        socket,
        gate: { check: () => ({ pass: true, timeLeftMs: 1, signatureAgeMs: 0, at: order.intentAt }) },
        signedAtMs: timers.monotonicMs(),
        timers,
        rules,
        answerMs: ANSWER_MS,
        lateMs: ANSWER_MS,
        report: (report) => {
          if (report.type === 'answered' && report.outcome === 'accepted') this.answered += 1;
        },
        over,
      });
      this.requests.dispatch(client, exchange, { order, stampMs: Math.floor(timers.wallMs()) });
    });
    client.destroy(null, () => {});
  }
}

/** Takes a request and answers it, with no connection behind it. */
class AnsweringSocket extends Socket {
  override _read(): void {}

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.answer(done);
  }

  override _writev(_chunks: readonly unknown[], done: () => void): void {
    this.answer(done);
  }

  private answer(done: () => void): void {
    done();
    this.push(ANSWER);
  }
}

function orderOn(count: number): OrderCore {
  const figure = decimalOf(1);
  return {
    id: orderId(`practice-${count}`),
    strategy: strategyId('practice'),
    product: productCode('aaabbb'),
    baseCcy: currency('aaa'),
    quoteCcy: currency('bbb'),
    side: count % 2 === 0 ? 'buy' : 'sell',
    quoteId: quoteId(`00000000-0000-4000-8000-${String(count).padStart(12, '0')}`),
    lane: laneIdOf('aaabbb@base:1'),
    validUntil: Number.MAX_SAFE_INTEGER,
    figures: { price: figure, size: figure, value: figure, fee: figure, feeCcy: currency('bbb') },
    intentAt: 0,
  };
}
