import { isoTime } from '#domain/names.ts';
import { errorIn, type Reply, sendExecuted } from '#paper-venue/dialect/answers.ts';
import { OrderDialect } from '#paper-venue/dialect/orders.ts';
import type { ServiceFill } from './books.ts';
import type { WireAnswer } from './http-text.ts';
import type { OrderRejection } from './order-judge.ts';
import { type Scene, USER } from './scene.ts';

/** How far the clock of the service's other backend is ahead, in milliseconds (F58). */
export const OTHER_BACKEND_MS = 4_000;

/** Collects what the dialect writes. */
class ReplyCollector implements Reply {
  status = 200;
  readonly headers: Record<string, string> = {};
  body: Buffer | string = '';

  code(status: number): this {
    this.status = status;
    return this;
  }

  type(mediaType: string): this {
    return this.header('content-type', mediaType);
  }

  header(name: string, value: string): this {
    this.headers[name] = value;
    return this;
  }

  send(body?: unknown): this {
    if (typeof body === 'string' || Buffer.isBuffer(body)) this.body = body;
    else if (body !== undefined) {
      this.headers['content-type'] ??= 'application/json; charset=utf-8';
      this.body = JSON.stringify(body);
    }
    return this;
  }
}

/** Writes the answers of the service in its dialect, with the date of its own clock. */
export class Answers {
  private readonly scene: Scene;
  private readonly orders: OrderDialect;
  private count = 0;

  constructor(scene: Scene) {
    this.scene = scene;
    this.orders = new OrderDialect(scene.dialect);
  }

  executed(order: ServiceFill): WireAnswer {
    this.count += 1;
    const { quoteId, side, product, price, ordered, size, value, fee, feeCcy, at } = order;
    const orderId = `0d000000-0000-4000-8000-${String(this.count).padStart(12, '0')}`;
    const execution = { orderId, quoteId, userId: USER.id, side, product, price, size, value, fee, feeCcy, executedAt: isoTime(at) };
    return this.dated(sendExecuted(new ReplyCollector(), this.orders, { execution, ordered }));
  }

  refused({ status, code, text }: OrderRejection, headers: Readonly<Record<string, string>> = {}): WireAnswer {
    const body = { timestamp: isoTime(this.scene.time.now), status, path: '/', errorCode: code, error: text, errors: [] };
    const written = errorIn(this.scene.dialect, JSON.stringify(body));
    return this.dated({ status, headers: { 'content-type': written.type, ...headers }, body: written.body });
  }

  json(body: unknown): WireAnswer {
    return this.dated(new ReplyCollector().send(body));
  }

  /** The answer with the `Date` of the service's clock or of a fault. */
  dated({ status, headers, body }: WireAnswer): WireAnswer {
    const { troubles, time } = this.scene;
    const strike = troubles.strikes('F58');
    const date = new Date(time.now).toUTCString();
    if (!strike) return { status, headers: { ...headers, date }, body };
    const odd = strike.draws.pick([
      {},
      { date: 'soon' },
      { date, age: '30' },
      { date: new Date(time.now + OTHER_BACKEND_MS).toUTCString() },
    ] as const satisfies readonly Readonly<Record<string, string>>[]);
    return { status, headers: { ...headers, ...odd }, body };
  }
}
