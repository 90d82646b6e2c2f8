import { createHmac } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { WireBroker, type WireBrokerOptions } from '#adapters/service-client/orders/broker.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { OrderCore } from '#domain/order.ts';
import { freePort } from '../../../support/free-port.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { order, Reports, TestGate } from '../support/orders.ts';
import { answer, RawServer } from '../support/raw-server.ts';
import { API_KEY, SECRET, serviceSettings } from '../support/service-settings.ts';
import { settle, until } from '../support/until.ts';

const FILLED = answer(201, '{"status":"FILLED","price":50001,"size":0.1,"value":5000.1,"fee":5.25,"feeCcy":"usd"}');
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function service(...args: Parameters<typeof RawServer.start>): Promise<RawServer> {
  const server = await RawServer.start(...args);
  closing.push(() => server.stop());
  return server;
}

interface Bench {
  readonly broker: WireBroker;
  readonly reports: Reports;
  readonly gate: TestGate;
  readonly timers: VirtualTimers;
  /** Hands over an order; resolves once it was reported so often. */
  sent(changes?: Partial<OrderCore>, reportCount?: number): Promise<OrderCore>;
}

/** A broker on virtual time and real sockets, with its warm connections open. */
async function bench(baseUrl: string, changes: Partial<ServiceSettings> = {}, more: Partial<WireBrokerOptions> = {}): Promise<Bench> {
  const timers = new VirtualTimers();
  const gate = new TestGate(timers);
  const reports = new Reports();
  const broker = new WireBroker({ baseUrl, service: serviceSettings(changes), gate, timers, warmSockets: 1, ...more });
  closing.push(async () => {
    const closed = broker.close(0);
    timers.advance(1);
    await closed;
  });
  broker.connect(reports.sink);
  if ((more.warmSockets ?? 1) > 0 && more.connectMs === undefined) await until(() => broker.ready > 0, 'a connection is warm');
  const sent = async (changes: Partial<OrderCore> = {}, reportCount = 2): Promise<OrderCore> => {
    const asked = order(changes);
    broker.submit(asked);
    await count(reports, asked, reportCount);
    return asked;
  };
  return { broker, reports, gate, timers, sent };
}

/** The same with a service that meets each order so, or answers it with these bytes. */
async function served(
  meets: string | Parameters<typeof RawServer.start>[0],
  changes: Partial<ServiceSettings> = {},
  more: Partial<WireBrokerOptions> = {},
) {
  const server = await service(typeof meets === 'string' ? (_request, socket) => socket.write(meets) : meets);
  const made = await bench(server.baseUrl, changes, more);
  /** Hands over an order that the service then has. */
  const arrived = async (): Promise<OrderCore> => {
    const asked = order();
    made.broker.submit(asked);
    await until(() => server.requests.length === 1, 'the order arrived');
    return asked;
  };
  return { server, ...made, arrived };
}

const count = (reports: Reports, asked: OrderCore, reportCount: number) =>
  until(() => reports.of(asked).length >= reportCount, 'reports came');

test('an order that the service fills is reported as written and accepted, with the figures of the answer', async () => {
  const { server, broker, reports } = await served(FILLED);
  const asked = order();
  broker.submit(asked);
  expect(reports.types(asked)).toEqual(['written']);
  await count(reports, asked, 2);
  expect(reports.of(asked)[1]).toMatchObject({
    outcome: 'accepted',
    reason: 'HTTP_OK',
    httpStatus: 201,
    figures: { price: '50001', size: '0.1', value: '5000.1', fee: '5.25', feeCcy: 'usd' },
    late: false,
  });
  expect(server.requests).toHaveLength(1);
});

test('2.10.orderType, 2.10.quoteId, 2.10.side, 4.4, 5.1.1, 5.1.3, 5.1.3.X-API-Key, 5.1.3.X-API-Timestamp, 5.1.3.X-API-Signature, 5.1.4: I13 the bytes that are sent are the bytes that were signed, under the path as sent', async () => {
  const server = await service((_request, socket) => socket.write(FILLED));
  const { timers, sent } = await bench(`${server.baseUrl}/edge`);
  const asked = await sent({ side: 'sell' });
  const [head = '', body = ''] = (server.requests[0] ?? '').split('\r\n\r\n');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
  expect(head.split('\r\n')[0]).toBe('POST /edge/svc-broker/api/orders HTTP/1.1');
  expect(body).toBe(`{"orderType":"MARKET","quoteId":"${asked.quoteId}","side":"SELL"}`);
  expect(header('X-API-Key')).toBe(API_KEY);
  expect(header('X-API-User-ID')).toBe('1205');
  expect(header('X-API-Timestamp')).toBe(String(timers.wallMs()));
  const canonical = `${header('X-API-Timestamp')}POST/edge/svc-broker/api/orders1205${body}`;
  const signature = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(canonical).digest('base64');
  expect(header('X-API-Signature')).toBe(signature);
});

test("5.1.s4, 8.1: a signature is stamped with the service's time, as well as it is known", async () => {
  const server = await service((_request, socket) => socket.write(FILLED));
  const serviceClock = { now: () => ({ ms: Date.UTC(2031, 5, 1) + 0.75, halfWidthMs: 40 }) };
  const { sent } = await bench(server.baseUrl, {}, { serviceClock });
  await sent();
  expect(server.requests[0]).toMatch(new RegExp(`^X-API-Timestamp: ${Date.UTC(2031, 5, 1)}\r$`, 'im'));
});

test("nothing leaves while the service's time is not known", async () => {
  const server = await service((_request, socket) => socket.write(FILLED));
  const gate = { check: () => ({ pass: false, reason: 'GATE_CLOCK', timeLeftMs: 0 }) as const };
  const { broker, reports } = await bench(server.baseUrl, {}, { gate });
  const asked = order();
  broker.submit(asked);
  expect(reports.of(asked)).toEqual([{ type: 'not_sent', reason: 'GATE_CLOCK', why: expect.any(String) }]);
  await settle();
  expect(server.requests).toEqual([]);
});

test('8.4: F14 an order whose quote has died leaves no byte and is expired', async () => {
  const { server, broker, reports, timers } = await served(FILLED);
  const asked = order({ validUntil: timers.wallMs() });
  broker.submit(asked);
  expect(reports.of(asked)).toEqual([{ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 0 }]);
  await settle();
  expect(server.requests).toEqual([]);
});

test('F20 after the halt no byte of an order leaves, while an answer under way is still reported', async () => {
  const { server, broker, reports, gate, arrived } = await served(() => {}, {}, { warmSockets: 2 });
  await until(() => broker.ready === 2, 'two connections are warm');
  const first = await arrived();
  gate.halted = true;
  const second = order();
  broker.submit(second);
  expect(reports.of(second)).toEqual([{ type: 'not_sent', reason: 'GATE_HALTED', why: expect.any(String) }]);
  for (const socket of server.sockets) socket.write(FILLED);
  await count(reports, first, 2);
  expect(reports.types(first)).toEqual(['written', 'accepted']);
  expect(server.requests).toHaveLength(1);
});

test('F59 a signature that grew old before the write is thrown away', async () => {
  const server = await service((_request, socket) => socket.write(FILLED));
  const timers = new VirtualTimers();
  const { broker, reports } = await bench(
    server.baseUrl,
    {},
    {
      gate: {
        check: ({ signedAtMs }) => ({ pass: false, reason: 'GATE_SIGNATURE_AGE', timeLeftMs: signedAtMs - timers.wallMs() }),
      },
    },
  );
  const asked = order();
  broker.submit(asked);
  expect(reports.of(asked)).toEqual([{ type: 'expired', reason: 'GATE_SIGNATURE_AGE', timeLeftMs: 0 }]);
  await settle();
  expect(server.requests).toEqual([]);
});

test('F57 after a suspension the connections that wait are opened anew, and an order on its way keeps its own', async () => {
  const { server, broker, reports, timers } = await served(() => {}, {}, { warmSockets: 2 });
  await until(() => broker.ready === 2, 'two connections are warm');
  const first = order();
  broker.submit(first);
  timers.advance(1);
  await until(() => server.requests.length === 1 && broker.ready === 2, 'the order arrived and its place is filled');
  const before = [...server.sockets];
  broker.renew();
  expect(broker.ready).toBe(0);
  await until(() => broker.ready === 2, 'two connections are warm again');
  await until(() => [...server.sockets].filter((socket) => !before.includes(socket)).length === 2, 'the service sees two new ones');
  for (const socket of server.sockets) if (before.includes(socket)) socket.write(FILLED);
  await count(reports, first, 2);
  expect(reports.types(first)).toEqual(['written', 'accepted']);
});

test('F01 a refused connection is not_sent and nothing is tried again', async () => {
  const { reports, sent } = await bench(`http://127.0.0.1:${await freePort()}`, {}, { warmSockets: 0 });
  const asked = await sent({}, 1);
  expect(reports.of(asked)).toEqual([{ type: 'not_sent', reason: 'NOT_CONNECTED', why: expect.stringContaining('ECONNREFUSED') }]);
});

test('F02 an unknown host name is not_sent', async () => {
  const { reports, sent } = await bench(`https://${'a'.repeat(64)}.invalid`, {}, { warmSockets: 0 });
  const asked = await sent({}, 1);
  expect(reports.of(asked)[0]).toMatchObject({ type: 'not_sent', reason: 'NOT_CONNECTED' });
});

test('without a warm connection one is opened, and signed only when it is there', async () => {
  const { broker, reports, timers } = await served(FILLED, {}, { warmSockets: 0 });
  const asked = order();
  broker.submit(asked);
  expect(reports.of(asked)).toEqual([]);
  timers.advance(400);
  await count(reports, asked, 2);
  expect(reports.of(asked)[0]).toMatchObject({ type: 'written', signatureAgeMs: 0 });
  expect(reports.types(asked)).toEqual(['written', 'accepted']);
});

test('orders in flight never wait for each other: each has a connection of its own', async () => {
  const { server, broker, reports } = await served(() => {});
  const asked = [order(), order(), order()];
  for (const one of asked) broker.submit(one);
  await until(() => server.requests.length === 3, 'three orders arrived before any answer');
  for (const socket of server.sockets) socket.write(FILLED);
  for (const one of asked) await count(reports, one, 2);
  expect(asked.map((one) => reports.types(one))).toEqual(Array(3).fill(['written', 'accepted']));
});

test('F03 a connection dropped after the write is unknown, and the order is not sent again', async () => {
  const { server, reports, timers, sent } = await served((_request, socket) => socket.destroy());
  const asked = await sent();
  timers.advance(60_000);
  await settle();
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
  expect(reports.of(asked)[1]).toMatchObject({ reason: 'NO_ANSWER', httpStatus: null });
  expect(reports.of(asked)[1]).not.toHaveProperty('awaited');
  expect(server.requests).toHaveLength(1);
});

test('nothing is written to a connection that was opened ahead, and one on which the service speaks first is not used', async () => {
  const { server, broker, reports, timers, sent } = await served(FILLED);
  const [first] = server.sockets;
  if (!first) throw new Error('no connection was opened ahead');
  await settle();
  expect(first.bytesRead).toBe(0);
  first.write(FILLED);
  await until(() => broker.ready === 0, 'the connection is gone');
  timers.advance(1000);
  await until(() => broker.ready === 1, 'another is open');
  const asked = await sent();
  expect(reports.types(asked)).toEqual(['written', 'accepted']);
  expect(first.bytesRead).toBe(0);
});

test('F04 a warm connection that the service closed is replaced, not used', async () => {
  const { server, broker, reports, timers, sent } = await served(FILLED);
  timers.advance(5000);
  for (const socket of server.sockets) socket.end();
  await until(() => broker.ready === 0 || server.connections > 1, 'the end was seen');
  const asked = await sent();
  expect(reports.types(asked)).toEqual(['written', 'accepted']);
});

test('F04 an idle connection is replaced before it grows old, by one that is open already', async () => {
  const { server, broker, timers } = await served(() => {}, {}, { idleMs: 20_000 });
  expect(server.connections).toBe(1);
  for (let second = 0; second < 20; second += 1) {
    timers.advance(1000);
    expect(broker.ready).toBe(1);
    await settle(5);
  }
  await until(() => server.connections === 2 && server.sockets.size === 1, 'the old one was replaced');
  expect(broker.ready).toBe(1);
});

test('F04 a reset seen by nobody before the write: no byte left, so not_sent', async () => {
  const { server, broker, reports } = await served(() => {});
  // The server's reset lies in the kernel while this thread has not yet looked.
  for (const socket of server.sockets) socket.resetAndDestroy();
  const asked = order();
  broker.submit(asked);
  expect(reports.of(asked)).toEqual([{ type: 'not_sent', reason: 'NOT_CONNECTED', why: expect.any(String) }]);
  await settle();
  expect(reports.of(asked)).toHaveLength(1);
});

test('F05 an answer after the deadline turns unknown into accepted, reported once and as late', async () => {
  const { server, reports, timers, arrived } = await served(() => {});
  const asked = await arrived();
  timers.advance(2999);
  expect(reports.types(asked)).toEqual(['written']);
  timers.advance(1);
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
  expect(reports.of(asked)[1]).toMatchObject({ awaited: true });
  timers.advance(20_000);
  for (const socket of server.sockets) socket.write(FILLED);
  await count(reports, asked, 3);
  timers.advance(60_000);
  await settle();
  expect(reports.types(asked)).toEqual(['written', 'unknown', 'accepted late']);
});

test('F05 the socket is read for 30 s after the deadline and then cut', async () => {
  const { server, reports, timers, arrived } = await served(() => {}, {}, { idleMs: 600_000 });
  const asked = await arrived();
  const before = server.sockets.size;
  timers.advance(3000);
  timers.advance(29_999);
  await settle();
  expect(server.sockets.size).toBeGreaterThanOrEqual(before);
  timers.advance(1);
  await until(() => [...server.sockets].every((socket) => socket.bytesRead === 0), 'the connection of the order was cut');
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
});

const READINGS: readonly [string, string, string, string][] = [
  ['F06 an empty success', answer(201, ''), 'accepted', 'HTTP_OK'],
  ['F06 HTML', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 13\r\n\r\n<html></html>', 'unknown', 'HTTP_UNREADABLE'],
  ['F06 unknown JSON', answer(200, '{"hello":"world"}'), 'unknown', 'HTTP_AMBIGUOUS'],
  ['F06 pending', answer(202, '{"status":"PENDING"}'), 'unknown', 'HTTP_AMBIGUOUS'],
  ['F07 a refused signature', answer(401, '{"error":"bad signature"}'), 'rejected', 'HTTP_UNAUTHORIZED'],
  ['F08 a refused user', answer(403, '{}'), 'rejected', 'HTTP_FORBIDDEN'],
  ['F09 too many', answer(429, '{}', ['retry-after: 7']), 'rejected', 'HTTP_REFUSED'],
  ['F10 a broken backend', answer(503, 'oops'), 'unknown', 'HTTP_AMBIGUOUS'],
  ['F11 a redirect', answer(307, '', ['location: http://127.0.0.1:1/elsewhere']), 'unknown', 'HTTP_AMBIGUOUS'],
  ['F13 bad chunking', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n', 'unknown', 'HTTP_AMBIGUOUS'],
  ['F13 two replies', FILLED + answer(422, '{"error":"expired"}'), 'unknown', 'HTTP_AMBIGUOUS'],
  ['F13 bytes behind the reply', `${FILLED}garbage\r\n\r\n`, 'unknown', 'HTTP_AMBIGUOUS'],
  ['F13 two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 'unknown', 'NO_ANSWER'],
];
for (const [name, bytes, outcome, reason] of READINGS) {
  test(`${name} reads as ${outcome} and is asked once`, async () => {
    const { server, reports, timers, sent } = await served(bytes);
    const asked = await sent();
    timers.advance(60_000);
    await settle(10);
    expect(reports.of(asked).slice(1)).toEqual([expect.objectContaining({ type: 'answered', outcome, reason })]);
    expect(server.requests).toHaveLength(1);
  });
}

test.each([
  ['retry-after: 7', 7000],
  ['date: Thu, 01 Jan 2026 12:00:00 GMT\r\nretry-after: Thu, 01 Jan 2026 12:00:20 GMT', 20_000],
  ['x-other: 1', 10_000],
])('F09 a 429 with %j asks to wait %d ms', async (headers, retryAfterMs) => {
  const { reports, sent } = await served(answer(429, '{}', [headers]));
  const asked = await sent();
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'rejected', httpStatus: 429, retryAfterMs });
});

test('F06 a success whose chunks are cut off is unknown', async () => {
  const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
  const { reports, sent } = await served((_request, socket) => socket.end(`${head}20\r\n{"status":"REJ`));
  const asked = await sent();
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'unknown', reason: 'HTTP_UNREADABLE', body: '{"status":"REJ' });
});

test('F06 a success whose body is cut off is unknown', async () => {
  const { reports, sent } = await served((_request, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"status":"REJ'));
  const asked = await sent();
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'unknown', reason: 'HTTP_UNREADABLE', body: '{"status":"REJ', figures: {} });
});

test('F12 a success with an endless body is unknown, its first 64 KiB kept', async () => {
  const { reports, sent } = await served((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    socket.write(`10000\r\n${'y'.repeat(65_536)}\r\n`);
  });
  const asked = await sent();
  const [, report] = reports.of(asked);
  expect(report).toMatchObject({ outcome: 'unknown', reason: 'HTTP_UNREADABLE' });
  expect(report?.type === 'answered' && report.body).toBe('x'.repeat(65_536));
});

test('F12 a success without an end of its body is unknown at the deadline, and read for half a minute more', async () => {
  const { server, reports, timers, arrived } = await served('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{');
  const asked = await arrived();
  await settle(50);
  timers.advance(3000);
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'unknown', reason: 'NO_ANSWER', awaited: true });
  for (const socket of server.sockets) if (socket.bytesRead > 0) socket.write('"status":"FILLED"}'.padEnd(98));
  await count(reports, asked, 3);
  expect(reports.of(asked)[2]).toMatchObject({ outcome: 'accepted', reason: 'HTTP_OK', late: true });
});

test.each([
  ['a byte order mark', '', Buffer.from('\ufeff{"status":"FILLED"}')],
  ['gzip', 'content-encoding: gzip\r\n', gzipSync('{"status":"FILLED"}')],
  ['gzip of which no header tells', '', gzipSync('\ufeff{"status":"FILLED"}')],
  ['deflate', 'content-encoding: deflate\r\n', deflateSync('{"status":"FILLED"}')],
  ['Brotli', 'content-encoding: br\r\n', brotliCompressSync('{"status":"FILLED"}')],
])('F06 an answer with %s is read', async (_name, header, bytes) => {
  const { reports, sent } = await served((_request, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${header}content-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  });
  const asked = await sent();
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'accepted', body: '{"status":"FILLED"}' });
});

test('F06 an answer that cannot be unpacked, or grows beyond 64 KiB, is unknown', async () => {
  for (const bytes of [gzipSync('{"status":"FILLED"}').subarray(0, 20), gzipSync(`{"status":"FILLED","x":"${'x'.repeat(1e6)}"}`)]) {
    const { reports, sent } = await served((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    });
    const asked = await sent();
    expect(reports.of(asked)[1]).toMatchObject({ outcome: 'unknown', reason: 'HTTP_UNREADABLE' });
  }
});

test('F12 endless headers are unknown at the deadline', async () => {
  const { reports, timers, arrived } = await served('HTTP/1.1 200 OK\r\nx-a: b\r\n');
  const asked = await arrived();
  await settle(50);
  timers.advance(3000);
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
});

test('B32 ten thousand headers do not fill the memory: unknown, connection cut', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `x-${n}: y`).join('\r\n');
  const { reports, sent } = await served(`HTTP/1.1 200 OK\r\n${many}\r\ncontent-length: 2\r\n\r\n{}`);
  const asked = await sent();
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
});

test('closing waits for an answer under way, takes no more orders, and leaves no timer', async () => {
  const { server, broker, reports, timers, arrived } = await served(() => {});
  const first = await arrived();
  const closed = broker.close(5000);
  const second = order();
  broker.submit(second);
  expect(reports.of(second)).toMatchObject([{ type: 'not_sent', reason: 'NOT_CONNECTED' }]);
  for (const socket of server.sockets) socket.write(FILLED);
  await closed;
  expect(reports.types(first)).toEqual(['written', 'accepted']);
  expect(timers.pending).toBe(0);
  await until(() => server.sockets.size === 0, 'all connections are closed');
});

test('closing cuts at the end of the drain, and what has no answer is unknown', async () => {
  const { broker, reports, timers, arrived } = await served(() => {});
  const asked = await arrived();
  const closed = broker.close(1000);
  timers.advance(1000);
  await closed;
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
  expect(timers.pending).toBe(0);
});

test('I27 a hundred orders leave no connection and no timer behind', async () => {
  const server = await service((_request, socket) => socket.write(FILLED));
  const reports = new Reports();
  const broker = new WireBroker({
    baseUrl: server.baseUrl,
    service: serviceSettings(),
    gate: new TestGate(systemTimers),
    timers: systemTimers,
  });
  broker.connect(reports.sink);
  const asked = Array.from({ length: 100 }, () => order());
  for (const one of asked) {
    broker.submit(one);
    await count(reports, one, 2);
  }
  expect(new Set(asked.map((one) => reports.types(one).join()))).toEqual(new Set(['written,accepted']));
  await until(() => server.sockets.size <= 5, 'used connections are closed');
  await broker.close(0);
  await until(() => server.sockets.size === 0, 'all connections are closed');
});

test('the pool does not hammer a service that is down (I23)', async () => {
  const timers = new VirtualTimers();
  const troubles: string[] = [];
  const broker = new WireBroker({
    baseUrl: `http://127.0.0.1:${await freePort()}`,
    service: serviceSettings(),
    gate: new TestGate(timers),
    timers,
    warmSockets: 1,
    onConnectTrouble: (why) => troubles.push(why),
  });
  broker.connect(() => {});
  for (let n = 0; n < 200; n += 1) {
    timers.advance(1000);
    await settle(1);
  }
  expect(troubles.length).toBeGreaterThan(3);
  expect(troubles.length).toBeLessThan(80);
  await broker.close(0);
});

test('B29 B21 unusable credentials are refused at the start, without showing them', () => {
  const make = (changes: Partial<ServiceSettings>) => () =>
    new WireBroker({
      baseUrl: 'https://service.example',
      service: serviceSettings(changes),
      gate: new TestGate(systemTimers),
      timers: systemTimers,
    });
  expect(make({ apiSecret: null })).toThrow('KAIROS_API_SECRET');
  expect(make({ apiKey: 'a\r\nb' })).toThrow(/apiKey/);
  expect(make({ userId: '../1205' })).toThrow(/userId/);
  expect(make({ apiSecret: 'not base64 at all' })).toThrow(/apiSecret/);
  expect(make({ apiSecret: 'not base64 at all' })).not.toThrow(/not base64 at all/);
});
