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

describe('a request', () => {
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
