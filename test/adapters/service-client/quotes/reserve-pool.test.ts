import { expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { feedBench, lane } from '../support/feed-bench.ts';
import { err, tq } from '../support/frames.ts';

const odd = (size: string) => lane('btcusd', { base: decimalOf(size) });

function bench(reserve = 1) {
  const made = feedBench({ reserve });
  made.feed.openAll([], []);
  made.timers.advance(1000);
  for (const socket of made.sockets.all) socket.open();
  return made;
}

test('reserve connections are opened without a subscription, paced, and kept alive', () => {
  const { sockets, timers } = bench(2);
  expect(sockets.all.map(({ sent }) => sent)).toEqual([[], []]);
  timers.advance(5000);
  expect(sockets.all.map(({ pings }) => pings)).toEqual([1, 1]);
  for (const socket of sockets.all) socket.pong();
  timers.advance(9000);
  expect(sockets.all.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  timers.advance(2000);
  expect(sockets.all.slice(0, 2).map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test('a lane that is lent is subscribed to at once and delivers after its ACK; given back, it is silent', () => {
  const { feed, sockets, quotes, changed } = bench();
  feed.acquire(odd('0.1'));
  expect(sockets.last.sent).toEqual(['{"quoteType":"TRADING","productCode":"btcusd","inputSize":0.1}']);
  sockets.last.say(tq()).acknowledge().say(tq());
  expect(quotes).toMatchObject([{ lane: 'btcusd@base:0.1', epoch: 1 }]);
  expect(changed.map(({ phase }) => phase)).toEqual(['opening', 'acked']);
  feed.release(odd('0.1').id);
  sockets.last.say(tq());
  expect(quotes).toHaveLength(1);
});

test('3.feed.3, 4.5.3, 8.3: F29 quotes and ACKs of the amount before are dropped after a change; one message a change', () => {
  const { feed, sockets, quotes, changed } = bench();
  feed.acquire(odd('0.2'));
  sockets.last.acknowledge({ inputSize: 0.2 });
  feed.release(odd('0.2').id);
  feed.acquire(odd('0.1'));
  sockets.last.say(tq()).acknowledge({ inputSize: 0.2 }).say(tq());
  expect(quotes).toEqual([]);
  sockets.last.acknowledge({ inputSize: 0.1 }).say(tq());
  expect(quotes).toMatchObject([{ lane: 'btcusd@base:0.1' }]);
  expect(sockets.last.sent).toHaveLength(2);
  expect(changed.filter(({ phase }) => phase === 'lost' || phase === 'disabled')).toEqual([]);
});

test('F23 F28 a connection that is lost or refused comes back and subscribes again to what is still lent', () => {
  const { feed, sockets, changed, untilNext } = bench();
  feed.acquire(odd('0.1'));
  sockets.last.acknowledge().end();
  untilNext();
  sockets.last.open().acknowledge();
  expect(changed.map(({ phase, epoch }) => `${phase} ${epoch}`)).toEqual(['opening 1', 'acked 1', 'lost 1', 'opening 2', 'acked 2']);
  feed.release(odd('0.1').id);
  feed.acquire(odd('0.1'));
  sockets.last.say(err('too small'));
  expect(changed.at(-1)).toMatchObject({ phase: 'lost', why: expect.stringContaining('refused: ') });
  untilNext();
  sockets.last.open();
  expect(sockets.last.sent).toHaveLength(1);
});

test('an open connection is lent before one that is still being opened', () => {
  const { feed, sockets, timers } = bench(2);
  sockets.all[0]?.end();
  timers.advance(20);
  feed.acquire(odd('0.1'));
  expect(sockets.all[1]?.sent).toHaveLength(1);
});

test('F26 no ACK in 5 s means a new connection; nothing is told after the feed is closed', async () => {
  const { feed, sockets, timers, changed } = bench();
  feed.acquire(odd('0.1'));
  timers.advance(4900);
  sockets.last.pong();
  timers.advance(100);
  expect(changed.at(-1)).toMatchObject({ phase: 'lost', why: 'no ACK within 5 s' });
  await feed.close();
  const told = changed.length;
  timers.advance(60_000);
  expect(changed).toHaveLength(told);
});

test('an ERR names no request: what is lent before the answer to the request before is asked for after it', () => {
  const { feed, sockets, quotes, changed } = bench();
  feed.acquire(odd('0.1'));
  feed.release(odd('0.1').id);
  feed.acquire(odd('0.2'));
  expect(sockets.last.sent).toHaveLength(1);
  sockets.last.acknowledge({ inputSize: 0.1 }).say(tq());
  expect(quotes).toEqual([]);
  expect(sockets.last.sent.slice(1)).toEqual(['{"quoteType":"TRADING","productCode":"btcusd","inputSize":0.2}']);
  sockets.last.acknowledge({ inputSize: 0.2 }).say(tq());
  expect(quotes).toMatchObject([{ lane: 'btcusd@base:0.2' }]);
  expect(changed.map(({ phase }) => phase)).toEqual(['opening', 'opening', 'acked']);
});

test('the same amount lent again is not asked for again; an ERR to what was given back refuses nothing that is lent now', () => {
  const { feed, sockets, changed } = bench();
  feed.acquire(odd('0.1'));
  feed.release(odd('0.1').id);
  feed.acquire(odd('0.1'));
  sockets.last.acknowledge({ inputSize: 0.1 });
  expect(sockets.last.sent).toHaveLength(1);
  expect(changed.at(-1)).toMatchObject({ phase: 'acked', epoch: 1 });
  feed.release(odd('0.1').id);
  feed.acquire(odd('0.3'));
  feed.release(odd('0.3').id);
  sockets.last.say(err('too large'));
  feed.acquire(odd('0.2'));
  sockets.last.acknowledge({ inputSize: 0.2 });
  expect(changed.at(-1)).toMatchObject({ phase: 'acked', lane: 'btcusd@base:0.2' });
  expect(changed.filter(({ phase }) => phase === 'lost')).toEqual([]);
});

test('a connection that still waits for an answer is lent last', () => {
  const { feed, sockets } = bench(2);
  feed.acquire(odd('0.1'));
  feed.release(odd('0.1').id);
  feed.acquire(odd('0.2'));
  expect(sockets.all.map(({ sent }) => sent.length)).toEqual([1, 1]);
});
