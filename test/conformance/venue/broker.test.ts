import { describe, expect, test } from 'vitest';
import { type Bench, bench, errorBody, KEY, ORDERS, sign } from './harness.ts';

interface Desk extends Bench {
  readonly quoteId: string;
}

/** A venue that has quoted 0.01 btcusd to user 1205. */
async function desk(): Promise<Desk> {
  const there = await bench();
  const quote = await there.quote();
  return Object.assign(there, { quoteId: String(quote.id) });
}

const bodyOf = (quoteId: unknown, side: unknown = 'BUY', orderType: unknown = 'MARKET') => JSON.stringify({ orderType, quoteId, side });
const executed = (there: Bench) => there.venue.executions().length;

describe('2.10 broker order request, 4.4', () => {
  test('4.4 an order on a quote is executed whole, at the figures of the quote, and answered as the notes say', async () => {
    const there = await bench();
    const quote = await there.quote();
    const { price, size, value, feeInQuoteCcy } = Object(quote.buyQuote);
    const before = there.venue.balances('1205');
    const answer = await there.order(bodyOf(quote.id));
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        orderId: expect.any(String),
        quoteId: quote.id,
        side: 'BUY',
        status: 'FILLED',
        price,
        size,
        value,
        fee: feeInQuoteCcy,
        feeCcy: 'usd',
        executedAt: '2026-01-01T00:00:00.000Z',
      },
    ]);
    const after = there.venue.balances('1205');
    expect(Number(after.btc) - Number(before.btc)).toBeCloseTo(size, 8);
    expect(Number(after.usd) - Number(before.usd)).toBeCloseTo(-(value + feeInQuoteCcy), 6);
  });

  test('note: SELL is the other side: size goes, value less fee comes', async () => {
    const there = await bench();
    const quote = await there.quote();
    const { value, feeInQuoteCcy } = Object(quote.sellQuote);
    const before = Number(there.venue.balances('1205').usd);
    expect((await there.order(bodyOf(quote.id, 'SELL'))).json).toMatchObject({ side: 'SELL' });
    expect(Number(there.venue.balances('1205').usd) - before).toBeCloseTo(value - feeInQuoteCcy, 6);
    expect(there.venue.balances('1205').btc).toBe('99.99');
  });

  test.each([
    ['orderType', ['LIMIT', 'market', '', null, 1, undefined]],
    ['quoteId', ['1', '', null, 7, undefined, {}, '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c1']],
    ['side', ['buy', 'HOLD', '', null, true, undefined, 'constructor']],
  ])('2.10.%s as %j: 400 naming the field, nothing executed', async (field, values) => {
    const there = await desk();
    for (const value of values) {
      const refused = await there.order(JSON.stringify({ orderType: 'MARKET', quoteId: there.quoteId, side: 'BUY', [field]: value }));
      expect(refused).toMatchObject({ status: 400, json: { ...errorBody(400, ORDERS), errors: [{ fields: [field] }] } });
    }
    expect(executed(there)).toBe(0);
  });

  test('note B20: a quote serves once, in whatever letter case', async () => {
    const there = await desk();
    expect((await there.order(bodyOf(there.quoteId.toUpperCase()))).status).toBe(201);
    for (const id of [there.quoteId, there.quoteId.toUpperCase()])
      expect(await there.order(bodyOf(id, 'SELL'))).toMatchObject({
        status: 422,
        json: { errorCode: 'QUOTE_USED', errors: [{ fields: ['quoteId'] }] },
      });
    expect(executed(there)).toBe(1);
  });

  test('8.4 a quote that newer ones followed, on a connection that is closed, still serves', async () => {
    const there = await bench();
    const feed = await there.feed();
    await feed.ask({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 });
    const quote = await feed.next();
    there.timers.advance(600);
    expect(await feed.next()).toMatchObject({ msgType: 'TQ' });
    await feed.ask({ quoteType: 'BASIC', productCode: 'ethusd' });
    feed.socket.close();
    await feed.closed;
    expect((await there.order(bodyOf(quote.id, 'SELL'))).status).toBe(201);
  });

  test("note: an expired, an unknown and another user's quote: 422, nothing executed", async () => {
    const there = await desk();
    const refusal = (errorCode: string) => ({ status: 422, json: { errorCode } });
    expect(await there.order(bodyOf(there.quoteId), {}, '1206')).toMatchObject(refusal('QUOTE_OTHER_USER'));
    expect(await there.order(bodyOf('5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11'))).toMatchObject(refusal('QUOTE_UNKNOWN'));
    const near = ((Number.parseInt(there.quoteId.slice(0, 1), 16) + 8) % 16).toString(16) + there.quoteId.slice(1);
    expect(await there.order(bodyOf(near))).toMatchObject(refusal('QUOTE_UNKNOWN'));
    there.timers.advance(3001);
    expect(await there.order(bodyOf(there.quoteId))).toMatchObject(refusal('QUOTE_EXPIRED'));
    expect(executed(there)).toBe(0);
  });
});

describe('5.1 broker authentication', () => {
  test('5.1.1 every path under /svc-broker/api/ asks for it', async () => {
    const there = await bench();
    for (const path of [ORDERS, `${ORDERS}?quoteId=x`, '/svc-broker/api/balances', '/svc-broker/api/', '/svc-broker/api/anything/else']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        expect([method, path, (await there.send({ method, path })).status]).toEqual([method, path, 401]);
      }
    }
  });

  test('5.1.1 another writing of a path is no way around it', async () => {
    const there = await bench({ capabilities: ['balances'] });
    const ways = [
      '/svc-broker/%61pi/balances',
      '/svc-broker//api/balances',
      '/svc-broker/public/../api/balances',
      '/SVC-BROKER/API/balances',
    ];
    for (const path of ways) {
      const { status } = await there.send({ path, headers: [['X-API-User-ID', '1205']] });
      expect([path, status >= 400]).toEqual([path, true]);
    }
  });

  test('5.1.2, 4.5.Path, 4.5.Authentication the feed asks for none', async () => {
    const feed = await (await bench()).feed('');
    expect(await feed.ask({ quoteType: 'BASIC', productCode: 'btcusd' })).toMatchObject({ msgType: 'ACK' });
  });

  test.each(['X-API-Key', 'X-API-Timestamp', 'X-API-Signature'])('5.1.3.%s is required (5.1.3)', async (name) => {
    const there = await desk();
    expect(await there.order(bodyOf(there.quoteId), { [name]: null })).toMatchObject({ status: 401, json: errorBody(401, ORDERS) });
    expect(executed(there)).toBe(0);
  });

  test('5.1.4 X-API-User-ID names a user of the partner, or the partner itself', async () => {
    const there = await bench();
    for (const user of ['1000', '1205', '1206']) {
      const quote = await there.quote(`?userId=${user}`);
      expect([user, (await there.order(bodyOf(quote.id), {}, user)).status]).toEqual([user, 201]);
    }
  });

  test('5.1.s1 the parts are joined without separators, query and body as sent', async () => {
    const there = await bench({ capabilities: ['order-query'] });
    const path = `${ORDERS}?quoteId=5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11&a=%20b`;
    expect((await there.send({ path, headers: there.signed({ method: 'GET', path }) })).status).toBe(200);
    const other = path.replace('%20', '+');
    expect((await there.send({ path: other, headers: there.signed({ method: 'GET', path }) })).status).toBe(401);
  });

  test('5.1.s1 the user id is part of it, and empty when none is sent', async () => {
    const there = await desk();
    const at = String(there.timers.wallMs());
    const body = bodyOf(there.quoteId);
    const withoutUser = sign(`${at}POST${ORDERS}${body}`);
    expect((await there.order(body, { 'X-API-Signature': withoutUser })).status).toBe(401);
    expect((await there.order(body, { 'X-API-Signature': withoutUser, 'X-API-User-ID': null })).status).toBe(400);
  });

  test.each([
    [
      `{"orderType": "MARKET", "quoteId": "5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11", "side": "BUY"}`,
      'RdrdUMK8Ri3StfQNuyBR40k3ucq1p+mQ+edbROhfUOo=',
      422,
    ],
    [
      `{"orderType":"MARKET","quoteId":"5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11","side":"BUY"}`,
      'pdDhai78wh7NGhySuElespZIwWJk3l2kMCtWrI3ukAY=',
      422,
    ],
    [
      `{"orderType":"MARKET","quoteId":"5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11","side":"BUY"}`,
      'XfeBKq9PfAU6mi4Or0eOHxILR8qFAM/opuhDR6lgU5k=',
      401,
    ],
  ])('5.1.s2 and 5.1.s3 the published signatures: %s with %s: %i', async (body, signature, status) => {
    const there = await bench();
    const headers = { 'X-API-Timestamp': '1767225600000', 'X-API-Signature': signature };
    expect((await there.order(body, headers)).status).toBe(status);
  });

  test('5.1.s4 an old request that is sent again is refused', async () => {
    const there = await desk();
    const body = bodyOf(there.quoteId);
    const headers = Object.fromEntries(there.signed({ path: ORDERS, body }));
    there.timers.advance(5001);
    expect((await there.order(body, headers)).status).toBe(401);
  });
});

describe('7 errors of the broker, 8 limits', () => {
  const at = Date.UTC(2026, 0, 1);
  const rows: [row: string, status: number, headers: Record<string, string | null>, user?: string][] = [
    ['7.1 X-API-Key missing', 401, { 'X-API-Key': null }],
    ['7.1 X-API-Key invalid', 401, { 'X-API-Key': KEY.replace('1', 'a') }],
    ['7.2 X-API-Timestamp missing', 401, { 'X-API-Timestamp': null }],
    ['7.3 X-API-Signature does not match', 401, { 'X-API-Signature': sign('another request') }],
    ['7.4 X-API-User-ID incorrect', 400, {}, '99'],
    ['7.4 X-API-User-ID missing', 400, { 'X-API-User-ID': null, 'X-API-Signature': '' }],
    ['7.5 X-API-User-ID names a user not registered through the caller', 403, {}, '2001'],
  ];
  test.each(rows)('%s: %i', async (_row, status, headers, user) => {
    const there = await desk();
    const body = bodyOf(there.quoteId);
    const signature = headers['X-API-Signature'] === '' ? { 'X-API-Signature': sign(`${at}POST${ORDERS}${body}`) } : {};
    const refused = await there.order(body, { ...headers, ...signature }, user);
    expect(refused).toMatchObject({ status, json: errorBody(status, ORDERS) });
    expect(executed(there)).toBe(0);
  });

  test('note: a fault of the user id names its header', async () => {
    const there = await desk();
    expect((await there.order(bodyOf(there.quoteId), {}, '99')).json.errors).toMatchObject([{ fields: ['X-API-User-ID'] }]);
  });

  test.each([
    [-5001, 401],
    [-5000, 201],
    [5000, 201],
    [5001, 401],
  ])("7.2 and 8.1 a timestamp %i ms from the server's time: %i", async (offset, status) => {
    const there = await desk();
    const body = bodyOf(there.quoteId);
    const headers = Object.fromEntries(there.signed({ path: ORDERS, body }, '1205', String(there.timers.wallMs() + offset)));
    expect((await there.order(body, headers)).status).toBe(status);
  });

  test('note: checks come in the order key, timestamp, signature, user, body, quote', async () => {
    const there = await bench();
    const [key, time, signature] = [{ 'X-API-Key': 'x' }, { 'X-API-Timestamp': '1' }, { 'X-API-Signature': 'x' }];
    const answers = [
      await there.order('{', { ...key, ...time, ...signature }, '99'),
      await there.order('{', { ...time, ...signature }, '99'),
      await there.order('{', signature, '99'),
      await there.order('{', {}, '99'),
      await there.order('{'),
      await there.order(bodyOf('5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11')),
    ];
    const codes = answers.map(({ json }) => json.errorCode);
    expect(codes).toEqual(['INVALID_API_KEY', 'INVALID_TIMESTAMP', 'INVALID_SIGNATURE', 'INVALID_USER', 'MALFORMED_BODY', 'QUOTE_UNKNOWN']);
  });
});
