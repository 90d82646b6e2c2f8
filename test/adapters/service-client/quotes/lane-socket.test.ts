import { expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { feedBench, lane } from '../support/feed-bench.ts';
import { err, tq } from '../support/frames.ts';

test('2.7.quoteType, 2.7.productCode, 2.7.inputSize, 3.feed.1, 4.5.1, 4.5.2, 4.5.Path, 4.5.Query, 4.5.Client sends, 4.5.Server sends: a lane connects as the user, subscribes with the exact amount, and delivers after its ACK', () => {
  const { feed, sockets, quotes, changed } = feedBench();
  feed.open(lane());
  expect(sockets.last.url).toBe('ws://127.0.0.1:8090/svc-broker/public/quotes?userId=1205');
  sockets.last.open();
  expect(sockets.last.sent).toEqual(['{"quoteType":"TRADING","productCode":"btcusd","inputSize":0.1}']);
  sockets.last.acknowledge().say(tq());
  expect(quotes).toMatchObject([{ product: 'btcusd', lane: 'btcusd@base:0.1', epoch: 1 }]);
  expect(changed).toEqual([
    { phase: 'opening', lane: 'btcusd@base:0.1', epoch: 1 },
    { phase: 'acked', lane: 'btcusd@base:0.1', epoch: 1 },
  ]);
});

test('B03 an amount goes out digit by digit, without a double in between', () => {
  const { feed, sockets } = feedBench();
  feed.open(lane('btcusd', { base: decimalOf('0.123456789012345678901') }));
  sockets.last.open();
  expect(sockets.last.sent[0]).toContain('"inputSize":0.123456789012345678901}');
});

test('2.7.inputValue: a lane of a value subscribes by inputValue and takes the echo of it', () => {
  const { feed, sockets, timers, phases } = feedBench();
  feed.open(lane('btcusd', { quote: decimalOf(500) }));
  timers.advance(100);
  sockets.last.open();
  expect(sockets.last.sent[0]).toBe('{"quoteType":"TRADING","productCode":"btcusd","inputValue":500}');
  sockets.last.acknowledge({ inputSize: null, inputValue: 500 });
  expect(phases()).toEqual(['opening', 'acked']);
});

test('F26 quotes before the ACK are dropped and counted, and no ACK in 5 s means a new connection', () => {
  const { feed, sockets, quotes, timers, phases, changed } = feedBench();
  feed.open(lane());
  sockets.last.open().say(tq()).say(tq());
  expect(quotes).toEqual([]);
  expect(feed.stats().quotesBeforeAck).toBe(2);
  timers.advance(4999);
  expect(phases()).toEqual(['opening']);
  timers.advance(1);
  expect(changed.at(-1)).toMatchObject({ phase: 'lost', why: 'no ACK within 5 s' });
  expect(sockets.last.destroyed).toBe(true);
});

test.each([
  ['another product', { productCode: 'ethusd' }],
  ['another size', { inputSize: 0.2 }],
  ['a size a hair away', { inputSize: 0.1000000001 }],
  ['another type', { quoteType: 'BASIC' }],
  ['all products', { productCode: null }],
  ['a value instead of a size', { inputSize: null, inputValue: 0.1 }],
  ['a value beside the size', { inputValue: 5 }],
])('F27 an ACK that echoes %s: no quote counts, it is told of once, and asked again until the echo is ours', (_name, query) => {
  const { feed, sockets, timers, changed, quotes, untilNext, phases } = feedBench();
  feed.open(lane());
  for (let n = 0; n < 3; n += 1) {
    sockets.last.open().acknowledge(query).say(tq());
    timers.advance(n === 0 ? 5000 : 40_000);
    if (n === 0) expect(changed.at(-1)).toMatchObject({ phase: 'disabled', epoch: 1, why: expect.stringContaining('acknowledged') });
    untilNext();
  }
  expect(quotes).toEqual([]);
  expect(phases().filter((phase) => phase === 'disabled')).toHaveLength(1);
  sockets.last.open().acknowledge(query).acknowledge().say(tq());
  expect(phases().at(-1)).toBe('acked');
  expect(quotes).toHaveLength(1);
});

test.each([
  ['the amount that was not given as 0', { inputValue: 0 }],
  ['amounts as texts', { inputSize: '0.10', inputValue: '' }],
  ["a double's last digit", { inputSize: 0.10000000000000002 }],
  ['its words in other letters', { quoteType: 'trading', productCode: 'BTCUSD' }],
])('an ACK that echoes %s is ours', (_name, query) => {
  const { feed, sockets, quotes } = feedBench();
  feed.open(lane());
  sockets.last.open().acknowledge(query).say(tq());
  expect(quotes).toHaveLength(1);
});

test('an ACK that comes late is waited for longer each time, up to 40 s', () => {
  const { feed, sockets, timers, changed, untilNext, phases } = feedBench();
  feed.open(lane());
  for (const seconds of [5, 10, 20, 40, 40]) {
    sockets.last.open();
    timers.advance(seconds * 1000);
    // The second one in a row is told.
    const told =
      seconds === 10
        ? { phase: 'disabled', why: 'no ACK within 10 s, 2 times in a row' }
        : { phase: 'lost', why: `no ACK within ${seconds} s` };
    expect(changed.at(-1)).toMatchObject(told);
    untilNext();
  }
  sockets.last.open();
  timers.advance(30_000);
  sockets.last.acknowledge();
  expect(phases().at(-1)).toBe('acked');
});

test('an ACK that nobody asked for changes nothing when it echoes ours, and ends the subscription when it does not (F27)', () => {
  const { feed, sockets, quotes, phases } = feedBench();
  feed.open(lane());
  sockets.last.open().acknowledge().acknowledge().acknowledge().say(tq());
  expect(phases()).toEqual(['opening', 'acked']);
  expect(quotes).toMatchObject([{ epoch: 1 }]);
  expect(feed.stats().unaskedAcks).toBe(2);
  sockets.last.acknowledge({ inputSize: 1 });
  expect(phases()).toEqual(['opening', 'acked', 'disabled']);
});

test('3.feed.2, 7.6: F28 a refused subscription is asked again with back-off for ever: told of once after five, counted, at most 20 a minute', () => {
  const { feed, sockets, phases, untilNext, changed } = feedBench();
  feed.open(lane());
  for (let n = 1; n <= 30; n += 1) {
    sockets.last.open().say(err());
    if (n === 5) expect(changed.at(-1)).toMatchObject({ phase: 'disabled', why: expect.stringContaining('5 times: no such product') });
    if (n === 30) expect(changed.at(-1)).toMatchObject({ phase: 'refused', why: expect.stringContaining('30 times') });
    untilNext();
  }
  expect(phases().filter((phase) => phase === 'disabled')).toHaveLength(1);
  sockets.last.open().acknowledge();
  expect(phases().at(-1)).toBe('acked');
});

test('F28 refusals with a success between them are not counted together, and an ERR after the ACK is not ours', () => {
  const { feed, sockets, phases, untilNext } = feedBench();
  feed.open(lane());
  for (let n = 0; n < 8; n += 1) {
    sockets.last.open();
    if (n % 4 === 3) sockets.last.acknowledge().say(err()).end();
    else sockets.last.say(err());
    untilNext();
  }
  expect(phases()).not.toContain('disabled');
});

test('8.2: F21 F22 silence: pinged at 5 s, cut at 10 s, opened again with the next epoch', () => {
  const { feed, sockets, timers, changed, untilNext, quotes } = feedBench();
  feed.open(lane());
  const first = sockets.last.open().acknowledge().say(tq());
  timers.advance(4999);
  expect(first.pings).toBe(0);
  timers.advance(1);
  expect(first.pings).toBe(1);
  timers.advance(4999);
  expect(first.destroyed).toBe(false);
  timers.advance(1);
  expect(first.destroyed).toBe(true);
  expect(changed.at(-1)).toEqual({ phase: 'lost', lane: 'btcusd@base:0.1', epoch: 1, why: 'silent for 10 s' });
  untilNext();
  sockets.last.open().acknowledge().say(tq());
  first.say(tq());
  expect(quotes.map(({ epoch }) => epoch)).toEqual([1, 2]);
});

test('F36 a side that answers pings is alive, however seldom it quotes, for a minute', () => {
  const { feed, sockets, timers, changed } = feedBench();
  feed.open(lane());
  sockets.last.open().acknowledge().say(tq());
  for (let n = 0; n < 5; n += 1) {
    timers.advance(5000);
    sockets.last.pong();
  }
  sockets.last.say(tq());
  expect(sockets.last.destroyed).toBe(false);
  for (let n = 0; n < 12; n += 1) {
    timers.advance(5000);
    sockets.last.pong();
  }
  expect(changed.at(-1)).toMatchObject({ phase: 'lost', why: 'no quote for 60 s' });
});

test('a frame at 9.9 s keeps the connection', () => {
  const { feed, sockets, timers } = feedBench();
  feed.open(lane());
  sockets.last.open().acknowledge().say(tq());
  timers.advance(9999);
  sockets.last.say(tq());
  timers.advance(9999);
  expect(sockets.last.destroyed).toBe(false);
  timers.advance(1);
  expect(sockets.last.destroyed).toBe(true);
});

test('F24 a connection that never opens is given up after 10 s', () => {
  const { feed, sockets, timers, changed } = feedBench();
  feed.open(lane());
  timers.advance(10_000);
  expect(sockets.all[0]?.destroyed).toBe(true);
  expect(changed.at(-1)).toMatchObject({ phase: 'lost', why: 'no connection within 10 s' });
});

test('F24 refused connections: waits grow to at most 30 s, and never more than 20 attempts a minute', () => {
  const { feed, sockets, timers } = feedBench();
  const at: number[] = [];
  feed.open(lane());
  const start = timers.monotonicMs();
  while (timers.monotonicMs() - start < 600_000) {
    if (sockets.all.length > at.length) {
      at.push(timers.monotonicMs());
      sockets.last.end('Unexpected server response: 503');
    }
    timers.advance(50);
  }
  for (const from of at) expect(at.filter((ms) => ms >= from && ms < from + 60_000).length).toBeLessThanOrEqual(20);
  const waits = at.slice(1).map((ms, n) => ms - (at[n] ?? 0));
  expect(Math.max(...waits)).toBeLessThanOrEqual(31_000);
  expect(Math.max(...waits.slice(-10))).toBeGreaterThan(5000);
});

test('F25 I27 a thousand connections that die after their ACK: no early reset, counts constant, one subscription each', () => {
  const { feed, sockets, timers, untilNext, phases } = feedBench();
  feed.open(lane());
  const waits: number[] = [];
  let steady = 0;
  for (let n = 0; n < 1000; n += 1) {
    sockets.last.open().acknowledge().say(tq());
    timers.advance(300);
    if (n === 0) steady = timers.pending;
    expect(timers.pending).toBe(steady);
    sockets.last.end();
    waits.push(untilNext());
  }
  expect(sockets.all.every(({ sent, destroyed }, n) => n === 1000 || (sent.length === 1 && destroyed))).toBe(true);
  expect(phases().filter((phase) => phase === 'acked')).toHaveLength(1000);
  const late = waits.slice(10);
  expect(late.reduce((sum, ms) => sum + ms, 0) / late.length).toBeGreaterThan(8000);
  expect(feed.stats().reconnects).toBe(1000);
  void feed.close();
  expect(timers.pending).toBe(0);
});

test('F25 quotes for ten seconds make the next wait short again', () => {
  const { feed, sockets, timers, untilNext } = feedBench();
  feed.open(lane());
  for (let n = 0; n < 9; n += 1) {
    sockets.last.end('refused');
    untilNext();
  }
  sockets.last.open().acknowledge();
  for (let n = 0; n <= 20; n += 1) {
    sockets.last.say(tq());
    timers.advance(500);
  }
  sockets.last.end();
  expect(untilNext()).toBeLessThanOrEqual(260);
});

test('F34 a side that breaks the protocol waits in the penalty box, at least 15 s', () => {
  const { feed, sockets, untilNext } = feedBench();
  feed.open(lane());
  sockets.last.open().acknowledge().end('the service sent a binary frame', true);
  expect(untilNext()).toBeGreaterThanOrEqual(14_990);
});

test('F35 B10-B16 what cannot be read is counted by reason, told of, and changes nothing', () => {
  const { feed, sockets, quotes, refused, phases } = feedBench();
  feed.open(lane());
  sockets.last
    .open()
    .acknowledge()
    .say('{')
    .say('[]')
    .say('{"msgType":"NEWS"}')
    .say(tq({ buyQuote: null }))
    .say(tq());
  expect(quotes).toHaveLength(1);
  expect(phases()).toEqual(['opening', 'acked']);
  expect(refused).toEqual(['not JSON', 'not a JSON object', 'TQ: buyQuote is missing']);
  expect([...feed.stats().malformed]).toEqual([
    ['not JSON', 1],
    ['not a JSON object', 1],
    ['TQ: buyQuote is missing', 1],
  ]);
  expect([...feed.stats().ignored]).toEqual([['NEWS', 1]]);
  expect(feed.stats()).toMatchObject({ frames: 6, quotes: 1 });
});

test('I21 a service that invents ten thousand message kinds does not fill the memory', () => {
  const { feed, sockets } = feedBench();
  feed.open(lane());
  sockets.last.open().acknowledge();
  for (let n = 0; n < 10_000; n += 1) sockets.last.say(`{"msgType":"K${n}"}`);
  expect(feed.stats().ignored.size).toBeLessThanOrEqual(65);
  expect(feed.stats().ignored.get('others')).toBe(10_000 - 64);
});

test('after closing nothing is delivered and no timer waits', async () => {
  const { feed, sockets, timers, quotes, changed } = feedBench();
  feed.open(lane());
  feed.open(lane('ethusd'));
  sockets.last.open().acknowledge().say(tq());
  await feed.close();
  await feed.close();
  const before = changed.length;
  sockets.last.say(tq()).end();
  feed.open(lane('eurusd'));
  timers.advance(100_000);
  expect(quotes).toHaveLength(1);
  expect(changed).toHaveLength(before);
  expect(timers.pending).toBe(0);
});
