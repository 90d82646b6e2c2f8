import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { allReadings } from '#adapters/service-client/dialect/dialect.ts';
import { decimalOf } from '#domain/decimal.ts';
import { answered, FeedClient, KEY, type Message, rig, SETTINGS, signature } from './venue-rig.ts';

const BUY = '{"orderType":"MARKET","quoteId":"ID","side":"BUY"}';

/** A venue that reads so, and what it says. */
class Spoken {
  readonly made: Awaited<ReturnType<typeof rig>>;
  readonly brand: string;
  readonly quotesPath: string;
  readonly ordersPath: string;

  constructor(made: Awaited<ReturnType<typeof rig>>, names: readonly string[]) {
    this.made = made;
    this.brand = names.includes('brand-acme') ? 'acme' : 'svc';
    const old = names.includes('paths-of-old');
    this.quotesPath = `/${this.brand}-broker${old ? '/quotes' : '/public/quotes'}`;
    this.ordersPath = `/${this.brand}-broker${old ? '/api/trades' : '/api/orders'}`;
  }

  static async of(...names: readonly string[]): Promise<Spoken> {
    return new Spoken(await rig({ dialect: names, capabilities: ['balances'] }), names);
  }

  /** Subscribed; `messages` are what came at once. */
  async subscribed(productCode = 'btcusd', quoteType = 'TRADING') {
    const feed = await new FeedClient(this.made.venue, '?userId=1205', this.quotesPath).open();
    feed.send({ quoteType, productCode, ...(quoteType === 'TRADING' && { inputSize: 0.01 }) });
    return { feed, messages: await feed.rest() };
  }

  async quote(): Promise<Message> {
    const { messages } = await this.subscribed();
    return messages.find(({ msgType }) => msgType === 'TQ') ?? {};
  }

  async ack(): Promise<Message> {
    const { messages } = await this.subscribed();
    return messages.find(({ msgType }) => msgType === 'ACK') ?? {};
  }

  /** The answer to an order on a fresh quote, unread. */
  async order(body = BUY, quoteId?: unknown) {
    const text = body.replace('ID', String(quoteId ?? (await this.quote()).id));
    const timestamp = String(this.made.timers.wallMs());
    const headers = {
      'content-type': 'application/json',
      'x-api-key': KEY,
      'x-api-timestamp': timestamp,
      'x-api-signature': signature(`${timestamp}POST${this.ordersPath}1205${text}`),
      'x-api-user-id': '1205',
    };
    const response = await fetch(`${this.made.venue.url}${this.ordersPath}`, { method: 'POST', headers, body: text });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, text: bytes.toString(), headers: response.headers };
  }

  /** The answer to the so many-th order. */
  async nthOrder(count: number) {
    for (let i = 1; i < count; i++) await this.order();
    return this.order();
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}) {
    return answered(await fetch(`${this.made.venue.url}${path}`, { headers }));
  }

  async asUser(method: string, path: string, body?: unknown) {
    const login = await fetch(`${this.made.venue.url}/httpserver/main/v2/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'paper@example.com', password: 'paper' }),
    });
    const headers = { authorization: login.headers.get('authorization') ?? '', 'content-type': 'application/json' };
    return answered(
      await fetch(`${this.made.venue.url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    );
  }

  async strategy(productCode = 'btcusd') {
    return this.asUser('POST', '/strategy-orchestrator/strategies/action/create', {
      strategyType: 'AI',
      accountId: '70312',
      productCode,
      initialQuoteCurrencyAmount: 1000,
    });
  }

  get executed() {
    return this.made.venue.executions();
  }
}

const PRODUCTS = '/mms/v2/productDetails?exchangeCode=VB';
const FIND = '/strategy-orchestrator/strategies/find';
const order = (answer: { readonly text: string }): Message => JSON.parse(answer.text);
const side = ({ buyQuote }: Message): Message => JSON.parse(JSON.stringify(buyQuote));

/** Figures of a message as decimals: size times price, the value and the fee. */
const figuresOf = (fields: unknown) => {
  const told = new Map(Object.entries(fields ?? {}));
  const of = (name: string) => decimalOf(Number(told.get(name)));
  return { product: of('price').times(of('size')).toString(), value: of('value'), fee: of(told.has('fee') ? 'fee' : 'feeInQuoteCcy') };
};

/** What each reading but the venue's own looks like on the wire. */
const SEEN: Readonly<Record<string, (name: string) => Promise<void>>> = {
  'upper-currencies': async (name) => {
    const spoken = await Spoken.of(name);
    expect(await spoken.quote()).toMatchObject({ baseCcy: 'BTC', quoteCcy: 'USD' });
    expect(order(await spoken.order())).toMatchObject({ feeCcy: 'USD' });
  },
  'title-currencies': async (name) => expect(await (await Spoken.of(name)).quote()).toMatchObject({ baseCcy: 'Btc', quoteCcy: 'Usd' }),
  'upper-products': async (name) => {
    const spoken = await Spoken.of(name);
    expect((await spoken.get(PRODUCTS)).body).toContainEqual(expect.objectContaining({ productCode: 'BTCUSD' }));
    const { messages } = await spoken.subscribed('btcusd');
    expect(messages).toMatchObject([{ msgType: 'ACK', query: { productCode: 'BTCUSD' } }, { productCode: 'BTCUSD' }]);
    expect([await spoken.strategy('BTCUSD'), await spoken.strategy('btcusd')]).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect((await spoken.asUser('POST', FIND)).body).toMatchObject(Array(2).fill({ state: { productCode: 'BTCUSD' } }));
  },
  'upper-products-only': async (name) => {
    const spoken = await Spoken.of(name);
    expect((await spoken.subscribed('btcusd')).messages).toMatchObject([{ msgType: 'ERR' }]);
    expect((await spoken.subscribed('BTCUSD')).messages).toMatchObject([{ msgType: 'ACK' }, { productCode: 'BTCUSD' }]);
    expect([await spoken.strategy('BTCUSD'), await spoken.strategy('btcusd')]).toMatchObject([{ status: 201 }, { status: 422 }]);
  },
  'text-figures': async (name) => expect(side(await (await Spoken.of(name)).quote()).size).toBe('0.01'),
  'exponent-figures': async (name) => expect(side(await (await Spoken.of(name)).quote()).size).toBe('1e-2'),
  'double-figures': async (name) => expect(side(await (await Spoken.of(name)).quote()).size).toBe(0.010000000000000002),
  'comma-figures': async (name) => expect(side(await (await Spoken.of(name)).quote()).price).toMatch(/^\d\d,\d{3}/),
  'no-display-figures': async (name) => {
    const quote = await (await Spoken.of(name)).quote();
    expect(Object.keys(quote)).not.toEqual(expect.arrayContaining(['spread', 'dailyChangePercentage', 'avgQuote']));
    expect(quote).not.toHaveProperty('dailyChangePercentage');
    expect(side(quote)).not.toHaveProperty('slippage');
  },
  'null-display-figures': async (name) => expect(await (await Spoken.of(name)).quote()).toMatchObject({ spread: null, avgQuote: null }),
  'text-display-figures': async (name) => expect(await (await Spoken.of(name)).quote()).toMatchObject({ dailyChangePercentage: '0.12 %' }),
  'spread-as-fraction': async (name) => {
    const spoken = await Spoken.of(name);
    const feed = await new FeedClient(spoken.made.venue).open();
    feed.send({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 40 });
    const { spread, spreadPercentage, buyQuote, sellQuote } = { ...(await feed.next()), ...(await feed.nextQuote()) };
    const mid = (buyQuote.price + sellQuote.price) / 2;
    expect(spreadPercentage).toBeCloseTo(Number(spread) / mid, 6);
  },
  'spread-zero': async (name) => {
    const spoken = await Spoken.of(name);
    const feed = await new FeedClient(spoken.made.venue).open();
    feed.send({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 40 });
    const { spreadPercentage, buyQuote, sellQuote } = { ...(await feed.next()), ...(await feed.nextQuote()) };
    expect([spreadPercentage, buyQuote.price > sellQuote.price]).toEqual([0, true]);
  },
  'quote-fee-alone': async (name) => expect(side(await (await Spoken.of(name)).quote())).not.toHaveProperty('feeInBaseCcy'),
  'null-base-fee': async (name) => expect(side(await (await Spoken.of(name)).quote()).feeInBaseCcy).toBeNull(),
  'base-fee-alone': async (name) => expect(side(await (await Spoken.of(name)).quote())).not.toHaveProperty('feeInQuoteCcy'),
  'zero-quote-fee': async (name) => expect(side(await (await Spoken.of(name)).quote()).feeInQuoteCcy).toBe(0),
  'net-size': async (name) => {
    const spoken = await Spoken.of(name);
    expect(side(await spoken.quote()).size).toBe(0.00999);
    await spoken.order();
    expect(spoken.executed).toMatchObject([{ size: '0.00999', fee: '0' }]);
    expect(spoken.made.venue.balances('1205').btc).toBe('100.00999');
  },
  'quote-value-with-fee': async (name) => {
    const spoken = await Spoken.of(name);
    const { buyQuote, sellQuote } = await spoken.quote();
    const [bought, sold] = [figuresOf(buyQuote), figuresOf(sellQuote)];
    expect(bought.value.minus(bought.fee).toString()).toBe(bought.product);
    expect(sold.value.plus(sold.fee).toString()).toBe(sold.product);
  },
  'value-with-fee': async (name) => {
    const spoken = await Spoken.of(name);
    const { product, value, fee } = figuresOf(order(await spoken.order()));
    expect(value.minus(fee).toString()).toBe(product);
    expect(spoken.executed).toMatchObject([{ value: product, fee: fee.toString() }]);
  },
  'kept-ids': async (name) => {
    const spoken = await Spoken.of(name);
    const { feed, messages } = await spoken.subscribed();
    const { id } = messages[1] ?? {};
    spoken.made.timers.advance(1000);
    const [second, last] = (await feed.rest()).slice(-2);
    expect([second?.id, last?.id]).toEqual([id, id]);
    expect(await spoken.order(BUY, id)).toMatchObject({ status: 201 });
    expect(spoken.executed).toMatchObject([{ quoteId: id, price: String(side(last ?? {}).price) }]);
    expect(await spoken.order(BUY, id)).toMatchObject({ status: 422 });
  },
  'validity-in-nanos': async (name) => expect((await (await Spoken.of(name)).quote()).validUntil).toMatch(/\.\d{9}Z$/),
  'validity-in-seconds': async (name) => expect((await (await Spoken.of(name)).quote()).validUntil).toMatch(/:\d\dZ$/),
  'validity-with-offset': async (name) => {
    const spoken = await Spoken.of(name);
    const { validUntil } = await spoken.quote();
    expect(validUntil).toMatch(/\+02:00$/);
    expect(Date.parse(String(validUntil))).toBe(spoken.made.timers.wallMs() + 3000);
  },
  'validity-as-number': async (name) => expect((await (await Spoken.of(name)).quote()).validUntil).toBeTypeOf('number'),
  'validity-without-zone': async (name) => expect((await (await Spoken.of(name)).quote()).validUntil).toMatch(/\.\d{3}$/),
  'ack-late': async (name) => {
    const spoken = await Spoken.of(name);
    const { feed, messages } = await spoken.subscribed();
    expect(messages).toMatchObject([{ msgType: 'TQ' }]);
    spoken.made.timers.advance(1000);
    expect((await feed.rest()).map(({ msgType }) => msgType)).toContain('ACK');
  },
  'ack-unasked': async (name) => {
    const spoken = await Spoken.of(name);
    const { feed } = await spoken.subscribed();
    spoken.made.timers.advance(3100);
    expect((await feed.rest()).filter(({ msgType }) => msgType === 'ACK')).toHaveLength(3);
  },
  'ack-zero': async (name) => expect(await (await Spoken.of(name)).ack()).toMatchObject({ query: { inputSize: 0.01, inputValue: 0 } }),
  'ack-texts': async (name) => expect(await (await Spoken.of(name)).ack()).toMatchObject({ query: { inputSize: '0.01' } }),
  'ack-without-user': async (name) => {
    const ack = await (await Spoken.of(name)).ack();
    expect(Object.keys(ack)).toEqual(['msgType', 'query']);
  },
  'ack-missing': async (name) => expect((await (await Spoken.of(name)).subscribed()).messages).toMatchObject([{ msgType: 'TQ' }]),
  'maintenance-at-start': async (name) => {
    const spoken = await Spoken.of(name);
    expect((await spoken.subscribed()).messages).toMatchObject([{ msgType: 'ERR' }]);
    spoken.made.timers.advance(2600);
    expect((await spoken.subscribed()).messages[0]).toMatchObject({ msgType: 'ACK' });
  },
  'maintenance-by-turns': async (name) => {
    const spoken = await Spoken.of(name);
    const { feed, messages } = await spoken.subscribed();
    expect(messages[0]).toMatchObject({ msgType: 'ACK' });
    spoken.made.timers.advance(3100);
    expect(await feed.closed).toBe(1012);
    expect((await spoken.subscribed()).messages).toMatchObject([{ msgType: 'ERR' }]);
    spoken.made.timers.advance(600);
    expect((await spoken.subscribed()).messages[0]).toMatchObject({ msgType: 'ACK' });
  },
  'one-connection': async (name) => {
    const spoken = await Spoken.of(name);
    const first = await spoken.subscribed();
    await spoken.subscribed();
    expect(await first.feed.closed).toBe(1008);
  },
  'level-pairs': async (name) => {
    const { messages } = await (await Spoken.of(name)).subscribed('btcusd', 'FULL');
    expect(messages[1]).toMatchObject({ msgType: 'FQ', bids: expect.arrayContaining([[expect.any(Number), expect.any(Number)]]) });
  },
  'level-texts': async (name) => {
    const { messages } = await (await Spoken.of(name)).subscribed('btcusd', 'FULL');
    expect(JSON.stringify(messages[1])).toMatch(/"bids":\[\{"price":"\d/);
  },
  'side-ASK': async (name) => {
    const spoken = await Spoken.of(name);
    expect((await spoken.order(BUY.replace('BUY', 'SELL'))).status).toBe(400);
    expect(order(await spoken.order(BUY.replace('BUY', 'ASK')))).toMatchObject({ side: 'ASK' });
  },
  'sides-lower': async (name) => {
    const spoken = await Spoken.of(name);
    expect((await spoken.order()).status).toBe(400);
    expect(order(await spoken.order(BUY.replace('BUY', 'sell')))).toMatchObject({ side: 'sell' });
  },
  'answer-200': async (name) => expect((await (await Spoken.of(name)).order()).status).toBe(200),
  'answer-202': async (name) => expect((await (await Spoken.of(name)).order()).status).toBe(202),
  'answer-202-open': async (name) => {
    const spoken = await Spoken.of(name);
    expect([await spoken.order(), await spoken.order()]).toMatchObject([
      { status: 202, text: '' },
      { status: 202, text: '' },
    ]);
    expect(spoken.executed).toHaveLength(1);
  },
  'answer-empty': async (name) => expect(await (await Spoken.of(name)).order()).toMatchObject({ status: 201, text: '' }),
  'answer-text': async (name) => expect((await (await Spoken.of(name)).order()).text).toBe('OK'),
  'answer-html': async (name) => expect((await (await Spoken.of(name)).order()).text).toMatch(/^<!doctype html>/),
  'answer-list': async (name) => expect((await (await Spoken.of(name)).order()).text).toMatch(/^\[\{"orderId"/),
  'answer-bom': async (name) => expect((await (await Spoken.of(name)).order()).text).toMatch(/^\ufeff\{"orderId"/),
  'answer-gzip': async (name) => {
    const answer = await (await Spoken.of(name)).order();
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(order(answer)).toMatchObject({ status: 'FILLED' });
  },
  'answer-in-data': async (name) => expect(order(await (await Spoken.of(name)).order())).toMatchObject({ data: { status: 'FILLED' } }),
  'answer-in-result': async (name) => expect(order(await (await Spoken.of(name)).order())).toMatchObject({ result: { status: 'FILLED' } }),
  'answer-in-order': async (name) => expect(order(await (await Spoken.of(name)).order())).toMatchObject({ order: { status: 'FILLED' } }),
  'word-executed': (name) => says(name, { status: 'executed' }),
  'word-done': (name) => says(name, { status: 'Done' }),
  'word-absent': async (name) => expect(order(await (await Spoken.of(name)).order())).not.toHaveProperty('status'),
  'word-complete': (name) => says(name, { status: 'COMPLETE' }),
  'word-confirmed': (name) => says(name, { status: 'CONFIRMED' }),
  'word-created': (name) => says(name, { status: 'CREATED' }),
  'word-closed': (name) => says(name, { status: 'CLOSED' }),
  'word-settled': (name) => says(name, { status: 'SETTLED' }),
  'word-new': (name) => says(name, { status: 'NEW' }),
  'word-foreign': (name) => says(name, { status: 'AUSGEFUEHRT' }),
  'word-201': (name) => says(name, { status: 201 }),
  'word-in-state': (name) => says(name, { state: 'FILLED' }),
  'word-in-order-status': (name) => says(name, { orderStatus: 'FILLED' }),
  'word-in-result': (name) => says(name, { result: 'FILLED' }),
  'flag-success': (name) => says(name, { success: true }),
  'flag-ok': (name) => says(name, { ok: true }),
  'flag-error-code-0': (name) => says(name, { errorCode: 0 }),
  'flag-code-0': (name) => says(name, { code: 0 }),
  'flag-no-error': (name) => says(name, { error: null, errors: [] }),
  'flag-user': (name) => says(name, { userId: 1205 }),
  'told-as-texts': (name) => says(name, { size: '0.01' }),
  'told-as-filled': (name) => says(name, { filledSize: 0.01, filledPrice: expect.any(Number), filledValue: expect.any(Number) }),
  'told-as-executed': (name) => says(name, { size: 0.01, executedQty: 0.01, avgPrice: expect.any(Number) }),
  'told-in-fills': (name) => says(name, { fills: [{ size: 0.005 }, { size: 0.005 }] }),
  untold: async (name) => expect(order(await (await Spoken.of(name)).order())).not.toHaveProperty('size'),
  'size-as-value': async (name) => {
    const spoken = await Spoken.of(name);
    expect(order(await spoken.order()).size).toBe(Number(spoken.executed[0]?.value));
  },
  'figures-of-another': (name) => says(name, { price: 1, size: 1_000_000 }),
  'partial-fills': async (name) => {
    const spoken = await Spoken.of(name);
    expect(order(await spoken.nthOrder(3))).toMatchObject({ size: 0.006 });
    expect(spoken.executed.map(({ size }) => size)).toEqual(['0.01', '0.01', '0.006']);
    const [, , { value = '', fee = '' } = {}] = spoken.executed;
    expect(Number(fee)).toBeCloseTo(Number(value) / 1000, 6);
  },
  'fee-in-base': async (name) => {
    const spoken = await Spoken.of(name);
    expect(order(await spoken.order())).toMatchObject({ fee: 0.00001, feeCcy: 'btc' });
    expect(spoken.made.venue.balances('1205').btc).toBe('100.00999');
  },
  'fee-as-received': async (name) => {
    const spoken = await Spoken.of(name);
    expect(order(await spoken.order())).toMatchObject({ feeCcy: 'btc' });
    expect(order(await spoken.order(BUY.replace('BUY', 'SELL')))).toMatchObject({ feeCcy: 'usd' });
  },
  'fee-with-currency': (name) => says(name, { fee: expect.any(Number), feeCurrency: 'usd' }),
  'fee-as-commission': (name) => says(name, { commission: expect.any(Number), commissionAsset: 'usd' }),
  'fee-object': (name) => says(name, { fee: { amount: expect.any(Number), currency: 'usd' } }),
  'fee-untold': async (name) => expect(order(await (await Spoken.of(name)).order())).not.toHaveProperty('fee'),
  'fee-percentage': (name) => says(name, { fee: 0.1 }),
  'fee-zero': (name) => says(name, { fee: 0 }),
  'lean-balances': async (name) => {
    const spoken = await Spoken.of(name);
    expect(order(await spoken.order(BUY.replace('BUY', 'SELL')))).toMatchObject({ errorCode: 'INSUFFICIENT_FUNDS' });
  },
  'refused-already-expired': (name) => refuses(name, 422, /quote has already expired/),
  'refused-no-longer-used': (name) => refuses(name, 422, /can no longer be used/),
  'refused-success-false': (name) => refuses(name, 201, /"success":false/),
  'refused-ok-false': (name) => refuses(name, 201, /^\{"ok":false\}$/),
  'refused-code': (name) => refuses(name, 201, /"code":1007/),
  'refused-order-status': (name) => refuses(name, 201, /"orderStatus":"REJECTED"/),
  'refused-result': (name) => refuses(name, 201, /"result":"REJECTED"/),
  'refused-nested': (name) => refuses(name, 201, /"order":\{"id":"[^"]+","status":"REJECTED"\}/),
  'refused-errors': (name) => refuses(name, 201, /"errors":\[\{/),
  'refused-error-msg': (name) => refuses(name, 201, /"errorMsg":"the quote/),
  'refused-size-zero': (name) => refuses(name, 201, /"size":0/),
  'refused-html': (name) => refuses(name, 201, /^<!doctype html>.*not executed/),
  'refused-text': (name) => refuses(name, 201, /^Error: /),
  'refused-list': (name) => refuses(name, 201, /^\[\{"error"/),
  'refused-bom': (name) => refuses(name, 201, /"status":"REJECTED"/),
  'refused-gzip': (name) => refuses(name, 201, /"status":"REJECTED"/),
  'refused-202': (name) => refuses(name, 202, /^$/),
  'errors-as-message': (name) => refuses(name, 422, /^\{"code":"QUOTE_EXPIRED","message":"the quote has expired"\}$/, 4),
  'errors-nested': (name) => refuses(name, 422, /^\{"error":\{"code":"QUOTE_EXPIRED"/, 4),
  'errors-as-text': (name) => refuses(name, 422, /^the quote has expired$/, 4),
  'errors-as-html': (name) => refuses(name, 422, /^<!doctype html>.*expired$/, 4),
  'errors-empty': (name) => refuses(name, 422, /^$/, 4),
  'brand-acme': async (name) => {
    const spoken = await Spoken.of(name);
    await expect(new FeedClient(spoken.made.venue).open()).rejects.toThrow('404');
    expect((await spoken.order()).status).toBe(201);
  },
  'paths-of-old': async (name) => {
    const spoken = await Spoken.of(name);
    await expect(new FeedClient(spoken.made.venue).open()).rejects.toThrow('404');
    expect((await spoken.order()).status).toBe(201);
  },
  'agent-needed': async (name) => {
    const { venue } = (await Spoken.of(name)).made;
    const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/svc-broker/public/quotes`);
    onTestFinished(() => socket.terminate());
    expect(String(await new Promise((resolve) => socket.on('error', resolve)))).toContain('403');
    expect((await fetch(`${venue.url}${PRODUCTS}`, { headers: { 'user-agent': '' } })).status).toBe(403);
    expect((await fetch(`${venue.url}${PRODUCTS}`, { headers: { 'user-agent': 'a bot' } })).status).toBe(200);
  },
  'redirected-gets': async (name) => {
    const spoken = await Spoken.of(name);
    const { url } = spoken.made.venue;
    expect(await fetch(`${url}${PRODUCTS}`, { redirect: 'manual' })).toMatchObject({ status: 307 });
    expect((await spoken.get(PRODUCTS)).body).toHaveLength(4);
  },
  'undated-answers': async (name) => expect((await (await Spoken.of(name)).order()).headers.get('date')).toBeNull(),
  'product-list-in-data': async (name) => expect((await (await Spoken.of(name)).get(PRODUCTS)).body.data).toHaveLength(4),
  'product-pages': async (name) => {
    const spoken = await Spoken.of(name);
    const { body } = await spoken.get(PRODUCTS);
    expect(body.content).toHaveLength(2);
    expect((await spoken.get(String(body.next))).body).toMatchObject({ content: [{}, {}] });
    expect((await spoken.get(String(body.next))).body).not.toHaveProperty('next');
  },
  'products-empty-at-first': async (name) => {
    const spoken = await Spoken.of(name);
    expect((await spoken.get(PRODUCTS)).body).toEqual([]);
    spoken.made.timers.advance(1000);
    expect((await spoken.get(PRODUCTS)).body).toHaveLength(4);
  },
  'product-null-limit': async (name) => {
    const { body } = await (await Spoken.of(name)).get(PRODUCTS);
    expect(body).toContainEqual(expect.objectContaining({ productCode: 'ethsek', priceIncrement: null }));
  },
  'products-by-key': async (name) => expect((await (await Spoken.of(name)).get(PRODUCTS)).status).toBe(401),
  'text-limits': async (name) => {
    const { body } = await (await Spoken.of(name)).get(PRODUCTS);
    expect(body).toContainEqual(expect.objectContaining({ productCode: 'btcusd', minSize: '0.0001' }));
  },
  'account-number-ids': async (name) => {
    const { body } = await (await Spoken.of(name)).asUser('GET', '/as/v3/accounts');
    expect(body).toMatchObject([{ id: 70311 }, { id: 70312 }]);
  },
  'find-number-ids': async (name) => {
    const spoken = await Spoken.of(name);
    const { strategyId } = (await spoken.strategy()).body;
    expect(strategyId).toBeTypeOf('number');
    expect((await spoken.asUser('POST', FIND)).body).toMatchObject([{ strategyId }]);
    const start = await spoken.asUser('PUT', `/strategy-orchestrator/strategies/${strategyId}/action/start`);
    expect(start.status).toBe(202);
  },
  'find-text-states': async (name) => {
    const spoken = await Spoken.of(name);
    await spoken.strategy();
    expect((await spoken.asUser('POST', FIND)).body).toMatchObject([{ state: expect.stringContaining('CREATED') }]);
  },
  'notified-in-lower': (name) => notifies(name, 'btc'),
  'notified-in-title': (name) => notifies(name, 'Btc'),
  'find-by-creator': async (name) => {
    const spoken = await Spoken.of(name);
    await spoken.strategy();
    expect((await spoken.asUser('POST', FIND)).body).toEqual([{ createdByUserId: 1205 }]);
  },
};

async function says(name: string, fields: Message): Promise<void> {
  const spoken = await Spoken.of(name);
  expect(order(await spoken.order())).toMatchObject(fields);
  expect(spoken.executed).toHaveLength(1);
}

async function refuses(name: string, status: number, text: RegExp, at = 3): Promise<void> {
  const spoken = await Spoken.of(name);
  const answer = await spoken.nthOrder(at);
  expect(answer).toMatchObject({ status, text: expect.stringMatching(text) });
  expect(spoken.executed).toHaveLength(at - 1);
}

/** A deposit is notified with its currency written so. */
async function notifies(name: string, currency: string): Promise<void> {
  const { venue } = await rig({ dialect: [name], webhooks: { ...SETTINGS.webhooks, url: 'http://127.0.0.1:9/' } });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${venue.url}/venue/deposits`, { method: 'POST', headers, body: '{"userId":"1205","currency":"btc","amount":"0.5"}' });
  expect(await (await fetch(`${venue.url}/venue/notifications`)).text()).toContain(`\\"currency\\":\\"${currency}\\"`);
}

describe('the venue reads what the specification leaves open', () => {
  test.each(Object.entries(SEEN))('%s', async (name, look) => {
    await look(name);
  });

  test('each reading that is not its own is seen on the wire', () => {
    // What the command prints is typed in test/cli.
    const elsewhere = ['unpadded-secret'];
    const others = allReadings().flatMap(({ own, name }) => (own ? [] : [name]));
    expect(others.filter((name) => !Object.hasOwn(SEEN, name)).sort()).toEqual(elsewhere.sort());
  });
});
