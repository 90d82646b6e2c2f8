import { expect, test } from 'vitest';
import { laneIdOf, productCode } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import { feedBench, lane } from '../support/feed-bench.ts';
import { tq } from '../support/frames.ts';
import { serviceSettings } from '../support/service-settings.ts';

test('I23 a hundred lanes are opened at the configured pace, each once', () => {
  const { feed, sockets, timers } = feedBench({ opensPerSecond: 10 });
  for (let n = 0; n < 100; n += 1) feed.open(lane(`p${n}`));
  feed.open(lane('p0'));
  expect(sockets.all).toHaveLength(1);
  for (let second = 1; second <= 9; second += 1) {
    for (const [n, socket] of sockets.all.entries()) {
      if (socket.sent.length === 0) socket.open().acknowledge({ productCode: `p${n}` });
      else socket.pong();
    }
    timers.advance(1000);
    expect(sockets.all).toHaveLength(second * 10 + 1);
  }
  timers.advance(1000);
  expect(sockets.all).toHaveLength(100);
});

test('I23 while the host refuses, a thousand lanes send one probe at a time, and come back at the pace', () => {
  const { feed, sockets, timers } = feedBench({ opensPerSecond: 100 });
  for (let n = 0; n < 1000; n += 1) feed.open(lane(`p${n}`));
  let refused = 0;
  const refuse = () => {
    for (; refused < sockets.all.length; refused += 1) sockets.all[refused]?.end('connect ECONNREFUSED');
  };
  for (let n = 0; n < 6000; n += 1) {
    refuse();
    timers.advance(10);
  }
  expect(sockets.all.length).toBeGreaterThan(5);
  expect(sockets.all.length).toBeLessThan(40);
  for (let n = 0; n < 4000; n += 1) {
    for (; refused < sockets.all.length; refused += 1) sockets.all[refused]?.open();
    timers.advance(10);
  }
  expect(sockets.all.filter(({ sent }) => sent.length === 1).length).toBeGreaterThan(980);
});

test('F23 I23 of a hundred lanes that are lost at once, the one that a position rests on is back first, the others at the pace', () => {
  const held = lane('p57').id;
  const { feed, sockets, timers } = feedBench({ opensPerSecond: 10, isUrgent: (id) => id === held });
  for (let n = 0; n < 100; n += 1) feed.open(lane(`p${n}`));
  const settle = (): void => {
    for (const socket of sockets.all) {
      if (socket.destroyed) continue;
      if (socket.sent.length > 0) socket.pong();
      else {
        socket.open();
        const product = /"productCode":"(\w+)"/.exec(socket.sent[0] ?? '')?.[1] ?? '';
        socket.acknowledge({ productCode: product });
      }
    }
  };
  for (let second = 0; second < 25; second += 1) {
    settle();
    timers.advance(1000);
  }
  expect(sockets.all).toHaveLength(100);
  for (const socket of sockets.all.slice(0, 100)) {
    for (let n = 0; n < 3; n += 1) socket.say(tq({ productCode: /"productCode":"(\w+)"/.exec(socket.sent[0] ?? '')?.[1] ?? '' }));
  }
  timers.advance(1);
  for (const socket of sockets.all.slice(0, 100)) socket.end('gone');
  const order: string[] = [];
  for (let ms = 0; ms < 3000; ms += 10) {
    for (const socket of sockets.all.slice(100)) {
      if (socket.sent.length > 0) continue;
      socket.open();
      order.push(socket.sent[0] ?? '');
    }
    timers.advance(10);
  }
  expect(order[0]).toContain('"p57"');
  expect(order.length).toBeGreaterThan(20);
  expect(order.length).toBeLessThanOrEqual(31);
});

test('at the start the lanes that positions rest on come first', () => {
  const held = lane('p7').id;
  const { feed, sockets } = feedBench({ opensPerSecond: 10, isUrgent: (id) => id === held });
  feed.openAll(
    Array.from({ length: 10 }, (_, n) => lane(`p${n}`)),
    [],
  );
  sockets.all[0]?.open();
  expect(sockets.all[0]?.sent[0]).toContain('"p7"');
});

test('F37 one lane that dies takes no other with it', () => {
  const { feed, sockets, timers, quotes, changed } = feedBench();
  for (const product of ['btcusd', 'ethusd', 'eurusd']) feed.open(lane(product));
  timers.advance(1000);
  const [first, second, third] = sockets.all;
  first?.open().acknowledge();
  second?.open().acknowledge({ productCode: 'ethusd' });
  third?.open().acknowledge({ productCode: 'eurusd' });
  second?.end();
  first?.say(tq());
  third?.say(tq({ productCode: 'eurusd' }));
  expect(quotes.map(({ product, lane: from }) => `${product} ${from}`)).toEqual(['btcusd btcusd@base:0.1', 'eurusd eurusd@base:0.1']);
  expect(changed.filter(({ phase }) => phase === 'lost').map(({ lane: from }) => from)).toEqual(['ethusd@base:0.1']);
});

test('F37 twenty lanes clogged and let go in a drawn order: each comes back by itself, and each quote is of its own product', () => {
  const { feed, sockets, timers, quotes, changed } = feedBench({ opensPerSecond: 20 });
  const products = Array.from({ length: 20 }, (_, n) => `p${n}`);
  for (const product of products) feed.open(lane(product));
  timers.advance(1000);
  // Each lane's newest socket; those that are clogged say nothing, not even a close.
  const newest = new Map<string, (typeof sockets.all)[number]>();
  let known = 0;
  const meetNew = () => {
    for (; known < sockets.all.length; known += 1) {
      const socket = sockets.all[known];
      const productCode = products.find((product) => socket?.open().sent[0]?.includes(`"${product}"`));
      if (!socket || productCode === undefined) throw new Error('a connection without a subscription');
      newest.set(productCode, socket.acknowledge({ productCode }));
    }
  };
  meetNew();
  const random = seeded('swizzle');
  const shuffled = () =>
    products
      .map((product) => ({ product, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ product }) => product);
  const clogged = new Set<string>();
  const goOn = (seconds: number) => {
    for (let half = 0; half < 2 * seconds; half += 1) {
      timers.advance(500);
      meetNew();
      for (const productCode of shuffled()) if (!clogged.has(productCode)) newest.get(productCode)?.say(tq({ productCode }));
    }
  };
  for (const product of [...shuffled(), ...shuffled()]) {
    if (clogged.delete(product)) newest.get(product)?.end();
    else clogged.add(product);
    goOn(4);
  }
  expect(clogged.size).toBe(0);
  goOn(60);
  const before = quotes.length;
  for (const productCode of products) newest.get(productCode)?.say(tq({ productCode }));
  expect(quotes.slice(before).map(({ product }) => product)).toEqual(products);
  expect(quotes.every(({ product, lane: from }) => String(from).startsWith(`${product}@`))).toBe(true);
  // A lane that was clogged is lost, at the latest when it is let go; one that never was is not.
  expect(new Set(changed.filter(({ phase }) => phase === 'lost').map(({ lane: from }) => from)).size).toBe(20);
});

test('F57 after a suspension every open connection is replaced, and one that is only being opened is not', () => {
  const { feed, sockets, timers, changed, untilNext } = feedBench();
  for (const product of ['btcusd', 'ethusd', 'eurusd']) feed.open(lane(product));
  timers.advance(1000);
  const [first, second, third] = sockets.all;
  first?.open().acknowledge();
  second?.open();
  feed.replace('wall time jumped by 600.0 s');
  expect(changed.filter(({ phase }) => phase === 'lost').map(({ lane: from }) => from)).toEqual(['btcusd@base:0.1', 'ethusd@base:0.1']);
  untilNext();
  timers.advance(1000);
  expect(sockets.all).toHaveLength(5);
  expect([first, second, third].map((socket) => socket?.destroyed)).toEqual([true, true, false]);
});

test('the arrival of each frame can be told before it is decoded', () => {
  const seen: string[] = [];
  const { feed, sockets, timers } = feedBench({ onFrame: (from, ms) => seen.push(`${from} ${ms}`) });
  feed.open(lane());
  sockets.last.open().acknowledge();
  expect(seen).toEqual([`btcusd@base:0.1 ${timers.monotonicMs()}`]);
});

test('4.5.Authentication, 5.1.2: without a user id the feed is anonymous; with an address under a path it stays under it', () => {
  const { feed, sockets } = feedBench({ service: serviceSettings({ userId: null }), baseUrl: 'https://service.example:8443/edge/' });
  feed.open(lane());
  expect(sockets.last.url).toBe('wss://service.example:8443/edge/svc-broker/public/quotes');
});

test.each([
  ['http off loopback', { baseUrl: 'http://service.example' }, /https/],
  ['credentials in the address', { baseUrl: 'https://joe:hunter2@service.example' }, /user or password/],
  ['another protocol', { baseUrl: 'ftp://service.example' }, /http or https/],
  ['no address', { baseUrl: 'service' }, /http or https/],
  ['a query in the address', { baseUrl: 'https://service.example?x=1' }, /query/],
  ['a strange user id', { service: serviceSettings({ userId: '1&x=2' }) }, /userId/],
])('B36 B21 %s is refused before anything is opened', (_name, changes, message) => {
  expect(() => feedBench(changes)).toThrow(message);
  expect(() => feedBench(changes)).not.toThrow(/hunter2/);
});

test.each([
  ['BASIC', '{"msgType":"BQ","productCode":"btcusd","baseCcy":"BTC","quoteCcy":"USD","price":60000}', { product: 'btcusd', price: 60_000 }],
  ['FULL', '{"msgType":"FQ","productCode":"btcusd","bids":[],"asks":[]}', { product: 'btcusd', bids: [], asks: [] }],
] as const)('4.5.4: %s is looked at without an amount, and brings prices that nobody can take for quotes', (quoteType, frame, seen) => {
  const { feed, sockets, shown, quotes } = feedBench();
  const id = laneIdOf(`btcusd@${quoteType}`);
  feed.show({ id, product: productCode('btcusd'), quoteType });
  sockets.last.open();
  expect(sockets.last.sent).toEqual([`{"quoteType":"${quoteType}","productCode":"btcusd"}`]);
  sockets.last.acknowledge({ quoteType, inputSize: null });
  sockets.last.say(frame);
  expect(shown).toMatchObject([[id, seen]]);
  expect(quotes).toEqual([]);
});
