/** Sections 2.7, 2.8, 3 and 4.5 of the specification: the quotes feed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, dice, Feed, type Json, number, object, text, units } from './client.ts';
import { Venue } from './venue.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const FRACTIONAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)$/;
const ONE = 100_000_000n;

let venue: Venue;
let products: Json[];
const feeds: Feed[] = [];

const open = async (query = '') => {
  const feed = await Feed.open(venue.url, query);
  feeds.push(feed);
  return feed;
};
const limits = (code: string) => products.find((product) => product.productCode === code) ?? {};

beforeAll(async () => {
  venue = await Venue.start();
  products = (await ask(venue.url, { method: 'GET', path: '/mms/v2/productDetails?exchangeCode=VB' })).list();
});
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.close()));
});
afterAll(() => venue?.stop());

/** The time between messages: the middle one, which no machine that stands still for a moment makes longer or shorter. */
function middleGap(messages: readonly { readonly at: number }[]): number {
  const gaps = messages.slice(1).map(({ at }, nth) => at - (messages[nth]?.at ?? 0));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? Number.NaN;
}

/** Every field of the TQ table, by its type. */
function conforms(tq: Json, named: boolean): void {
  expect(tq.msgType).toBe('TQ');
  if (named) expect(text(tq, 'id')).toMatch(UUID);
  else expect('id' in tq, 'an anonymous quote has no id').toBe(false);
  for (const name of ['productCode', 'baseCcy', 'quoteCcy']) expect(text(tq, name)).not.toBe('');
  for (const side of ['buyQuote', 'sellQuote']) {
    const quote = object(tq[side]);
    for (const name of ['price', 'size', 'value', 'feeInBaseCcy', 'feeInQuoteCcy', 'slippage', 'slippagePercentage']) number(quote, name);
    expect(number(quote, 'price')).toBeGreaterThan(0);
    expect(number(quote, 'size')).toBeGreaterThan(0);
  }
  for (const name of ['size', 'value', 'feeInBaseCcy', 'feeInQuoteCcy']) number(object(tq.avgQuote), name);
  for (const name of ['feePercentage', 'spread', 'spreadPercentage', 'dailyChangePercentage']) number(tq, name);
  expect(text(tq, 'validUntil')).toMatch(FRACTIONAL);
}

/** The figures of the notes, in whole eighth decimals. */
function addsUp(tq: Json, input: { size: number } | { value: number }): void {
  const product = limits(text(tq, 'productCode'));
  const step = units(Number(product.sizeIncrement));
  const fee = units(number(tq, 'feePercentage'));
  const percent = (of: bigint) => (of * fee * 2n + 100n * ONE) / (200n * ONE);
  for (const side of ['buyQuote', 'sellQuote']) {
    const quote = object(tq[side]);
    const [price, size, value] = [units(quote.price), units(quote.size), units(quote.value)];
    expect(price % units(Number(product.priceIncrement)), 'a price is on the step of prices').toBe(0n);
    expect(size % step, 'a size is on the step of sizes').toBe(0n);
    expect(value * ONE - price * size, 'value is price times size').toBe(0n);
    expect(units(quote.feeInBaseCcy)).toBe(percent(size));
    expect(units(quote.feeInQuoteCcy)).toBe(percent(value));
    if ('size' in input) expect(size, 'the size is what was asked for').toBe(units(input.size));
    else {
      const worth = units(input.value);
      expect(value <= worth, 'the value is not above what was asked for').toBe(true);
      expect((size + step) * price > worth * ONE, 'nor a whole step below').toBe(true);
    }
  }
  const [buy, sell] = [number(object(tq.buyQuote), 'price'), number(object(tq.sellQuote), 'price')];
  expect(units(tq.spread), 'spread is buy less sell').toBe(units(buy) - units(sell));
  expect(units(tq.spread) >= 0n, 'nobody is paid for crossing').toBe(true);
  expect(number(tq, 'spreadPercentage')).toBeCloseTo(((buy - sell) / ((buy + sell) / 2)) * 100, 4);
}

describe('2.7 subscription request', () => {
  test.each(['BASIC', 'TRADING', 'FULL'])('2.7 %s is answered with quotes of its own kind alone', async (quoteType) => {
    const feed = await open();
    const kind = { BASIC: 'BQ', TRADING: 'TQ', FULL: 'FQ' }[quoteType];
    const input = quoteType === 'TRADING' ? { inputSize: 0.01 } : {};
    expect((await feed.subscribe({ quoteType, productCode: 'btcusd', ...input })).msgType).toBe('ACK');
    for (let nth = 0; nth < 3; nth++) {
      const next = await feed.next(() => true);
      expect(next).toMatchObject({ msgType: kind, productCode: 'btcusd' });
    }
  });

  test('2.7 every product of VB can be subscribed to, and null is all of them at once', async () => {
    const feed = await open();
    const codes = products.map((product) => text(product, 'productCode'));
    for (const productCode of codes) {
      expect((await feed.subscribe({ quoteType: 'BASIC', productCode })).msgType).toBe('ACK');
      expect((await feed.next((m) => m.msgType !== 'ACK')).productCode).toBe(productCode);
    }
    for (const [quoteType, kind] of [
      ['BASIC', 'BQ'],
      ['FULL', 'FQ'],
    ]) {
      expect((await feed.subscribe({ quoteType, productCode: null })).msgType).toBe('ACK');
      const seen = new Set<unknown>();
      for (let nth = 0; nth < codes.length; nth++) seen.add((await feed.next((m) => m.msgType === kind)).productCode);
      expect([...seen].sort()).toEqual([...codes].sort());
    }
  });

  test('2.7 TRADING with null is a quote for each product that the value fits, each with figures of its own', async () => {
    const feed = await open('?userId=1205');
    expect((await feed.subscribe({ quoteType: 'TRADING', productCode: null, inputValue: 1_000 })).msgType).toBe('ACK');
    const seen = new Map<unknown, Json>();
    while (seen.size < products.length) {
      const tq = await feed.next((m) => m.msgType === 'TQ');
      conforms(tq, true);
      addsUp(tq, { value: 1_000 });
      seen.set(tq.productCode, tq);
    }
    expect(new Set([...seen.values()].map(({ id }) => id)).size).toBe(products.length);
  });

  test('2.7 the other input may be null or left out, and a number may come as text: the ACK echoes numbers', async () => {
    const feed = await open();
    const asked: [Json, number | null, number | null][] = [
      [{ inputSize: 0.01 }, 0.01, null],
      [{ inputSize: 0.01, inputValue: null }, 0.01, null],
      [{ inputSize: '0.01' }, 0.01, null],
      [{ inputValue: 100 }, null, 100],
      [{ inputSize: null, inputValue: '100.5' }, null, 100.5],
    ];
    for (const [input, size, value] of asked) {
      const ack = await feed.subscribe({ quoteType: 'TRADING', productCode: 'btcusd', ...input });
      expect(ack.msgType, JSON.stringify(input)).toBe('ACK');
      const query = object(ack.query);
      expect({ size: query.inputSize ?? null, value: query.inputValue ?? null }).toEqual({ size, value });
      expect(query).toMatchObject({ quoteType: 'TRADING', productCode: 'btcusd' });
    }
  });

  const REFUSED: [string, unknown][] = [
    ['TRADING with neither input', { quoteType: 'TRADING', productCode: 'btcusd' }],
    ['TRADING with both inputs null', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: null, inputValue: null }],
    ['TRADING with both inputs', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01, inputValue: 100 }],
    ['BASIC with an input', { quoteType: 'BASIC', productCode: 'btcusd', inputSize: 0.01 }],
    ['FULL with an input', { quoteType: 'FULL', productCode: 'btcusd', inputValue: 100 }],
    ['a size of zero', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0 }],
    ['a negative size', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: -0.01 }],
    ['a size below minSize', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.00009 }],
    ['a size off the step', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.010005 }],
    ['a value below minNotionalValue', { quoteType: 'TRADING', productCode: 'btcusd', inputValue: 4.99 }],
    ['a text that is no number', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 'much' }],
    ['an empty text', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: '' }],
    ['a text in hex', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: '0x1' }],
    ['a text that is infinite', { quoteType: 'TRADING', productCode: 'btcusd', inputValue: 'Infinity' }],
    ['a size that is true', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: true }],
    ['a size in a list', { quoteType: 'TRADING', productCode: 'btcusd', inputSize: [0.01] }],
    ['an unknown quote type', { quoteType: 'FAST', productCode: 'btcusd' }],
    ['a quote type in lower case', { quoteType: 'basic', productCode: 'btcusd' }],
    ['no quote type', { productCode: 'btcusd' }],
    ['no product', { quoteType: 'BASIC' }],
    ['an unknown product', { quoteType: 'BASIC', productCode: 'nosuch' }],
    ['a product of another venue', { quoteType: 'BASIC', productCode: 'bin-btc-usdt' }],
    ['a product named as an inherited field', { quoteType: 'BASIC', productCode: '__proto__' }],
    ['a product that is a number', { quoteType: 'BASIC', productCode: 7 }],
    ['an empty object', {}],
    ['a list', []],
    ['null', null],
    ['a number', 7],
    ['no JSON', '{"quoteType":'],
    ['an empty text message', ''],
  ];

  test('2.7, 3, 7 an invalid request is answered with ERR and a reason, and the connection stays for a good one', async () => {
    const feed = await open();
    for (const [what, request] of REFUSED) {
      feed.send(typeof request === 'string' ? request : JSON.stringify(request));
      const err = await feed.next((m) => m.msgType === 'ERR' || m.msgType === 'ACK');
      expect(err.msgType, what).toBe('ERR');
      expect(text(err, 'errorMsg').trim(), what).not.toBe('');
      expect(feed.closed).toBe(false);
    }
    expect(feed.messages.filter(({ value }) => value.msgType !== 'ERR')).toEqual([]);
    expect((await feed.subscribe({ quoteType: 'BASIC', productCode: 'btcusd' })).msgType).toBe('ACK');
    expect((await feed.next(() => true)).msgType).toBe('BQ');
  });

  test('3 an invalid request leaves the subscription before it as it was', async () => {
    const feed = await open();
    await feed.trading('btcusd', { inputSize: 0.01 });
    for (const [what, request] of REFUSED.slice(0, 12)) {
      feed.send(JSON.stringify(request));
      const err = await feed.next((m) => m.msgType === 'ERR' || m.msgType === 'ACK');
      expect(err.msgType, what).toBe('ERR');
    }
    const before = feed.messages.length;
    const next = await feed.next((m) => m.msgType === 'TQ' && feed.messages.length > before);
    expect(object(next.buyQuote).size).toBe(0.01);
  });

  test('2.7 for any 150 sizes of any product: ACK exactly when the limits of the product are kept, and the quote is for that size (seed 7)', async () => {
    const { int, pick } = dice(7);
    const feed = await open();
    const prices = new Map<unknown, number>();
    await feed.subscribe({ quoteType: 'BASIC', productCode: null });
    while (prices.size < products.length) {
      const bq = await feed.next((m) => m.msgType === 'BQ');
      prices.set(bq.productCode, number(bq, 'price'));
    }
    for (let nth = 0; nth < 150; nth++) {
      const productCode = text(pick(products), 'productCode');
      const step = units(Number(limits(productCode).sizeIncrement));
      const least = units(Number(limits(productCode).minSize));
      const size = pick([least - step, least, least + step, least + step * BigInt(int(0, 400)), least + step * BigInt(int(0, 400)) + 1n]);
      const inputSize = Number(size) / 1e8;
      const worth = await feed.subscribe({ quoteType: 'TRADING', productCode, inputSize: pick([inputSize, inputSize.toFixed(8)]) });
      const good = size >= least && size % step === 0n;
      const value = inputSize * (prices.get(productCode) ?? Number.NaN);
      const leastValue = Number(limits(productCode).minNotionalValue);
      if (!good || value < leastValue * 0.95) expect(worth.msgType, `${inputSize} ${productCode}`).toBe('ERR');
      else if (value > leastValue * 1.05) expect(worth.msgType, `${inputSize} ${productCode}`).toBe('ACK');
      if (worth.msgType === 'ACK') {
        expect(good, `${inputSize} ${productCode}`).toBe(true);
        const tq = await feed.next((m) => m.msgType === 'TQ' && m.productCode === productCode);
        addsUp(tq, { size: inputSize });
      }
    }
  });
});

describe('2.8 server messages', () => {
  test('2.8 ACK echoes the request and names the user of the connection by number', async () => {
    const feed = await open('?userId=1205');
    const ack = await feed.subscribe({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 });
    expect(ack.userId).toBe(1205);
    expect(Object.keys(object(ack.query)).every((name) => ['quoteType', 'productCode', 'inputSize', 'inputValue'].includes(name))).toBe(
      true,
    );
  });

  test('2.8 every field of a TQ has the type of the table, for a user and for nobody, for sizes and for values, large and small', async () => {
    for (const named of [true, false]) {
      const feed = await open(named ? '?userId=1205' : '');
      for (const product of products) {
        const code = text(product, 'productCode');
        for (const input of [{ inputSize: Number(product.minSize) * 10 }, { inputValue: Number(product.minNotionalValue) * 200_000 }]) {
          const tq = await feed.trading(code, input);
          conforms(tq, named);
          expect(code).toBe(`${text(tq, 'baseCcy')}${text(tq, 'quoteCcy')}`.toLowerCase());
        }
      }
    }
  });

  test('2.8 no two quotes share an id', async () => {
    const [one, other] = [await open('?userId=1205'), await open('?userId=1206')];
    const ids: string[] = [];
    for (let nth = 0; nth < 20; nth++) {
      for (const feed of [one, other]) ids.push(text(await feed.trading('ethusd', { inputSize: 0.2 }), 'id'));
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('2.8, 8 a quote is valid for a few seconds from when it is sent', async () => {
    const feed = await open('?userId=1205');
    const left: number[] = [];
    for (let nth = 0; nth < 4; nth++) {
      const tq = await (nth === 0 ? feed.trading('btcusd', { inputSize: 0.01 }) : feed.next((m) => m.msgType === 'TQ'));
      left.push(Date.parse(text(tq, 'validUntil')) - Date.now());
    }
    // A machine that stands still for a while makes some of them look shorter, and none longer.
    expect(Math.max(...left)).toBeGreaterThan(500);
    expect(Math.max(...left)).toBeLessThan(10_000);
  });

  test('2.8 the figures of 100 quotes for any size or value add up to the last decimal (seed 11)', async () => {
    const { real, pick } = dice(11);
    const feed = await open('?userId=1205');
    for (let nth = 0; nth < 100; nth++) {
      const product = pick(products);
      const code = text(product, 'productCode');
      const value = Number((Number(product.minNotionalValue) * 3 * 10 ** (real() * 4.5)).toFixed(pick([0, 2, 8])));
      const tq = await feed.trading(code, { inputValue: value });
      conforms(tq, true);
      addsUp(tq, { value });
    }
  });

  test('2.8 rules 1 and 2: below a threshold both sides are equal and the spread is 0; above it buying costs more than selling brings', async () => {
    const feed = await open();
    for (const product of products) {
      const code = text(product, 'productCode');
      const spreads: number[] = [];
      for (let doubling = 0; doubling < 19; doubling++) {
        const inputValue = Number(product.minNotionalValue) * 2 * 2 ** doubling;
        const told = await feed.subscribe({ quoteType: 'TRADING', productCode: code, inputValue });
        if (told.msgType === 'ERR') break; // More than there is on offer.
        const tq = await feed.next((m) => m.msgType === 'TQ' && m.productCode === code);
        const spread = number(tq, 'spread');
        spreads.push(spread);
        if (spread === 0) {
          expect(tq.buyQuote).toEqual(tq.sellQuote);
          expect(tq.spreadPercentage).toBe(0);
        } else {
          expect(number(object(tq.buyQuote), 'price')).toBeGreaterThan(number(object(tq.sellQuote), 'price'));
        }
      }
      const first = spreads.findIndex((spread) => spread > 0);
      expect(spreads[0], `${code}: the smallest has no spread`).toBe(0);
      expect(first, `${code}: ${spreads.join(' ')}`).toBeGreaterThan(0);
      expect(
        spreads.slice(first).every((spread) => spread > 0),
        `${code} has one threshold: ${spreads.join(' ')}`,
      ).toBe(true);
    }
  });

  test('2.8 rule 1 holds for a size as it does for a value', async () => {
    const feed = await open();
    const small = await feed.trading('ethusd', { inputSize: 0.01 });
    expect(small.buyQuote).toEqual(small.sellQuote);
    expect(small.spread).toBe(0);
    const large = await feed.trading('ethusd', { inputSize: 500 });
    expect(number(large, 'spread')).toBeGreaterThan(0);
  });

  test('2.8 BQ carries one price, and FQ an order book with the best first', async () => {
    const feed = await open();
    await feed.subscribe({ quoteType: 'BASIC', productCode: 'btcusd' });
    expect(number(await feed.next((m) => m.msgType === 'BQ'), 'price')).toBeGreaterThan(0);
    await feed.subscribe({ quoteType: 'FULL', productCode: 'btcusd' });
    const book = await feed.next((m) => m.msgType === 'FQ');
    const prices = (side: unknown) => (side as unknown[]).map((level) => number(object(level), 'price'));
    const [bids, asks] = [prices(book.bids), prices(book.asks)];
    expect(bids).toEqual([...bids].sort((a, b) => b - a));
    expect(asks).toEqual([...asks].sort((a, b) => a - b));
    expect(Number(bids[0])).toBeLessThan(Number(asks[0]));
  });
});

describe('4.5 the feed', () => {
  test('4.5 rule 1: with userId quotes carry an id; without, or with one that is nobody, they carry none', async () => {
    for (const [query, named] of [
      ['?userId=1205', true],
      ['?userId=1000', true],
      ['', false],
      ['?userId=', false],
      ['?userId=424242', false],
      ['?userId=1205%00', false],
    ] as const) {
      conforms(await (await open(query)).trading('btcusd', { inputSize: 0.01 }), named);
    }
  });

  test('4.5 rule 2: quotes come twice a second until the client leaves, of each kind', async () => {
    const all = ['BASIC', 'TRADING', 'FULL'].map(async (quoteType) => {
      const feed = await open();
      await feed.subscribe({ quoteType, productCode: 'btcusd', ...(quoteType === 'TRADING' ? { inputSize: 0.01 } : {}) });
      for (let nth = 0; nth < 8; nth++) await feed.next((m) => m.msgType !== 'ACK');
      const between = middleGap(feed.messages.filter(({ value }) => value.msgType !== 'ACK'));
      expect(between, quoteType).toBeGreaterThan(400);
      expect(between, quoteType).toBeLessThan(650);
    });
    await Promise.all(all);
  });

  test('4.5 rule 2, 8: asking anew ten times does not make quotes come faster', async () => {
    const feed = await open();
    for (let nth = 0; nth < 10; nth++) await feed.subscribe({ quoteType: 'BASIC', productCode: nth % 2 ? 'ethusd' : 'btcusd' });
    const from = feed.messages.length;
    for (let nth = 0; nth < 8; nth++) await feed.next((m) => m.msgType === 'BQ');
    expect(middleGap(feed.messages.slice(from).filter(({ value }) => value.msgType === 'BQ'))).toBeGreaterThan(400);
  });

  test('4.5 rule 3: a new request replaces the old one, in each kind and product', async () => {
    const feed = await open();
    const wanted: [Json, string][] = [
      [{ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 }, 'TQ'],
      [{ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.02 }, 'TQ'],
      [{ quoteType: 'TRADING', productCode: 'ethusd', inputValue: 500 }, 'TQ'],
      [{ quoteType: 'BASIC', productCode: null }, 'BQ'],
      [{ quoteType: 'FULL', productCode: 'eurusd' }, 'FQ'],
    ];
    for (const [request, kind] of wanted) {
      await feed.subscribe(request);
      const from = feed.messages.length;
      await feed.next((m) => m.msgType === kind);
      await feed.next((m) => m.msgType === kind);
      for (const { value } of feed.messages.slice(from)) {
        expect(value.msgType).toBe(kind);
        if (request.productCode) expect(value.productCode).toBe(request.productCode);
        if (request.inputSize) expect(object(value.buyQuote).size).toBe(request.inputSize);
      }
    }
  });

  test('4.5 rule 3: one connection does not touch the subscription of another', async () => {
    const [one, other] = [await open(), await open()];
    await one.trading('btcusd', { inputSize: 0.01 });
    await other.trading('ethusd', { inputSize: 0.2 });
    await other.close();
    const from = one.messages.length;
    await one.next((m) => m.msgType === 'TQ' && one.messages.length > from);
    expect(one.messages.every(({ value }) => value.msgType === 'ACK' || value.productCode === 'btcusd')).toBe(true);
  });

  test('4.5, 5.1 rule 2: the public path asks for no key, and minds none', async () => {
    const feed = await open('?userId=1205');
    expect((await feed.subscribe({ quoteType: 'BASIC', productCode: 'btcusd' })).msgType).toBe('ACK');
    expect((await ask(venue.url, { method: 'GET', path: '/svc-broker/public/nothing' })).status).toBe(404);
  });

  test('3 before a first request nothing is sent', async () => {
    const feed = await open('?userId=1205');
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(feed.messages).toEqual([]);
  });
});
