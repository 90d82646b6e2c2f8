import { createHmac } from 'node:crypto';
import { BROKER_SECRET } from '#paper-venue/defaults.ts';

/** What a sender of webhooks may get wrong, or do on purpose. */
export interface Sent {
  readonly timestamp?: number | string;
  readonly secret?: string;
  readonly signature?: string;
}

/** A deposit as the service tells of it. */
export function depositBody(transferId: string, changes: Readonly<Record<string, unknown>> = {}): string {
  const fields = {
    notificationType: 'DEPOSIT_CONFIRMED',
    svcUserId: '1205',
    transferId,
    source: 'tb1q',
    currency: 'BTC',
    amount: '0.0125',
  };
  return JSON.stringify({ ...fields, ...changes });
}

export const transfer = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The three headers of a delivery, signed over timestamp and bytes. */
export function webhookHeaders(body: string | Uint8Array, { timestamp = Date.now(), secret = BROKER_SECRET, signature }: Sent = {}) {
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64')).update(String(timestamp)).update(body);
  return {
    'content-type': 'application/json',
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': signature ?? hmac.digest('base64'),
  };
}

/** Posts a delivery and returns the status of the answer. */
export async function deliver(url: string, body: string, sent: Sent = {}): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers: webhookHeaders(body, sent), body });
  await response.arrayBuffer();
  return response.status;
}
