/**
 * A client of the service, written from the specification alone. It shares nothing with Kairos: it signs, asks, listens and receives
 * by itself, with Node's own http and crypto and the package ws.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';

export type Json = Record<string, unknown>;
export type Headers = Record<string, string | string[]>;

const KEEP_ALIVE = new Agent({ keepAlive: true, maxSockets: 32 });

/** An answer over HTTP, with its body as bytes and as text. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;

  constructor(status: number, headers: IncomingHttpHeaders, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  json(): unknown {
    return JSON.parse(this.text);
  }

  object(): Json {
    return object(this.json());
  }

  list(): Json[] {
    const value = this.json();
    assert.ok(Array.isArray(value), `not a list: ${this.text.slice(0, 200)}`);
    return value.map(object);
  }
}

export function object(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `not an object: ${JSON.stringify(value)}`);
  return value as Json;
}

export function text(from: Json, field: string): string {
  const value = from[field];
  assert.equal(typeof value, 'string', `${field} is no text in ${JSON.stringify(from)}`);
  return value as string;
}

export function number(from: Json, field: string): number {
  const value = from[field];
  assert.ok(typeof value === 'number' && Number.isFinite(value), `${field} is no number in ${JSON.stringify(from)}`);
  return value;
}

export interface Question {
  method: string;
  path: string;
  headers?: Headers;
  body?: string | Buffer;
  timeoutMs?: number;
}

/** Sends exactly these bytes to exactly this path, and waits for the whole answer. */
export function ask(base: string, { method, path, headers = {}, body, timeoutMs = 100_000 }: Question): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
    const sent = request({ hostname, port, method, path, headers: { ...length, ...headers }, agent: KEEP_ALIVE }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        clearTimeout(timer);
        const whole = Buffer.concat(parts).toString('utf8');
        resolve(new Answer(answer.statusCode ?? 0, answer.headers, whole));
      });
    });
    const timer = setTimeout(() => sent.destroy(new Error(`no answer to ${method} ${path} within ${timeoutMs} ms`)), timeoutMs);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(bytes);
  });
}

export function askJson(base: string, method: string, path: string, value: unknown, headers: Headers = {}): Promise<Answer> {
  return ask(base, { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) });
}

/** Base64 of the HMAC-SHA256 under the Base64-decoded secret: rules 5.1.2, 5.1.3 and 5.4.2. */
export function hmac(secret: string, canon: string | Buffer): string {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(canon).digest('base64');
}

/** The canonical request of 5.1: timestamp, method, path with its query, user id, raw body; nothing between them. */
export function canonicalRequest(timestamp: string, method: string, path: string, userId = '', body: string | Buffer = ''): Buffer {
  return Buffer.concat([Buffer.from(timestamp + method.toUpperCase() + path + userId), Buffer.from(body)]);
}

export interface Signed {
  method?: string;
  path?: string;
  userId?: string;
  body?: string;
  timestamp?: string;
  key?: string;
  secret?: string;
  /** Headers in place of those that signing gives; undefined leaves one out. */
  instead?: Record<string, string | undefined>;
}

/** Somebody who may ask the broker: the key and secret of a partner. */
export class Broker {
  readonly base: string;
  readonly key: string;
  readonly secret: string;

  constructor(base: string, key: string, secret: string) {
    this.base = base;
    this.key = key;
    this.secret = secret;
  }

  headers({ method = 'POST', path = '/svc-broker/api/orders', userId, body, timestamp, key, secret, instead = {} }: Signed): Headers {
    const at = timestamp ?? String(Date.now());
    const all: Record<string, string | undefined> = {
      'Content-Type': body === undefined ? undefined : 'application/json',
      'X-API-Key': key ?? this.key,
      'X-API-Timestamp': at,
      'X-API-Signature': hmac(secret ?? this.secret, canonicalRequest(at, method, path, userId, body)),
      'X-API-User-ID': userId,
      ...instead,
    };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  ask(signed: Signed): Promise<Answer> {
    const { method = 'POST', path = '/svc-broker/api/orders', body } = signed;
    return ask(this.base, { method, path, headers: this.headers(signed), ...(body === undefined ? {} : { body }) });
  }

  order(userId: string, quoteId: string, side: string): Promise<Answer> {
    return this.ask({ userId, body: JSON.stringify({ orderType: 'MARKET', quoteId, side }) });
  }

  /** Beyond the specification; the venue answers when its capability `balances` is on. */
  async balances(userId: string): Promise<Json> {
    const answer = await this.ask({ method: 'GET', path: '/svc-broker/api/balances', userId });
    assert.equal(answer.status, 200, answer.text);
    return answer.object();
  }
}

/** A connection to the quotes feed that keeps every message. */
export class Feed {
  readonly socket: WebSocket;
  readonly messages: { at: number; value: Json }[] = [];
  #seen = 0;
  #wake: (() => void) | undefined;
  closed = false;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      assert.equal(isBinary, false, 'the feed speaks text');
      this.messages.push({ at: performance.now(), value: object(JSON.parse(data.toString('utf8'))) });
      this.#wake?.();
    });
    socket.on('close', () => {
      this.closed = true;
      this.#wake?.();
    });
    socket.on('error', () => {});
  }

  static async open(base: string, query = ''): Promise<Feed> {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/svc-broker/public/quotes${query}`);
    const feed = new Feed(socket);
    await once(socket, 'open');
    return feed;
  }

  send(value: unknown): void {
    this.socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  }

  /** The next message not yet taken for which this holds; those before it are passed over. */
  async next(holds: (value: Json) => boolean, timeoutMs = 100_000): Promise<Json> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      for (; this.#seen < this.messages.length; ) {
        const message = this.messages[this.#seen++];
        if (message && holds(message.value)) return message.value;
      }
      if (this.closed) throw new Error('the feed was closed');
      const left = until - performance.now();
      if (left <= 0) throw new Error(`nothing of the kind within ${timeoutMs} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** ACK or ERR to a request. An ACK counts by the query it echoes. */
  async subscribe(query: Json): Promise<Json> {
    this.#seen = this.messages.length;
    this.send(query);
    return this.next((m) => {
      if (m.msgType === 'ERR') return true;
      if (m.msgType !== 'ACK') return false;
      const echo = object(m.query);
      const same = (field: string) => {
        const asked = query[field] ?? null;
        return asked === null ? (echo[field] ?? null) === null : String(asked) === String(echo[field]) || Number(asked) === echo[field];
      };
      return ['quoteType', 'productCode', 'inputSize', 'inputValue'].every(same);
    });
  }

  async trading(productCode: string, input: Json): Promise<Json> {
    const ack = await this.subscribe({ quoteType: 'TRADING', productCode, ...input });
    assert.equal(ack.msgType, 'ACK', JSON.stringify(ack));
    return this.next((m) => m.msgType === 'TQ' && m.productCode === productCode);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.socket.close();
    await Promise.race([once(this.socket, 'close'), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    this.socket.terminate();
  }
}

/** One delivery of a notification, as it came. */
export interface Delivery {
  at: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  raw: Buffer;
}

/** What a partner answers: a status, or `silence` for none at all, or `cut` for a broken connection. */
export type Reply = number | 'silence' | 'cut';

/** A partner's webhook, with the answers that a test chooses. */
export class Partner {
  readonly deliveries: Delivery[] = [];
  reply: (delivery: Delivery, nth: number) => Reply = () => 204;
  readonly server: Server;
  #wake: (() => void)[] = [];

  private constructor() {
    this.server = createServer((incoming, outgoing) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', () => {});
      incoming.on('end', () => {
        const delivery: Delivery = {
          at: Date.now(),
          method: incoming.method ?? '',
          path: incoming.url ?? '',
          headers: incoming.headers,
          raw: Buffer.concat(parts),
        };
        this.deliveries.push(delivery);
        const reply = this.reply(delivery, this.deliveries.length);
        if (reply === 'cut') incoming.socket.destroy();
        else if (reply !== 'silence') {
          outgoing.writeHead(reply, reply >= 300 && reply < 400 ? { Location: '/elsewhere' } : {}).end();
        }
        for (const wake of this.#wake.splice(0)) wake();
      });
    });
  }

  static async listen(): Promise<Partner> {
    const partner = new Partner();
    partner.server.listen(0, '127.0.0.1');
    await once(partner.server, 'listening');
    return partner;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/from/the/service`;
  }

  async until(holds: () => boolean, timeoutMs = 100_000): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (!holds()) {
      const left = end - performance.now();
      if (left <= 0) throw new Error(`${this.deliveries.length} deliveries came, not those that were waited for`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 100));
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Rule 5.4.3: the timestamp, followed at once by the raw body. */
export function webhookCanon(timestamp: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from(timestamp), raw]);
}

/** A number of at most eight decimals as a whole number of its eighth decimal, so that sums are exact. */
export function units(value: unknown): bigint {
  const written = typeof value === 'number' ? value.toFixed(8) : String(value);
  const parts = /^(-?)(\d+)(?:\.(\d*))?$/.exec(written);
  assert.ok(parts, `no decimal: ${written}`);
  const [, sign, whole = '', fraction = ''] = parts;
  assert.ok(/^\d{0,8}0*$/.test(fraction), `more than eight decimals: ${written}`);
  const sum = BigInt(whole + fraction.slice(0, 8).padEnd(8, '0'));
  return sign === '-' ? -sum : sum;
}

/** Numbers that look random and are the same at each run: a failure names its seed by the title of the test. */
export function dice(seed: number): { real(): number; int(from: number, to: number): number; pick<T>(of: readonly T[]): T } {
  let state = seed >>> 0;
  const real = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(real() * (to - from + 1));
  return {
    real,
    int,
    pick: <T>(of: readonly T[]): T => {
      const chosen = of[int(0, of.length - 1)];
      assert.ok(chosen !== undefined);
      return chosen;
    },
  };
}
