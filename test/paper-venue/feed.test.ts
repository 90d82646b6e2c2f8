import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { FeedClient, firstQuote, rig } from './venue-rig.ts';

const trading = { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01, inputValue: null };

describe('a subscription (spec 2.7, 3, 4.5)', () => {
  test('is acknowledged with the user and the request, and the first quote follows at once', async () => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    expect(await client.ask(trading)).toEqual({ msgType: 'ACK', userId: 1205, query: trading, config: { quotesPerSecond: 2 } });
    expect(await client.next()).toMatchObject({ msgType: 'TQ', productCode: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd' });
  });

  test('brings two quotes a second, each with its own id and its expiry in a few seconds', async () => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    const first = await firstQuote(client);
    expect(Date.parse(first.validUntil)).toBe(timers.wallMs() + 3000);
    timers.advance(10_000);
    const quotes = await client.rest();
    expect(quotes.length).toBeGreaterThanOrEqual(19);
    expect(quotes.length).toBeLessThanOrEqual(21);
    expect(new Set([first.id, ...quotes.map(({ id }) => id)]).size).toBe(quotes.length + 1);
  });

  test.each([
    ['as a number', { inputSize: 0.01 }, { inputSize: 0.01, inputValue: null }],
    ['as a text', { inputSize: '0.01', inputValue: null }, { inputSize: 0.01, inputValue: null }],
    ['with an exponent', { inputSize: '1e-2' }, { inputSize: 0.01, inputValue: null }],
    ['B04 as 1e-2 unquoted', { inputSize: 1e-2 }, { inputSize: 0.01, inputValue: null }],
    ['as a value in text', { inputValue: '1000.50' }, { inputSize: null, inputValue: 1000.5 }],
  ])('takes its amount %s and echoes a number', async (_name, input, echo) => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    const ack = await client.ask({ quoteType: 'TRADING', productCode: 'btcusd', ...input });
    expect(ack).toMatchObject({ msgType: 'ACK', query: echo });
  });

  test('replaces the one before: only the new amount is quoted, at the same rate', async () => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    await firstQuote(client);
    timers.advance(700);
    await client.rest();
    const quote = await firstQuote(client, { inputSize: 0.02 }, 'ethusd');
    expect([quote.productCode, quote.buyQuote.size]).toEqual(['ethusd', 0.02]);
    timers.advance(5000);
    const quotes = await client.rest();
    expect(quotes.length).toBeGreaterThanOrEqual(9);
    expect(quotes.length).toBeLessThanOrEqual(11);
    expect(new Set(quotes.map(({ productCode }) => productCode))).toEqual(new Set(['ethusd']));
  });

  test('to no product brings one quote of every product of VB', async () => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    expect(await client.ask({ ...trading, productCode: null, inputSize: 1 })).toMatchObject({
      msgType: 'ACK',
      query: { productCode: null },
    });
    timers.advance(500);
    const codes = (await client.rest()).map(({ productCode }) => productCode);
    expect(codes).toEqual(['btcusd', 'ethusd', 'ethsek', 'eurusd', 'btcusd', 'ethusd', 'ethsek', 'eurusd']);
  });

  test('BASIC brings a mid price, FULL an order book, best first', async () => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    expect(await client.ask({ quoteType: 'BASIC', productCode: 'eurusd' })).toMatchObject({
      msgType: 'ACK',
      query: { quoteType: 'BASIC' },
    });
    expect(Object.keys(await client.next())).toEqual(['msgType', 'productCode', 'baseCcy', 'quoteCcy', 'price', 'time']);
    expect(await client.ask({ quoteType: 'FULL', productCode: 'eurusd', inputSize: null })).toMatchObject({ msgType: 'ACK' });
    const book = await client.next();
    expect(Object.keys(book)).toEqual(['msgType', 'productCode', 'baseCcy', 'quoteCcy', 'bids', 'asks', 'time']);
    expect(book.msgType).toBe('FQ');
  });

  test.each([
    ['BASIC', 'price'],
    ['FULL', 'bids'],
  ])('%s follows the market', async (quoteType, field) => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    await client.ask({ quoteType, productCode: 'btcusd' });
    const first = await client.next();
    timers.advance(60_000);
    expect((await client.rest()).at(-1)?.[field]).not.toEqual(first[field]);
  });

  test('is for a brand: the path carries it', async () => {
    const { venue } = await rig({ brand: 'acme' });
    const client = await new FeedClient(venue, '', '/acme-broker/public/quotes').open();
    expect(await client.ask(trading)).toMatchObject({ msgType: 'ACK' });
  });
});

describe('who asks decides what a quote is good for (spec 4.5, rule 1)', () => {
  test.each([
    ['?userId=1205', true],
    ['?userId=1206', true],
    ['?userId=1000', true],
    ['', false],
    ['?userId=', false],
    ['?userId=2001', false],
    ['?userId=99', false],
    ['?userId=1205%20', false],
    ['?userId=1205&userId=2001', true],
  ])('%s: id %s (F32)', async (query, tradable) => {
    const { venue } = await rig();
    const client = await new FeedClient(venue, query).open();
    const ack = await client.ask(trading);
    expect('userId' in ack).toBe(tradable);
    expect('id' in (await client.next())).toBe(tradable);
    expect(venue.counts().rememberedQuotes).toBe(tradable ? 1 : 0);
  });
});

describe('a request that is none gets an ERR, and the old subscription goes on (spec 7)', () => {
  test.each([
    ['TRADING without an input', { quoteType: 'TRADING', productCode: 'btcusd' }],
    ['TRADING with both inputs', { ...trading, inputValue: 100 }],
    ['BASIC with an input', { quoteType: 'BASIC', productCode: 'btcusd', inputSize: 1 }],
    ['FULL with an input', { quoteType: 'FULL', productCode: 'btcusd', inputValue: 1 }],
    ['no quoteType', { productCode: 'btcusd' }],
    ['an unknown quoteType', { ...trading, quoteType: 'trading' }],
    ['no productCode', { quoteType: 'BASIC' }],
    ['a product of another venue', { ...trading, productCode: 'okx-btc-usdt' }],
    ['B22 a product with path characters', { ...trading, productCode: '../btcusd' }],
    ['B22 a product of look-alike letters', { ...trading, productCode: 'btсusd' }],
    ['B11 a product named like a prototype', { ...trading, productCode: '__proto__' }],
    ['B16 a product that is a number', { ...trading, productCode: 1 }],
    ['B01 NaN as text', { ...trading, inputSize: 'NaN' }],
    ['B01 Infinity as text', { ...trading, inputSize: 'Infinity' }],
    ['B01 1e400', '{"quoteType":"TRADING","productCode":"btcusd","inputSize":1e400}'],
    ['B01 1e400 as text', { ...trading, inputSize: '1e400' }],
    ['B02 -0', '{"quoteType":"TRADING","productCode":"btcusd","inputSize":-0}'],
    ['B02 a negative size', { ...trading, inputSize: -0.01 }],
    ['B02 zero', { ...trading, inputSize: 0 }],
    ['B03 9007199254740993', '{"quoteType":"TRADING","productCode":"btcusd","inputSize":9007199254740993}'],
    ['B04 1e21', { ...trading, inputSize: 1e21 }],
    ['B04 1e-7', { ...trading, inputSize: 1e-7 }],
    ['B05 thousands separators', { ...trading, inputSize: '1,000.50' }],
    ['B05 underscores', { ...trading, inputSize: '1_000' }],
    ['B05 hex', { ...trading, inputSize: '0x10' }],
    ['B05 spaces', { ...trading, inputSize: ' 12 ' }],
    ['B05 an empty text', { ...trading, inputSize: '' }],
    ['B05 a plus sign', { ...trading, inputSize: '+1' }],
    ['B06 a step under the minimum', { ...trading, inputSize: 0.00009 }],
    ['B06 off the step', { ...trading, inputSize: 0.010005 }],
    ['B06 off the step by one unit in the last place', { ...trading, inputSize: 0.010000000000000002 }],
    ['B16 an input that is an object', { ...trading, inputSize: { value: 1 } }],
    ['B16 a boolean input', { ...trading, inputSize: true }],
    ['B16 an array', '[]'],
    ['B16 a text', '"TRADING"'],
    ['B16 null', 'null'],
    ['B15 two objects', `${JSON.stringify(trading)}${JSON.stringify(trading)}`],
    ['B14 a byte order mark', `\ufeff${JSON.stringify(trading)}`],
    ['B12 20,000 deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['no JSON', 'hello'],
    ['nothing', ''],
  ])('%s', async (_name, request) => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    await firstQuote(client, { inputSize: 0.01 });
    const error = await client.ask(request);
    expect(error).toEqual({ msgType: 'ERR', errorMsg: expect.stringMatching(/\w+ \w+/) });
    timers.advance(1000);
    const quotes = await client.rest();
    expect(quotes.map(({ msgType }) => msgType)).toEqual(['TQ', 'TQ']);
    expect(quotes[0]).toMatchObject({ productCode: 'btcusd', buyQuote: { size: 0.01 } });
  });

  test('without a subscription there are no quotes after it either', async () => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    expect(await client.ask({ quoteType: 'TRADING', productCode: 'btcusd' })).toMatchObject({ msgType: 'ERR' });
    timers.advance(3000);
    expect(await client.rest()).toEqual([]);
  });

  test('B10 of a key that comes twice the last one counts', async () => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    const twice = '{"quoteType":"BASIC","quoteType":"TRADING","productCode":"btcusd","inputSize":1,"inputSize":0.5}';
    expect(await client.ask(twice)).toMatchObject({ msgType: 'ACK', query: { quoteType: 'TRADING', inputSize: 0.5 } });
  });
});

describe('the wire', () => {
  test('F34 B34 a frame over 64 KiB closes with 1009, one under it does not', async () => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    expect(await client.ask(JSON.stringify({ ...trading, padding: 'x'.repeat(65_000) }))).toMatchObject({ msgType: 'ACK' });
    client.send(`"${'x'.repeat(65_536)}"`);
    expect(await client.closed).toBe(1009);
  });

  test('F34 a binary frame closes with 1003', async () => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    client.socket.send(Buffer.from(JSON.stringify(trading)));
    expect(await client.closed).toBe(1003);
  });

  test('F34 B14 bad UTF-8 closes with 1007', async () => {
    const { venue } = await rig();
    const client = await new FeedClient(venue).open();
    client.socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false });
    expect(await client.closed).toBe(1007);
  });

  test('compression is not agreed on, pings are answered', async () => {
    const { venue } = await rig();
    const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/svc-broker/public/quotes`, { perMessageDeflate: true });
    await once(socket, 'open');
    expect(socket.extensions).toBe('');
    socket.ping('alive');
    const [payload] = await once(socket, 'pong');
    expect(String(payload)).toBe('alive');
    socket.terminate();
  });

  test.each(['/svc-broker/public/other', '/other-broker/public/quotes', '/', '/svc-broker/public/quotes/'])(
    'no feed at %s: 404',
    async (path) => {
      const { venue } = await rig();
      const socket = new WebSocket(`${venue.url.replace('http', 'ws')}${path}`);
      socket.on('error', () => {});
      const [, response] = await once(socket, 'unexpected-response');
      expect(response.statusCode).toBe(404);
      socket.terminate();
    },
  );

  test('F74 a reader that leaves more than 1 MiB unread is cut, the others go on', async () => {
    // Prices move ten times a second, so that most frames are made once and sent a hundred times.
    const { venue, timers } = await rig({ quotesPerSecond: 1000 });
    const stalled = await new FeedClient(venue).open();
    const lively = await new FeedClient(venue).open();
    await stalled.ask({ quoteType: 'FULL', productCode: null });
    await firstQuote(lively);
    stalled.socket.pause();
    // The kernel's buffers fill first, so the cut comes some megabytes later.
    for (let turn = 0; turn < 400 && venue.counts().stalledReaders === 0; turn += 1) {
      timers.advance(100);
      await lively.rest();
    }
    expect(venue.counts().stalledReaders).toBeGreaterThan(0);
    stalled.socket.resume();
    await stalled.closed;
    expect(venue.counts().connections).toBe(1);
  });

  test('many connections are served in shares, each at its rate', async () => {
    const { venue, timers } = await rig();
    const clients = await Promise.all(Array.from({ length: 200 }, () => new FeedClient(venue).open()));
    for (const client of clients) await client.ask(trading);
    await Promise.all(clients.map((client) => client.rest()));
    timers.advance(25);
    const served = await Promise.all(clients.map(async (client) => (await client.rest()).length));
    expect(served.reduce((sum, count) => sum + count, 0)).toBeLessThan(40);
    timers.advance(1975);
    const all = await Promise.all(clients.map(async (client) => (await client.rest()).length));
    expect(all.every((count, index) => count + (served[index] ?? 0) >= 3 && count + (served[index] ?? 0) <= 4)).toBe(true);
  });

  test('F25 connections that come and go leave nothing behind (I27)', async () => {
    const { venue, timers } = await rig();
    const pending = timers.pending;
    for (let turn = 0; turn < 20; turn += 1) {
      const client = await new FeedClient(venue).open();
      await client.ask(trading);
      client.socket.terminate();
      await client.closed;
    }
    const last = await new FeedClient(venue).open();
    await last.rest();
    expect(venue.counts().connections).toBe(1);
    expect(timers.pending).toBe(pending);
    timers.advance(60_000);
    expect(venue.counts().rememberedQuotes).toBe(0);
  });

  test('closing says 1001 to every reader, twice does no harm, and the port is free again', async () => {
    const { venue, timers } = await rig();
    const client = await new FeedClient(venue).open();
    await client.ask(trading);
    await Promise.all([venue.close(), venue.close()]);
    expect(await client.closed).toBe(1001);
    expect(timers.pending).toBe(0);
    const [error] = await once(connect(venue.port, '127.0.0.1'), 'error').catch((reason) => [reason]);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('F48 validity', () => {
  test('of a range is drawn for each quote, within it', async () => {
    const { venue, timers } = await rig({ validityMs: [20, 3000] });
    const client = await new FeedClient(venue).open();
    await client.ask(trading);
    await client.rest();
    const lives: number[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      timers.advance(500);
      for (const { validUntil } of await client.rest()) lives.push(Date.parse(String(validUntil)) - timers.wallMs());
    }
    expect(lives.length).toBeGreaterThanOrEqual(99);
    // Quotes leave up to one slot before the time to which the test has moved.
    expect(Math.min(...lives)).toBeGreaterThan(-500);
    expect(Math.max(...lives)).toBeLessThanOrEqual(3000);
    expect(lives.filter((life) => life < 500).length).toBeGreaterThan(30);
  });
});
