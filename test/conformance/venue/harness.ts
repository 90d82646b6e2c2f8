import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { VENUE_SETTINGS } from '../../support/venue-settings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

/**
 * The conformance suite of the venue is written against the specification alone: raw HTTP, raw WebSockets, and a signature
 * made here; nothing of the client's code. Titles begin with what they show: `4.5.3` is rule 3 of section 4.5, `2.5.userId` a row
 * of the table in 2.5, `7.2` the second row of the table in 7, `5.1.s1` the first signature rule; `note` is a line of the notes.
 */
export const KEY = '11111111-1111-4111-8111-111111111111';
const SECRET = Buffer.from('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', 'base64');
export const ORDERS = '/svc-broker/api/orders';
export const STRATEGIES = '/strategy-orchestrator/strategies';
export const LOGIN = '/httpserver/main/v2/auth/login';

export const sign = (canonical: string | Buffer): string => createHmac('sha256', SECRET).update(canonical).digest('base64');

export interface Sent {
  readonly method?: string;
  readonly path: string;
  /** Names and values as they go out; a name may come twice. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: Record<string, unknown>;
}

export class Bench {
  readonly venue: Venue;
  readonly timers: VirtualTimers;
  private token = '';

  constructor(venue: Venue, timers: VirtualTimers) {
    this.venue = venue;
    this.timers = timers;
  }

  /** One request on a connection of its own. */
  send({ method = 'GET', path, headers = [], body }: Sent): Promise<Got> {
    return new Promise((resolve, reject) => {
      const flat = ['Host', `127.0.0.1:${this.venue.port}`, ...headers.flat()];
      if (body !== undefined) flat.push('Content-Length', String(Buffer.byteLength(body)));
      const sent = request({ host: '127.0.0.1', port: this.venue.port, method, path, headers: flat, agent: false });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
        });
      });
      sent.end(body);
    });
  }

  /** A JSON body without a token. */
  post(path: string, body: unknown): Promise<Got> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send({ method: 'POST', path, headers: [['Content-Type', 'application/json']], body: text });
  }

  /** Signs in, once. */
  async bearer(): Promise<readonly [string, string]> {
    if (this.token === '') {
      const { headers } = await this.post(LOGIN, { username: 'paper@example.com', password: 'paper' });
      this.token = String(headers.authorization);
    }
    return ['Authorization', this.token];
  }

  /** A request of a strategy endpoint, with the token. */
  async strategy(method: string, path: string, body?: unknown, more: Sent['headers'] = []): Promise<Got> {
    const headers = [await this.bearer(), ...more];
    if (body === undefined) return this.send({ method, path: `${STRATEGIES}${path}`, headers });
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send({ method, path: `${STRATEGIES}${path}`, headers: [['Content-Type', 'application/json'], ...headers], body: text });
  }

  /** The four headers of 5.1 for a request, right in every way. */
  signed({ method = 'POST', path, body = '' }: Sent, user = '1205', at = String(this.timers.wallMs())): [string, string][] {
    const canonical = Buffer.concat([Buffer.from(`${at}${method}${path}${user}`), Buffer.from(body)]);
    return [
      ['X-API-Key', KEY],
      ['X-API-Timestamp', at],
      ['X-API-Signature', sign(canonical)],
      ['X-API-User-ID', user],
    ];
  }

  /** An order with right headers, over which `change` may lay others; null leaves one out. */
  order(body: string | Buffer, change: Readonly<Record<string, string | null>> = {}, user = '1205'): Promise<Got> {
    const made = this.signed({ path: ORDERS, body }, user).filter(([name]) => !(name in change));
    const changed = Object.entries(change).filter((entry): entry is [string, string] => entry[1] !== null);
    return this.send({ method: 'POST', path: ORDERS, headers: [['Content-Type', 'application/json'], ...made, ...changed], body });
  }

  /** A connection to the feed. */
  async feed(query = '?userId=1205'): Promise<Feed> {
    const feed = new Feed(`ws://127.0.0.1:${this.venue.port}/svc-broker/public/quotes${query}`);
    await once(feed.socket, 'open');
    return feed;
  }

  /** The first quote of a size of btcusd, for user 1205. */
  async quote(query = '?userId=1205', inputSize = 0.01): Promise<Message> {
    const feed = await this.feed(query);
    await feed.ask({ quoteType: 'TRADING', productCode: 'btcusd', inputSize });
    return feed.next();
  }
}

export type Message = Readonly<Record<string, unknown>>;

/** A connection that keeps what comes. */
export class Feed {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  private readonly arrived: string[] = [];
  private wake: () => void = () => {};

  constructor(url: string) {
    this.socket = new WebSocket(url, { perMessageDeflate: false });
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('error', () => this.wake());
    this.socket.on('message', (data) => {
      this.arrived.push(data.toString());
      this.wake();
    });
    onTestFinished(() => this.socket.terminate());
  }

  async next(): Promise<Message> {
    for (;;) {
      const text = this.arrived.shift();
      if (text !== undefined) return JSON.parse(text);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** All that was sent up to now: a pong comes after every frame before it. */
  async rest(): Promise<Message[]> {
    this.socket.ping();
    await once(this.socket, 'pong');
    return this.arrived.splice(0).map((text) => JSON.parse(text));
  }

  /** Sends a request, JSON or a text as it is, and returns the next message. */
  async ask(body: unknown): Promise<Message> {
    await this.rest();
    this.socket.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), { binary: false });
    return this.next();
  }
}

/** A venue of its own for a test, whose time stands still until the test moves it. */
export async function bench(overrides: Partial<VenueSettings> = {}): Promise<Bench> {
  const timers = new VirtualTimers();
  const venue = await startVenue({ ...VENUE_SETTINGS, ...overrides }, timers);
  onTestFinished(() => venue.close());
  return new Bench(venue, timers);
}

/** An AI strategy as 2.1 shows it. */
export const AI: Readonly<Record<string, unknown>> = {
  strategyType: 'AI',
  productCode: 'btcusd',
  accountId: '70312',
  aiModelVariant: 'VFM6',
  aiModelPositionMode: 'LONG',
  executionType: 'SMO_MPL',
  useInitialModelPrice: true,
  initialBaseCurrencySize: 0.01,
  initialQuoteCurrencyAmount: 1000,
  desiredNetProfitPercentage: 1.5,
  useSpikeProtection: false,
  alwaysPassive: false,
  ignoreWarnings: false,
  autoRun: false,
};

/** The error body of the notes. */
export function errorBody(status: number, path: string): Record<string, unknown> {
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const errorCode = expect.stringMatching(/^[A-Z_]+$/);
  return { timestamp, status, path, errorCode, error: expect.stringMatching(/./), errors: expect.any(Array) };
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is no JSON has no fields that a test could find.
    return {};
  }
}
