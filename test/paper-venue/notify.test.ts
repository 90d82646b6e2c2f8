import { createHmac } from 'node:crypto';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { OTHER_PARTNER } from '#paper-venue/defaults.ts';
import { afterFailure } from '#paper-venue/notify/notification.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { partner } from './partner.ts';
import { answered, type Rig, rig, scratch, signature, started } from './venue-rig.ts';

interface Row {
  readonly id: number;
  readonly state: string;
  readonly attempts: number;
  readonly nextAtMs: number | null;
  readonly lastResult: string | null;
}

const venueWith = (url: string | null, overrides: Partial<VenueSettings> = {}, log?: (line: string) => void) =>
  rig(
    {
      quotesPerSecond: 0.001,
      strategyStepMs: 86_400_000,
      webhooks: { url, timeoutMs: 10_000, freshTimestamp: true, otherUrl: null },
      ...overrides,
    },
    log,
  );

async function deposit({ venue }: Rig, changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ userId: '1205', currency: 'BTC', amount: '0.0125', source: 'tb1qexampleaddr0000', ...changes });
  return answered(
    await fetch(`${venue.url}/venue/deposits`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }),
  );
}

async function queue({ venue }: Rig): Promise<readonly Row[]> {
  return JSON.parse(await (await fetch(`${venue.url}/venue/notifications`)).text());
}

/** Waits until a notification has been tried so often. */
const tried = (there: Rig, attempts: number, id = 1) =>
  vi.waitFor(
    async () => {
      const row = (await queue(there)).find((each) => each.id === id);
      expect(row?.attempts).toBe(attempts);
      return row;
    },
    { interval: 2, timeout: 100_000 },
  );

describe('a deposit', () => {
  test('moves the balance at once, and is told with a signature over timestamp and body', async () => {
    const there = await partner((response) => response.writeHead(204).end());
    const venue = await venueWith(there.url);
    const made = await deposit(venue);
    expect(made).toMatchObject({ status: 201, body: { notificationId: 1 } });
    expect(venue.venue.balances('1205').btc).toBe('100.0125');
    await there.arrived(1);
    const { headers, body } = there.deliveries[0] ?? { headers: {}, body: '' };
    expect(body).toBe(
      `{"notificationType":"DEPOSIT_CONFIRMED","svcUserId":"1205","transferId":"${made.body.transferId}","source":"tb1qexampleaddr0000","currency":"BTC","amount":"0.0125"}`,
    );
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-timestamp': String(venue.timers.wallMs()),
      'x-webhook-signature': signature(`${venue.timers.wallMs()}${body}`),
    });
    expect(await tried(venue, 1)).toMatchObject({ state: 'delivered', lastResult: '204', nextAtMs: null });
  });

  test("of another partner's user is told to that partner, signed with that partner's secret", async () => {
    const [ours, others] = [await partner((response) => response.end()), await partner((response) => response.end())];
    const venue = await venueWith(ours.url, {
      webhooks: { url: ours.url, otherUrl: others.url, timeoutMs: 10_000, freshTimestamp: true },
    });
    expect([await deposit(venue), await deposit(venue, { userId: '2001' })]).toMatchObject([{ status: 201 }, { status: 201 }]);
    await Promise.all([ours.arrived(1), others.arrived(1), tried(venue, 1, 1), tried(venue, 1, 2)]);
    expect([ours, others].map(({ deliveries }) => deliveries.map(({ body }) => JSON.parse(body).svcUserId))).toEqual([['1205'], ['2001']]);
    const [delivery] = others.deliveries;
    const signed = `${venue.timers.wallMs()}${delivery?.body}`;
    const own = createHmac('sha256', Buffer.from(OTHER_PARTNER.secret, 'base64')).update(signed).digest('base64');
    expect([delivery?.headers['x-webhook-signature'], own === signature(signed)]).toEqual([own, false]);
  });

  test("of another partner's user is booked and told to nobody here; without a URL nobody is told either", async () => {
    const there = await partner((response) => response.end());
    const venue = await venueWith(there.url);
    expect(await deposit(venue, { userId: '2001' })).toMatchObject({ status: 201, body: { notificationId: null } });
    expect(venue.venue.balances('2001')).toEqual({ btc: '0.0125' });
    const silent = await venueWith(null);
    expect(await deposit(silent)).toMatchObject({ status: 201, body: { notificationId: null } });
    expect([await queue(venue), await queue(silent), there.deliveries]).toEqual([[], [], []]);
  });

  test.each([
    ['an unknown user', { userId: '99' }],
    ['B05 an amount with separators', { amount: '1,000' }],
    ['B04 an amount with an exponent', { amount: '1e3' }],
    ['B02 an amount below zero', { amount: '-1' }],
    ['an amount of nothing', { amount: '0.00' }],
    ['an amount that is a number', { amount: 1 }],
    ['a currency with path characters', { currency: '../x' }],
  ])('of %s: 400 and nothing moves', async (_name, changes) => {
    const venue = await venueWith(null);
    const before = venue.venue.balances('1205');
    expect(await deposit(venue, changes)).toMatchObject({ status: 400, body: { errorCode: 'INVALID_BODY' } });
    expect(venue.venue.balances('1205')).toEqual(before);
  });

  test('B33 is not for pages of a browser, nor for a name that points here', async () => {
    const venue = await venueWith(null);
    expect((await deposit(venue, {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await deposit(venue, {}, { origin: 'null' })).status).toBe(403);
    expect((await deposit(venue, {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('delivery (spec 3, 6.1)', () => {
  test.each([
    [200, 'delivered'],
    [299, 'delivered'],
    [199 + 101, 'failed'],
    [307, 'failed'],
    [404, 'failed'],
    [503, 'failed'],
  ])('status %i: %s', async (status, state) => {
    const there = await partner((response) => response.writeHead(status, { location: '/elsewhere' }).end('a body'));
    const venue = await venueWith(there.url);
    await deposit(venue);
    expect(await tried(venue, 1)).toMatchObject({ state, lastResult: String(status) });
    expect(there.deliveries).toHaveLength(1);
  });

  test('no answer in time, or a broken connection: failed, and tried again', async () => {
    const there = await partner((response, count) => {
      if (count === 2) response.destroy();
      if (count === 3) response.end();
    });
    const venue = await venueWith(there.url);
    await deposit(venue);
    await there.arrived(1);
    venue.timers.advance(9_999);
    expect((await queue(venue))[0]).toMatchObject({ state: 'pending', attempts: 0 });
    venue.timers.advance(1);
    expect(await tried(venue, 1)).toMatchObject({ state: 'failed', lastResult: 'no answer within 10000 ms' });
    venue.timers.advance(60_000);
    expect(await tried(venue, 2)).toMatchObject({ state: 'failed' });
    venue.timers.advance(120_000);
    expect(await tried(venue, 3)).toMatchObject({ state: 'delivered' });
  });

  test('an answer that switches protocols is a failed attempt, and the venue still stops', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const there = await partner((response) => response.socket?.write(switching));
    const venue = await venueWith(there.url);
    await deposit(venue);
    expect(await tried(venue, 1)).toMatchObject({ state: 'failed', lastResult: 'the connection closed without an answer' });
    await venue.venue.close();
  });

  test('attempts may all carry the time of the first', async () => {
    const there = await partner((response) => response.writeHead(500).end());
    const venue = await venueWith(there.url, { webhooks: { url: there.url, timeoutMs: 10_000, freshTimestamp: false, otherUrl: null } });
    await deposit(venue);
    await tried(venue, 1);
    venue.timers.advance(60_000);
    await tried(venue, 2);
    expect(new Set(there.deliveries.map(({ headers }) => headers['x-webhook-timestamp'])).size).toBe(1);
    expect(new Set(there.deliveries.map(({ headers }) => headers['x-webhook-signature'])).size).toBe(1);
  });

  test('the waits are 1 to 99 minutes', () => {
    const waits = Array.from({ length: 100 }, (_, index) => afterFailure(index + 1, 0).nextAtMs);
    expect(waits).toEqual([...Array.from({ length: 99 }, (_, index) => (index + 1) * 60_000), null]);
  });

  test('a restart keeps the schedule, and what was cut short is sent again', async () => {
    const there = await partner((response, count) => count === 1 && response.writeHead(500).end());
    const database = `${scratch()}/venue.db`;
    const settings = {
      database,
      quotesPerSecond: 0.001,
      webhooks: { url: there.url, timeoutMs: 10_000, freshTimestamp: true, otherUrl: null },
    };
    const first = await rig(settings);
    await deposit(first);
    await tried(first, 1);
    await deposit(first);
    await there.arrived(2);
    await first.venue.close();
    const second = { venue: await started(settings, first.timers), timers: first.timers };
    await there.arrived(3);
    expect(there.deliveries[2]?.body).toBe(there.deliveries[1]?.body);
    expect(await queue(second)).toMatchObject([
      { id: 2, state: 'pending', attempts: 0 },
      { id: 1, state: 'failed', attempts: 1 },
    ]);
    second.timers.advance(59_999);
    expect(there.deliveries).toHaveLength(3);
    second.timers.advance(1);
    await there.arrived(4);
  });

  test('what the database cannot record or read is tried again after a rest, and the venue goes on', async () => {
    const there = await partner((response) => response.end());
    const database = `${scratch()}/venue.db`;
    const told: string[] = [];
    const venue = await venueWith(there.url, { database }, (line) => told.push(line));
    const intruder = new Database(database);
    intruder.exec("CREATE TRIGGER broken BEFORE UPDATE ON notifications BEGIN SELECT RAISE(ABORT, 'disk on fire'); END");
    await deposit(venue);
    await there.arrived(1);
    await vi.waitFor(() => expect(told).toEqual(['notifications rest for 10000 ms: disk on fire']));
    expect(await queue(venue)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await deposit(venue);
    expect(there.deliveries).toHaveLength(1);
    intruder.exec('DROP TRIGGER broken; ALTER TABLE notifications RENAME TO elsewhere');
    venue.timers.advance(10_000);
    intruder.exec('ALTER TABLE elsewhere RENAME TO notifications');
    intruder.close();
    venue.timers.advance(10_000);
    await Promise.all([tried(venue, 1, 1), tried(venue, 1, 2)]);
    expect([there.deliveries.length, told.length]).toEqual([3, 4]);
  });

  test('many at once: each is delivered, a few at a time', async () => {
    let [open, most] = [0, 0];
    const there = await partner((response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.end();
      });
    });
    const venue = await venueWith(there.url);
    await Promise.all(Array.from({ length: 100 }, () => deposit(venue)));
    await there.arrived(100);
    await vi.waitFor(async () => expect((await queue(venue)).every(({ state }) => state === 'delivered')).toBe(true), { timeout: 100_000 });
    expect(most).toBeLessThanOrEqual(32);
    expect(venue.venue.balances('1205').btc).toBe('101.25');
  });
});

test('revoked sessions open nothing, neither by their token nor by the one that prolongs', async () => {
  const there = await venueWith(null);
  const headers = { 'content-type': 'application/json' };
  const login = (body: unknown) =>
    fetch(`${there.venue.url}/httpserver/main/v2/auth/login`, { method: 'POST', headers, body: JSON.stringify(body) });
  const signedIn = await login({ username: 'paper@example.com', password: 'paper' });
  const { refreshToken } = (await answered(signedIn.clone())).body;
  const authorization = signedIn.headers.get('authorization') ?? '';
  const accounts = () => fetch(`${there.venue.url}/as/v3/accounts`, { headers: { authorization } });
  expect((await accounts()).status).toBe(200);
  const revoked = await answered(await fetch(`${there.venue.url}/venue/sessions/revoke`, { method: 'POST' }));
  expect(revoked).toEqual({ status: 200, body: { revoked: 1 } });
  expect((await accounts()).status).toBe(401);
  expect((await login({ refreshToken })).status).toBe(401);
  expect((await login({ username: 'paper@example.com', password: 'paper' })).status).toBe(200);
});

test('F38 webhook-repeats: a notification comes two to four times, signed each time, and counts as one attempt', async () => {
  const there = await partner((response) => response.end());
  const venue = await venueWith(there.url, { faults: [{ name: 'webhook-repeats', percent: 100 }] });
  await deposit(venue);
  expect(await tried(venue, 1)).toMatchObject({ state: 'delivered' });
  expect(there.deliveries.length).toBeGreaterThanOrEqual(2);
  expect(there.deliveries.length).toBeLessThanOrEqual(4);
  expect(new Set(there.deliveries.map(({ headers, body }) => `${headers['x-webhook-signature']} ${body}`)).size).toBe(1);
});
