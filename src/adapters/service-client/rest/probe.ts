import { Client, request } from 'undici';
import { canonicalRequest, checkUserId } from '#adapters/service-client/orders/canonical.ts';
import { orderBody } from '#adapters/service-client/orders/order-requests.ts';
import { sign, signingKey } from '#adapters/service-client/orders/signature.ts';
import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { quoteId } from '#domain/names.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { connectTo } from './proxy.ts';
import { serviceAddress, servicePath, USER_AGENT } from './service-address.ts';
import type { ServiceSettings } from './settings.ts';

const ANSWER_MS = 5000;
const MAX_SHOWN = 200;

/** What the service said to a signed order that names a quote which never was. */
export interface ProbeAnswer {
  readonly status: number;
  readonly said: string;
  readonly roundTripMs: number;
}

/**
 * Sends one signed order (spec 4.4, 5.1) that names a random quote id, so that nothing can be executed: the answer tells what
 * the service makes of key, user, time and signature. Sent once. Throws CONFIG_INVALID for credentials that cannot sign,
 * SERVICE_UNREACHABLE where no answer comes.
 */
export async function probeOrder(options: {
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
  /** Stamps the signature. */
  readonly serviceClock: ServiceClock;
}): Promise<ProbeAnswer> {
  const { baseUrl, service, timers, serviceClock } = options;
  const { apiKey, apiSecret, userId } = service;
  if (apiKey === null || apiSecret === null || userId === null) {
    throw new KairosError(
      'CONFIG_INVALID',
      'service: orders need a key, its secret and a user id (KAIROS_API_KEY, KAIROS_API_SECRET, KAIROS_USER_ID)',
    );
  }
  checkUserId(userId);
  const key = signingKey(apiSecret);
  const address = serviceAddress(baseUrl);
  const path = servicePath(address, service.paths.orders, service.brand);
  const body = orderBody({ quoteId: quoteId(timers.uuid()), side: 'buy' }, service.sides);
  const timestampMs = Math.floor(serviceClock.now()?.ms ?? timers.wallMs());
  const client = new Client(address.origin, { allowH2: false, connect: connectTo(address, ANSWER_MS) });
  const start = timers.monotonicMs();
  try {
    const answer = await request(`${address.origin}${path}`, {
      dispatcher: client,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        'X-API-Key': apiKey,
        'X-API-Timestamp': String(timestampMs),
        'X-API-Signature': sign(key, canonicalRequest({ timestampMs, method: 'POST', path, userId, body })),
        'X-API-User-ID': userId,
      },
      body,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const roundTripMs = timers.monotonicMs() - start;
    return { status: answer.statusCode, said: printable((await answer.body.text()).slice(0, MAX_SHOWN)), roundTripMs };
  } catch (error) {
    throw new KairosError('SERVICE_UNREACHABLE', `${address.origin}: no answer to a probe order: ${messageOf(error)}`, { cause: error });
  } finally {
    await client.destroy();
  }
}
