import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import type { Timers } from '#ports/timers.ts';
import { newFolder } from '../support/folder.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

/** A real venue on a real port, whose time stands still until a test moves it. */
export const KEY = '11111111-1111-4111-8111-111111111111';
export const SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

export const SETTINGS = VENUE_SETTINGS;

export interface Rig {
  readonly venue: Venue;
  readonly timers: VirtualTimers;
}

export async function rig(overrides: Partial<VenueSettings> = {}, log?: (line: string) => void): Promise<Rig> {
  const timers = new VirtualTimers();
  return { timers, venue: await started(overrides, timers, log) };
}

/** A venue that is closed when the test ends. */
export async function started(overrides: Partial<VenueSettings>, timers: Timers, log?: (line: string) => void): Promise<Venue> {
  const venue = await startVenue({ ...SETTINGS, ...overrides }, timers, log);
  onTestFinished(() => venue.close());
  return venue;
}

export { newFolder as scratch };

/** The signature of the specification (5.1), computed here and not by the client under test elsewhere. */
export function signature(canonical: string): string {
  return createHmac('sha256', Buffer.from(SECRET, 'base64')).update(canonical).digest('base64');
}

export interface OrderParts {
  readonly quoteId?: unknown;
  readonly side?: unknown;
  readonly orderType?: unknown;
  /** The body as sent, in place of one made of the fields above. */
  readonly body?: string | Buffer<ArrayBuffer>;
  readonly user?: string | null;
  readonly timestamp?: string;
  readonly path?: string;
  /** Laid over the right headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Posts an order with the four headers of the specification, or with what a test puts in their place. */
export async function order({ venue, timers }: { venue: Pick<Venue, 'url'>; timers: Timers }, parts: OrderParts): Promise<Answer> {
  const { quoteId, side = 'BUY', orderType = 'MARKET', user = '1205' } = parts;
  const body = parts.body ?? JSON.stringify({ orderType, quoteId, side });
  const target = parts.path ?? '/svc-broker/api/orders';
  const timestamp = parts.timestamp ?? String(timers.wallMs());
  const headers: Record<string, string | null> = {
    'content-type': 'application/json',
    'x-api-key': KEY,
    'x-api-timestamp': timestamp,
    'x-api-signature': signature(`${timestamp}POST${target}${user ?? ''}${body}`),
    'x-api-user-id': user,
    ...parts.headers,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return answered(await fetch(`${venue.url}${target}`, { method: 'POST', headers: Object.fromEntries(given), body }));
}

export async function signedGet({ venue, timers }: Rig, target: string, user = '1205'): Promise<Answer> {
  const timestamp = String(timers.wallMs());
  const headers = {
    'x-api-key': KEY,
    'x-api-timestamp': timestamp,
    'x-api-signature': signature(`${timestamp}GET${target}${user}`),
    'x-api-user-id': user,
  };
  return answered(await fetch(`${venue.url}${target}`, { headers }));
}

export async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

export type Message = Readonly<Record<string, unknown>>;

/** A connection to the feed that keeps what comes. */
export class FeedClient {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  private readonly arrived: string[] = [];
  private wake: () => void = () => {};

  constructor(venue: Pick<Venue, 'url'>, query = '?userId=1205', feedPath = '/svc-broker/public/quotes') {
    this.socket = new WebSocket(`${venue.url.replace('http', 'ws')}${feedPath}${query}`, { perMessageDeflate: false });
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('error', () => this.wake());
    this.socket.on('message', (data) => {
      this.arrived.push(data.toString());
      this.wake();
    });
    onTestFinished(() => this.socket.terminate());
  }

  async open(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  send(request: unknown): void {
    this.socket.send(typeof request === 'string' ? request : JSON.stringify(request));
  }

  /** The next message, waited for. */
  async next(): Promise<Message> {
    return JSON.parse(await this.nextText());
  }

  /** The next message, taken for a trading quote. */
  async nextQuote(): Promise<Tq> {
    return JSON.parse(await this.nextText());
  }

  /** All that has been sent up to now: a pong comes after every frame that was written before it. */
  async rest(): Promise<Message[]> {
    this.socket.ping();
    await once(this.socket, 'pong');
    return this.arrived.splice(0).map((text) => JSON.parse(text));
  }

  private async nextText(): Promise<string> {
    for (;;) {
      const text = this.arrived.shift();
      if (text !== undefined) return text;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Sends a request and waits for its answer. */
  async ask(request: unknown): Promise<Message> {
    await this.rest();
    this.send(request);
    return this.next();
  }
}

export interface SideFigures {
  readonly price: number;
  readonly size: number;
  readonly value: number;
  readonly feeInBaseCcy: number;
  readonly feeInQuoteCcy: number;
  readonly slippage: number;
  readonly slippagePercentage: number;
}

/** A trading quote as it came. */
export interface Tq {
  readonly msgType: string;
  readonly id: string;
  readonly productCode: string;
  readonly buyQuote: SideFigures;
  readonly sellQuote: SideFigures;
  readonly spread: number;
  readonly spreadPercentage: number;
  readonly validUntil: string;
}

/** Subscribes to a size (or another input) and returns the first quote. */
export async function firstQuote(
  client: FeedClient,
  input: Record<string, unknown> = { inputSize: 0.01 },
  product = 'btcusd',
): Promise<Tq> {
  const ack = await client.ask({ quoteType: 'TRADING', productCode: product, ...input });
  if (ack.msgType !== 'ACK') throw new Error(`no ACK: ${JSON.stringify(ack)}`);
  return client.nextQuote();
}
