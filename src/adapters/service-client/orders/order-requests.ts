import type { KeyObject } from 'node:crypto';
import type { Client } from 'undici';
import type { OrderMessage } from '#adapters/service-client/quotes/messages.ts';
import { type ServiceAddress, servicePath, USER_AGENT } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { canonicalRequest, checkUserId } from './canonical.ts';
import type { OrderExchange } from './order-exchange.ts';
import { sign, signingKey } from './signature.ts';

const API_KEY = /^[\x21-\x7e]{1,128}$/;

/** Signs orders and hands them to the dispatcher (spec 2.10, 5.1): what is the same for each of them is read once. */
export class OrderRequests {
  private readonly sides: ServiceSettings['sides'];
  private readonly path: string;
  private readonly key: KeyObject;
  private readonly apiKey: string;
  private readonly userId: string;

  /** Throws CONFIG_INVALID for credentials or a path that cannot be used. */
  constructor(address: ServiceAddress, service: ServiceSettings) {
    this.sides = service.sides;
    this.path = servicePath(address, service.paths.orders, service.brand);
    this.key = signingKey(needed(service.apiSecret, 'service.apiSecret', 'KAIROS_API_SECRET'));
    this.apiKey = needed(service.apiKey, 'service.apiKey', 'KAIROS_API_KEY');
    if (!API_KEY.test(this.apiKey)) {
      throw new KairosError(
        'CONFIG_INVALID',
        'service.apiKey: the key has characters that no header can carry; copy it again (KAIROS_API_KEY)',
      );
    }
    this.userId = needed(service.userId, 'service.userId', 'KAIROS_USER_ID');
    checkUserId(this.userId);
  }

  /** Sends an order by a client that has a connection. `stampMs`: when it was signed, on the service's clock. Throws where undici refuses it. */
  dispatch(client: Client, exchange: OrderExchange, { order, stampMs }: { readonly order: OrderCore; readonly stampMs: Millis }): void {
    const body = orderBody(order, this.sides);
    client.dispatch({ method: 'POST', path: this.path, headers: this.headers(body, stampMs), body }, exchange);
    // undici does not look at its queue again after a connection that is there at once; this setter makes it look.
    client.pipelining = 1;
  }

  private headers(body: string, timestampMs: Millis): string[] {
    const { userId, path } = this;
    const canonical = canonicalRequest({ timestampMs, method: 'POST', path, userId, body });
    return [
      'content-type',
      'application/json',
      'user-agent',
      USER_AGENT,
      'X-API-Key',
      this.apiKey,
      'X-API-Timestamp',
      String(timestampMs),
      'X-API-Signature',
      sign(this.key, canonical),
      'X-API-User-ID',
      userId,
    ];
  }
}

/** Body of an order (spec 2.10): these bytes are signed and sent (I13). */
export function orderBody(order: Pick<OrderCore, 'quoteId' | 'side'>, sides: ServiceSettings['sides']): string {
  const message: OrderMessage = { orderType: 'MARKET', quoteId: order.quoteId, side: sides[order.side] };
  return JSON.stringify(message);
}

function needed(value: string | null, key: string, variable: string): string {
  if (value !== null && value !== '') return value;
  throw new KairosError('CONFIG_INVALID', `${key}: orders need it; set ${variable}`);
}
