import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpsServer, openOps } from '#server/control/server.ts';
import { OpsDouble } from '../../support/ops-double.ts';

const TOKEN = 'a-token-that-nobody-guesses';
/** What an operator may wait for a halt, in turns of a timer of 10 ms: a machine that stands still makes none. */
const WITHIN_TURNS = 100;

let acts: OpsDouble['heard'];
let ops: OpsServer;
let port: number;
let hostile: Set<Socket>;

beforeEach(async () => {
  hostile = new Set();
  const timers = { monotonicMs: () => performance.now() };
  const { heard, target } = new OpsDouble();
  acts = heard;
  ops = await openOps({ host: '127.0.0.1', port: null, token: TOKEN, target, timers });
  port = Number(new URL(ops.url).port);
});

afterEach(async () => {
  for (const socket of hostile) socket.destroy();
  await ops.close();
});

const HEAD = (): string => `POST /api/halt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;

/** A connection that says this much, then a byte every 100 ms; `again`: it comes back when it is cut off. */
function attack(says: string, { again = false }: { readonly again?: boolean } = {}): Promise<void> {
  const [heard, own] = [acts, hostile];
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(says);
      resolve();
    });
    own.add(socket);
    const drip = setInterval(() => says !== '' && socket.write('a'), 100);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      own.delete(socket);
      resolve();
      // It comes back in its own test alone.
      if (again && heard.length === 0) setTimeout(() => own === hostile && attack(says, { again }), 20);
    });
    socket.resume();
  });
}

/** A raw request; resolves with the first line of the answer. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed without an answer')));
    socket.once('data', (data) => {
      resolve(data.toString().split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
  });
}

const halt = (): Promise<string> =>
  send(`${HEAD()}Authorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);

async function haltWithin(): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  expect(await halt()).toBe('HTTP/1.1 200 OK');
  clearInterval(timer);
  return turns;
}

const SLOW_HEADERS = 'POST /api/halt HTTP/1.1\r\nHost: a\r\nX: ';
const slowBody = (): string => `${HEAD()}Authorization: Bearer wrong\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`;
const unread = (): string => `GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(10);

describe('F74 a halt gets in while others hold all places', () => {
  test.each<[string, () => string]>([
    ['silent', () => ''],
    ['slow in their headers', () => SLOW_HEADERS],
    ['slow in their bodies', slowBody],
    ['busy looking, many times on each connection', unread],
  ])('96 that are %s', async (_, says) => {
    await Promise.all(Array.from({ length: 96 }, () => attack(says())));
    expect(await haltWithin()).toBeLessThan(WITHIN_TURNS);
    expect(acts).toHaveLength(1);
  });

  test('120 of every kind that come back whenever they are cut off', async () => {
    const kinds = ['', SLOW_HEADERS, slowBody(), unread()];
    await Promise.all(Array.from({ length: 120 }, (_, n) => attack(kinds[n % kinds.length] ?? '', { again: true })));
    expect(await haltWithin()).toBeLessThan(WITHIN_TURNS);
  });

  test('who has shown the token keeps its place, also while it waits', async () => {
    const operator = connect(port, '127.0.0.1');
    const heard = (): Promise<string> => new Promise((resolve) => operator.once('data', (data) => resolve(data.toString().slice(0, 15))));
    const look = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    operator.write(look);
    expect(await heard()).toBe('HTTP/1.1 200 OK');
    await Promise.all(Array.from({ length: 300 }, () => attack('')));
    operator.write(look);
    expect(await heard()).toBe('HTTP/1.1 200 OK');
    operator.destroy();
  });
});

test('F74 the silent and the slow are cut off within seconds, also where nobody wants their places', async () => {
  await Promise.all(['', SLOW_HEADERS, slowBody()].map((says) => attack(says)));
  await expect.poll(() => hostile.size).toBe(0);
});

describe('a header that may be said once and is said twice is refused', () => {
  test.each<[string, () => string]>([
    ['Host, the second wrong', () => `Host: 127.0.0.1:${port}\r\nHost: evil.example`],
    ['Host, both right', () => `Host: 127.0.0.1:${port}\r\nhost: 127.0.0.1:${port}`],
    ['Origin', () => `Host: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nOrigin: http://evil.example`],
    ['the token', () => `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nAuthorization: Bearer wrong`],
    ['Content-Type', () => `Host: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Type: text/plain`],
    ['Content-Length', () => `Host: 127.0.0.1:${port}\r\nContent-Length: 0\r\nContent-Length: 0`],
    ['Host, behind more headers than are counted', () => `Host: 127.0.0.1:${port}\r\n${'a:\r\n'.repeat(2_020)}Host: x`],
  ])('%s', async (_, headers) => {
    expect(await send(`GET /healthz HTTP/1.1\r\n${headers()}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4/);
  });
});

test('a burst of hostile connections leaves handles and memory where they were', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const heap = async (): Promise<number> => {
    await wait(100);
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed;
  };
  const burst = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 150 }, (_, n) => attack(['', SLOW_HEADERS, slowBody(), 'no HTTP\r\n\r\n'][n % 4] ?? '')));
      for (const socket of hostile) socket.destroy();
    }
    while (hostile.size > 0) await wait(10);
  };
  // What is compiled and cached at first is no leak.
  await burst();
  await vi.waitFor(() => expect(sockets()).toBe(0), 100_000);
  const before = await heap();
  await burst();
  await burst();
  await vi.waitFor(() => expect(sockets()).toBe(0), 100_000);
  expect((await heap()) - before).toBeLessThan(2 * 1024 * 1024);
});
