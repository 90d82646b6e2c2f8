import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Feed, type Quote } from './feed.ts';
import { dec, figure, print, show } from './figures.ts';
import { type Executed, HOUSE, PRODUCTS, type Reading, type Reply } from './reading.ts';

/** What the client is given out of band. None of it is the paper venue's. */
export const CREDENTIALS = {
  userId: '4711',
  apiKey: '3f0c9a54-7be1-4c1e-9d0a-55ab3c1f7e21',
  apiSecret: Buffer.from('an independent service keeps a secret of its own').toString('base64'),
  username: 'ada@example.org',
  password: 'correct-horse"\\',
  totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
} as const;

/** What the account holds at first. */
export const OPENING: Readonly<Record<string, string>> = { usd: '100000', sek: '900000', eur: '1000', btc: '1', eth: '1' };

export interface Seen {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** What the next order meets in place of the ordinary: an answer, with or without execution, or none. Without a reply: the ordinary. */
export interface Turn {
  readonly execute: boolean;
  readonly reply?: Reply | 'none';
  /** Only an order in this product. */
  readonly product?: string;
}

export interface Strategy {
  readonly strategyId: string;
  readonly fields: Readonly<Record<string, unknown>>;
  status: string;
}

export const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64');

/** RFC 6238, six digits of SHA-1 in steps of 30 s. */
export function totp(secret: string, at: number): string {
  let bits = '';
  for (const letter of secret) bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const word = mac.readUInt32BE((mac[19] ?? 0) & 15) & 0x7fffffff;
  return String(word % 1_000_000).padStart(6, '0');
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The whole service, as an engineer who had no more than the specification would have built it. */
export class Service {
  readonly faults: string[] = [];
  readonly seen: Seen[] = [];
  readonly executed: Executed[] = [];
  readonly turns: Turn[] = [];
  readonly strategies = new Map<string, Strategy>();
  readonly balances = new Map<string, bigint>();
  readonly feed: Feed;
  reading: Reading;
  token = '';
  password: string = CREDENTIALS.password;
  #refresh = '';
  readonly #used = new Set<string>();
  readonly #server: Server;
  readonly #waiting = new Set<ServerResponse>();

  private constructor(reading: Reading) {
    this.reading = reading;
    for (const [code, amount] of Object.entries(OPENING)) {
      this.balances.set(code, dec(amount));
    }
    const self = this;
    this.feed = new Feed({
      get reading() {
        return self.reading;
      },
      users: new Set([CREDENTIALS.userId]),
      now: () => this.now(),
      fault: (text) => void this.faults.push(text),
    });
    this.#server = createServer((request, response) => this.#collect(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      if (new URL(request.url ?? '', 'http://service').pathname !== `${this.reading.prefix}/svc-broker/public/quotes`)
        return void socket.destroy();
      this.feed.server.handleUpgrade(request, socket, head, (ws) => this.feed.accept(request, ws));
    });
  }

  static async open(reading: Partial<Reading> = {}): Promise<Service> {
    const service = new Service({ ...HOUSE, ...reading });
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.reading.prefix}`;
  }

  now(): number {
    return Date.now() + this.reading.clockAheadMs;
  }

  balance(currency: string): string {
    return show(this.balances.get(currency) ?? 0n);
  }

  /** Requests of one path, or of those under it. */
  of(path: string): Seen[] {
    return this.seen.filter((each) => each.path.startsWith(path));
  }

  async close(): Promise<void> {
    this.feed.close();
    for (const response of this.#waiting) response.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sends a notification (4.6) and returns the partner's status. */
  async notify(url: string, body: string, also: { timestamp?: number; signature?: string; secret?: string } = {}): Promise<number> {
    const timestamp = String(also.timestamp ?? this.now());
    const signature = also.signature ?? sign(also.secret ?? CREDENTIALS.apiSecret, timestamp + body);
    const headers = { 'Content-Type': 'application/json', 'X-Webhook-Timestamp': timestamp, 'X-Webhook-Signature': signature };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  #collect(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders } = request;
      const seen: Seen = { at: this.now(), method, path, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      this.seen.push(seen);
      const reply = this.#route(seen);
      if (reply === 'none') return void this.#waiting.add(response);
      const isOrder = path.endsWith('/svc-broker/api/orders');
      setTimeout(() => this.#answer(response, reply), isOrder ? this.reading.answerAfterMs : 0);
    });
  }

  #answer(response: ServerResponse, { status, body, headers }: Reply): void {
    // The header Date tells the service's own time.
    response.setHeader('Date', new Date(this.now()).toUTCString());
    if (body !== undefined && !Buffer.isBuffer(body)) response.setHeader('Content-Type', 'application/json;charset=UTF-8');
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    response.statusCode = status;
    response.end(body === undefined ? undefined : Buffer.isBuffer(body) ? body : print(body));
  }

  #no(status: number, title: string, detail: string): Reply {
    return this.reading.problem(status, title, detail);
  }

  #route(seen: Seen): Reply | 'none' {
    const { prefix } = this.reading;
    const url = new URL(seen.path.startsWith(prefix) ? seen.path.slice(prefix.length) : '/outside', 'http://service');
    if (url.pathname.startsWith('/svc-broker/api/')) return this.#order(seen);
    if (url.pathname === '/httpserver/main/v2/auth/login') return this.#signIn(seen);
    if (url.pathname === '/mms/v2/productDetails') return this.#products(seen, url);
    if (url.pathname.startsWith('/strategy-orchestrator/')) return this.#strategy(seen, url);
    // Accounts want the bearer token of the strategy endpoints (5.3 leaves it open); products are public.
    if (url.pathname === '/as/v3/accounts') return this.#bearer(seen) ?? this.#accounts(seen);
    this.faults.push(`${seen.method} ${seen.path}: there is no such path`);
    return this.#no(404, 'Not Found', 'no such path');
  }

  /** Checks of 5.1 and 7, then of 2.10, then of the quote. */
  #order(seen: Seen): Reply | 'none' {
    const one = (name: string): string => {
      const values = seen.rawHeaders.filter((_, i) => i % 2 === 1 && seen.rawHeaders[i - 1]?.toLowerCase() === name);
      if (values.length !== 1) this.faults.push(`order: ${values.length} headers ${name}`);
      return values[0] ?? '';
    };
    const key = one('x-api-key');
    const timestamp = one('x-api-timestamp');
    const user = one('x-api-user-id');
    const signature = one('x-api-signature');
    if (!/^\d{13}$/.test(timestamp)) this.faults.push(`order: timestamp ${timestamp}`);
    if (!/^[A-Za-z0-9+/]{43}=$/.test(signature)) this.faults.push(`order: signature ${signature}`);
    const bad = (text: string): Reply => {
      this.faults.push(`order: ${text}`);
      return this.#no(401, 'Unauthorized', text);
    };
    if (key !== CREDENTIALS.apiKey) return bad('X-API-Key invalid');
    if (!(Math.abs(Number(timestamp) - seen.at) <= 5000)) return bad(`timestamp is ${Number(timestamp) - seen.at} ms off`);
    if (signature !== sign(CREDENTIALS.apiSecret, timestamp + seen.method + seen.path + user + seen.body))
      return bad('signature does not match');
    if (user !== CREDENTIALS.userId) {
      this.faults.push(`order: user ${user}`);
      return this.#no(400, 'Bad Request', 'X-API-User-ID is incorrect');
    }
    if (seen.method !== 'POST' || seen.path !== `${this.reading.prefix}/svc-broker/api/orders`)
      this.faults.push(`order: ${seen.method} ${seen.path}`);
    if (!/^application\/json(;|$)/.test(seen.headers['content-type'] ?? ''))
      this.faults.push(`order: type ${seen.headers['content-type']}`);
    let body: Record<string, unknown> = {};
    try {
      body = JSON.parse(seen.body);
    } catch {
      this.faults.push('order: no JSON');
    }
    const { orderType, quoteId, side, ...rest } = body;
    const extra = Object.keys(rest);
    if (orderType !== 'MARKET' || typeof quoteId !== 'string' || (side !== 'BUY' && side !== 'SELL') || extra.length > 0) {
      this.faults.push(`order: body ${seen.body}`);
      return this.#no(400, 'Bad Request', 'the body is wrong');
    }
    const quote = this.feed.quotes.get(quoteId.toLowerCase());
    const refused = (text: string): Reply => {
      this.faults.push(`order: ${text}`);
      return this.#no(422, 'Unprocessable', text);
    };
    if (!quote) return refused(`quote ${quoteId} unknown`);
    if (quote.id !== quoteId) return refused(`quote ${quoteId} is written in another case`);
    if (this.#used.has(quote.id)) return refused('quote used twice');
    this.#used.add(quote.id);
    if (seen.at > quote.validUntil) return refused(`quote expired ${seen.at - quote.validUntil} ms ago`);
    const connection = this.feed.connections[quote.connection - 1];
    if (connection?.active?.number !== quote.subscription) return refused('quote of an old subscription');
    if (connection.requests.length > connection.acked) this.faults.push('order: on a quote whose subscription is being replaced');
    const [next] = this.turns;
    const turn = next && (next.product ?? quote.product.code) === quote.product.code ? this.turns.shift() : undefined;
    if (turn && !turn.execute) return turn.reply ?? 'none';
    const order = this.#execute(quote, side, seen.at);
    if (!order) return this.#no(422, 'Unprocessable', 'insufficient balance');
    return turn?.reply ?? this.reading.answer(order, this.reading);
  }

  #execute(quote: Quote, side: 'BUY' | 'SELL', at: number): Executed | null {
    const { price, size, value, feeBase, feeQuote } = side === 'BUY' ? quote.buy : quote.sell;
    const sign = side === 'BUY' ? 1n : -1n;
    const inBase = this.reading.feeIn === 'base';
    const { base, quote: money } = quote.product;
    const held = (this.balances.get(base) ?? 0n) + sign * size - (inBase ? feeBase : 0n);
    const left = (this.balances.get(money) ?? 0n) - sign * value - (inBase ? 0n : feeQuote);
    if (held < 0n || left < 0n) return null;
    this.balances.set(base, held);
    this.balances.set(money, left);
    const fee = inBase ? feeBase : feeQuote;
    const order: Executed = {
      id: randomUUID(),
      at,
      quoteId: quote.id,
      product: quote.product,
      side,
      price,
      size,
      value,
      fee,
      feeCcy: inBase ? base : money,
    };
    this.executed.push(order);
    return order;
  }

  #bearer(seen: Seen): Reply | null {
    if (this.token !== '' && seen.headers.authorization === `Bearer ${this.token}`) return null;
    this.faults.push(`${seen.path}: authorization ${seen.headers.authorization}`);
    return this.#no(401, 'Unauthorized', 'no valid token');
  }

  #signIn(seen: Seen): Reply {
    const body = JSON.parse(seen.body) as Record<string, unknown>;
    if (seen.method !== 'POST') this.faults.push(`sign-in: ${seen.method}`);
    const given = Object.keys(body).sort().join();
    const grant = (lifetime: number): Reply => {
      const part = (text: string): string => Buffer.from(text).toString('base64url');
      this.token = `${part('{"alg":"HS256"}')}.${part(`{"sub":"4711","jti":"${randomUUID()}"}`)}.${part('signed')}`;
      this.#refresh = randomUUID();
      const fields = { refreshToken: this.#refresh, expirationTime: lifetime, isAppConnected: false };
      return { status: 200, body: fields, headers: { authorization: `Bearer ${this.token}` } };
    };
    if (given === 'refreshToken')
      return body.refreshToken === this.#refresh ? grant(Math.floor(this.now() / 1000) + 900) : this.#no(401, 'Unauthorized', '');
    const challenge = { awsUsername: 'u-4711', session: 's-1', challengeName: 'SOFTWARE_TOKEN_MFA', status: 'CHALLENGE_REQUIRED' };
    if (given === 'awsUsername,challengeAnswer,challengeName,session,status') {
      const { challengeAnswer, ...back } = body;
      for (const [key, value] of Object.entries(challenge)) if (back[key] !== value) this.faults.push(`sign-in: ${key} came back changed`);
      const right = [-1, 0, 1].some((step) => challengeAnswer === totp(CREDENTIALS.totpSecret, this.now() + step * 30_000));
      return right ? grant(900) : this.#no(401, 'Unauthorized', 'wrong code');
    }
    if (given !== 'password,username') this.faults.push(`sign-in: fields ${given}`);
    if (body.username !== CREDENTIALS.username || body.password !== this.password) return this.#no(401, 'Unauthorized', 'wrong password');
    return this.reading.secondFactor ? { status: 200, body: challenge } : grant(900);
  }

  #accounts(seen: Seen): Reply {
    if (seen.method !== 'GET' || seen.path.includes('?') || seen.body !== '') this.faults.push(`accounts: ${seen.method} ${seen.path}`);
    const record = {
      apiKey: 'an-exchange-key-in-clear',
      id: '90210',
      userId: CREDENTIALS.userId,
      name: 'Main \u{1F4B0}',
      exchangeCode: 'CRYPTO',
      exchange: 'CRYPTO',
      description: '',
      createdAt: '2024-02-29T23:59:59.123456Z',
      validatedAt: '2025-01-01T00:00:00Z',
      eventTime: '2025-01-01T00:00:00Z',
      spot: { isActive: true },
      futures: { isActive: false, settings: { leverage: 3 } },
      isMain: true,
      accountType: 'SUB_ACCOUNT',
      whitelistedIps: [''],
      permissions: [{ scope: 'TRADE' }],
      labels: ['unknown outside'],
    };
    return {
      status: 200,
      body: this.reading.list([record, { ...record, id: '90211', isMain: false, name: 'Second', exchangeCode: 'KRK' }], 'accounts'),
    };
  }

  #products(seen: Seen, url: URL): Reply {
    for (const [key, value] of url.searchParams) {
      if (key !== 'exchangeCode' || !['BIN', 'BYB', 'OKX', 'CRYPTO', 'IB', 'VB'].includes(value))
        this.faults.push(`products: ${key}=${value}`);
    }
    if (seen.method !== 'GET' || seen.body !== '') this.faults.push(`products: ${seen.method}`);
    const limit = (text: string) => this.reading.limitFigure(text);
    const records = PRODUCTS.map((product) => ({
      productCode: this.reading.product(product.code),
      exchangeCode: 'VB',
      status: 'TRADING',
      minSize: limit(product.minSize),
      minNotionalValue: limit(product.minNotionalValue),
      sizeIncrement: limit(product.sizeIncrement),
      priceIncrement: limit(product.priceIncrement),
      tags: null,
    }));
    const other = { ...records[0], productCode: 'bin-btc-usdt', exchangeCode: 'BIN' };
    return {
      status: 200,
      body: this.reading.list(url.searchParams.get('exchangeCode') === 'VB' ? records : [...records, other], 'products'),
    };
  }

  #strategy(seen: Seen, url: URL): Reply {
    const refused = this.#bearer(seen);
    if (refused) return refused;
    const act = `${seen.method} ${url.pathname.replace('/strategy-orchestrator/strategies/', '')}`;
    let fields: Record<string, unknown> = {};
    if (seen.body !== '') {
      if (!/^application\/json(;|$)/.test(seen.headers['content-type'] ?? ''))
        this.faults.push(`${act}: type ${seen.headers['content-type']}`);
      fields = JSON.parse(seen.body);
    }
    const keys = Object.keys(fields).sort().join();
    const expect = (right: boolean, what: string): void => void (right || this.faults.push(`${act}: ${what} ${seen.body}`));
    if (act === 'POST find')
      return this.reading.find ? { status: 200, body: this.#found() } : this.#no(404, 'Not Found', 'no such endpoint');
    expect(url.search === '', `query ${url.search}`);
    if (act === 'POST action/create') {
      expect(seen.headers['se-api-version'] === undefined, 'se-api-version on create');
      for (const key of ['strategyType', 'productCode', 'accountId']) expect(typeof fields[key] === 'string', key);
      for (const key of ['initialBaseCurrencySize', 'initialQuoteCurrencyAmount', 'desiredNetProfitPercentage']) {
        expect(fields[key] === undefined || typeof fields[key] === 'number', key);
      }
      // A validation error on create: the explanation is the detail of a problem document, with 400.
      if (fields.accountId !== '90210') return this.#no(400, 'Bad Request', 'accountId: there is no such account');
      const strategyId = `st-${this.strategies.size + 1}`;
      this.strategies.set(strategyId, { strategyId, fields, status: fields.autoRun === true ? 'ACTIVE' : 'CREATED' });
      return { status: 201, body: { strategyId, warnings: [] } };
    }
    const all: Record<string, string> = { 'PUT resumeAll': 'ACTIVE', 'PUT pauseAll': 'PAUSED', 'DELETE deleteAll': 'DELETED' };
    if (all[act]) {
      expect(seen.body === '', 'no body is shown');
      for (const each of this.strategies.values()) each.status = all[act] ?? '';
      return { status: 202 };
    }
    const [, method = '', id = '', action = ''] = /^(\w+) ([^/]+)\/action\/([\w-]+)$/.exec(act) ?? [];
    const strategy = this.strategies.get(decodeURIComponent(id));
    if (!strategy) return this.#no(404, 'Not Found', `${id} is unknown`);
    const known: Record<string, string> = {
      stop: 'PUT',
      start: 'PUT',
      pause: 'PUT',
      'schedule-opening-pause': 'PUT',
      flush: 'PUT',
      modify: 'PATCH',
      delete: 'DELETE',
    };
    expect(known[action] === method, 'no such endpoint');
    if (action === 'schedule-opening-pause') {
      expect(keys === 'fromTime,toTime' && ISO.test(String(fields.fromTime)) && ISO.test(String(fields.toTime)), 'fromTime and toTime');
    } else if (action === 'flush') {
      const both = 'longPositionTargetPercentage,shortPositionTargetPercentage';
      expect(keys === both && Object.values(fields).every((value) => typeof value === 'number'), both);
    } else if (action === 'modify') expect(seen.body !== '', 'a body');
    else expect(seen.body === '', 'no body is shown');
    strategy.status = { start: 'ACTIVE', pause: 'PAUSED', stop: 'STOPPED', delete: 'DELETED' }[action] ?? strategy.status;
    return { status: 202 };
  }

  #found() {
    return [...this.strategies.values()]
      .filter(({ status }) => status !== 'DELETED')
      .map(({ strategyId, status }) => ({
        strategyId,
        version: 1,
        engineVer: 2,
        eventTime: '2026-01-01T00:00:00Z',
        state: { status },
        uiParams: {},
        uiData: '',
        owner: figure(dec('4711')),
      }));
  }
}
