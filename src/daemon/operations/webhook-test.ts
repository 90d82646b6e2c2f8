import { sign, signingKey } from '#adapters/service-client/orders/signature.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';
import { postOnce } from './post-once.ts';

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
  const startMs = timers.monotonicMs();
  try {
    const signature = sign(signingKey(secret), `${timestamp}${body}`);
    const answer = await postOnce(url, body, { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature });
    return { ...answer, ms: Math.round(timers.monotonicMs() - startMs) };
  } catch (error) {
    throw new KairosError('SERVICE_UNREACHABLE', `no answer from ${url}: ${messageOf(error)}`, { cause: error });
  }
}
