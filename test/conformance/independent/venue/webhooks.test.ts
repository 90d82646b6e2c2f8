/** Sections 2.9, 3, 4.6, 5.4, 6.1 and 8 of the specification: notifications to a partner. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../support/wait-for.ts';
import { ask, askJson, type Delivery, hmac, type Json, object, Partner, type Reply, text, webhookCanon } from './client.ts';
import { kairos, Venue } from './venue.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const MINUTE = 60_000;
const DELIVERED: Reply[] = [200, 201, 202, 204, 226, 299];
const FAILED: Reply[] = [300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 410, 429, 500, 502, 503, 'cut', 'silence'];

/**
 * Three venues: one on our clock; one whose minutes take a third of a second, for the waits; and one whose days take seconds, for
 * the end of the attempts.
 */
const FAST = 180;
const FASTEST = 30_000;
let partner: Partner;
let venue: Venue;
let refusing: Partner;
let fast: Venue;
let deaf: Partner;
let fastest: Venue;

const deposit = async (at: Venue, userId: string, amount: string, currency = 'btc') => {
  const answer = await askJson(at.url, 'POST', '/venue/deposits', { userId, currency, amount, source: 'tb1qexampleaddr0000' });
  expect(answer.status, answer.text).toBe(201);
  return text(answer.object(), 'transferId');
};
const listed = async (at: Venue) => (await ask(at.url, { method: 'GET', path: '/venue/notifications' })).list();
const body = (delivery: Delivery) => object(JSON.parse(delivery.raw.toString('utf8')));
const timestamp = (delivery: Delivery) => String(delivery.headers['x-webhook-timestamp']);
const signed = (delivery: Delivery, secret: string) =>
  delivery.headers['x-webhook-signature'] === hmac(secret, webhookCanon(timestamp(delivery), delivery.raw));
const of = (at: Partner, transferId: string) => at.deliveries.filter((delivery) => body(delivery).transferId === transferId);

beforeAll(async () => {
  [partner, refusing, deaf] = await Promise.all([Partner.listen(), Partner.listen(), Partner.listen()]);
  refusing.reply = () => 500;
  deaf.reply = () => 500;
  [venue, fast, fastest] = await Promise.all([
    Venue.start({ set: { 'venue.webhooks.url': partner.url, 'venue.webhooks.timeoutMs': '3000' } }),
    Venue.start({ set: { 'venue.webhooks.url': refusing.url, 'venue.webhooks.timeoutMs': '600000' }, clock: { rate: FAST } }),
    Venue.start({ set: { 'venue.webhooks.url': deaf.url, 'venue.webhooks.timeoutMs': '600000' }, clock: { rate: FASTEST } }),
  ]);
  await Promise.all([deposit(fast, '1205', '1'), deposit(fastest, '1205', '1')]);
});
afterAll(async () => {
  await Promise.all([venue, fast, fastest].map((one) => one?.stop()));
  await Promise.all([partner, refusing, deaf].map((one) => one?.close()));
});

describe('2.9, 4.6 what is sent', () => {
  test('4.6 a deposit made by the command line is told to the partner by POST, with the three headers and a JSON body', async () => {
    const words = ['--user', '1205', '--currency', 'btc', '--amount', '0.0125', '--source', 'tb1qexampleaddr0000'];
    const told = object(JSON.parse(await kairos('venue', 'deposit', ...words, '--url', venue.url, '--json')));
    const transferId = text(told, 'transferId');
    await partner.until(() => of(partner, transferId).length === 1);
    const [delivery] = of(partner, transferId);
    expect(delivery?.method).toBe('POST');
    expect(delivery?.path, 'the path of the URL that was given').toBe(new URL(partner.url).pathname);
    expect(delivery?.headers['content-type']).toMatch(/^application\/json/);
    expect(delivery?.headers['x-webhook-timestamp']).toMatch(/^\d{13}$/);
    expect(delivery?.headers['x-webhook-signature']).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(delivery && body(delivery)).toMatchObject({
      notificationType: 'DEPOSIT_CONFIRMED',
      svcUserId: '1205',
      transferId: expect.stringMatching(UUID),
      source: 'tb1qexampleaddr0000',
      currency: expect.stringMatching(/^btc$/i),
      amount: '0.0125',
    });
  });

  test('2.9 every field is a text, for each user of the partner, in UTF-8, and an amount keeps its decimals', async () => {
    for (const [userId, amount, source] of [
      ['1206', '0.00000001', 'plain'],
      ['1205', '1234567.12345678', 'Kontø 7 ✓'],
    ] as const) {
      const answer = await askJson(venue.url, 'POST', '/venue/deposits', { userId, currency: 'usd', amount, source });
      const transferId = text(answer.object(), 'transferId');
      await partner.until(() => of(partner, transferId).length === 1);
      const [delivery] = of(partner, transferId);
      const fields = delivery ? body(delivery) : {};
      for (const name of ['notificationType', 'svcUserId', 'transferId', 'source', 'currency', 'amount']) text(fields, name);
      expect(fields).toMatchObject({ svcUserId: userId, amount, source });
      expect(delivery && signed(delivery, venue.broker.secret)).toBe(true);
    }
  });

  test('1 area 4, 6.1 the partner hears of its own users, and of nobody else', async () => {
    await deposit(venue, '2001', '77');
    const own = await deposit(venue, '1205', '78');
    await partner.until(() => of(partner, own).length === 1);
    expect(partner.deliveries.filter((delivery) => body(delivery).svcUserId === '2001')).toEqual([]);
  });
});

describe('5.4 what a partner verifies', () => {
  test('5.4 the vector of the notes: timestamp and raw body under the decoded secret', () => {
    const raw =
      '{"notificationType":"DEPOSIT_CONFIRMED","svcUserId":"1205","transferId":"0b9c2c1e-6f55-4c6f-8a0e-1d1c7a0f9b42",' +
      '"source":"tb1qexampleaddr0000","currency":"BTC","amount":"0.0125"}';
    const signature = hmac('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', webhookCanon('1767225600123', Buffer.from(raw)));
    expect(signature).toBe('7N5wObD5k4Lbdf/Y8pEES43RuhlBvVNmwW88j19EreQ=');
  });

  test('5.4 rules 1 to 4: every delivery is signed with the secret of the partner, within seconds of the present', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, nth) => deposit(venue, '1205', `0.5${nth}`)));
    await partner.until(() => ids.every((id) => of(partner, id).length === 1));
    for (const delivery of partner.deliveries) {
      expect(signed(delivery, venue.broker.secret)).toBe(true);
      expect(Math.abs(delivery.at - Number(timestamp(delivery)))).toBeLessThan(15_000);
      expect(signed({ ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) }, venue.broker.secret)).toBe(false);
      expect(signed(delivery, Buffer.from('another').toString('base64'))).toBe(false);
    }
  });
});

describe('3, 6.1 delivery', () => {
  test('3 200 to 299 is delivered and not sent again; any other status, a timeout or a broken connection is failed and waits a minute', async () => {
    const replies = new Map<string, Reply>([...DELIVERED, ...FAILED].map((reply, nth) => [`${nth + 30}.5`, reply]));
    partner.reply = (delivery) => replies.get(text(body(delivery), 'amount')) ?? 204;
    const ids = new Map<string, Reply>();
    for (const [amount, reply] of replies) ids.set(await deposit(venue, '1205', amount), reply);
    const states = async () => new Map((await listed(venue)).map((one) => [object(JSON.parse(text(one, 'body'))).transferId, one]));
    const tried = async () => {
      const now = await states();
      return [...ids.keys()].some((id) => now.get(id)?.state === 'pending') ? undefined : now;
    };
    const now = await waitFor(tried);
    for (const [id, reply] of ids) {
      const one = now.get(id) ?? {};
      const good = DELIVERED.includes(reply);
      expect({ reply, state: one.state, attempts: one.attempts }).toEqual({ reply, state: good ? 'delivered' : 'failed', attempts: 1 });
      expect(of(partner, id).length, `${reply}: one attempt so far`).toBe(1);
      if (!good) {
        const wait = Number(one.nextAtMs) - Number(one.firstTimestamp);
        expect(wait, `${reply}`).toBeGreaterThanOrEqual(MINUTE);
        expect(wait, `${reply}`).toBeLessThan(MINUTE + 5_000);
      }
    }
    expect(
      partner.deliveries.filter(({ path }) => path === '/elsewhere'),
      'a redirect is not followed',
    ).toEqual([]);
  });

  test('6.1 a partner that does not answer holds up nobody else: a notification beside it comes at once', async () => {
    partner.reply = (delivery) => (body(delivery).amount === '5.5' ? 'silence' : 204);
    await deposit(venue, '1205', '5.5');
    const next = await deposit(venue, '1206', '5.6');
    await partner.until(() => of(partner, next).length === 1);
  });

  test('6.1, 8 the waits grow by a minute each time, beginning with one, and each attempt says the same with a good signature', async () => {
    await refusing.until(() => refusing.deliveries.length >= 6);
    const attempts = refusing.deliveries.slice(0, 6);
    const times = attempts.map((delivery) => Number(timestamp(delivery)));
    for (const [nth, at] of times.slice(1).entries()) {
      const waited = (at - Number(times[nth])) / MINUTE;
      expect(waited, `wait ${nth + 1}, in minutes`).toBeGreaterThan(nth + 0.99);
      // A minute is a third of a second here: the rest is what a busy machine takes.
      expect(waited, `wait ${nth + 1}, in minutes`).toBeLessThan(nth + 10);
    }
    for (const delivery of attempts) {
      expect(delivery.raw.equals(attempts[0]?.raw ?? Buffer.of())).toBe(true);
      expect(signed(delivery, fast.broker.secret)).toBe(true);
    }
    refusing.reply = () => 200;
    const all = refusing.deliveries.length;
    await refusing.until(() => refusing.deliveries.length > all);
    await expect.poll(async () => (await listed(fast))[0]).toMatchObject({ state: 'delivered' });
  });

  test('6.1, 8 after a hundred attempts no more is sent', async () => {
    const state = async () => (await listed(fastest))[0] ?? {};
    await waitFor(async () => Number((await state()).attempts) >= 100 || undefined);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await state()).toMatchObject({ attempts: 100 });
    expect((await state()).state).not.toBe('delivered');
    expect(deaf.deliveries.length).toBeLessThanOrEqual(100);
    expect(deaf.deliveries.length).toBeGreaterThan(90);
    const bodies = new Set(deaf.deliveries.map((delivery) => delivery.raw.toString('utf8')));
    expect(bodies.size).toBe(1);
  });
});

describe('1, 6.1 names and repeats', () => {
  test('6.1 what a restart cuts short is sent again under the same transferId, and the brand names the field and the path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-by-the-book-'));
    const own = await Partner.listen();
    own.reply = () => 'silence';
    const set = { 'venue.database': join(folder, 'venue.db'), 'venue.webhooks.url': own.url, 'service.brand': 'acme' };
    try {
      const first = await Venue.start({ set });
      let transferId: string;
      try {
        transferId = await deposit(first, '1205', '3');
        await own.until(() => own.deliveries.length === 1);
        const path = '/acme-broker/api/orders';
        const quoted = { orderType: 'MARKET', quoteId: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11', side: 'BUY' };
        expect((await first.broker.ask({ path, userId: '1205', body: JSON.stringify(quoted) })).status).toBe(422);
        expect((await first.broker.ask({ userId: '1205', body: JSON.stringify(quoted) })).status).toBe(404);
      } finally {
        first.child.kill('SIGKILL');
        await first.stop();
      }
      own.reply = () => 200;
      const second = await Venue.start({ set });
      try {
        await own.until(() => own.deliveries.length === 2);
        const bodies: Json[] = own.deliveries.map(body);
        expect(bodies[1]).toEqual(bodies[0]);
        expect(bodies[0]).toMatchObject({ acmeUserId: '1205', transferId });
        expect('svcUserId' in (bodies[0] ?? {})).toBe(false);
      } finally {
        await second.stop();
      }
    } finally {
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
