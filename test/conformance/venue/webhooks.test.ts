import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Bench, bench, ORDERS, sign } from './harness.ts';

interface Delivery {
  readonly request: IncomingMessage;
  readonly raw: Buffer;
}

/**
 * A partner: keeps what comes, and answers each with the next of `statuses`, the last of them again and again; null: by an end of the
 * connection; undefined: not at all.
 */
async function partner(statuses: readonly (number | null | undefined)[] = [200]) {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ request, raw: Buffer.concat(chunks) });
      const status = statuses[Math.min(deliveries.length, statuses.length) - 1];
      if (status === null) request.socket.destroy();
      else if (status !== undefined) response.writeHead(status).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { deliveries, url: `http://127.0.0.1:${port}/from/the/service` };
}

const venueFor = (url: string) =>
  bench({ quotesPerSecond: 0.001, strategyStepMs: 86_400_000, webhooks: { url, timeoutMs: 10_000, freshTimestamp: true, otherUrl: null } });
const deposit = (there: Bench, userId = '1205', more: Readonly<Record<string, string>> = {}) =>
  there.post('/venue/deposits', { userId, currency: 'btc', amount: '0.0125', source: 'tb1q', ...more });

interface Row {
  readonly state: string;
  readonly attempts: number;
}

async function row(there: Bench): Promise<Row | undefined> {
  return JSON.parse((await there.send({ path: '/venue/notifications' })).text)[0];
}

const until = (there: Bench, wanted: Partial<Row>) =>
  vi.waitFor(async () => expect(await row(there)).toMatchObject(wanted), { interval: 2, timeout: 100_000 });

async function delivered(): Promise<{ there: Bench; delivery: Delivery }> {
  const { deliveries, url } = await partner();
  const there = await venueFor(url);
  await deposit(there);
  await until(there, { state: 'delivered' });
  const [delivery] = deliveries;
  if (!delivery) throw new Error('nothing came');
  return { there, delivery };
}

describe('2.9 webhook body, 4.6, 6.1', () => {
  test('2.9.notificationType, 2.9.DEPOSIT_CONFIRMED.svcUserId, 2.9.DEPOSIT_CONFIRMED.transferId, 2.9.DEPOSIT_CONFIRMED.source, 2.9.DEPOSIT_CONFIRMED.currency, 2.9.DEPOSIT_CONFIRMED.amount, 6.1.Method and format: POST of a JSON object in UTF-8', async () => {
    const { delivery } = await delivered();
    expect([delivery.request.method, delivery.request.url]).toEqual(['POST', '/from/the/service']);
    expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(delivery.raw))).toEqual({
      notificationType: 'DEPOSIT_CONFIRMED',
      svcUserId: '1205',
      transferId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      source: 'tb1q',
      currency: 'BTC',
      amount: '0.0125',
    });
  });

  test('2.9.svcUserId carries the brand of the service', async () => {
    const { deliveries, url } = await partner();
    const there = await bench({ brand: 'acme', webhooks: { url, timeoutMs: 1000, freshTimestamp: true, otherUrl: null } });
    await deposit(there);
    await until(there, { state: 'delivered' });
    expect(JSON.parse(String(deliveries[0]?.raw))).toMatchObject({ acmeUserId: '1205' });
  });

  test('4.6, 6.1.Headers: Content-Type, X-Webhook-Timestamp and X-Webhook-Signature', async () => {
    const { delivery } = await delivered();
    expect(delivery.request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-timestamp': expect.stringMatching(/^\d{13}$/),
      'x-webhook-signature': expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    });
  });

  test.each([
    ['0.00000001', 'plain'],
    ['1234567.12345678', 'Kontø 7 ✓'],
  ])('2.9 an amount of %s keeps its decimals, a source of %s its letters; the balance moves by just that', async (amount, source) => {
    const { deliveries, url } = await partner();
    const there = await venueFor(url);
    const before = Number(there.venue.balances('1205').usd);
    await deposit(there, '1205', { currency: 'usd', amount, source });
    await until(there, { state: 'delivered' });
    const [delivery] = deliveries;
    expect(JSON.parse(String(delivery?.raw))).toMatchObject({ amount, source });
    const { 'x-webhook-timestamp': at, 'x-webhook-signature': signature } = delivery?.request.headers ?? {};
    expect(signature).toBe(sign(`${at}${delivery?.raw}`));
    expect(Number(there.venue.balances('1205').usd)).toBeCloseTo(before + Number(amount), 8);
  });

  test('6.1.Recipient: users of the partner, and no others', async () => {
    const { deliveries, url } = await partner();
    const there = await venueFor(url);
    await deposit(there, '2001');
    await deposit(there, '1206');
    await until(there, { state: 'delivered' });
    expect(deliveries.map(({ raw }) => JSON.parse(String(raw)).svcUserId)).toEqual(['1206']);
  });
});

describe('5.4 webhook authentication', () => {
  test('5.4.1 the timestamp is the time of the attempt, well within 15 seconds (8.7)', async () => {
    const { there, delivery } = await delivered();
    expect(Math.abs(Number(delivery.request.headers['x-webhook-timestamp']) - there.timers.wallMs())).toBeLessThan(15_000);
  });

  test('5.4.2, 5.4.3, 5.4.4 the signature is that of timestamp and raw body, with the decoded secret', async () => {
    const { delivery } = await delivered();
    const { 'x-webhook-timestamp': at, 'x-webhook-signature': signature } = delivery.request.headers;
    expect(signature).toBe(sign(Buffer.concat([Buffer.from(String(at)), delivery.raw])));
    const asText = createHmac('sha256', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=').update(`${at}${delivery.raw}`).digest('base64');
    expect(signature).not.toBe(asText);
  });

  test('5.4.2 the published vector', () => {
    const body =
      '{"notificationType":"DEPOSIT_CONFIRMED","svcUserId":"1205","transferId":"0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42","source":"tb1qexampleaddr0000","currency":"BTC","amount":"0.0125"}';
    expect(sign(`1767225600123${body}`)).toBe('7N5wObD5k4Lbdf/Y8pEES43RuhlBvVNmwW88j19EreQ=');
  });

  test('B28 a signature of a webhook is none of an order, whatever stands in the other fields', async () => {
    const { there, delivery } = await delivered();
    const { 'x-webhook-timestamp': at, 'x-webhook-signature': signature } = delivery.request.headers;
    for (const user of ['1205', '1000']) {
      const headers = { 'X-API-Timestamp': String(at), 'X-API-Signature': String(signature) };
      expect((await there.order(delivery.raw, headers, user)).status).toBe(401);
    }
  });

  test('B28 the canon of a request goes on with a letter after the timestamp, that of a webhook with a brace', async () => {
    const { there, delivery } = await delivered();
    const at = there.timers.wallMs();
    expect(`${at}${delivery.raw}`).toMatch(/^\d{13}\{/);
    expect(`${at}POST${ORDERS}`).toMatch(/^\d{13}[A-Z]/);
  });
});

describe('3 webhook delivery, 8', () => {
  test.each([200, 201, 204, 299])('3.webhook.1, 6.1.Delivered: status %i', async (status) => {
    const { deliveries, url } = await partner([status]);
    const there = await venueFor(url);
    await deposit(there);
    await until(there, { state: 'delivered', attempts: 1 });
    there.timers.advance(600_000);
    expect(deliveries).toHaveLength(1);
  });

  test('6.1 a partner that does not answer one holds up no other', async () => {
    const { deliveries, url } = await partner([undefined, 200]);
    const there = await venueFor(url);
    await deposit(there);
    await vi.waitFor(() => expect(deliveries).toHaveLength(1), { interval: 2, timeout: 100_000 });
    await deposit(there, '1206');
    await until(there, { state: 'delivered' });
    expect(deliveries.map(({ raw }) => JSON.parse(String(raw)).svcUserId)).toEqual(['1205', '1206']);
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 410, 429, 500, 502, 503])(
    '3.webhook.2, 6.1.Failed: status %i is tried again',
    async (status) => {
      const { deliveries, url } = await partner([status, 200]);
      const there = await venueFor(url);
      await deposit(there);
      await until(there, { state: 'failed', attempts: 1 });
      there.timers.advance(60_000);
      await until(there, { state: 'delivered', attempts: 2 });
      expect(deliveries).toHaveLength(2);
    },
  );

  test('3.webhook.3, 6.1.Duplicates: an answer that is lost leads to the same notification once more', async () => {
    const { deliveries, url } = await partner([null, 200]);
    const there = await venueFor(url);
    await deposit(there);
    await until(there, { state: 'failed', attempts: 1 });
    there.timers.advance(60_000);
    await until(there, { state: 'delivered' });
    expect(String(deliveries[1]?.raw)).toBe(String(deliveries[0]?.raw));
  });

  test('F40, 6.1.Retry, 8.5, 8.6 the wait begins at one minute and grows by one; a hundred attempts at most', async () => {
    const { deliveries, url } = await partner([500]);
    const there = await venueFor(url);
    const start = there.timers.wallMs();
    await deposit(there);
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      await until(there, { attempts: attempt });
      there.timers.advance(attempt * 60_000);
    }
    expect(await row(there)).toMatchObject({ state: 'abandoned', attempts: 100 });
    there.timers.advance(200 * 60_000);
    expect(deliveries).toHaveLength(100);
    const times = deliveries.map(({ request }) => Number(request.headers['x-webhook-timestamp']));
    const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 60_000);
    expect(waits).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
    expect((times.at(-1) ?? 0) - start).toBe(82.5 * 3_600_000);
  });
});
