import { Agent, request } from 'undici';
import { sign, signingKey } from '#adapters/service-client/orders/signature.ts';
import { connectToAny } from '#adapters/service-client/rest/proxy.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
const MAX_SHOWN = 200;

/** The answer to a test: status, text and how long it took. */
interface TriedWebhook {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/**
 * Sends a notification to `url`, signed as the service signs its own, of a type that moves nothing: whether it comes through what ends TLS
 * in front of the receiver. Throws CONFIG_INVALID without a secret, USAGE for what is no address, SERVICE_UNREACHABLE without an answer.
 */
export async function tryWebhook(
  url: string,
  { settings: { webhooks, service }, timers }: { readonly settings: Pick<Settings, 'webhooks' | 'service'>; readonly timers: Timers },
): Promise<TriedWebhook> {
  const secret = webhooks.secret ?? service.apiSecret;
  if (secret === null) throw new KairosError('CONFIG_INVALID', 'webhooks.secret: set KAIROS_WEBHOOKS_SECRET, or the API secret');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new KairosError('USAGE', `${JSON.stringify(url)} is no http or https address`);
  const timestamp = String(timers.wallMs());
  const body = JSON.stringify({ notificationType: 'KAIROS_TEST', sentAt: timestamp });
  const dispatcher = new Agent({ allowH2: false, connect: connectToAny(CONNECT_MS), headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  const startMs = timers.monotonicMs();
  try {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': sign(signingKey(secret), `${timestamp}${body}`),
      },
      body,
    });
    const text = (await answer.body.text()).slice(0, MAX_SHOWN);
    return { status: answer.statusCode, text, ms: Math.round(timers.monotonicMs() - startMs) };
  } catch (error) {
    throw new KairosError('SERVICE_UNREACHABLE', `no answer from ${url}: ${messageOf(error)}`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}
