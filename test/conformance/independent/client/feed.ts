import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { dec, type Figure, figure, floorTo, type Json, mapFigures, over, print, round, times } from './figures.ts';
import { type Fields, PRODUCTS, type Product, type Reading } from './reading.ts';

export interface Side {
  readonly price: bigint;
  readonly size: bigint;
  readonly value: bigint;
  readonly feeBase: bigint;
  readonly feeQuote: bigint;
}

export interface Quote {
  readonly id: string;
  readonly userId: string;
  readonly connection: number;
  readonly subscription: number;
  readonly product: Product;
  readonly buy: Side;
  readonly sell: Side;
  readonly validUntil: number;
}

export interface Subscription {
  readonly number: number;
  readonly request: { quoteType: string; product: Product | null; size: bigint | null; value: bigint | null };
  readonly echo: Fields;
}

export interface Connection {
  readonly number: number;
  readonly userId: string | null;
  readonly requests: string[];
  readonly socket: WebSocket;
  acked: number;
  active: Subscription | null;
}

interface House {
  readonly reading: Reading;
  readonly users: ReadonlySet<string>;
  readonly now: () => number;
  readonly fault: (text: string) => void;
}

const FEE = dec('0.001');

/** The public quotes feed (4.5): verifies each request, sends quotes twice a second, remembers what it offered to whom. */
export class Feed {
  readonly connections: Connection[] = [];
  readonly quotes = new Map<string, Quote>();
  readonly server: WebSocketServer;
  readonly #house: House;
  readonly #timers = new Set<NodeJS.Timeout>();
  #subscriptions = 0;

  constructor(house: House) {
    this.#house = house;
    const { compression } = house.reading;
    this.server = new WebSocketServer({ noServer: true, perMessageDeflate: compression ? { threshold: 0 } : false });
  }

  accept(request: IncomingMessage, socket: WebSocket): void {
    const url = new URL(request.url ?? '', 'http://service');
    for (const [key] of url.searchParams) if (key !== 'userId') this.#house.fault(`feed: query ${key}`);
    for (const name of Object.keys(request.headers)) {
      if (/^(x-api-|authorization)/.test(name)) this.#house.fault(`feed: ${name} on a public path`);
    }
    // An unknown user gets anonymous quotes: the path is public, so nothing is refused.
    const named = url.searchParams.get('userId');
    const userId = named !== null && this.#house.users.has(named) ? named : null;
    const connection: Connection = { number: this.connections.length + 1, userId, requests: [], socket, acked: 0, active: null };
    this.connections.push(connection);
    for (const text of this.#house.reading.extraMessages) this.#send(connection, text);
    const timer = setInterval(() => this.#tick(connection), 500);
    this.#timers.add(timer);
    socket.on('message', (data, binary) => {
      if (binary) this.#house.fault('feed: a binary message');
      this.#request(connection, String(data));
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      this.#timers.delete(timer);
      connection.active = null;
    });
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { socket } of this.connections) socket.terminate();
    this.server.close();
  }

  #request(connection: Connection, text: string): void {
    const { reading } = this.#house;
    // A client waits for ACK or ERR before it asks for something else: an ERR names no request.
    if (connection.requests.length > connection.acked) this.#house.fault(`feed: a request before the answer to the one before: ${text}`);
    connection.requests.push(text);
    const read = this.#read(text);
    if (typeof read === 'string') {
      this.#house.fault(`feed: ${read}: ${text}`);
      connection.acked += 1;
      this.#send(connection, print({ msgType: 'ERR', errorMsg: read }));
      return;
    }
    this.#subscriptions += 1;
    const subscription: Subscription = { number: this.#subscriptions, ...read };
    const late = connection.active ? reading.replaceAfterMs : reading.ackAfterMs;
    const begin = (): void => {
      connection.active = subscription;
      this.#tick(connection);
    };
    if (reading.quotesBeforeAck && !connection.active) begin();
    const acknowledge = (): void => {
      connection.acked += 1;
      const ack: Fields = { msgType: 'ACK', userId: connection.userId === null ? undefined : Number(connection.userId), query: read.echo };
      this.#send(connection, print(reading.ack(ack)));
      if (connection.active !== subscription) begin();
    };
    if (late === 0) acknowledge();
    else setTimeout(acknowledge, late).unref();
  }

  /** The request, or what is wrong with it by 2.7. */
  #read(text: string): Omit<Subscription, 'number'> | string {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return 'no JSON';
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'no JSON object';
    const fields = body as Record<string, unknown>;
    const unknown = Object.keys(fields).find((key) => !['quoteType', 'productCode', 'inputSize', 'inputValue'].includes(key));
    if (unknown) return `unknown field ${unknown}`;
    const { quoteType, productCode, inputSize = null, inputValue = null } = fields;
    if (quoteType !== 'BASIC' && quoteType !== 'TRADING' && quoteType !== 'FULL') return 'quoteType';
    const product = PRODUCTS.find(({ code }) => this.#house.reading.product(code) === productCode) ?? null;
    if (productCode !== null && !product) return `productCode ${String(productCode)}`;
    const amounts: (bigint | null)[] = [];
    for (const amount of [inputSize, inputValue]) {
      if (amount !== null && typeof amount !== 'number' && typeof amount !== 'string') return 'an amount that is no number';
      amounts.push(amount === null ? null : dec(String(amount)));
    }
    const [size = null, value = null] = amounts;
    if (quoteType !== 'TRADING' && (size !== null || value !== null)) return `${quoteType} takes no input`;
    if (quoteType === 'TRADING' && (size === null) === (value === null)) return 'exactly one of inputSize and inputValue';
    if (product && size !== null && (size < dec(product.minSize) || size % dec(product.sizeIncrement) !== 0n))
      return 'inputSize breaks the limits';
    if (product && value !== null && value < dec(product.minNotionalValue)) return 'inputValue breaks the limits';
    const echo: Fields = {
      quoteType,
      productCode: product && this.#house.reading.product(product.code),
      inputSize: size === null ? null : Number(inputSize),
      inputValue: value === null ? null : Number(inputValue),
    };
    return { request: { quoteType, product, size, value }, echo };
  }

  #tick(connection: Connection): void {
    const { active } = connection;
    if (!active) return;
    const { quoteType, product } = active.request;
    for (const each of product ? [product] : PRODUCTS) {
      const message = quoteType === 'TRADING' ? this.trading(connection, active, each) : this.#display(quoteType, each);
      if (message) this.#send(connection, print(message));
    }
  }

  #mid(product: Product): bigint {
    const base = dec(product.price);
    const moved = base + times(base, dec((0.0004 * Math.sin(Date.now() / 2100)).toFixed(9)));
    return floorTo(moved, dec(product.priceIncrement));
  }

  /** BQ and FQ: not shown, so the names are this house's own. */
  #display(quoteType: string, product: Product): Json {
    const { reading } = this.#house;
    const code = reading.product(product.code);
    const mid = figure(this.#mid(product), 2);
    if (quoteType === 'BASIC') return { msgType: 'BQ', productCode: code, midPrice: mid };
    return { msgType: 'FQ', productCode: code, bids: [[mid, 1]], asks: [[mid, 1]] };
  }

  trading(connection: Connection, active: Subscription, product: Product): Json {
    const { reading, now } = this.#house;
    const { size: asked, value: worth } = active.request;
    const mid = this.#mid(product);
    const step = reading.exactValue ? dec('0.00000001') : dec(product.sizeIncrement);
    const size = asked ?? floorTo(over(worth ?? 0n, mid), step);
    // Half of a ten-thousandth on each side from the threshold on (2.8 rules 1 and 2).
    const half = size < dec(product.spreadFrom) ? 0n : floorTo(times(mid, dec('0.00005')), dec(product.priceIncrement));
    const side = (price: bigint): Side => {
      const whole = asked ?? floorTo(over(worth ?? 0n, price), step);
      const value = reading.exactValue && worth !== null ? worth : round(times(price, whole), 8);
      return { price, size: whole, value, feeBase: round(times(whole, FEE), 8), feeQuote: round(times(value, FEE), 8) };
    };
    const buy = side(mid + half);
    const sell = side(mid - half);
    const validUntil = now() + reading.validForMs;
    const id = reading.quoteId(randomUUID());
    const places = (product.priceIncrement.split('.')[1] ?? '').length;
    const fees = (of: Side): Record<string, Figure> => ({ feeInBaseCcy: figure(of.feeBase, 8), feeInQuoteCcy: figure(of.feeQuote, 8) });
    const told = (of: Side): Fields => ({
      price: figure(of.price, places),
      size: figure(of.size, 8),
      value: figure(of.value, 8),
      ...fees(of),
      slippage: figure(half, places),
      slippagePercentage: half ? 0.005 : 0,
    });
    const user = connection.userId;
    if (user !== null) {
      this.quotes.set(id.toLowerCase(), {
        id,
        userId: user,
        connection: connection.number,
        subscription: active.number,
        product,
        buy,
        sell,
        validUntil,
      });
    }
    const average = side(mid);
    const quote: Fields = {
      msgType: 'TQ',
      id: user === null ? undefined : id,
      productCode: reading.product(product.code),
      baseCcy: reading.currency(product.base),
      quoteCcy: reading.currency(product.quote),
      buyQuote: told(buy),
      sellQuote: told(sell),
      avgQuote: { size: figure(average.size, 8), value: figure(average.value, 8), ...fees(average) },
      feePercentage: 0.1,
      spread: figure(2n * half, places),
      spreadPercentage: half ? 0.01 : 0,
      dailyChangePercentage: -1.25,
      validUntil: reading.validUntil(validUntil),
    };
    return mapFigures(reading.quote(quote), reading.feedFigure);
  }

  #send({ socket }: Connection, text: string): void {
    if (!this.#house.reading.fragments) return void socket.send(text);
    const cut = Math.floor(text.length / 2);
    socket.send(text.slice(0, cut), { fin: false });
    socket.send(text.slice(cut), { fin: true });
  }
}
