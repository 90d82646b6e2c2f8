/** What the specification expects of a service without saying so: whatever is thrown at it, it answers or closes, and serves the next. */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ask, dice, Feed, type Headers, type Json, object } from './client.ts';
import { Venue } from './venue.ts';

const ROOT = '/strategy-orchestrator/strategies';
const ID = '3f2b8a52-0c4e-4b7e-9a57-2f0e6d3b8c11';
const ORDERS = '/svc-broker/api/orders';
const LOGIN = '/httpserver/main/v2/auth/login';

let venue: Venue;
let bearer: Headers;

beforeAll(async () => {
  venue = await Venue.start();
  bearer = await venue.bearer();
});
afterAll(() => venue?.stop());
afterEach(async () => {
  await venue.serves();
});

/** Every endpoint that takes a JSON body. */
const WITH_BODY: [string, string][] = [
  ['POST', `${ROOT}/action/create`],
  ['PATCH', `${ROOT}/${ID}/action/modify`],
  ['PUT', `${ROOT}/${ID}/action/flush`],
  ['PUT', `${ROOT}/${ID}/action/schedule-opening-pause`],
  ['POST', ORDERS],
  ['POST', LOGIN],
];

/** A request with good credentials for its endpoint, and whatever body and headers. */
function send(method: string, path: string, body: Buffer | string, headers: Headers = { 'Content-Type': 'application/json' }) {
  const raw = Buffer.from(body);
  if (path !== ORDERS) return ask(venue.url, { method, path, headers: { ...bearer, ...headers }, body: raw });
  const at = String(Date.now());
  const { 'Content-Type': _, ...signed } = venue.broker.headers({ userId: '1205', timestamp: at, body: raw.toString('latin1') });
  // The bytes are signed as they are.
  return ask(venue.url, { method, path, headers: { ...signed, ...resign(raw, at), ...headers }, body: raw });
}
function resign(raw: Buffer, at: string): Headers {
  const text = raw.toString('utf8');
  return Buffer.from(text).equals(raw) ? venue.broker.headers({ userId: '1205', timestamp: at, body: text }) : {};
}

/** Sends bytes over TCP and waits until the venue answers or closes. */
function raw(bytes: Buffer | string, waitMs = 100_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(venue.url).port), '127.0.0.1');
    let got = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither an answer nor an end within ${waitMs} ms, after ${JSON.stringify(String(bytes).slice(0, 60))}`));
    }, waitMs);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(got);
    };
    socket.on('data', (part) => {
      got += part.toString('latin1');
      done();
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.write(bytes);
  });
}
const statusOf = (answer: string) => Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0);

describe('bodies', () => {
  const MALFORMED = ['{', '{"a":}', '{"a":1,}', "{'a':1}", '\u0000', 'undefined', 'NaN', '{"a":1}{"b":2}', '\ufeff{', '"\ud800', '[1,2'];
  test.each(WITH_BODY)('%s %s: malformed JSON is 400, with an error body', async (method, path) => {
    for (const body of MALFORMED) {
      const answer = await send(method, path, body);
      expect(answer.status, `${JSON.stringify(body)}: ${answer.text}`).toBeGreaterThanOrEqual(400);
      expect(answer.status, JSON.stringify(body)).toBeLessThan(500);
      expect(object(answer.json()).status).toBe(answer.status);
    }
  });

  test.each(WITH_BODY)('%s %s: JSON that is no object is refused', async (method, path) => {
    for (const body of ['null', '[]', '[{}]', '7', '"text"', 'true', '{}']) {
      const answer = await send(method, path, body);
      if (body === '{}' && path.endsWith('modify')) continue;
      expect([400, 404], `${body}: ${answer.text}`).toContain(answer.status);
    }
  });

  test.each(WITH_BODY)('%s %s: a body of another content type is not understood as JSON', async (method, path) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'nonsense',
      '',
    ]) {
      const answer = await send(method, path, '{"username":"paper@example.com","password":"paper"}', { 'Content-Type': type });
      expect([400, 401, 404, 415], `${type}: ${answer.text}`).toContain(answer.status);
    }
  });

  test.each(WITH_BODY)('%s %s: a huge body is refused or cut off, and costs nobody else anything', async (method, path) => {
    for (const size of [70_000, 5_000_000]) {
      const answer = await send(method, path, JSON.stringify({ note: 'x'.repeat(size) })).catch((error: Error) => error);
      if (answer instanceof Error) expect(answer.message).not.toContain('no answer');
      else expect([400, 401, 404, 413], answer.text).toContain(answer.status);
    }
  });

  test('a body as deep as a well, one of ten thousand fields and one of inherited names are answered without a fault', async () => {
    const bodies = [
      '['.repeat(30_000),
      `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`,
      `{${Array.from({ length: 6_000 }, (_, nth) => `"${nth}":1`).join()}}`,
      '{"__proto__":{"strategyType":"AI"},"constructor":{"prototype":{}}}',
      '{"strategyType":"toString","accountId":"__proto__","productCode":"constructor"}',
      '{"strategyType":"AI","strategyType":"TWAP"}',
    ];
    for (const [method, path] of WITH_BODY) {
      for (const body of bodies) {
        const answer = await send(method, path, body);
        expect(answer.status, `${path} ${body.slice(0, 40)}: ${answer.text.slice(0, 200)}`).toBeLessThan(500);
      }
    }
  });

  test('300 bodies made up at random never bring out a fault of the service (seed 5)', async () => {
    const { int, pick, real } = dice(5);
    const names = [
      'strategyType',
      'accountId',
      'productCode',
      'priceLimit',
      'orderType',
      'quoteId',
      'side',
      'username',
      'fromTime',
      'toTime',
    ];
    names.push(
      'refreshToken',
      'longPositionTargetPercentage',
      'shortPositionTargetPercentage',
      'initialBaseCurrencySize',
      'ignoreWarnings',
    );
    const value = (depth: number): unknown =>
      pick<() => unknown>([
        () => null,
        () => real() * 10 ** int(-320, 308),
        () => -int(0, 1e9),
        () => pick(['AI', '70312', 'btcusd', 'MARKET', 'BUY', ID, '2031-01-01T00:00:00Z', '', '\u0000', '💥', 'x'.repeat(5_000)]),
        () => pick([true, false]),
        () => (depth > 2 ? [] : Array.from({ length: int(0, 3) }, () => value(depth + 1))),
        () => (depth > 2 ? {} : Object.fromEntries(Array.from({ length: int(0, 3) }, () => [pick(names), value(depth + 1)]))),
      ])();
    for (let nth = 0; nth < 300; nth++) {
      const [method, path] = pick(WITH_BODY);
      const fields: Json = Object.fromEntries(Array.from({ length: int(0, 8) }, () => [pick(names), value(0)]));
      const whole = Buffer.from(JSON.stringify(fields));
      const bytes = pick([
        whole,
        whole,
        whole.subarray(0, int(0, whole.length)),
        Buffer.from(Array.from({ length: int(0, 60) }, () => int(0, 255))),
      ]);
      const answer = await send(method, path, bytes);
      expect(answer.status, `${method} ${path} ${bytes.toString('latin1').slice(0, 300)}: ${answer.text}`).toBeLessThan(500);
    }
  });
});

describe('headers and paths', () => {
  test('a header that is given twice lets nobody in as somebody else', async () => {
    const body = JSON.stringify({ orderType: 'MARKET', quoteId: ID, side: 'BUY' });
    const good = venue.broker.headers({ userId: '1205', body });
    for (const [name, other] of [
      ['X-API-Key', ID],
      ['X-API-Timestamp', '0'],
      ['X-API-Signature', 'AAAA'],
      ['X-API-User-ID', '2001'],
    ] as const) {
      for (const both of [
        [String(good[name]), other],
        [other, String(good[name])],
      ]) {
        const answer = await ask(venue.url, { method: 'POST', path: ORDERS, headers: { ...good, [name]: both }, body });
        expect([400, 401, 403], `${name} ${both.join()}: ${answer.text}`).toContain(answer.status);
      }
    }
    const lines = `Authorization: ${String(bearer.Authorization)}\r\nAuthorization: Bearer nonsense\r\n`;
    const answer = await raw(`PUT ${ROOT}/pauseAll HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: 0\r\n\r\n`);
    expect([202, 400, 401]).toContain(statusOf(answer));
  });

  test('odd paths are answered, and show no file and no fault', async () => {
    const paths = [
      '/',
      '//',
      '/..',
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/%',
      '/%zz',
      '/%00',
      '/%ff',
      '/a%0d%0ab',
      '/;',
      '/?',
      '/?%',
    ];
    paths.push(
      `/${'a'.repeat(8_000)}`,
      `/${'a/'.repeat(3_000)}`,
      `/mms/v2/productDetails?${'x=1&'.repeat(2_000)}`,
      `${ROOT}/%2F/action/start`,
    );
    paths.push(
      '/mms/v2/productDetails/',
      '/mms/v2//productDetails',
      '/MMS/v2/productDetails',
      '/__proto__',
      '/constructor',
      '/venue',
      '/venue/',
    );
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
        const answer = await ask(venue.url, { method, path, headers: bearer });
        expect(answer.status, `${method} ${path.slice(0, 60)}: ${answer.text}`).toBeLessThan(500);
        expect(answer.text).not.toContain('root:');
        expect(answer.text, 'no stack is shown').not.toMatch(/\bat .*\.(ts|js|mjs):\d+/);
      }
    }
  });

  test('headers without end are refused', async () => {
    const many = Array.from({ length: 3_000 }, (_, nth) => `X-${nth}: ${'v'.repeat(20)}\r\n`).join('');
    for (const headers of [`X-Long: ${'v'.repeat(200_000)}\r\n`, many]) {
      const status = statusOf(await raw(`GET /mms/v2/productDetails HTTP/1.1\r\nHost: x\r\n${headers}\r\n`));
      expect([0, 400, 413, 431]).toContain(status);
    }
  });

  test('what is hardly HTTP is answered or cut off', async () => {
    const good = 'GET /mms/v2/productDetails';
    for (const bytes of [
      '\r\n\r\n\r\nnonsense\r\n\r\n',
      'GET\r\n\r\n',
      `${good} HTTP/9.9\r\nHost: x\r\n\r\n`,
      `${good} HTTP/1.1\r\n\r\n`,
      `${good} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
      `${good} HTTP/1.1\r\nHost x\r\n\r\n`,
      `BREW ${LOGIN} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
      'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET http://example.com/mms/v2/productDetails HTTP/1.1\r\nHost: x\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0a]),
      Buffer.alloc(100_000, 0xff),
    ]) {
      const status = statusOf(await raw(bytes));
      expect(status, String(bytes).slice(0, 80)).not.toBe(500);
    }
  });

  test('clients that stop in the middle hold up nobody: the next is served while a hundred of them hang', async () => {
    const halves = ['', 'GET /mms', 'POST /svc-broker/api/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{'];
    const sockets = Array.from({ length: 100 }, (_, nth) => {
      const socket = connect(Number(new URL(venue.url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(halves[nth % 3] ?? '');
      return socket;
    });
    await venue.serves();
    expect(sockets.some(({ destroyed }) => !destroyed)).toBe(true);
    for (const socket of sockets) socket.destroy();
  });

  test('many requests in one packet are all answered, in their order', async () => {
    const one = (path: string, last = false) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const all = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(venue.url).port), '127.0.0.1');
      let got = '';
      socket.setTimeout(100_000, () => socket.destroy(new Error('not all were answered')));
      socket.on('data', (part) => {
        got += part.toString('latin1');
      });
      socket.on('error', reject);
      socket.on('end', () => resolve(got));
      socket.write(one('/mms/v2/productDetails') + one('/nothing') + one('/as/v3/accounts') + one('/mms/v2/productDetails', true));
    });
    expect([...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['200', '404', '401', '200']);
  });
});

describe('the feed', () => {
  test('whatever is said in 200 messages gets one ERR or ACK each, and the last good request is served (seed 13)', async () => {
    const { int, pick } = dice(13);
    const feed = await Feed.open(venue.url);
    const junk = () =>
      pick<() => string>([
        () => '{',
        () => '[]',
        () => String(int(-5, 5)),
        () => '{"__proto__":{"quoteType":"BASIC"}}',
        () => `{"quoteType":"TRADING","productCode":"btcusd","inputSize":${pick(['1e400', '-1e-400', '1e-9', '9'.repeat(400), '"1e2"'])}}`,
        () => `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
        () =>
          JSON.stringify({
            quoteType: pick(['BASIC', 'TRADING', 'FULL', '💥', null]),
            productCode: pick(['btcusd', '', 'x'.repeat(3_000), 0]),
          }),
        () => '💥\u0000'.repeat(int(1, 50)),
      ])();
    for (let nth = 0; nth < 200; nth++) {
      feed.send(junk());
      await feed.next((m) => m.msgType === 'ERR' || m.msgType === 'ACK');
    }
    const told = feed.messages.filter(({ value }) => value.msgType === 'ERR' || value.msgType === 'ACK').length;
    expect(told).toBe(200);
    expect((await feed.subscribe({ quoteType: 'FULL', productCode: 'eurusd' })).msgType).toBe('ACK');
    await feed.next((m) => m.msgType === 'FQ');
    await feed.close();
  });

  test('a binary frame, a frame of megabytes and a broken frame get ERR or an end of the connection', async () => {
    for (const frame of [Buffer.from('{"quoteType":"BASIC","productCode":"btcusd"}'), Buffer.alloc(3), 'x'.repeat(5_000_000)]) {
      const feed = await Feed.open(venue.url);
      feed.socket.send(frame);
      const end = new Promise((resolve) => feed.socket.once('close', resolve));
      await Promise.race([feed.next((m) => m.msgType === 'ERR' || m.msgType === 'ACK').catch(() => {}), end]);
      expect(feed.closed || feed.messages.length > 0).toBe(true);
      await feed.close();
      await venue.serves();
    }
    const hello = `GET /svc-broker/public/quotes HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n`;
    const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
    for (const bytes of [
      Buffer.from([0x81, 0x02, 0x7b, 0x7d]),
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
    ]) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(new URL(venue.url).port), '127.0.0.1', () => socket.write(hello + key));
        const timer = setTimeout(() => reject(new Error(`the connection stays after ${bytes.toString('hex')}`)), 100_000);
        socket.once('data', () => socket.write(bytes));
        socket.on('error', () => {});
        socket.on('close', () => {
          clearTimeout(timer);
          resolve();
        });
        socket.on('end', () => socket.end());
        socket.resume();
      });
    }
  });

  test('an upgrade that is none is refused', async () => {
    const lines = [
      'Host: x',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    const upgrade = (path: string, without = -1, instead = '') =>
      `GET ${path} HTTP/1.1\r\n${lines
        .map((line, nth) => (nth === without ? instead : line))
        .filter(Boolean)
        .join('\r\n')}\r\n\r\n`;
    const feed = '/svc-broker/public/quotes';
    for (const request of [
      upgrade('/svc-broker/public/nothing'),
      upgrade('/'),
      upgrade(ORDERS),
      upgrade(`${feed}/%`),
      upgrade(feed, 3, 'Sec-WebSocket-Version: 1'),
      upgrade(feed, 4),
      upgrade(feed, 4, 'Sec-WebSocket-Key: short'),
      upgrade(feed).replace('GET', 'POST'),
    ]) {
      const status = statusOf(await raw(request));
      expect(status, request).not.toBe(101);
      expect(status, request).not.toBe(500);
    }
    expect(statusOf(await raw(upgrade(feed)))).toBe(101);
    const odd = [`${feed}?userId=%`, `${feed}?userId=1205&userId=1206`, `${feed}?${'x'.repeat(4_000)}`];
    for (const path of odd) expect([101, 400, 404], path.slice(0, 60)).toContain(statusOf(await raw(upgrade(path))));
  });

  test('a flood of a thousand requests on a connection leaves quotes for another', async () => {
    const [flood, other] = [await Feed.open(venue.url), await Feed.open(venue.url)];
    await other.subscribe({ quoteType: 'BASIC', productCode: 'btcusd' });
    for (let nth = 0; nth < 1_000; nth++) flood.send({ quoteType: 'FULL', productCode: null });
    for (let nth = 0; nth < 3; nth++) await other.next((m) => m.msgType === 'BQ', 30_000);
    await Promise.all([flood.close(), other.close()]);
  });

  test('a hundred connections are served together, and their sudden end hurts nobody', async () => {
    const feeds = await Promise.all(Array.from({ length: 100 }, () => Feed.open(venue.url, '?userId=1205')));
    await Promise.all(feeds.map((feed) => feed.subscribe({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 })));
    await Promise.all(feeds.map((feed) => feed.next((m) => m.msgType === 'TQ')));
    for (const { socket } of feeds) socket.terminate();
    expect(feeds.every(({ socket }) => socket.readyState === WebSocket.CLOSED || socket.readyState === WebSocket.CLOSING)).toBe(true);
  });
});
