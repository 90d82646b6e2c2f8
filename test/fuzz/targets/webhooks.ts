import { connect } from 'node:net';
import { signatureMatches, signingKey } from '#adapters/service-client/orders/signature.ts';
import type { PostServer } from '#adapters/webhook-receiver/post-server.ts';
import { Receiver } from '#adapters/webhook-receiver/receiver.ts';
import { openWebhookServer } from '#adapters/webhook-receiver/server.ts';
import type { InboxNotification } from '#domain/notification.ts';
import { BROKER_SECRET } from '#paper-venue/defaults.ts';
import { depositBody, transfer, webhookHeaders } from '../../support/webhooks.ts';
import { type FuzzTarget, must } from '../target.ts';

const NOW = 1_767_225_600_123;
const KEY = signingKey(BROKER_SECRET);

function receiver(kept: InboxNotification[]): Receiver {
  return new Receiver({
    verify: (signed, signature) => signatureMatches(KEY, signed, signature),
    recipient: { brand: 'svc', userId: '1205' },
    windowMs: 15_000,
    now: () => NOW,
    ofTransfer: () => [],
    hasBody: () => false,
    keep: async (notified) => {
      kept.push(notified);
      return true;
    },
  });
}

const lines = (timestamp: string, signature: string, body: string) => `${timestamp}\n${signature}\n${body}`;

const body: FuzzTarget = {
  name: 'webhook-body',
  holds: 'what is not signed has no effect; what is signed is booked with a decimal above zero and a currency, or kept, or refused',
  seeds: [
    lines(String(NOW), 'signed', depositBody(transfer(1))),
    lines(String(NOW - 60_000), 'signed', depositBody(transfer(2), { amount: '1e3' })),
    lines(String(NOW), 'signed', '{"notificationType":"OTHER","a":{"b":[1,2]}}'),
    lines(String(NOW), webhookHeaders(depositBody(transfer(1)), { timestamp: NOW })['x-webhook-signature'], depositBody(transfer(1))),
  ],
  words: ['notificationType', 'DEPOSIT_CONFIRMED', 'svcUserId', 'transferId', 'source', 'currency', 'amount', 'BTC', '1205', 'signed'],
  async check(input) {
    const first = input.indexOf(10);
    const second = input.indexOf(10, first + 1);
    const timestamp = input.toString('latin1', 0, Math.max(0, first));
    const given = input.toString('latin1', first + 1, Math.max(0, second));
    const bytes = Buffer.from(input.subarray(second + 1));
    const right = webhookHeaders(bytes, { timestamp })['x-webhook-signature'];
    const signature = given === 'signed' ? right : given;
    const kept: InboxNotification[] = [];
    const answer = await receiver(kept).receive({ timestamps: [timestamp], signatures: [signature], body: bytes });
    must([204, 400, 401, 503].includes(answer.status), `answered ${answer.status}`);
    if (signature !== right) must(answer.status === 401 && kept.length === 0, 'an effect of what is not signed');
    for (const { deposit, body: text } of kept) {
      must(text === bytes.toString('utf8'), 'another body is kept than came');
      if (!deposit) continue;
      must(/^\d+(\.\d+)?$/.test(deposit.amount) && Number(deposit.amount) > 0, `the amount ${deposit.amount}`);
      must(/^[a-z0-9]{2,16}$/.test(deposit.currency), `the currency ${deposit.currency}`);
    }
  },
};

const PATH = '/webhooks';
const post = (text: string, more = ''): string => {
  const headers = { ...webhookHeaders(text, { timestamp: NOW }), host: '127.0.0.1', 'content-length': String(Buffer.byteLength(text)) };
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${PATH} HTTP/1.1\r\n${named.join('')}${more}\r\n${text}`;
};

let open: { server: PostServer; kept: InboxNotification[] } | undefined;

async function opened(): Promise<{ server: PostServer; kept: InboxNotification[] }> {
  if (open) return open;
  const kept: InboxNotification[] = [];
  const options = { host: '127.0.0.1', port: 0, path: PATH, receiver: receiver(kept), onRefused: () => {}, patienceMs: 1_000 };
  open = { server: await openWebhookServer(options), kept };
  return open;
}

/** What a server says to bytes whose sender then ends; the connection is closed by then. */
function answerTo(url: string, bytes: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect({ host: hostname, port: Number(port) });
    const cut = setTimeout(() => {
      socket.destroy();
      reject(new Error('broken: the connection was not closed within 10 s'));
    }, 10_000);
    socket.setEncoding('latin1').on('data', (text: string) => {
      said += text;
    });
    // A side that resets is one that has had enough.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(cut);
      resolve(said);
    });
    socket.end(bytes);
  });
}

const route: FuzzTarget = {
  name: 'webhook-route',
  holds: 'whatever bytes come, the listener answers in HTTP or hangs up, keeps what is signed alone, and serves the next',
  seeds: [
    post(depositBody(transfer(1))),
    post(depositBody(transfer(1)), 'content-encoding: gzip\r\n'),
    post('{}', 'transfer-encoding: chunked\r\n'),
    `GET ${PATH} HTTP/1.1\r\nhost: a\r\n\r\n`,
    `${post('{}')}${post('{}')}`,
  ],
  words: [
    'Content-Length: 0\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
    'HTTP/1.0',
    'HTTP/9.9',
    'Upgrade: h2c\r\n',
    PATH,
  ],
  async check(input) {
    const { server, kept } = await opened();
    kept.length = 0;
    const said = await answerTo(server.url, input);
    must(said === '' || /^HTTP\/1\.1 [1-5]\d\d /.test(said), `it said ${JSON.stringify(said.slice(0, 100))}`);
    for (const { body: text } of kept) must(input.includes(text), 'what did not come is kept');
    must(!/ 5\d\d /.test(said.slice(0, 13)), `it said ${said.slice(0, 40)}`);
    kept.length = 0;
    const next = await answerTo(server.url, Buffer.from(post(depositBody(transfer(9)), 'connection: close\r\n')));
    must(next.startsWith('HTTP/1.1 204') && kept.length === 1, `the next delivery was answered ${JSON.stringify(next.slice(0, 60))}`);
  },
  async close() {
    await open?.server.close();
    open = undefined;
  },
};

export const WEBHOOK_TARGETS: readonly FuzzTarget[] = [body, route];
