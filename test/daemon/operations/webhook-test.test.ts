import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { signatureMatches, signingKey } from '#adapters/service-client/orders/signature.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { readDelivery } from '#adapters/webhook-receiver/delivery.ts';
import { readNotification } from '#adapters/webhook-receiver/notification-body.ts';
import { tryWebhook } from '#daemon/operations/webhook-test.ts';
import { configOf } from '../../config/support.ts';

const SECRET = Buffer.from('a secret of sixteen bytes and more').toString('base64');

test('a test is signed as the service signs, is in time, and moves nothing; what the receiver answers is told', async () => {
  const read: unknown[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } = request.headers;
      const delivery = { timestamps: [String(timestamp)], signatures: [String(signature)], body: Buffer.concat(parts) };
      const authentic = readDelivery(delivery, (signed, given) => signatureMatches(signingKey(SECRET), signed, given));
      if ('text' in authentic) read.push(readNotification(authentic.text, { brand: 'svc', userId: '1205' }));
      response.writeHead('text' in authentic ? 204 : 401).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/webhooks`;
  const trying = (secret: string) =>
    tryWebhook(url, { ...configOf('{}', { env: { KAIROS_WEBHOOKS_SECRET: secret } }), timers: systemTimers });
  expect(await trying(SECRET)).toMatchObject({ status: 204 });
  expect(read).toMatchObject([{ type: 'KAIROS_TEST', status: 'unknown_type', deposit: null }]);
  expect(await trying(Buffer.from('another secret of that length').toString('base64'))).toMatchObject({ status: 401 });
  await expect(tryWebhook('ftp://here', { ...configOf('{}'), timers: systemTimers })).rejects.toThrow(/no http or https address/);
});
