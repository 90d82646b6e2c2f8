import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { WireFeed } from '#adapters/service-client/quotes/feed.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { LaneChange } from '#domain/lane.ts';
import type { Quote } from '#domain/quote.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { lane } from '../support/feed-bench.ts';
import { ack, tq } from '../support/frames.ts';
import { RawServer } from '../support/raw-server.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/test-certificate.ts';
import { until } from '../support/until.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A real service on loopback; `behave` plays each connection after its subscription came. */
async function service(behave: (socket: WebSocket, subscription: string) => void, options: { deflate?: boolean } = {}) {
  const http = createServer();
  const sockets = new Set<Socket>();
  const codes: number[] = [];
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const server = new WebSocketServer({ server: http, perMessageDeflate: options.deflate ?? false });
  server.on('connection', (socket) => {
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => codes.push(code));
    socket.once('message', (data) => behave(socket, data.toString()));
  });
  await listen(http);
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  });
  return { baseUrl: baseUrlOf(http), codes, sockets };
}

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
function baseUrlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
}

function feedOn(baseUrl: string, timers = new VirtualTimers()) {
  const quotes: Quote[] = [];
  const changed: LaneChange[] = [];
  const feed = new WireFeed({ baseUrl, service: serviceSettings(), opensPerSecond: 10, timers });
  feed.connect({ shown: () => {}, quote: (quote) => quotes.push(quote), change: (change) => changed.push(change) });
  closing.push(() => feed.close());
  feed.open(lane());
  const last = () => changed.at(-1);
  const lost = (epoch = 1) => until(() => changed.some((change) => change.phase === 'lost' && change.epoch === epoch), 'the lane was lost');
  return { feed, quotes, changed, timers, last, lost };
}

test('a lane lives on a real connection, and comes back by itself with the next epoch (F23)', async () => {
  const subscriptions: string[] = [];
  const { baseUrl } = await service((socket, subscription) => {
    subscriptions.push(subscription);
    socket.send(ack());
    socket.send(tq());
    if (subscriptions.length < 5) setImmediate(() => socket.close([1000, 1001, 1011, 1012][subscriptions.length - 1]));
  });
  const { quotes, changed, timers } = feedOn(baseUrl);
  for (let epoch = 1; epoch <= 4; epoch += 1) {
    await until(() => changed.some((change) => change.phase === 'lost' && change.epoch === epoch), `epoch ${epoch} ended`);
    timers.advance(4001);
  }
  await until(() => quotes.length === 5, 'five epochs had their quote');
  expect(quotes.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(subscriptions)).toEqual(new Set(['{"quoteType":"TRADING","productCode":"btcusd","inputSize":0.1}']));
  expect(subscriptions).toHaveLength(5);
});

test('3.feed.4: F23 a connection cut without a word (1006) is lost and told of once', async () => {
  const { baseUrl } = await service((socket) => {
    socket.send(ack());
    socket.terminate();
  });
  const { changed, lost } = feedOn(baseUrl);
  await lost();
  expect(changed.map(({ phase }) => phase)).toEqual(['opening', 'acked', 'lost']);
});

test('F34 a binary frame is answered with 1003', async () => {
  const { baseUrl, codes } = await service((socket) => {
    socket.send(ack());
    socket.send(Buffer.from(tq()), { binary: true });
  });
  const { last, lost, quotes } = feedOn(baseUrl);
  await lost();
  expect(last()).toMatchObject({ why: 'the service sent a binary frame' });
  await until(() => codes.length === 1, 'the service saw the end');
  expect(codes).toEqual([1003]);
  expect(quotes).toEqual([]);
});

test('F34 a flood of pings ends the connection and is named; a few are answered', async () => {
  let pongs = 0;
  const { baseUrl, codes } = await service((socket) => {
    socket.on('pong', () => {
      pongs += 1;
      if (pongs === 5) for (let ping = 0; ping < 50_000 && socket.readyState === socket.OPEN; ping++) socket.ping();
    });
    socket.send(ack());
    for (let ping = 0; ping < 5; ping++) socket.ping();
  });
  const { lost, last } = feedOn(baseUrl);
  await lost();
  expect(pongs).toBeGreaterThanOrEqual(5);
  expect(last()).toMatchObject({ why: expect.stringContaining('more than 100 pings') });
  await until(() => codes.length === 1, 'the service saw the end');
});

test.each(['', '{', '{"msgType":1}'])('F34 a million frames such as %j, which are no message, end the connection', async (frame) => {
  const bytes = Buffer.concat([Buffer.from([0x81, frame.length]), Buffer.from(frame)]);
  const { baseUrl, codes, sockets } = await service((socket) => {
    socket.send(ack());
    for (const wire of sockets) wire.write(Buffer.alloc(1e6 * bytes.length, bytes));
  });
  const { lost, last } = feedOn(baseUrl);
  await lost();
  expect(last()).toMatchObject({ why: 'the service sent more than 100 pings and empty frames within a second' });
  await until(() => codes.length === 1, 'the service saw the end');
});

test('F34 a hundred pings within a second are answered, one more is a flood', async () => {
  const { baseUrl, codes } = await service((socket) => {
    let pings = 0;
    socket.on('pong', () => {
      pings += 1;
      socket.ping();
    });
    socket.send(ack());
    socket.ping();
    socket.on('close', () => codes.push(pings));
  });
  const { lost, last } = feedOn(baseUrl);
  await lost();
  expect(last()).toMatchObject({ why: expect.stringContaining('more than 100 pings') });
  await until(() => codes.length === 2, 'the service saw the end');
  expect([...codes].sort((a, b) => a - b)).toEqual([101, 1008]);
});

test('F34 what comes after a close frame, or after our own, is told of to nobody', async () => {
  const close = Buffer.from([0x88, 0x02, 0x03, 0xe8]);
  const text = (frame: string): Buffer => {
    const body = Buffer.from(frame);
    return Buffer.concat([Buffer.from([0x81, 126, body.length >> 8, body.length & 255]), body]);
  };
  const { baseUrl, sockets } = await service((socket) => {
    socket.send(ack());
    const [raw] = sockets;
    raw?.write(Buffer.concat([close, ...Array.from({ length: 10_000 }, () => text(tq()))]));
  });
  const { quotes, changed, lost } = feedOn(baseUrl);
  await lost();
  const told = changed.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([quotes, changed.length]).toEqual([[], told]);
});

test('F34 B34 a frame of 2 MB is answered with 1009', async () => {
  const { baseUrl, codes } = await service((socket) => socket.send('x'.repeat(2 << 20)));
  const { lost } = feedOn(baseUrl);
  await lost();
  await until(() => codes.length === 1, 'the service saw the end');
  expect(codes).toEqual([1009]);
});

test('F34 endless fragments are cut at the cap, small ones are put together', async () => {
  const { baseUrl, codes } = await service((socket) => {
    const text = ack();
    socket.send(text.slice(0, 10), { fin: false });
    socket.send(text.slice(10), { fin: true });
    const part = 'x'.repeat(100_000);
    for (let n = 0; n < 20; n += 1) socket.send(part, { fin: false });
  });
  const { changed, lost } = feedOn(baseUrl);
  await lost();
  expect(changed.map(({ phase }) => phase)).toEqual(['opening', 'acked', 'lost']);
  await until(() => codes.length === 1, 'the service saw the end');
  expect(codes).toEqual([1009]);
});

test('F34 B14 bad UTF-8 is answered with 1007', async () => {
  const { baseUrl, codes } = await service((socket) => socket.send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), { binary: false }));
  const { lost } = feedOn(baseUrl);
  await lost();
  await until(() => codes.length === 1, 'the service saw the end');
  expect(codes).toEqual([1007]);
});

test('F34 compression is never agreed to, and a compressed frame is a breach', async () => {
  const { baseUrl } = await service((socket) => socket.send(ack()), { deflate: true });
  const { changed } = feedOn(baseUrl);
  await until(() => changed.some(({ phase }) => phase === 'acked'), 'the lane is acknowledged');
  const compressed = await service((socket) => {
    // A text frame with the bit for compression set, which nobody agreed to.
    Reflect.get(socket, '_socket').write(Buffer.from([0xc1, 0x02, 0x7b, 0x7d]));
  });
  const other = feedOn(compressed.baseUrl);
  await other.lost();
  expect(other.changed.map(({ phase }) => phase)).toEqual(['opening', 'lost']);
});

test.each([
  ['403', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'],
  ['429', 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n'],
  ['503', 'HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n'],
  ['200', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>'],
  ['redirected', 'HTTP/1.1 301 Moved\r\nlocation: ws://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'],
])('F24 an upgrade answered with %s is lost, and not tried again at once', async (status, bytes) => {
  const server = await RawServer.start((_request, socket) => socket.end(bytes));
  closing.push(() => server.stop());
  const { last, lost, timers } = feedOn(server.baseUrl);
  await lost();
  expect(last()).toMatchObject({ phase: 'lost', why: expect.stringContaining(status) });
  expect(timers.pending).toBe(1);
  expect(server.requests).toHaveLength(1);
});

test('a feed over TLS is not redirected to one in the clear, at the same address', async () => {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([TEST_CERTIFICATE]);
  const secure = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY });
  const asked: string[] = [];
  secure.on('upgrade', ({ headers: { host }, url }, socket) => {
    asked.push(url ?? '');
    socket.end(`HTTP/1.1 301 Moved\r\nlocation: ws://${host}/plain\r\ncontent-length: 0\r\n\r\n`);
  });
  await listen(secure);
  closing.push(async () => {
    setDefaultCACertificates(trusted);
    secure.closeAllConnections();
    await new Promise<void>((resolve) => secure.close(() => resolve()));
  });
  const { last, lost } = feedOn(baseUrlOf(secure).replace('http:', 'https:'));
  await lost();
  expect(last()).toMatchObject({ why: expect.stringMatching(/^redirected elsewhere, ws:.*; check service\.baseUrl$/) });
  expect(asked).toHaveLength(1);
});

test('F21 a black hole that takes the connection and says nothing is given up after 10 s', async () => {
  const server = await RawServer.start(() => {});
  closing.push(() => server.stop());
  const { last, timers } = feedOn(server.baseUrl);
  await until(() => server.requests.length === 1, 'the upgrade was asked for');
  timers.advance(10_000);
  expect(last()).toMatchObject({ phase: 'lost', why: 'no connection within 10 s' });
  await until(() => server.sockets.size === 0, 'the connection is gone');
});

test('F22 a service that stands still and answers no ping is cut at 10 s', async () => {
  const stood: WebSocket[] = [];
  const { baseUrl, sockets } = await service((socket) => {
    socket.send(ack());
    socket.send(tq());
    socket.pause();
    stood.push(socket);
  });
  const { quotes, timers, last } = feedOn(baseUrl);
  await until(() => quotes.length === 1, 'a quote came');
  timers.advance(10_000);
  expect(last()).toMatchObject({ phase: 'lost', why: 'silent for 10 s' });
  for (const socket of stood) socket.resume();
  await until(() => sockets.size === 0, 'the connection is gone');
});

/** The bytes of a text frame of a service (RFC 6455, 5.2). */
function frameOf(text: string, length = Buffer.byteLength(text)): Buffer {
  return Buffer.concat([
    length < 126 ? Buffer.from([0x81, length]) : Buffer.from([0x81, 126, length >> 8, length & 255]),
    Buffer.from(text),
  ]);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('F34 frames that come a byte at a time are put together', async () => {
  const { baseUrl, sockets } = await service(() => {
    void (async () => {
      for (const byte of Buffer.concat([frameOf(ack()), frameOf(tq())])) {
        for (const socket of sockets) socket.setNoDelay(true).write(Buffer.of(byte));
        await turn();
      }
    })();
  });
  const { quotes } = feedOn(baseUrl);
  await until(() => quotes.length === 1, 'the quote came');
});

test('F34 a frame that never ends, a byte every half second, is no sign of life: cut at 10 s', async () => {
  const { baseUrl, sockets } = await service((socket) => {
    socket.send(ack());
    socket.send(tq());
    for (const one of sockets) one.write(frameOf('{', 60_000));
  });
  const { quotes, timers, last } = feedOn(baseUrl);
  await until(() => quotes.length === 1, 'a quote came');
  for (let ms = 0; ms < 10_000; ms += 500) {
    for (const socket of sockets) socket.write('a');
    for (let n = 0; n < 5; n += 1) await turn();
    timers.advance(500);
  }
  expect(last()).toMatchObject({ phase: 'lost', why: 'silent for 10 s' });
});

test('F31 ten thousand quotes in one burst are all read, in order', async () => {
  const { baseUrl } = await service((socket) => {
    socket.send(ack());
    for (let n = 1; n <= 10_000; n += 1) socket.send(tq({ spread: n }));
  });
  const { quotes, feed } = feedOn(baseUrl);
  await until(() => quotes.length === 10_000, 'all quotes came');
  expect(quotes.every(({ spread }, n) => spread === n + 1)).toBe(true);
  expect(feed.stats()).toMatchObject({ frames: 10_001, quotes: 10_000 });
});

test('I27 on the real clock: closing while lanes connect, live and wait leaves no connection', async () => {
  const { baseUrl, sockets } = await service((socket) => {
    socket.send(ack());
    if (sockets.size % 3 === 0) socket.terminate();
  });
  const feed = new WireFeed({ baseUrl, service: serviceSettings(), opensPerSecond: 1000, timers: systemTimers });
  let acks = 0;
  feed.connect({
    shown: () => {},
    quote: () => {},
    change: ({ phase }) => {
      if (phase === 'acked') acks += 1;
    },
  });
  for (let n = 0; n < 30; n += 1) feed.open({ ...lane(), id: lane(`p${n}`).id });
  await until(() => acks >= 20, 'most lanes are live');
  await feed.close();
  await until(() => sockets.size === 0, 'all connections are gone');
});
