import { describe, expect, test } from 'vitest';
import { bench, type Message } from './harness.ts';

const TRADING = { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 };

describe('2.7 quote subscription request, 2.8.ERR.msgType and 2.8.ERR.errorMsg', () => {
  const rows: [name: string, request: unknown, msgType: string][] = [
    ['2.7.quoteType BASIC', { quoteType: 'BASIC', productCode: 'btcusd' }, 'ACK'],
    ['2.7.quoteType FULL', { quoteType: 'FULL', productCode: 'btcusd' }, 'ACK'],
    ['2.7.quoteType TRADING', TRADING, 'ACK'],
    ['2.7.quoteType another', { quoteType: 'OTHER', productCode: 'btcusd' }, 'ERR'],
    ['2.7.productCode null', { quoteType: 'BASIC', productCode: null }, 'ACK'],
    ['2.7.productCode not of VB', { quoteType: 'BASIC', productCode: 'okx-btc-usdt' }, 'ERR'],
    ['2.7.productCode missing', { quoteType: 'BASIC' }, 'ERR'],
    ['2.7.inputSize as text', { ...TRADING, inputSize: '0.01' }, 'ACK'],
    ['2.7.inputSize null beside inputValue', { ...TRADING, inputSize: null, inputValue: 100 }, 'ACK'],
    ['2.7.inputValue as text', { ...TRADING, inputSize: undefined, inputValue: '100.5' }, 'ACK'],
    ['2.7 both inputs', { ...TRADING, inputValue: 100 }, 'ERR'],
    ['7.6, 2.8.ERR neither input', { ...TRADING, inputSize: null }, 'ERR'],
    ['2.7 BASIC with an input', { quoteType: 'BASIC', productCode: 'btcusd', inputSize: 1 }, 'ERR'],
    ['2.7 FULL with an input', { quoteType: 'FULL', productCode: 'btcusd', inputValue: 1 }, 'ERR'],
    ['note B02: zero', { ...TRADING, inputSize: 0 }, 'ERR'],
    ['note B02: negative', { ...TRADING, inputSize: -0.01 }, 'ERR'],
    ['note B06: off the step', { ...TRADING, inputSize: 0.010001 }, 'ERR'],
    ['note B06: below minSize', { ...TRADING, inputSize: 0.00009 }, 'ERR'],
    ['note B07: below minNotionalValue', { ...TRADING, inputSize: null, inputValue: 4.99 }, 'ERR'],
    ['note: no JSON', 'subscribe', 'ERR'],
    ['note B16: a list', [], 'ERR'],
  ];
  test.each(rows)('%s', async (_name, request, msgType) => {
    const feed = await (await bench()).feed();
    const answer = await feed.ask(request);
    expect(answer).toMatchObject(msgType === 'ERR' ? { msgType, errorMsg: expect.stringMatching(/./) } : { msgType });
  });
});

describe('2.8 server messages', () => {
  test("2.8.ACK.msgType, 2.8.ACK.userId, 2.8.ACK.query: the ACK echoes the request, numbers as numbers, with the user's number", async () => {
    const feed = await (await bench()).feed();
    expect(await feed.ask({ ...TRADING, inputSize: '0.010' })).toMatchObject({
      msgType: 'ACK',
      userId: 1205,
      query: { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 },
    });
  });

  test('2.8.TQ has its fields, and id only with userId', async () => {
    const there = await bench();
    const side = Object.fromEntries(
      ['price', 'size', 'value', 'feeInBaseCcy', 'feeInQuoteCcy', 'slippage', 'slippagePercentage'].map((name) => [
        name,
        expect.any(Number),
      ]),
    );
    const { slippage: _1, slippagePercentage: _2, price: _3, ...average } = side;
    const anonymous = {
      msgType: 'TQ',
      productCode: 'btcusd',
      baseCcy: 'btc',
      quoteCcy: 'usd',
      buyQuote: side,
      sellQuote: side,
      avgQuote: average,
      feePercentage: 0.1,
      spread: expect.any(Number),
      spreadPercentage: expect.any(Number),
      dailyChangePercentage: expect.any(Number),
      validUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
    };
    expect(await there.quote('')).toEqual(anonymous);
    expect(await there.quote('?userId=99')).toEqual(anonymous);
    expect(await there.quote()).toEqual({ ...anonymous, id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) });
  });

  const number = expect.any(Number);
  const word = expect.stringMatching(/^[a-z]{3,6}$/);
  const rows: [field: string, kind: unknown][] = [
    ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['productCode', word],
    ['baseCcy', word],
    ['quoteCcy', word],
    ['buyQuote', expect.any(Object)],
    ['sellQuote', expect.any(Object)],
    ['avgQuote', expect.any(Object)],
    ['feePercentage', number],
    ['spread', number],
    ['spreadPercentage', number],
    ['dailyChangePercentage', number],
    ['validUntil', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)],
  ];
  test.each(rows)('2.8.TQ.%s', async (field, kind) => {
    const quote = await (await bench()).quote();
    expect(quote[field]).toEqual(kind);
  });

  test.each(['price', 'size', 'value', 'feeInBaseCcy', 'feeInQuoteCcy', 'slippage', 'slippagePercentage'])('2.8.side.%s', async (field) => {
    const quote = await (await bench()).quote('?userId=1205', 5);
    for (const side of [quote.buyQuote, quote.sellQuote]) expect(Object(side)[field]).toEqual(number);
  });

  test('2.8.BQ and 2.8.FQ as the notes have them, best first', async () => {
    const feed = await (await bench()).feed();
    await feed.ask({ quoteType: 'BASIC', productCode: 'btcusd' });
    const names = { productCode: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd', time: expect.any(String) };
    expect(await feed.next()).toEqual({ msgType: 'BQ', ...names, price: expect.any(Number) });
    await feed.ask({ quoteType: 'FULL', productCode: 'btcusd' });
    const full = await feed.next();
    expect(full).toEqual({ msgType: 'FQ', ...names, bids: expect.any(Array), asks: expect.any(Array) });
    const prices = (levels: unknown): number[] => Object.values(Object(levels)).map((level) => Object(level).price);
    expect(prices(full.bids)).toEqual(prices(full.bids).toSorted((a, b) => b - a));
    expect(prices(full.asks)).toEqual(prices(full.asks).toSorted((a, b) => a - b));
  });

  test('2.8.1 below the threshold both sides are equal and the spread is 0', async () => {
    const quote = await (await bench()).quote('?userId=1205', 0.5);
    expect(quote).toMatchObject({ spread: 0, buyQuote: { price: Object(quote.sellQuote).price } });
  });

  test('2.8.2 above it a spread appears', async () => {
    const quote = await (await bench()).quote('?userId=1205', 5);
    expect(quote.spread).toBeGreaterThan(0);
    expect(Object(quote.buyQuote).price - Object(quote.sellQuote).price).toBeCloseTo(Number(quote.spread), 8);
  });

  test('2.8.3 an order is booked at buyQuote or sellQuote, never at avgQuote', async () => {
    const there = await bench();
    for (const [side, name] of [
      ['BUY', 'buyQuote'],
      ['SELL', 'sellQuote'],
    ] as const) {
      const quote = await there.quote('?userId=1205', 5);
      const { json } = await there.order(JSON.stringify({ orderType: 'MARKET', quoteId: quote.id, side }));
      expect(json).toMatchObject({ price: Object(quote[name]).price, value: Object(quote[name]).value });
    }
  });

  test('note: value is price times size, fees are feePercentage of each', async () => {
    const { buyQuote } = await (await bench()).quote();
    const { price, size, value, feeInBaseCcy, feeInQuoteCcy } = Object(buyQuote);
    expect(value).toBeCloseTo(price * size, 8);
    expect([feeInBaseCcy, feeInQuoteCcy]).toEqual([expect.closeTo(size * 0.001, 8), expect.closeTo(value * 0.001, 8)]);
  });
});

describe('3 quote feed connection, 4.5, 6.2, 8', () => {
  test('3.feed.1, 4.5.2, 6.2, 8.2: ACK, then quotes at once and twice a second until the connection ends', async () => {
    const there = await bench();
    const feed = await there.feed();
    expect(await feed.ask(TRADING)).toMatchObject({ msgType: 'ACK' });
    expect(await feed.rest()).toHaveLength(1);
    there.timers.advance(60_000);
    const minute = await feed.rest();
    expect(minute.length).toBeGreaterThanOrEqual(119);
    expect(minute.length).toBeLessThanOrEqual(121);
    feed.socket.close();
    await feed.closed;
  });

  test('3.feed.2 a bad request leaves a connection without subscription as it is: no quotes follow', async () => {
    const there = await bench();
    const feed = await there.feed();
    expect(await feed.ask({ quoteType: 'TRADING', productCode: 'btcusd' })).toMatchObject({ msgType: 'ERR' });
    there.timers.advance(5000);
    expect(await feed.rest()).toEqual([]);
  });

  test('3.feed.3, 4.5.3, 8.3 a new request replaces the subscription, with an ACK of its own; a bad one does not', async () => {
    const there = await bench();
    const feed = await there.feed();
    await feed.ask(TRADING);
    expect(await feed.ask({ quoteType: 'BASIC', productCode: 'ethusd' })).toMatchObject({ msgType: 'ACK', query: { quoteType: 'BASIC' } });
    expect(await feed.ask({ quoteType: 'NONE' }).then((first) => kinds([first]))).not.toContain('TQ');
    await feed.rest();
    there.timers.advance(2000);
    expect(new Set(kinds(await feed.rest()))).toEqual(new Set(['BQ ethusd']));
  });

  test('3.feed.4 a disconnect ends the quotes; the other connections go on', async () => {
    const there = await bench();
    const [one, two] = [await there.feed(), await there.feed()];
    for (const feed of [one, two]) await feed.ask(TRADING);
    one.socket.close();
    await one.closed;
    await two.rest();
    there.timers.advance(1000);
    expect((await two.rest()).length).toBeGreaterThan(0);
  });

  test('4.5.1, 4.5.Query a quote of a user can be ordered on, an anonymous one has nothing to name', async () => {
    const there = await bench();
    expect((await there.quote('')).id).toBeUndefined();
    const quote = await there.quote();
    expect((await there.order(JSON.stringify({ orderType: 'MARKET', quoteId: quote.id, side: 'BUY' }))).status).toBe(201);
  });

  test('4.5.4, 4.5.Client sends, 4.5.Server sends kinds of messages by msgType', async () => {
    const feed = await (await bench()).feed();
    const seen = new Set<unknown>();
    for (const request of [{ quoteType: 'BASIC', productCode: 'btcusd' }, { quoteType: 'FULL', productCode: 'btcusd' }, TRADING, 'no']) {
      seen.add((await feed.ask(request)).msgType);
      for (const { msgType } of await feed.rest()) seen.add(msgType);
    }
    expect([...seen].sort()).toEqual(['ACK', 'BQ', 'ERR', 'FQ', 'TQ']);
  });

  test('2.7.productCode null: one message a product', async () => {
    const there = await bench();
    const feed = await there.feed();
    expect(await feed.ask({ quoteType: 'TRADING', productCode: null, inputValue: 1000 })).toMatchObject({
      msgType: 'ACK',
      query: { productCode: null },
    });
    expect(kinds(await feed.rest()).sort()).toEqual(['TQ btcusd', 'TQ ethsek', 'TQ ethusd', 'TQ eurusd']);
    for (const [quoteType, kind] of [
      ['BASIC', 'BQ'],
      ['FULL', 'FQ'],
    ]) {
      expect(await feed.ask({ quoteType, productCode: null })).toMatchObject({ msgType: 'ACK' });
      expect(kinds(await feed.rest()).sort()).toEqual(['btcusd', 'ethsek', 'ethusd', 'eurusd'].map((code) => `${kind} ${code}`));
    }
  });

  test('8.4 a trading quote is valid for a few seconds, to its last millisecond', async () => {
    for (const [late, status] of [
      [0, 201],
      [1, 422],
    ] as const) {
      const there = await bench();
      const quote = await there.quote();
      const left = Date.parse(String(quote.validUntil)) - there.timers.wallMs();
      expect([left > 1000, left < 10_000]).toEqual([true, true]);
      there.timers.advance(left + late);
      expect((await there.order(JSON.stringify({ orderType: 'MARKET', quoteId: quote.id, side: 'BUY' }))).status).toBe(status);
    }
  });
});

function kinds(messages: readonly Message[]): string[] {
  return messages.map(({ msgType, productCode }) => `${msgType} ${productCode}`);
}
