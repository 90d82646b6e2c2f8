/** Sections 2.10, 4.4, 5.1, 7 and 8 of the specification, and the signature vectors of its notes: orders. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  ask,
  askJson,
  type Broker,
  canonicalRequest,
  dice,
  Feed,
  type Headers,
  hmac,
  type Json,
  object,
  type Signed,
  text,
  units,
} from './client.ts';
import { Venue } from './venue.ts';

const ORDERS = '/svc-broker/api/orders';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The vectors of the notes: what is signed, and the signature. */
const SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const AT = '1767225600000';
const QUOTE = '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11';
const SPACED = `{"orderType": "MARKET", "quoteId": "${QUOTE}", "side": "BUY"}`;
const TIGHT = `{"orderType":"MARKET","quoteId":"${QUOTE}","side":"BUY"}`;
const VECTORS: [string, Signed, string][] = [
  ['with spaces', { body: SPACED, userId: '1205' }, 'RdrdUMK8Ri3StfQNuyBR40k3ucq1p+mQ+edbROhfUOo='],
  ['without spaces', { body: TIGHT, userId: '1205' }, 'pdDhai78wh7NGhySuElespZIwWJk3l2kMCtWrI3ukAY='],
  ['with a query and no body', { method: 'GET', path: `${ORDERS}?limit=2&from=a%20b` }, 'VODdAbaYT8PXPKP8V3Roct84+wXQILN4qbZzVAcqjK8='],
  ['with letters beyond ASCII', { body: '{"note":"blåbær"}' }, '/+3NuloUBj0mHs6I/q0HPd+6rgPkQuN6dwhbqCK5zLU='],
];

/** Two venues: one on our clock, and one for which it is always the time of the vectors. */
let venue: Venue;
let still: Venue;
let broker: Broker;
let named: Feed;

beforeAll(async () => {
  // Quotes that also a machine that is busy with other things uses in time.
  const set = { 'venue.capabilities': '["order-query","balances"]', 'venue.validityMs': '8000' };
  [venue, still] = await Promise.all([Venue.start({ set }), Venue.start({ set, clock: { at: Number(AT), rate: 0 } })]);
  broker = venue.broker;
  named = await Feed.open(venue.url, '?userId=1205');
});
afterAll(async () => {
  await named?.close();
  await Promise.all([venue?.stop(), still?.stop()]);
});

const order = (fields: Json = {}) => JSON.stringify({ orderType: 'MARKET', quoteId: randomUUID(), side: 'BUY', ...fields });
const quote = (productCode = 'btcusd', input: Json = { inputSize: 0.01 }) => named.trading(productCode, input);

function refused(answer: Answer, status: number, field?: string): string {
  expect(answer.status, answer.text).toBe(status);
  const body = answer.object();
  expect(body.status).toBe(status);
  if (field) expect((body.errors as unknown[]).flatMap((one) => object(one).fields)).toContain(field);
  return text(body, 'errorCode');
}

/** Let in: what the venue then says is about the order alone. */
function letIn(answer: Answer, why?: string): void {
  expect(answer.status, `${why ?? ''} ${answer.text}`).toBe(422);
}

describe('5.1 signature rules', () => {
  test.each(VECTORS)('5.1 the signature of the vector %s is that of the notes', (_, signed, expected) => {
    const { method = 'POST', path = ORDERS, userId, body } = signed;
    expect(hmac(SECRET, canonicalRequest(AT, method, path, userId, body))).toBe(expected);
  });

  test.each(VECTORS)('5.1 the venue takes the vector %s, byte for byte', async (_, signed, expected) => {
    const answer = await still.broker.ask({ ...signed, timestamp: AT, instead: { 'X-API-Signature': expected } });
    expect(answer.status, answer.text).not.toBe(401);
    expect(answer.status).toBe(signed.userId ? 422 : 400);
  });

  test('5.1 rule 2: a secret that is used as text instead of decoded matches nothing', async () => {
    const signature = 'XfeBKq9PfAU6mi4Or0eOHxILR8qFAM/opuhDR6lgU5k=';
    refused(await still.broker.ask({ body: TIGHT, userId: '1205', timestamp: AT, instead: { 'X-API-Signature': signature } }), 401);
  });

  test('5.1 rule 1: the body is signed as it was sent, not as it is understood', async () => {
    const headers = broker.headers({ userId: '1205', body: TIGHT });
    refused(await ask(venue.url, { method: 'POST', path: ORDERS, headers, body: SPACED }), 401);
    letIn(await broker.ask({ userId: '1205', body: `\n ${order()} ` }));
  });

  test('5.1 rule 1: the query belongs to the path that is signed, in the order and writing in which it is sent', async () => {
    const path = `${ORDERS}?b=2&a=%7E&a=1`;
    letIn(await broker.ask({ path, userId: '1205', body: order() }));
    for (const other of [ORDERS, `${ORDERS}?a=%7E&a=1&b=2`, `${ORDERS}?b=2&a=~&a=1`, `${path}&`]) {
      const body = order();
      const headers = broker.headers({ path: other, userId: '1205', body });
      refused(await ask(venue.url, { method: 'POST', path, headers, body }), 401);
    }
  });

  test('5.1 rule 1: for any 120 requests, a signature over anything else than what was sent is refused (seed 3)', async () => {
    const { pick, int } = dice(3);
    for (let nth = 0; nth < 120; nth++) {
      const body = order({ note: 'å'.repeat(int(0, 40)) });
      const userId = pick(['1205', '1000', '1206']);
      const path = ORDERS + pick(['', '?', '?x=1', '?q=%C3%A5']);
      const at = String(Date.now() + int(-2_000, 2_000));
      const sign = (canon: Buffer | string) => hmac(broker.secret, canon);
      const right = sign(canonicalRequest(at, 'POST', path, userId, body));
      const flipped = Buffer.from(right, 'base64');
      flipped[int(0, 31)] = (flipped[int(0, 31)] ?? 0) ^ (1 << int(0, 7)) ^ 0;
      const wrong = pick([
        sign(canonicalRequest(at, 'PUT', path, userId, body)),
        sign(canonicalRequest(String(Number(at) + 1), 'POST', path, userId, body)),
        sign(canonicalRequest(at, 'POST', `${path}x`, userId, body)),
        sign(canonicalRequest(at, 'POST', path, '', body)),
        sign(canonicalRequest(at, 'POST', path, '1207', body)),
        sign(canonicalRequest(at, 'POST', path, userId, `${body} `)),
        sign(canonicalRequest(at, 'POST', path, userId, '')),
        sign([at, 'POST', path, userId, body].join('\n')),
        sign(`${at}post${path}${userId}${body}`),
        hmac(Buffer.from('another secret').toString('base64'), canonicalRequest(at, 'POST', path, userId, body)),
        Buffer.from(right, 'base64').toString('hex'),
        right.slice(0, -4),
        right.slice(0, 8),
        `${right}${right}`,
        'AAAA',
      ]);
      const signed = { userId, path, body, timestamp: at };
      refused(await broker.ask({ ...signed, instead: { 'X-API-Signature': wrong } }), 401);
      if (nth % 4 === 0) letIn(await broker.ask(signed), path);
    }
  });

  test('5.1 rule 3, 7: only the Base64 of the signature is the signature; a text that a lenient decoder takes for it is not', async () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const ways: ((right: string) => string)[] = [
      (right) => right.slice(0, -1),
      (right) => `${right}=`,
      (right) => `${right}!`,
      (right) => `${right.slice(0, 20)}-_.${right.slice(20)}`,
      (right) => `${right.slice(0, 20)} ${right.slice(20)}`,
      (right) => `${right.slice(0, 42)}${letters[letters.indexOf(right.charAt(42)) ^ 1]}=`,
      (right) => `"${right}"`,
    ];
    for (const [nth, way] of ways.entries()) {
      const signed = { userId: '1205', body: order(), timestamp: String(Date.now()) };
      const right = String(broker.headers(signed)['X-API-Signature']);
      const answer = await broker.ask({ ...signed, instead: { 'X-API-Signature': way(right) } });
      expect(answer.status, `way ${nth}`).toBe(401);
    }
  });

  test('5.1 rule 1 of access: nothing under /svc-broker/api/ is answered without a key, whatever its name or method', async () => {
    for (const path of [
      ORDERS,
      `${ORDERS}?quoteId=x`,
      `${ORDERS}/`,
      '/svc-broker/api/',
      '/svc-broker/api/balances',
      '/svc-broker/api/nothing',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        expect((await ask(venue.url, { method, path })).status, `${method} ${path}`).toBe(401);
      }
    }
  });

  test('5.1 rule 1 of access: another writing of the path opens no way around the key', async () => {
    for (const path of [
      '/svc-broker/%61pi/balances',
      '/svc-broker//api/balances',
      '/svc-broker/public/../api/balances',
      '/SVC-BROKER/API/balances',
    ]) {
      const answer = await ask(venue.url, { method: 'GET', path, headers: { 'X-API-User-ID': '1205' } });
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('7 the errors of broker requests, row by row', () => {
  test('7 row 1: X-API-Key missing or invalid is 401', async () => {
    for (const key of [undefined, '', 'no-uuid', randomUUID(), `${broker.key}0`, broker.key.slice(1), `${broker.key}, ${broker.key}`]) {
      refused(await broker.ask({ userId: '1205', body: order(), instead: { 'X-API-Key': key } }), 401);
    }
  });

  test('7 row 2: X-API-Timestamp missing, or no decimal number of milliseconds, is 401', async () => {
    const now = Date.now();
    const bad = [
      '',
      'now',
      String(Math.floor(now / 1000)),
      `${now}000`,
      `-${now}`,
      `+${now}`,
      `${now}.5`,
      `0x${now.toString(16)}`,
      `${now}n`,
    ];
    bad.push(`${now / 1e12}e12`, new Date(now).toISOString(), 'NaN', 'Infinity', '9'.repeat(400), `${now}, ${now}`);
    refused(await broker.ask({ userId: '1205', body: order(), instead: { 'X-API-Timestamp': undefined } }), 401);
    for (const timestamp of bad) {
      const answer = await broker.ask({ userId: '1205', body: order(), timestamp });
      expect(answer.status, `${timestamp}: ${answer.text}`).toBe(401);
    }
  });

  test('7 row 2, 8: the tolerance is 5000 ms on either side, exactly', async () => {
    for (const [off, good] of [
      [0, true],
      [-4_999, true],
      [-5_000, true],
      [-5_001, false],
      [4_999, true],
      [5_000, true],
      [5_001, false],
      [-3_600_000, false],
      [3_600_000, false],
    ] as const) {
      const answer = await still.broker.ask({ userId: '1205', body: order(), timestamp: String(Number(AT) + off) });
      if (good) letIn(answer, `${off} ms`);
      else expect(answer.status, `${off} ms`).toBe(401);
    }
  });

  test('7 row 2: on a running clock a request that was signed too early or for later is refused, and one in between is let in', async () => {
    for (const [off, good] of [
      [-5_001, false],
      [-3_000, true],
      [4_990, true],
      [9_000, false],
    ] as const) {
      const answer = await broker.ask({ userId: '1205', body: order(), timestamp: String(Date.now() + off) });
      if (good) letIn(answer, `${off} ms`);
      else expect(answer.status, `${off} ms`).toBe(401);
    }
  });

  test('7 row 3: X-API-Signature missing or not matching is 401', async () => {
    for (const signature of [undefined, '', '=', 'not base64!', 'A'.repeat(44), 'A'.repeat(5_000)]) {
      refused(await broker.ask({ userId: '1205', body: order(), instead: { 'X-API-Signature': signature } }), 401);
    }
  });

  test('7 row 4: X-API-User-ID missing or naming nobody is 400', async () => {
    for (const userId of [undefined, '', '424242', 'somebody', '1205x', '01205', '-1205', '1205.0', '1205, 1205']) {
      refused(await broker.ask({ body: order(), ...(userId === undefined ? {} : { userId }) }), 400, 'X-API-User-ID');
    }
  });

  test('7 row 5: a user of another partner is 403', async () => {
    refused(await broker.ask({ userId: '2001', body: order() }), 403);
  });

  test('5.1 rule 4 of access: a user of the partner and the partner itself are let in', async () => {
    for (const userId of ['1205', '1206', '1000']) letIn(await broker.ask({ userId, body: order() }), userId);
  });

  test('7 of several faults the first counts, in this order: key, timestamp, signature, user, body, quote', async () => {
    const faults: Signed[] = [
      { key: randomUUID() },
      { timestamp: String(Date.now() - 60_000) },
      { secret: Buffer.from('another').toString('base64') },
      { userId: '2001' },
      { body: '{"orderType":"MARKET"}' },
      {},
    ];
    const faultless: Signed = { userId: '1205', body: order() };
    const alone: { status: number; code: unknown }[] = [];
    const told = async (signed: Signed) => {
      const answer = await broker.ask(signed);
      return { status: answer.status, code: answer.object().errorCode };
    };
    for (const fault of faults) alone.push(await told({ ...faultless, ...fault }));
    expect(alone.map(({ status }) => status)).toEqual([401, 401, 401, 403, 400, 422]);
    expect(new Set(alone.map(({ code }) => code)).size, 'each fault is told apart').toBe(6);
    for (let some = 1; some < 1 << 5; some++) {
      const chosen = faults.filter((_, nth) => some & (1 << nth));
      const first = faults.findIndex((_, nth) => some & (1 << nth));
      expect(await told(Object.assign({}, faultless, ...chosen)), some.toString(2)).toEqual(alone[first]);
    }
  });
});

describe('2.10, 4.4 orders', () => {
  test.each(['BUY', 'SELL'])('4.4 %s is executed on its side of the quote, with exactly the figures that were shown', async (side) => {
    for (const [code, input] of [
      ['btcusd', { inputSize: 0.01 }],
      ['ethusd', { inputValue: 400_000 }],
    ] as const) {
      const tq = await quote(code, input);
      const answer = await broker.order('1205', text(tq, 'id'), side);
      expect(answer.status, answer.text).toBe(201);
      const done = answer.object();
      const shown = object(side === 'BUY' ? tq.buyQuote : tq.sellQuote);
      expect(done).toMatchObject({ quoteId: tq.id, side, status: 'FILLED', price: shown.price, size: shown.size, value: shown.value });
      expect(units(done.fee)).toBe(units(shown.feeInQuoteCcy));
      expect(done.feeCcy).toBe(tq.quoteCcy);
      expect(text(done, 'orderId')).not.toBe('');
      expect(Number.isNaN(Date.parse(text(done, 'executedAt')))).toBe(false);
    }
  });

  test('4.4 a quote is good once: used again it is refused, on either side, and nothing more is booked', async () => {
    const id = text(await quote(), 'id');
    expect((await broker.order('1205', id, 'BUY')).status).toBe(201);
    const before = await broker.balances('1205');
    refused(await broker.order('1205', id, 'BUY'), 422, 'quoteId');
    refused(await broker.order('1205', id, 'SELL'), 422, 'quoteId');
    expect(await broker.balances('1205')).toEqual(before);
  });

  test('4.4 of twelve orders at once on one quote exactly one is executed', async () => {
    const before = await broker.balances('1205');
    const tq = await quote();
    const answers = await Promise.all(Array.from({ length: 12 }, () => broker.order('1205', text(tq, 'id'), 'BUY')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(11).fill(422)]);
    expect(units((await broker.balances('1205')).btc) - units(before.btc)).toBe(units(object(tq.buyQuote).size));
  });

  test('5.1 rule 4: a signed order that is sent again as it was is not executed again', async () => {
    const body = order({ quoteId: (await quote()).id });
    const headers = broker.headers({ userId: '1205', body });
    expect((await ask(venue.url, { method: 'POST', path: ORDERS, headers, body })).status).toBe(201);
    refused(await ask(venue.url, { method: 'POST', path: ORDERS, headers, body }), 422);
  });

  test('4.4, 8 a quote that newer ones followed, and whose connection is closed, is good until validUntil, and not after it', async () => {
    const feed = await Feed.open(venue.url, '?userId=1205');
    const first = await feed.trading('btcusd', { inputSize: 0.01 });
    await feed.next((m) => m.msgType === 'TQ');
    const second = await feed.trading('ethusd', { inputSize: 0.2 });
    await feed.close();
    expect((await broker.order('1205', text(first, 'id'), 'SELL')).status).toBe(201);
    const before = await broker.balances('1205');
    await new Promise((resolve) => setTimeout(resolve, Date.parse(text(second, 'validUntil')) - Date.now() + 1));
    refused(await broker.order('1205', text(second, 'id'), 'BUY'), 422, 'quoteId');
    expect(await broker.balances('1205')).toEqual(before);
  });

  test('4.4 a quote serves only the user to whom it was given, and a stranger who tries does not use it up', async () => {
    const id = text(await quote(), 'id');
    const before = await broker.balances('1206');
    refused(await broker.order('1206', id, 'BUY'), 422);
    refused(await broker.order('1000', id, 'BUY'), 422);
    expect(await broker.balances('1206')).toEqual(before);
    expect((await broker.order('1205', id, 'BUY')).status).toBe(201);
  });

  test('4.4 an unknown quote is refused, also one that is nearly known', async () => {
    const id = text(await quote(), 'id');
    // In its first digit: the last ones may count, and another quote is known by them.
    const near = ((Number.parseInt(id.slice(0, 1), 16) + 8) % 16).toString(16) + id.slice(1);
    for (const other of [randomUUID(), near, '00000000-0000-0000-0000-000000000000'])
      refused(await broker.order('1205', other, 'BUY'), 422);
  });

  test.each([
    ['no orderType', { orderType: undefined }, 'orderType'],
    ['another orderType', { orderType: 'LIMIT' }, 'orderType'],
    ['no side', { side: undefined }, 'side'],
    ['another side', { side: 'HOLD' }, 'side'],
    ['a side in lower case', { side: 'buy' }, 'side'],
    ['no quoteId', { quoteId: undefined }, 'quoteId'],
    ['a quoteId that is no UUID', { quoteId: 'first' }, 'quoteId'],
    ['a quoteId that is a number', { quoteId: 1 }, 'quoteId'],
    ['a quoteId in a list', { quoteId: [QUOTE] }, 'quoteId'],
  ])('2.10 an order with %s is 400, and the field is named', async (_, fields, field) => {
    refused(await broker.ask({ userId: '1205', body: order(fields) }), 400, field);
  });

  test('2.10 a malformed body is 400, and leaves its quote as it was', async () => {
    const id = text(await quote(), 'id');
    refused(await broker.ask({ userId: '1205', body: order({ quoteId: id, side: 'HOLD' }) }), 400);
    for (const body of ['', '{', 'null', '[]', '7', '"MARKET"', '{"orderType":"MARKET"']) {
      const answer = await broker.ask({ userId: '1205', body });
      expect([400, 415], JSON.stringify(body)).toContain(answer.status);
    }
    expect((await broker.order('1205', id, 'BUY')).status).toBe(201);
  });
});

describe('2.8 rule 3, 4.4 the books', () => {
  test('2.8 rule 3: after any 60 orders of two users the balances are what the quotes add up to, to the eighth decimal (seed 19)', async () => {
    const { pick, real, int } = dice(19);
    const other = await Feed.open(venue.url, '?userId=1206');
    const people = [
      {
        userId: '1205',
        feed: named,
        book: new Map(Object.entries(await broker.balances('1205')).map(([ccy, held]) => [ccy, units(held)])),
      },
      {
        userId: '1206',
        feed: other,
        book: new Map(Object.entries(await broker.balances('1206')).map(([ccy, held]) => [ccy, units(held)])),
      },
    ];
    let executed = 0;
    for (let nth = 0; nth < 60; nth++) {
      const { userId, feed, book } = pick(people);
      const move = (ccy: unknown, by: bigint) => book.set(String(ccy).toLowerCase(), (book.get(String(ccy).toLowerCase()) ?? 0n) + by);
      const code = pick(['btcusd', 'ethusd', 'ethsek', 'eurusd']);
      const value = Number((100 * 10 ** (real() * 2.5)).toFixed(int(0, 6)));
      const tq = await feed.trading(code, { inputValue: value });
      const side = pick(['BUY', 'SELL']);
      const answer = await broker.order(userId, text(tq, 'id'), side);
      expect(answer.status, answer.text).toBe(201);
      executed++;
      const shown = object(side === 'BUY' ? tq.buyQuote : tq.sellQuote);
      const [size, worth, fee] = [units(shown.size), units(shown.value), units(shown.feeInQuoteCcy)];
      move(tq.baseCcy, side === 'BUY' ? size : -size);
      move(tq.quoteCcy, side === 'BUY' ? -(worth + fee) : worth - fee);
    }
    for (const { userId, book } of people) {
      const now = await broker.balances(userId);
      expect(new Map(Object.entries(now).map(([ccy, held]) => [ccy, units(held)])), userId).toEqual(book);
    }
    expect(executed).toBe(60);
    await other.close();
  });

  test('4.4 an order that the balance does not cover is refused, and leaves the balance as it was', async () => {
    const before = await broker.balances('1000');
    const rich = await Feed.open(venue.url, '?userId=1000');
    const answers: number[] = [];
    for (let nth = 0; nth < 4; nth++) {
      const tq = await rich.trading('ethusd', { inputSize: 400 });
      const sides = ['SELL', 'BUY', 'BUY', 'BUY'];
      answers.push((await broker.order('1000', text(tq, 'id'), sides[nth] ?? 'BUY')).status);
    }
    await rich.close();
    expect(answers).toContain(422);
    const after = await broker.balances('1000');
    for (const [ccy, held] of Object.entries(after)) expect(units(held) >= 0n, `${ccy} is ${String(held)}`).toBe(true);
    if (!answers.includes(201)) expect(after).toEqual(before);
  });

  test('4.4 what was executed outlives a kill: the books are as they were answered, and the signed order is not executed again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-by-the-book-'));
    const set = { 'venue.capabilities': '["balances"]', 'venue.database': join(folder, 'venue.db'), 'venue.validityMs': '10000' };
    try {
      const first = await Venue.start({ set });
      let sent: { headers: Headers; body: string };
      let books: Json;
      let unused: string;
      try {
        const feed = await Feed.open(first.url, '?userId=1205');
        const body = order({ quoteId: (await feed.trading('btcusd', { inputSize: 0.01 })).id });
        unused = text(await feed.trading('ethusd', { inputSize: 0.2 }), 'id');
        sent = { headers: first.broker.headers({ userId: '1205', body }), body };
        const before = await first.broker.balances('1205');
        expect((await ask(first.url, { method: 'POST', path: ORDERS, ...sent })).status).toBe(201);
        books = await first.broker.balances('1205');
        expect(books).not.toEqual(before);
      } finally {
        first.child.kill('SIGKILL');
        await first.stop();
      }
      const second = await Venue.start({ set });
      try {
        expect(await second.broker.balances('1205')).toEqual(books);
        const again = await ask(second.url, { method: 'POST', path: ORDERS, ...sent });
        expect([401, 422], again.text).toContain(again.status);
        refused(await second.broker.ask({ userId: '1205', body: sent.body }), 422);
        refused(await second.broker.ask({ userId: '1206', body: order({ quoteId: unused }) }), 422);
        expect(await second.broker.balances('1205')).toEqual(books);
      } finally {
        await second.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('2.9 a deposit of any amount moves the balance of its user by just that', async () => {
    for (const [amount, currency] of [
      ['0.00000001', 'btc'],
      ['12345.678', 'usd'],
    ] as const) {
      const before = [await broker.balances('1206'), await broker.balances('1205')] as const;
      expect((await askJson(venue.url, 'POST', '/venue/deposits', { userId: '1206', currency, amount })).status).toBe(201);
      expect(units((await broker.balances('1206'))[currency]) - units(before[0][currency])).toBe(units(amount));
      expect(await broker.balances('1205')).toEqual(before[1]);
    }
  });

  test('4.4 each executed order can be asked for by its quote, where the venue is told to answer that', async () => {
    const id = text(await quote(), 'id');
    expect(id).toMatch(UUID);
    const done = (await broker.order('1205', id, 'BUY')).object();
    const found = await broker.ask({ method: 'GET', path: `${ORDERS}?quoteId=${id}`, userId: '1205' });
    expect(found.status, found.text).toBe(200);
    expect(found.text).toContain(text(done, 'orderId'));
    const foreign = await broker.ask({ method: 'GET', path: `${ORDERS}?quoteId=${id}`, userId: '1206' });
    expect(foreign.text, 'nobody sees the orders of another').not.toContain(text(done, 'orderId'));
  });

  test('7 balances are shown to nobody but their user, by the same four headers', async () => {
    const path = '/svc-broker/api/balances';
    expect((await broker.ask({ method: 'GET', path, userId: '2001' })).status).toBe(403);
    expect((await broker.ask({ method: 'GET', path })).status).toBe(400);
    expect((await broker.ask({ method: 'GET', path, userId: '1205', secret: SECRET.toLowerCase() })).status).toBe(401);
  });
});
