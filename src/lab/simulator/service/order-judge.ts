import { createHmac, createSecretKey } from 'node:crypto';
import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import type { ServiceBooks, ServiceFill, Terms } from './books.ts';
import type { WireRequest } from './http-text.ts';
import type { IssuedQuotes } from './issued.ts';
import { USER } from './scene.ts';

/** An authenticated order. */
export interface ReadOrder {
  readonly quoteId: string;
  readonly side: 'buy' | 'sell';
}

/** Why an order is not executed. */
export interface OrderRejection {
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

const KEY = createSecretKey(Buffer.from(USER.secret, 'base64'));
const TOLERANCE_MS = 5_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True if the signature fits exactly these bytes, by the user's secret (spec 5.1). */
export function isSigned({ method, path, headers, body }: WireRequest): boolean {
  const canon = `${headers.get('x-api-timestamp')}${method}${path}${headers.get('x-api-user-id') ?? ''}${body}`;
  return createHmac('sha256', KEY).update(canon, 'latin1').digest('base64') === headers.get('x-api-signature');
}

/** Reads and judges orders by the specification. Faults of its answers are made elsewhere. */
export class OrderJudge {
  private readonly issued: IssuedQuotes;
  private readonly books: ServiceBooks;
  private readonly sides: ReadonlyMap<unknown, 'buy' | 'sell'>;

  constructor(issued: IssuedQuotes, books: ServiceBooks, { sides }: Pick<Dialect, 'sides'>) {
    this.issued = issued;
    this.books = books;
    const [buy, sell] = sides === 'sides-lower' ? ['buy', 'sell'] : ['BUY', sides === 'side-ASK' ? 'ASK' : 'SELL'];
    this.sides = new Map([[buy, 'buy'] as const, [sell, 'sell'] as const]);
  }

  /** The order in a request, or the refusal. Does not execute it. */
  read(request: WireRequest, nowMs: number): ReadOrder | OrderRejection {
    const { headers, body } = request;
    const stamp = headers.get('x-api-timestamp') ?? '';
    if (headers.get('x-api-key') !== USER.apiKey) return refused(401, 'KEY', 'the key is not known');
    if (!/^\d{13}$/.test(stamp) || Math.abs(Number(stamp) - nowMs) > TOLERANCE_MS)
      return refused(401, 'TIMESTAMP', 'the timestamp is not near');
    if (!isSigned(request)) return refused(401, 'SIGNATURE', 'the signature does not match');
    if (headers.get('x-api-user-id') !== USER.id) return refused(400, 'USER', 'the user id is incorrect');
    const order = orderIn(body, this.sides);
    return order ?? refused(400, 'ORDER', 'the order cannot be read');
  }

  /** Executes an order, or returns the refusal. A quote is used once. */
  execute({ quoteId, side }: ReadOrder, nowMs: number, terms: Terms): ServiceFill | OrderRejection {
    const quote = this.issued.find(quoteId);
    if (!quote) return refused(404, 'QUOTE_UNKNOWN', 'there is no such quote');
    if (this.books.executed.has(quoteId)) return refused(422, 'QUOTE_USED', 'an order on this quote was executed before');
    if (nowMs > quote.validUntil) return refused(422, 'QUOTE_EXPIRED', 'the quote has expired');
    return this.books.execute(quote, side, { at: nowMs, terms }) ?? refused(422, 'FUNDS', 'the account has not enough');
  }
}

const refused = (status: number, code: string, text: string): OrderRejection => ({ status, code, text });

function orderIn(body: string, sides: ReadonlyMap<unknown, 'buy' | 'sell'>): ReadOrder | undefined {
  const fields: unknown = JSON.parse(body);
  if (typeof fields !== 'object' || fields === null || !('quoteId' in fields) || !('side' in fields) || !('orderType' in fields))
    return undefined;
  const { quoteId } = fields;
  const side = sides.get(fields.side);
  return fields.orderType === 'MARKET' && typeof quoteId === 'string' && UUID.test(quoteId) && side ? { quoteId, side } : undefined;
}
