import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PostServer } from '#adapters/webhook-receiver/post-server.ts';
import { Receiver } from '#adapters/webhook-receiver/receiver.ts';
import { openWebhookServer } from '#adapters/webhook-receiver/server.ts';
import type { InboxNotification } from '#domain/notification.ts';
import { deliver, depositBody, transfer, webhookHeaders } from '../../support/webhooks.ts';

const PATIENCE_MS = 300;

let server: PostServer;
let kept: InboxNotification[];
let refused: string[];
let sockets: Socket[];

beforeEach(async () => {
  kept = [];
  refused = [];
  sockets = [];
  const receiver = new Receiver({
    verify: () => true,
    recipient: { brand: 'svc', userId: '1205' },
    windowMs: 15_000,
    now: () => Date.now(),
    ofTransfer: () => [],
    hasBody: () => false,
    keep: async (notified) => kept.push(notified) > 0,
  });
  const onRefused = (error: string) => void refused.push(error);
  server = await openWebhookServer({ host: '127.0.0.1', port: 0, path: '/webhooks', receiver, onRefused, patienceMs: PATIENCE_MS });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** A connection that has written `text`; what comes back on it until it is closed. */
async function connection(text: string): Promise<{ readonly socket: Socket; readonly closed: Promise<string> }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return { socket, closed };
}

const statusIn = (answer: string): string => answer.split(' ')[1] ?? 'cut';

test('F43: a connection without a word, headers without end and a body without end are cut, and others are served meanwhile', async () => {
  const idle = await connection('');
  const slowHeaders = await connection('POST /webhooks HTTP/1.1\r\nHost: x\r\nX-A: ');
  const head = 'POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const slowBody = await connection(`${head}Content-Length: 100\r\n\r\n{`);
  const chunked = await connection(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const feeding = setInterval(() => chunked.socket.write('1\r\n{\r\n'), 20);
  expect(await deliver(server.url, depositBody(transfer(1)))).toBe(204);
  const answers = await Promise.all([idle, slowHeaders, slowBody, chunked].map(({ closed }) => closed));
  clearInterval(feeding);
  for (const answer of answers) expect(['cut', '408', '413']).toContain(statusIn(answer));
  expect(kept).toHaveLength(1);
});

test('F43: many silent connections are cut, and the service gets through', async () => {
  const silent = await Promise.all(Array.from({ length: 400 }, () => connection('')));
  expect(await deliver(server.url, depositBody(transfer(1)))).toBe(204);
  await Promise.all(silent.map(({ closed }) => closed));
  expect(await deliver(server.url, depositBody(transfer(2)))).toBe(204);
});

test.each<readonly [string, RequestInit & { readonly path?: string }, number]>([
  ['another method', { method: 'GET' }, 404],
  ['another path', { path: '/webhooks/x' }, 404],
  ['another media type', { headers: { 'content-type': 'text/plain' } }, 415],
  ['a packed body', { headers: { ...webhookHeaders('{}'), 'content-encoding': 'gzip' } }, 415],
  ['a body over 64 KB', { body: `{"x":"${'x'.repeat(65_536)}"}` }, 413],
])('B30: %s is turned away', async (_what, { path, ...init }, status) => {
  const url = path === undefined ? server.url : new URL(path, server.url);
  const body = init.method === 'GET' ? {} : { body: '{}' };
  const answer = await fetch(url, { method: 'POST', headers: webhookHeaders('{}'), ...body, ...init });
  expect(answer.status).toBe(status);
  expect(kept).toEqual([]);
  expect(refused).toHaveLength(1);
});

test('B32: ten thousand headers are turned away', async () => {
  const { closed } = await connection(`POST /webhooks HTTP/1.1\r\nHost: x\r\n${'X-A: 1\r\n'.repeat(10_000)}\r\n`);
  expect(statusIn(await closed)).toBe('431');
});
