import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Decimal } from '#domain/decimal.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { FeedClient, firstQuote, KEY, order, type Rig, rig, SECRET, signature, signedGet, type Tq } from './venue-rig.ts';

interface Desk extends Rig {
  readonly client: FeedClient;
  readonly quote: Tq;
}

/** A venue with a user who has a quote. */
async function desk(overrides: Partial<VenueSettings> = {}): Promise<Desk> {
  const there = await rig(overrides);
  const client = await new FeedClient(there.venue).open();
  return { ...there, client, quote: await firstQuote(client) };
}

const executed = ({ venue }: Rig) => venue.executions().length;

describe('an order on a quote (spec 4.4)', () => {
  test('is executed at exactly the figures that were sent', async () => {
    const there = await desk();
    const { quote, venue } = there;
    const answer = await order(there, { quoteId: quote.id });
    expect(answer.status).toBe(201);
    const { price, size, value, feeInQuoteCcy } = quote.buyQuote;
    expect(answer.body).toEqual({
      orderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      quoteId: quote.id,
      side: 'BUY',
      status: 'FILLED',
      price,
      size,
      value,
      fee: feeInQuoteCcy,
      feeCcy: 'usd',
      executedAt: new Date(there.timers.wallMs()).toISOString(),
    });
    const balances = venue.balances('1205');
    expect(balances.btc).toBe(new Decimal(100).plus(size).toString());
    expect(balances.usd).toBe(new Decimal(1_000_000).minus(value).minus(feeInQuoteCcy).toString());
    expect(venue.balances('1206').usd).toBe('1000000');
  });

  test('sells at the other side', async () => {
    const there = await desk();
    const answer = await order(there, { quoteId: there.quote.id, side: 'SELL' });
    const { price, size, value, feeInQuoteCcy } = there.quote.sellQuote;
    expect(answer).toMatchObject({ status: 201, body: { side: 'SELL', price, size } });
    expect(there.venue.balances('1205').usd).toBe(new Decimal(1_000_000).plus(value).minus(feeInQuoteCcy).toString());
  });

  test('conserves money over many orders, big and small, to the last decimal', async () => {
    const there = await rig();
    const client = await new FeedClient(there.venue).open();
    const before = there.venue.balances('1205');
    const amounts = [
      { inputSize: 0.00011 },
      { inputSize: '3.33333' },
      { inputValue: 777.77 },
      { inputSize: 20 },
      { inputValue: '12345.6789' },
    ];
    for (let turn = 0; turn < 40; turn += 1) {
      there.timers.advance(700);
      const product = ['btcusd', 'ethusd', 'eurusd'][turn % 3] ?? 'btcusd';
      const ack = await client.ask({ quoteType: 'TRADING', productCode: product, ...amounts[turn % amounts.length] });
      if (ack.msgType !== 'ACK') continue;
      const { id } = await client.nextQuote();
      await order(there, { quoteId: id, side: turn % 2 === 0 ? 'BUY' : 'SELL' });
    }
    const sums = new Map<string, Decimal>();
    const move = (currency: string, amount: Decimal) => sums.set(currency, (sums.get(currency) ?? new Decimal(0)).plus(amount));
    for (const { product, side, size, value, fee, feeCcy } of there.venue.executions()) {
      const sign = side === 'buy' ? 1 : -1;
      move(product.slice(0, 3), new Decimal(size).times(sign));
      move(product.slice(3), new Decimal(value).times(-sign));
      move(feeCcy, new Decimal(fee).negated());
    }
    const after = there.venue.balances('1205');
    for (const [currency, opening] of Object.entries(before)) {
      expect(after[currency]).toBe(new Decimal(opening).plus(sums.get(currency) ?? 0).toString());
    }
    expect(executed(there)).toBeGreaterThan(20);
  });

  test('that the balance does not cover is refused whole: 422, nothing booked', async () => {
    const there = await rig();
    const client = await new FeedClient(there.venue).open();
    const { id } = await firstQuote(client, { inputSize: 30 });
    expect(await order(there, { quoteId: id })).toMatchObject({ status: 422, body: { errorCode: 'INSUFFICIENT_FUNDS' } });
    expect(there.venue.balances('1205')).toMatchObject({ usd: '1000000', btc: '100' });
    expect(await order(there, { quoteId: id, side: 'SELL' })).toMatchObject({ status: 201 });
  });

  test('is committed before it is answered, and answered after the configured delay', async () => {
    const there = await desk({ answerDelayMs: 300 });
    const answer = order(there, { quoteId: there.quote.id });
    while (executed(there) === 0) await there.client.rest();
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    await there.client.rest();
    expect(answered).toBe(false);
    there.timers.advance(300);
    expect(await answer).toMatchObject({ status: 201 });
  });

  test('an answer that is made to come late does not hold up a stop: it is never given', async () => {
    const there = await desk({ answerDelayMs: 40_000 });
    const answer = order(there, { quoteId: there.quote.id }).catch((error: unknown) => error);
    while (executed(there) === 0) await there.client.rest();
    await there.venue.close();
    expect(await answer).toBeInstanceOf(Error);
  });
});

describe('a quote that cannot be traded on: 422, nothing executed', () => {
  test('I02 a quote used twice', async () => {
    const there = await desk();
    await order(there, { quoteId: there.quote.id });
    const again = await order(there, { quoteId: there.quote.id, side: 'SELL' });
    expect(again).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_USED', errors: [{ fields: ['quoteId'] }] } });
    expect(executed(there)).toBe(1);
  });

  test('I02 a quote used twenty times at once is executed once', async () => {
    const there = await desk();
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(there, { quoteId: there.quote.id })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(executed(there)).toBe(1);
  });

  test('B20 a used quote in capitals is the same quote', async () => {
    const there = await desk();
    await order(there, { quoteId: there.quote.id });
    expect(await order(there, { quoteId: there.quote.id.toUpperCase() })).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_USED' } });
  });

  test('F15 an expired quote, counted as late', async () => {
    const there = await desk();
    there.timers.advance(3001);
    const late = await order(there, { quoteId: there.quote.id });
    expect(late).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_EXPIRED' } });
    expect(there.venue.counts().lateOrders).toBe(1);
    there.timers.advance(600_000);
    expect(await order(there, { quoteId: there.quote.id })).toMatchObject({ body: { errorCode: 'QUOTE_EXPIRED' } });
  });

  test('F15 in its last millisecond a quote still serves', async () => {
    const there = await desk();
    there.timers.advance(3000);
    expect(await order(there, { quoteId: there.quote.id })).toMatchObject({ status: 201 });
  });

  test('an unknown quote', async () => {
    const there = await desk();
    const unknown = await order(there, { quoteId: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11' });
    expect(unknown).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_UNKNOWN' } });
    expect(there.venue.counts().lateOrders).toBe(0);
  });

  test("another user's quote", async () => {
    const there = await desk();
    const foreign = await order(there, { quoteId: there.quote.id, user: '1206' });
    expect(foreign).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_OTHER_USER' } });
    expect(await order(there, { quoteId: there.quote.id })).toMatchObject({ status: 201 });
  });
});

describe("the specification's table of errors (7), row by row", () => {
  const rows: [name: string, status: number, code: string, parts: Parameters<typeof order>[1]][] = [
    ['X-API-Key missing', 401, 'INVALID_API_KEY', { headers: { 'x-api-key': null } }],
    ['X-API-Key empty', 401, 'INVALID_API_KEY', { headers: { 'x-api-key': '' } }],
    ['X-API-Key of nobody', 401, 'INVALID_API_KEY', { headers: { 'x-api-key': KEY.replace('1', '2') } }],
    ['X-API-Key not a UUID', 401, 'INVALID_API_KEY', { headers: { 'x-api-key': 'x'.repeat(2000) } }],
    ['X-API-Timestamp missing', 401, 'INVALID_TIMESTAMP', { headers: { 'x-api-timestamp': null } }],
    ['B25 ten digits', 401, 'INVALID_TIMESTAMP', { timestamp: '1767225600' }],
    ['B25 sixteen digits', 401, 'INVALID_TIMESTAMP', { timestamp: '1767225600000000' }],
    ['B25 a sign', 401, 'INVALID_TIMESTAMP', { timestamp: '+1767225600000' }],
    ['B25 a space inside', 401, 'INVALID_TIMESTAMP', { timestamp: '17672256 00000' }],
    ['B25 a fraction', 401, 'INVALID_TIMESTAMP', { timestamp: '1767225600000.0' }],
    ['B25 an exponent', 401, 'INVALID_TIMESTAMP', { timestamp: '1.7672256e12' }],
    ['B25 hex', 401, 'INVALID_TIMESTAMP', { timestamp: '0x19b76d8e800' }],
    ['X-API-Timestamp 5001 ms behind', 401, 'INVALID_TIMESTAMP', { timestamp: String(Date.UTC(2026, 0, 1) - 5001) }],
    ['X-API-Timestamp 5001 ms ahead', 401, 'INVALID_TIMESTAMP', { timestamp: String(Date.UTC(2026, 0, 1) + 5001) }],
    ['X-API-Signature missing', 401, 'INVALID_SIGNATURE', { headers: { 'x-api-signature': null } }],
    ['B26 empty', 401, 'INVALID_SIGNATURE', { headers: { 'x-api-signature': '' } }],
    ['B26 hex', 401, 'INVALID_SIGNATURE', { headers: { 'x-api-signature': createHash('sha256').digest('hex') } }],
    ['B26 another signature', 401, 'INVALID_SIGNATURE', { headers: { 'x-api-signature': signature('something else') } }],
    ['B26 too short', 401, 'INVALID_SIGNATURE', { headers: { 'x-api-signature': 'AAAA' } }],
    ['X-API-User-ID missing', 400, 'INVALID_USER', { user: null, headers: { 'x-api-user-id': null } }],
    ['X-API-User-ID incorrect', 400, 'INVALID_USER', { user: '99' }],
    ['B21 X-API-User-ID with path characters', 400, 'INVALID_USER', { user: '12/05?{' }],
    ['X-API-User-ID not registered through the caller', 403, 'USER_FORBIDDEN', { user: '2001' }],
  ];
  test.each(rows)('F07 F08 %s: %i', async (_name, status, errorCode, parts) => {
    const there = await desk();
    const answer = await order(there, { quoteId: there.quote.id, ...parts });
    expect(answer).toMatchObject({ status, body: { errorCode } });
    expect(executed(there)).toBe(0);
  });

  test('5000 ms of difference pass, both ways', async () => {
    for (const offset of [-5000, 5000]) {
      const there = await desk();
      const timestamp = String(there.timers.wallMs() + offset);
      expect(await order(there, { quoteId: there.quote.id, timestamp })).toMatchObject({ status: 201 });
    }
  });

  test('the error body says when, where, what, and which field', async () => {
    const there = await desk();
    const { body } = await order(there, { quoteId: there.quote.id, user: '99' });
    expect(body).toEqual({
      timestamp: '2026-01-01T00:00:00.000Z',
      status: 400,
      path: '/svc-broker/api/orders',
      errorCode: 'INVALID_USER',
      error: 'X-API-User-ID is incorrect',
      errors: [{ fields: ['X-API-User-ID'], description: 'X-API-User-ID is incorrect' }],
    });
  });

  test('faults are told in the order key, timestamp, signature, user, body, quote', async () => {
    const there = await desk();
    const all = { body: '{', user: '99', timestamp: '1', headers: { 'x-api-key': 'no', 'x-api-signature': 'no' } };
    const now = String(there.timers.wallMs());
    const codes = [
      await order(there, all),
      await order(there, { ...all, headers: { 'x-api-signature': 'no' } }),
      await order(there, { ...all, timestamp: now, headers: { 'x-api-signature': 'no' } }),
      await order(there, { ...all, timestamp: now, headers: {} }),
      await order(there, { ...all, timestamp: now, headers: {}, user: '1205' }),
      await order(there, { quoteId: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11' }),
    ].map(({ body }) => body.errorCode);
    expect(codes).toEqual(['INVALID_API_KEY', 'INVALID_TIMESTAMP', 'INVALID_SIGNATURE', 'INVALID_USER', 'MALFORMED_BODY', 'QUOTE_UNKNOWN']);
  });
});

describe('a body that is no order: 400, nothing executed', () => {
  const id = '"5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11"';
  test.each([
    ['B16 an array', '[]', 'MALFORMED_BODY'],
    ['B16 a text', '"BUY"', 'MALFORMED_BODY'],
    ['B16 null', 'null', 'MALFORMED_BODY'],
    ['nothing', '', 'MALFORMED_BODY'],
    ['B15 two objects', '{}{}', 'MALFORMED_BODY'],
    ['B14 a byte order mark', '\ufeff{}', 'MALFORMED_BODY'],
    ['B14 bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'MALFORMED_BODY'],
    ['B12 20,000 deep', '['.repeat(20_000), 'MALFORMED_BODY'],
    ['no fields', '{}', 'INVALID_ORDER'],
    ['an unknown side', `{"orderType":"MARKET","quoteId":${id},"side":"HOLD"}`, 'INVALID_ORDER'],
    ['B11 a side named like a prototype', `{"orderType":"MARKET","quoteId":${id},"side":"constructor"}`, 'INVALID_ORDER'],
    ['a side in small letters', `{"orderType":"MARKET","quoteId":${id},"side":"buy"}`, 'INVALID_ORDER'],
    ['an unknown type', `{"orderType":"LIMIT","quoteId":${id},"side":"BUY"}`, 'INVALID_ORDER'],
    ['B20 a quote id that is no UUID', '{"orderType":"MARKET","quoteId":"1","side":"BUY"}', 'INVALID_ORDER'],
    ['B20 a quote id that is a number', '{"orderType":"MARKET","quoteId":1,"side":"BUY"}', 'INVALID_ORDER'],
  ])('%s', async (_name, body, errorCode) => {
    const there = await desk();
    const timestamp = String(there.timers.wallMs());
    const canonical = Buffer.concat([Buffer.from(`${timestamp}POST/svc-broker/api/orders1205`), Buffer.from(body)]);
    const signed = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(canonical).digest('base64');
    const answer = await order(there, { body, timestamp, headers: { 'x-api-signature': signed } });
    expect(answer).toMatchObject({ status: 400, body: { errorCode, status: 400 } });
  });

  test('every field at fault is named', async () => {
    const there = await desk();
    const { body } = await order(there, { body: '{"orderType":1}' });
    expect(body.errors).toMatchObject([{ fields: ['orderType'], rejectedValue: 1 }, { fields: ['quoteId'] }, { fields: ['side'] }]);
  });

  test('B30 another media type: 415; over 64 KiB: 413; an order that is fetched: 404', async () => {
    const there = await desk();
    const xml = await order(there, { quoteId: there.quote.id, headers: { 'content-type': 'application/xml' } });
    expect(xml).toMatchObject({ status: 415, body: { errorCode: 'UNSUPPORTED_MEDIA_TYPE' } });
    expect(await order(there, { body: `{"a":"${'x'.repeat(65_536)}"}` })).toMatchObject({ status: 413, body: { status: 413 } });
    expect(await signedGet(there, '/svc-broker/api/orders')).toMatchObject({ status: 404 });
    expect(executed(there)).toBe(0);
  });

  test('B31 conflicting lengths are not read as an order', async () => {
    const there = await desk();
    const socket = connect(there.venue.port, '127.0.0.1');
    socket.write('POST /svc-broker/api/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400/);
    socket.destroy();
  });

  test('B32 headers without end: 431', async () => {
    const there = await desk();
    const socket = connect(there.venue.port, '127.0.0.1');
    // The server may close before all of it was written; what counts is its answer.
    socket.on('error', () => {});
    socket.write(`POST /svc-broker/api/orders HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 431/);
    socket.destroy();
  });
});

describe('the signature (spec 5.1, notes)', () => {
  const at = 1_767_225_600_000;

  test('I13 is over the very bytes: the vectors of the notes are accepted as published', async () => {
    const quoteId = '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11';
    const vectors = [
      [`{"orderType": "MARKET", "quoteId": "${quoteId}", "side": "BUY"}`, 'RdrdUMK8Ri3StfQNuyBR40k3ucq1p+mQ+edbROhfUOo='],
      [`{"orderType":"MARKET","quoteId":"${quoteId}","side":"BUY"}`, 'pdDhai78wh7NGhySuElespZIwWJk3l2kMCtWrI3ukAY='],
    ];
    const there = await desk();
    for (const [body = '', published = ''] of vectors) {
      const parts = { body, timestamp: String(at), headers: { 'x-api-signature': published } };
      expect(await order(there, parts)).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_UNKNOWN' } });
    }
  });

  test('of the secret taken as text does not match, nor one over re-serialised JSON (B27), nor base64url (B26)', async () => {
    const there = await desk();
    const compact = '{"orderType":"MARKET","quoteId":"5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11","side":"BUY"}';
    const wrong = [
      [compact, 'XfeBKq9PfAU6mi4Or0eOHxILR8qFAM/opuhDR6lgU5k='],
      [compact, 'RdrdUMK8Ri3StfQNuyBR40k3ucq1p+mQ+edbROhfUOo='],
      [compact.replaceAll(':', ': ').replaceAll(',', ', '), 'RdrdUMK8Ri3StfQNuyBR40k3ucq1p-mQ-edbROhfUOo='],
      [compact, 'pdDhai78wh7NGhySuElespZIwWJk3l2kMCtWrI3ukAY=='],
    ];
    for (const [body = '', header = ''] of wrong) {
      const parts = { body, timestamp: String(at), headers: { 'x-api-signature': header } };
      expect(await order(there, parts)).toMatchObject({ status: 401, body: { errorCode: 'INVALID_SIGNATURE' } });
    }
  });

  test('covers path and query as sent', async () => {
    const there = await rig({ capabilities: ['order-query', 'balances'] });
    const published = 'VODdAbaYT8PXPKP8V3Roct84+wXQILN4qbZzVAcqjK8=';
    const get = (target: string) =>
      fetch(`${there.venue.url}${target}`, {
        headers: { 'x-api-key': KEY, 'x-api-timestamp': String(at), 'x-api-signature': published },
      });
    // Authentic as published, and then refused for want of a user.
    expect((await get('/svc-broker/api/orders?limit=2&from=a%20b')).status).toBe(400);
    expect((await get('/svc-broker/api/orders?limit=2&from=a+b')).status).toBe(401);
  });

  test('covers bodies beyond ASCII by their bytes', async () => {
    const there = await rig();
    const headers = { 'x-api-signature': '/+3NuloUBj0mHs6I/q0HPd+6rgPkQuN6dwhbqCK5zLU=', 'x-api-user-id': null };
    expect(await order(there, { body: '{"note":"blåbær"}', timestamp: String(at), headers })).toMatchObject({
      status: 400,
      body: { errorCode: 'INVALID_USER' },
    });
  });

  test('B26 two signatures are none', async () => {
    const there = await desk();
    const body = JSON.stringify({ orderType: 'MARKET', quoteId: there.quote.id, side: 'BUY' });
    const signed = signature(`${at}POST/svc-broker/api/orders1205${body}`);
    const headers = new Headers({ 'x-api-key': KEY, 'x-api-timestamp': String(at), 'x-api-user-id': '1205' });
    headers.append('x-api-signature', signed);
    headers.append('x-api-signature', signed);
    const answer = await fetch(`${there.venue.url}/svc-broker/api/orders`, { method: 'POST', headers, body });
    expect(answer.status).toBe(401);
  });

  test('other paths of the broker want it too: 401 before 404', async () => {
    const there = await rig();
    expect((await fetch(`${there.venue.url}/svc-broker/api/other`)).status).toBe(401);
    expect((await signedGet(there, '/svc-broker/api/other')).status).toBe(404);
  });
});

describe('orders and balances can be read only where the configuration says so', () => {
  test('off as it comes', async () => {
    const there = await desk();
    for (const target of [`/svc-broker/api/orders?quoteId=${there.quote.id}`, '/svc-broker/api/balances']) {
      expect((await signedGet(there, target)).status).toBe(404);
    }
  });

  test('on: by quote, for its own user alone, and signed', async () => {
    const there = await desk({ capabilities: ['order-query', 'balances'] });
    const target = `/svc-broker/api/orders?quoteId=${there.quote.id}`;
    expect((await signedGet(there, target)).body).toEqual([]);
    const placed = await order(there, { quoteId: there.quote.id });
    expect((await signedGet(there, target)).body).toEqual([placed.body]);
    expect((await signedGet(there, target, '1206')).body).toEqual([]);
    expect((await signedGet(there, '/svc-broker/api/orders')).status).toBe(400);
    expect((await fetch(`${there.venue.url}${target}`)).status).toBe(401);
    expect((await signedGet(there, '/svc-broker/api/balances')).body).toEqual(there.venue.balances('1205'));
    expect((await signedGet(there, '/svc-broker/api/balances', '2001')).status).toBe(403);
  });
});
