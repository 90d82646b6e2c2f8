import { describe, expect, test } from 'vitest';
import { type LedgerEntry, type OrderRow, project } from '#adapters/journal/tables.ts';
import { Book } from '#core/portfolio/books.ts';
import { Lots } from '#core/portfolio/lots.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import type { PastFill } from '#domain/event.ts';
import { currency, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import { type Fill, type FillText, fillOf, type OrderText } from '#domain/order.ts';
import { seeded } from '#domain/seeded.ts';
import { applyBooking } from '#paper-venue/core/booking.ts';
import { reportBooks } from '#report/books.ts';
import { timeWeightedReturn } from '#report/profit.ts';

const AT = Date.UTC(2026, 0, 1);

function fill(side: 'buy' | 'sell', size: string, price: string, fee = '0', feeCcy = 'usd'): Fill {
  const value = decimalOf(size).times(price).toDecimalPlaces(8);
  return {
    side,
    baseCcy: currency('btc'),
    quoteCcy: currency('usd'),
    size: decimalOf(size),
    price: decimalOf(price),
    value,
    fee: decimalOf(fee),
    feeCcy: currency(feeCcy),
  };
}

function play(...fills: readonly Fill[]) {
  const lots = new Lots();
  const closed = fills.flatMap((one, n) => lots.apply({ orderId: `o${n + 1}`, at: AT + n, tag: null, fill: one }));
  const trips = closed.map((lot) => `${lot.side} ${lot.size} ${lot.entryOrder}>${lot.exitOrder} ${lot.profit} (fees ${lot.fees})`);
  return { trips, open: lots.open.map((lot) => `${lot.side} ${lot.size} of ${lot.orderId}: ${lot.cash}`), position: String(lots.position) };
}

test('dust that an exit left is no round trip of its own: turns are as many as they were, whatever the fee is taken in', () => {
  const turn = [fill('buy', '0.01', '100', '0.00001', 'btc'), fill('sell', '0.00997', '110', '0.00000997', 'btc')];
  const { trips, position } = play(...turn, ...turn, ...turn);
  expect(trips).toHaveLength(3);
  expect(position).toBe('0.00003009');
});

describe('round trips, first in first out', () => {
  test.each<[string, readonly Fill[], readonly string[], readonly string[]]>([
    ['an entry is no profit', [fill('buy', '1', '100', '0.1')], [], ['long 1 of o1: -100.1']],
    [
      'fees count once, at both ends',
      [fill('buy', '1', '100', '0.1'), fill('sell', '1', '110', '0.11')],
      ['long 1 o1>o2 9.79 (fees 0.21)'],
      [],
    ],
    [
      'the oldest lot is closed first, and a part of a lot keeps its share of the fee',
      [fill('buy', '1', '100', '0.1'), fill('buy', '1', '200'), fill('sell', '1.5', '200', '0.3')],
      ['long 1 o1>o3 99.7 (fees 0.3)', 'long 0.5 o2>o3 -0.1 (fees 0.1)'],
      ['long 0.5 of o2: -100'],
    ],
    [
      'a short is closed by buying',
      [fill('sell', '2', '100'), fill('buy', '0.5', '90')],
      ['short 0.5 o1>o2 5 (fees 0)'],
      ['short 1.5 of o1: 150'],
    ],
    [
      'an order beyond the position turns it round',
      [fill('buy', '1', '100'), fill('sell', '3', '110')],
      ['long 1 o1>o2 10 (fees 0)'],
      ['short 2 of o2: 220'],
    ],
    [
      'a fee in base currency makes the lot smaller and shows its worth',
      [fill('buy', '1', '100', '0.01', 'btc'), fill('sell', '0.99', '100')],
      ['long 0.99 o1>o2 -1 (fees 1)'],
      [],
    ],
    [
      'a fee in a third currency is no part of the profit',
      [fill('buy', '1', '100', '7', 'bnb'), fill('sell', '1', '101')],
      ['long 1 o1>o2 1 (fees 0)'],
      [],
    ],
  ])('%s', (_, fills, trips, open) => {
    expect(play(...fills)).toMatchObject({ trips, open });
  });
});

test('10,000 random fills, fees, deposits, withdrawals, settled unknowns and partial exits are conserved, and equal the venue in every currency', () => {
  const random = seeded('conservation');
  const pick = <T>(...from: readonly T[]): T => from[Math.floor(random.next() * from.length)] ?? (from[0] as T);
  const venue = new Map<string, Decimal>([
    ['usd', decimalOf(1e9)],
    ['btc', decimalOf(1e6)],
  ]);
  const opening = new Map(venue);
  const ledger: LedgerEntry[] = [];
  const fills: PastFill[] = [];
  const books = new Map<string, Book>();
  const book = (decision: Decision, before?: OrderRow): void => {
    for (const change of project('run', decision, before)) if (change.table === 'ledger') ledger.push(change.row);
  };
  for (let n = 1; n <= 10_000; n++) {
    const at = AT + n * 60_000;
    const row = { at, inboxSeq: n, quoteId: null, orderId: null, strategy: null, product: null, reason: null } as const;
    if (random.next() < 0.05) {
      const amount = decimalOf((random.next() * 200 - 100).toFixed(8));
      const of = pick('usd', 'btc');
      venue.set(of, (venue.get(of) ?? ZERO).plus(amount));
      const kind = amount.isNegative() ? 'withdrawal' : 'deposit';
      book({
        ...row,
        kind: 'booked',
        detail: { who: 'w', why: 'y', entries: [{ kind, book: 'treasury', currency: of, amount: amount.toString() }] },
      });
      continue;
    }
    const strategy = pick('a', 'b', 'c');
    const held = books.get(strategy) ?? new Book();
    books.set(strategy, held);
    const side = pick<'buy' | 'sell'>('buy', 'sell');
    const whole = held.size.abs();
    const exits = side === (held.size.isNegative() ? 'buy' : 'sell') && !whole.isZero();
    const size =
      exits && random.next() < 0.5
        ? random.next() < 0.5
          ? whole
          : whole.div(3).toDecimalPlaces(8)
        : decimalOf((random.next() + 0.0001).toFixed(5));
    const price = decimalOf((50_000 + random.next() * 20_000).toFixed(2));
    const value = size.times(price).toDecimalPlaces(8);
    const inBase = random.next() < 0.3;
    const fee = (inBase ? size : value).times('0.001').toDecimalPlaces(8);
    const text: FillText = {
      side,
      baseCcy: 'btc',
      quoteCcy: 'usd',
      size: size.toString(),
      price: price.toString(),
      value: value.toString(),
      fee: fee.toString(),
      feeCcy: inBase ? 'btc' : 'usd',
    };
    const id = `${n}-1`;
    const order: OrderText = { ...text, id, strategy, product: 'btcusd', quoteId: `q${n}`, lane: 'l', validUntil: at, intentAt: at };
    const about = {
      ...row,
      strategy: strategyId(strategy),
      product: productCode('btcusd'),
      quoteId: quoteId(`q${n}`),
      orderId: orderId(id),
    };
    const made = project('run', { ...about, kind: 'approved', detail: { order, checks: [], timeLeftMs: 1 } }, undefined)[0];
    const inserted = made?.table === 'orders' ? made.row : undefined;
    const accepted = { ...about, kind: 'accepted', detail: { fill: text, httpStatus: 201, roundTripMs: 1, body: '' } } as const;
    if (inserted && random.next() < 0.1) {
      // Its outcome was unknown until a person settled it; the answer that comes after all moves nothing.
      const asAccepted = { who: 'w', why: 'y', as: 'accepted', fill: text } as const;
      book({ ...about, kind: 'resolved', detail: asAccepted }, { ...inserted, state: 'unknown' });
      book(accepted, { ...inserted, state: 'accepted' });
    } else book(accepted, inserted);
    held.apply(fillOf(text), at);
    fills.push({ orderId: id, strategy, product: 'btcusd', at, fill: text });
    const sign = side === 'buy' ? 1 : -1;
    const movements = [
      { currency: 'btc', amount: size.times(sign).minus(inBase ? fee : 0) },
      { currency: 'usd', amount: value.times(-sign).minus(inBase ? 0 : fee) },
    ] as const;
    const booking = { ...fillOf(text), product: 'btcusd', movements };
    const outcome = applyBooking(booking, (of) => venue.get(of) ?? ZERO);
    if (outcome.kind === 'insufficient') throw new Error('the venue ran dry');
    for (const { currency: of, amount } of outcome.after) venue.set(of, amount);
  }

  const sum = (currencyOf: string, wanted: (entry: LedgerEntry) => boolean = () => true): Decimal =>
    ledger.filter((entry) => entry.currency === currencyOf && wanted(entry)).reduce((total, { amount }) => total.plus(amount), ZERO);
  for (const name of ['usd', 'btc']) expect(String(sum(name))).toBe(String(venue.get(name)?.minus(opening.get(name) ?? ZERO)));

  const { trades, holdings } = reportBooks(fills, new Map(), []);
  expect(trades.length).toBeGreaterThan(3_000);
  for (const [strategy, held] of books) {
    const own = holdings.filter((holding) => holding.book === strategy);
    const position = own.reduce((total, { size }) => total.plus(size), ZERO);
    expect(String(position)).toBe(String(held.size));
    expect(String(position)).toBe(String(sum('btc', (entry) => entry.book === strategy)));
    const won = trades.filter((trade) => trade.book === strategy).reduce((total, { profit }) => total.plus(profit), ZERO);
    const invested = own.flatMap(({ lots }) => lots).reduce((total, { cash }) => total.plus(cash), ZERO);
    expect(String(won.plus(invested))).toBe(String(sum('usd', (entry) => entry.book === strategy)));
    expect(String(won.plus(invested))).toBe(String(held.cash));
  }
});

describe('time-weighted return', () => {
  const period = (begin: number, flow: number, end: number) => ({ begin: decimalOf(begin), flow: decimalOf(flow), end: decimalOf(end) });
  test.each([
    ['ten percent', [period(100, 0, 110)], '0.1'],
    ['a deposit is no return', [period(0, 100, 100), period(100, 900, 1000)], '0'],
    ['nor does it thin out what was won before', [period(0, 100, 110), period(110, 990, 1210)], '0.21'],
    ['a withdrawal is no loss', [period(0, 100, 110), period(110, -55, 60.5)], '0.21'],
    [
      'nor is one that is taken back by mistake for a minute',
      [period(1000, 0, 950), period(950, -1000, -50), period(-50, 900, 935)],
      '0.045',
    ],
    ['nothing invested, nothing returned', [period(0, 0, 10)], undefined],
  ])('%s', (_, periods, expected) => {
    expect(timeWeightedReturn(periods)?.toString()).toBe(expected);
  });
});
