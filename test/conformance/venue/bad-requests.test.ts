import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fc } from '../../support/property.ts';
import { CORPUS } from './corpus.ts';
import { AI, type Bench, bench, KEY, LOGIN, ORDERS, STRATEGIES, sign } from './harness.ts';

const AT = String(Date.UTC(2026, 0, 1));

async function orderable(): Promise<{ there: Bench; body: string }> {
  const there = await bench();
  const quote = await there.quote();
  return { there, body: JSON.stringify({ orderType: 'MARKET', quoteId: quote.id, side: 'BUY' }) };
}

/** Bytes as they stand, and the first line of what comes back. */
async function raw(there: Bench, bytes: string): Promise<string> {
  const socket = connect(there.venue.port, '127.0.0.1');
  // The server may close before all of it was written; what counts is its answer.
  socket.on('error', () => {});
  socket.write(bytes);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer).split('\r\n')[0] ?? '';
}

describe('identity', () => {
  test.each(Object.entries(CORPUS.names).filter(([, name]) => /^[\x20-\x7e]+$/.test(name)))(
    '%s as X-API-User-ID: 400, rightly signed',
    async (_name, user) => {
      const { there, body } = await orderable();
      expect(await there.order(body, {}, user)).toMatchObject({ status: 400, json: { errorCode: 'INVALID_USER' } });
      expect(there.venue.executions()).toEqual([]);
    },
  );

  test.each(Object.entries(CORPUS.names))('%s as product, account, filter and path', async (_name, name) => {
    const there = await bench();
    const feed = await there.feed();
    expect(await feed.ask({ quoteType: 'BASIC', productCode: name })).toMatchObject({ msgType: 'ERR' });
    for (const field of ['productCode', 'accountId']) {
      const { status } = await there.strategy('POST', '/action/create', { ...AI, [field]: name });
      expect([field, [400, 422].includes(status)]).toEqual([field, true]);
    }
    expect((await there.send({ path: `/mms/v2/productDetails?exchangeCode=${encodeURIComponent(name)}` })).status).toBe(400);
    expect((await there.strategy('PUT', `/${encodeURIComponent(name)}/action/start`)).status).toBe(404);
  });

  test('B21 a user id of 1 MB never gets in', async () => {
    const there = await bench();
    expect(await raw(there, `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nX-API-User-ID: ${'1'.repeat(1_000_000)}\r\n\r\n`)).toMatch(/ 431 /);
  });

  test("B20 a quote of another product's subscription trades that product, once, and no other", async () => {
    const there = await bench();
    const feed = await there.feed();
    await feed.ask({ quoteType: 'TRADING', productCode: 'ethusd', inputSize: 0.2 });
    const quote = await feed.next();
    const body = JSON.stringify({ orderType: 'MARKET', quoteId: quote.id, side: 'BUY', productCode: 'btcusd', size: 5 });
    expect((await there.order(body)).json).toMatchObject({ size: 0.2 });
    expect(there.venue.executions()).toMatchObject([{ product: 'ethusd', size: '0.2' }]);
  });
});

describe('signatures and timestamps: 401, nothing executed', () => {
  test.each(Object.entries(CORPUS.signatures))('%s', async (_name, signature) => {
    const { there, body } = await orderable();
    expect((await there.order(body, { 'X-API-Signature': signature })).status).toBe(401);
    expect(there.venue.executions()).toEqual([]);
  });

  test.each(Object.entries(CORPUS.timestamps))('%s, rightly signed', async (_name, timestamp) => {
    const { there, body } = await orderable();
    const headers = { 'X-API-Timestamp': timestamp, 'X-API-Signature': sign(`${timestamp}POST${ORDERS}1205${body}`) };
    expect((await there.order(body, headers)).status).toBe(401);
  });

  test('B25 a timestamp with a space after it is the header without it, as HTTP has it', async () => {
    const { there, body } = await orderable();
    expect((await there.order(body, { 'X-API-Timestamp': `${AT} ` })).status).toBe(201);
  });

  test('B26 a signature of something else, with another padding or junk that a lenient decoder skips, or a flipped bit', async () => {
    const { there, body } = await orderable();
    const right = sign(`${AT}POST${ORDERS}1205${body}`);
    const bytes = Buffer.from(right, 'base64');
    const flipped = Array.from({ length: 256 }, (_, bit) =>
      Buffer.from(bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))).toString('base64'),
    );
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    for (const wrong of [
      `${right}=`,
      right.replace(/=$/, ''),
      right.slice(0, 8),
      `${right}!`,
      `"${right}"`,
      `${right.slice(0, 20)} ${right.slice(20)}`,
      `${right.slice(0, 20)}-_.${right.slice(20)}`,
      // The two last bits of the last letter belong to no byte.
      `${right.slice(0, 42)}${letters[letters.indexOf(right.charAt(42)) ^ 1]}=`,
      bytes.toString('hex'),
      ...flipped,
      right.toLowerCase(),
      `${right},${right}`,
      `${right}${right}`,
      sign(`${AT}PUT${ORDERS}1205${body}`),
      sign(`${Number(AT) + 1}POST${ORDERS}1205${body}`),
      sign(`${AT}POST${ORDERS}x1205${body}`),
      sign(`${AT}POST${ORDERS}1206${body}`),
      sign(`${AT}POST${ORDERS}1205${body} `),
      sign(`${AT}POST${ORDERS}1205`),
      sign([AT, 'POST', ORDERS, '1205', body].join('\n')),
      sign(`${AT}post${ORDERS}1205${body}`),
    ]) {
      expect((await there.order(body, { 'X-API-Signature': wrong })).status).toBe(401);
    }
    expect((await there.order(body)).status).toBe(201);
  });

  test('B26 two signatures, two keys, two users, two timestamps', async () => {
    const { there, body } = await orderable();
    for (const index of [0, 1, 2, 3]) {
      const headers = there.signed({ path: ORDERS, body });
      const twice = headers[index];
      const { status } = await there.send({ method: 'POST', path: ORDERS, headers: [...headers, ...(twice ? [twice] : [])], body });
      expect([400, 401]).toContain(status);
    }
    expect(there.venue.executions()).toEqual([]);
  });

  test('B27 the right signature over JSON that was written anew', async () => {
    const { there, body } = await orderable();
    const anew = JSON.stringify(JSON.parse(body), null, 1);
    expect((await there.order(anew, { 'X-API-Signature': sign(`${AT}POST${ORDERS}1205${body}`) })).status).toBe(401);
  });

  test('colliding canonical requests: bytes moved over the borders of path, user and body execute nothing', async () => {
    const { there, body } = await orderable();
    const joined = `${ORDERS}1205${body}`;
    const signature = sign(`${AT}POST${joined}`);
    const first = ORDERS.length - 3;
    for (let pathEnd = first; pathEnd <= ORDERS.length + 4; pathEnd += 1) {
      for (let userEnd = pathEnd; userEnd <= ORDERS.length + 7; userEnd += 1) {
        if (pathEnd === ORDERS.length && userEnd === ORDERS.length + 4) continue;
        const user = joined.slice(pathEnd, userEnd);
        const headers: [string, string][] = [
          ['X-API-Key', KEY],
          ['X-API-Timestamp', AT],
          ['X-API-Signature', signature],
          ...(user === '' ? [] : ([['X-API-User-ID', user]] as [string, string][])),
        ];
        const { status } = await there.send({ method: 'POST', path: joined.slice(0, pathEnd), headers, body: joined.slice(userEnd) });
        expect([400, 401, 404]).toContain(status);
      }
    }
    expect(there.venue.executions()).toEqual([]);
    expect((await there.order(body)).status).toBe(201);
  });

  test('whatever stands in the four headers: 400, 401 or 403, never an execution', async () => {
    const { there, body } = await orderable();
    const text = fc.string({ unit: fc.constantFrom(...'0123456789abcXYZ+/= {}?-,;"'), maxLength: 60 });
    const change = fc.record(
      { 'X-API-Key': text, 'X-API-Timestamp': text, 'X-API-Signature': text, 'X-API-User-ID': text },
      { requiredKeys: ['X-API-Signature'] },
    );
    await fc.assert(
      fc.asyncProperty(change, async (headers) => {
        expect([400, 401, 403]).toContain((await there.order(body, headers)).status);
      }),
      { numRuns: 60 },
    );
    expect(there.venue.executions()).toEqual([]);
  });
});

describe('HTTP', () => {
  test('B30 methods that no path has: 404 with the error body, and nothing happens', async () => {
    const there = await bench();
    const paths = [ORDERS, LOGIN, '/as/v3/accounts', '/mms/v2/productDetails', `${STRATEGIES}/pauseAll`, `${STRATEGIES}/action/create`];
    for (const path of paths) {
      for (const method of ['PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) {
        const { status } = await there.send({ method, path, headers: there.signed({ method, path }) });
        expect([path, method, status]).toEqual([path, method, 404]);
      }
    }
  });

  test('B30 an order by another content type: 415; Expect: 100-continue is answered', async () => {
    const { there, body } = await orderable();
    const headers = there.signed({ path: ORDERS, body });
    const xml = await there.send({ method: 'POST', path: ORDERS, headers: [...headers, ['Content-Type', 'application/xml']], body });
    expect(xml.status).toBe(415);
    const lines = [...headers, ['Content-Length', String(body.length)], ['Expect', '100-continue']].map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    expect(await raw(there, `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n${body}`)).toMatch(/^HTTP\/1\.1 (100|201) /);
  });

  test.each([
    ['B31 Content-Length and Transfer-Encoding', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['B31 two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x', 400],
    ['B31 a length below zero', 'Content-Length: -1\r\n\r\n', 400],
    ['B31 a chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['B32 10,000 headers', `${'a: b\r\n'.repeat(10_000)}\r\n`, 431],
    ['a header that is no header', 'no header\r\n\r\n', 400],
    ['a header with NUL', 'X-API-Key: \0\r\n\r\n', 400],
  ])('%s', async (_name, rest, status) => {
    expect(await raw(await bench(), `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\n${rest}`)).toContain(` ${status} `);
  });

  test('B33 a request without Host, and a line that is no request: 400', async () => {
    const there = await bench();
    expect(await raw(there, 'GET /mms/v2/productDetails HTTP/1.1\r\n\r\n')).toContain(' 400 ');
    expect(await raw(there, 'hello\r\n\r\n')).toContain(' 400 ');
  });

  test.each(['evil', '127.0.0.1.evil', 'localhost.evil:8090', '[::2]'])(
    "B33 Host: %s opens none of the venue's own paths",
    async (host) => {
      const there = await bench();
      const line = await raw(there, `POST /venue/sessions/revoke HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
      expect(line).toContain(' 403 ');
    },
  );

  test('whatever the method and path: no fault of the service, and nothing of its inside', async () => {
    const there = await bench();
    const headers = [await there.bearer()];
    const some = [
      '/',
      '/%',
      '/%00',
      '/%ff',
      '/a%0d%0ab',
      '/;',
      '/?%',
      `/${'a/'.repeat(3000)}`,
      `${STRATEGIES}/%2F/action/start`,
      '/__proto__',
    ];
    const near = ['/venue', '/venue/', '/mms/v2/productDetails/', '/mms/v2//productDetails', '/MMS/v2/productDetails'];
    for (const path of [...some, ...near, `/mms/v2/productDetails?${'x=1&'.repeat(2000)}`]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
        const { status, text } = await there.send({ method, path, headers });
        expect([path, method, status < 500, /root:|\bat .*\.[jt]s:\d/.test(text)]).toEqual([path, method, true, false]);
      }
    }
  });

  test('clients that stop in the middle hold up nobody', async () => {
    const there = await bench();
    const halves = ['', 'GET /mms', `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{`];
    const sockets = Array.from({ length: 99 }, () => connect(there.venue.port, '127.0.0.1').on('error', () => {}));
    for (const [nth, socket] of sockets.entries()) socket.write(halves[nth % 3] ?? '');
    expect((await there.send({ path: '/mms/v2/productDetails' })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('a path that cannot be decoded, climbs, or is endless', async () => {
    const there = await bench();
    for (const path of ['/%', '/%zz', '/..%2f..%2fetc/passwd', `/${'a'.repeat(10_000)}`, '//', '/\\']) {
      expect([path.slice(0, 20), (await there.send({ path })).status]).toEqual([path.slice(0, 20), 404]);
    }
    expect(await raw(there, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(' 431 ');
  });
});

describe('the feed', () => {
  const good = { quoteType: 'BASIC', productCode: 'btcusd' };

  test.each(Object.entries(CORPUS.numbers))(
    '%s as inputSize and inputValue: ERR, and the subscription before goes on',
    async (_name, number) => {
      const there = await bench();
      const feed = await there.feed();
      await feed.ask(good);
      for (const field of ['inputSize', 'inputValue']) {
        const answer = await feed.ask(`{"quoteType":"TRADING","productCode":"btcusd","${field}":${number}}`);
        if (field === 'inputSize' || !/ulp/.test(_name)) expect([field, answer.msgType]).toEqual([field, 'ERR']);
      }
      there.timers.advance(1000);
      expect((await feed.rest()).length).toBeGreaterThan(0);
    },
  );

  test('B10 to B16 whatever is sent as text is answered with ACK or ERR, and the connection stays', async () => {
    const there = await bench();
    const feed = await there.feed();
    const field = fc.oneof(
      fc.constantFrom('BASIC', 'TRADING', 'FULL', 'btcusd', null, 0.01),
      fc.json().map((text) => JSON.parse(text)),
      fc.double(),
    );
    const request = fc
      .record({ quoteType: field, productCode: field, inputSize: field, inputValue: field }, { requiredKeys: [] })
      .map((made) => JSON.stringify(made));
    await fc.assert(
      fc.asyncProperty(fc.oneof(request, fc.string({ minLength: 1 }), fc.json()), async (text) => {
        expect(['ACK', 'ERR']).toContain((await feed.ask(text)).msgType);
      }),
      { numRuns: 120, examples: Object.values(CORPUS.bodies).map((text): [string] => [text]) },
    );
    expect(await feed.ask(good)).toMatchObject({ msgType: 'ACK' });
  });

  test('B34 a text of 2 MB: 1009; bytes: 1003; broken UTF-8: 1007; other connections go on', async () => {
    const there = await bench();
    const bystander = await there.feed();
    const [large, binary, broken] = [await there.feed(), await there.feed(), await there.feed()];
    large.socket.send('x'.repeat(2_000_000));
    binary.socket.send(Buffer.from([1, 2, 3]));
    broken.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await Promise.all([large.closed, binary.closed, broken.closed])).toEqual([1009, 1003, 1007]);
    expect(await bystander.ask(good)).toMatchObject({ msgType: 'ACK' });
  });

  test('B34 a flood of pings ends the connection that sends it, and no other; frames after a close do nothing', async () => {
    const there = await bench();
    const [flood, feed] = [await there.feed(), await there.feed()];
    for (let ping = 0; ping < 1000; ping += 1) flood.socket.ping();
    expect(await flood.closed).toBe(1006);
    expect(await feed.ask(good)).toMatchObject({ msgType: 'ACK' });
    feed.socket.close(1000);
    feed.socket.send(JSON.stringify(good), () => {});
    expect(await feed.closed).toBe(1000);
    expect(await (await there.feed()).ask(good)).toMatchObject({ msgType: 'ACK' });
  });

  test('a flood of a thousand requests on a connection leaves quotes for another', async () => {
    const there = await bench();
    const [flood, other] = [await there.feed(), await there.feed()];
    await other.ask(good);
    for (let nth = 0; nth < 1000; nth += 1) flood.socket.send(JSON.stringify({ quoteType: 'FULL', productCode: null }));
    await other.rest();
    there.timers.advance(1000);
    expect((await other.rest()).map(({ msgType }) => msgType)).toEqual(['BQ', 'BQ']);
  });

  test('an upgrade elsewhere, by a wrong key or version, is refused', async () => {
    const there = await bench();
    const upgrade = 'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
    const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n';
    expect(await raw(there, `GET /elsewhere HTTP/1.1\r\n${upgrade}${key}\r\n`)).toContain(' 404 ');
    expect(await raw(there, `GET /svc-broker/public/quotes HTTP/1.1\r\n${upgrade}\r\n`)).toContain(' 400 ');
    expect(await raw(there, `GET /svc-broker/public/quotes HTTP/1.1\r\n${upgrade}${key.replace('13', '7')}\r\n`)).toMatch(/ 4\d\d /);
    expect(await raw(there, `POST /svc-broker/public/quotes HTTP/1.1\r\n${upgrade}${key}\r\n`)).toMatch(/ 4\d\d /);
  });
});
