import { expect, test } from 'vitest';
import type { FaultName } from '#paper-venue/faults/catalogue.ts';
import { FeedClient, order, rig } from './venue-rig.ts';

const always = (name: FaultName) => rig({ faults: [{ name, percent: 100 }] });

/** A subscribed connection to a venue on which everything is struck. */
async function connected(name: FaultName) {
  const made = await always(name);
  const feed = await new FeedClient(made.venue).open();
  feed.send({ quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.01 });
  return { ...made, feed };
}

test('F24 refused-feed: no connection', async () => {
  const { venue } = await always('refused-feed');
  await expect(new FeedClient(venue).open()).rejects.toThrow(/Unexpected server response: (503|429|200)/);
});

test('F26 F27 F28 a subscription is served without an ACK, answered with ERR, or acknowledged as another', async () => {
  expect(await (await connected('missing-acks')).feed.next()).toMatchObject({ msgType: 'TQ' });
  expect(await (await connected('refused-subscriptions')).feed.next()).toMatchObject({ msgType: 'ERR' });
  expect(await (await connected('wrong-acks')).feed.next()).toMatchObject({ msgType: 'ACK', query: { productCode: 'another' } });
});

test('F23 dropped-feed: closed with 1001 or 1012, or cut', async () => {
  const { feed } = await connected('dropped-feed');
  expect([1001, 1006, 1012]).toContain(await feed.closed);
});

test('F21 F22 silent-feed: open, and neither a quote nor a pong comes', async () => {
  const { feed } = await connected('silent-feed');
  expect(await feed.next()).toMatchObject({ msgType: 'ACK' });
  let pongs = 0;
  feed.socket.on('pong', () => {
    pongs += 1;
  });
  feed.socket.ping();
  // The answer to what was sent later shows that the ping was read.
  feed.send('no request');
  expect(await feed.next()).toMatchObject({ msgType: 'ERR' });
  expect(pongs).toBe(0);
});

test('F15 short-quotes: valid for 20 to 200 ms, here and for an order', async () => {
  const { feed, venue, timers } = await connected('short-quotes');
  await feed.next();
  const { id, validUntil } = await feed.nextQuote();
  const validMs = Date.parse(validUntil) - timers.wallMs();
  expect(validMs).toBeGreaterThanOrEqual(20);
  expect(validMs).toBeLessThanOrEqual(200);
  timers.advance(201);
  expect(await order({ venue, timers }, { quoteId: id })).toMatchObject({ status: 422, body: { errorCode: 'QUOTE_EXPIRED' } });
});

test('F30 repeated-quotes come twice, late-quotes 0.7 to 2.5 s after their time', async () => {
  const twice = await connected('repeated-quotes');
  await twice.feed.next();
  expect(await twice.feed.next()).toEqual(await twice.feed.next());

  const { feed, timers } = await connected('late-quotes');
  await feed.next();
  expect(await feed.rest()).toEqual([]);
  timers.advance(2500);
  const { validUntil } = await feed.nextQuote();
  expect(Date.parse(validUntil) - timers.wallMs()).toBeLessThan(3000);
});

test('F33 wild-prices come six in a row', async () => {
  const { feed, timers } = await connected('wild-prices');
  await feed.next();
  timers.advance(2500);
  const prices = (await feed.rest()).slice(0, 6).map((quote) => JSON.stringify(quote).match(/"price":[^,]+/g) ?? []);
  expect(prices.filter(([buy, sell]) => buy !== sell || !/^"price":\d{5}\./.test(buy ?? ''))).toHaveLength(6);
});
