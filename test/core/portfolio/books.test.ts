import { describe, expect, test } from 'vitest';
import { Book, Books, reduces } from '#core/portfolio/books.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { currency, laneIdOf, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { Fill, OrderCore } from '#domain/order.ts';
import { fc, test as property } from '../../support/property.ts';

const usd = currency('usd');
const btc = currency('btc');
const fill = (side: 'buy' | 'sell', size: string, price: string, fee = '0', feeCcy = usd): Fill => ({
  side,
  size: decimalOf(size),
  price: decimalOf(price),
  value: decimalOf(size).times(price),
  fee: decimalOf(fee),
  feeCcy,
  baseCcy: btc,
  quoteCcy: usd,
});

describe('a book says what is held and spent, to the last decimal', () => {
  test('buy, add, sell part, sell all', () => {
    const book = new Book();
    book.apply(fill('buy', '0.1', '100', '0.01'), 1);
    book.apply(fill('buy', '0.1', '200', '0.02'), 2);
    expect([book.size, book.average, book.cash].map(String)).toEqual(['0.2', '150', '-30.03']);
    expect([book.entries, book.openedAt]).toEqual([2, 1]);
    book.apply(fill('sell', '0.05', '300'), 3);
    expect([book.size, book.average, book.cash].map(String)).toEqual(['0.15', '150', '-15.03']);
    book.apply(fill('sell', '0.15', '100'), 4);
    expect([book.size, book.average, book.cash].map(String)).toEqual(['0', '0', '-0.03']);
    expect([book.entries, book.openedAt]).toEqual([0, undefined]);
  });

  test('selling through zero opens a short at the new price', () => {
    const book = new Book();
    book.apply(fill('buy', '0.1', '100'), 1);
    book.apply(fill('sell', '0.3', '120'), 2);
    expect([book.size, book.average].map(String)).toEqual(['-0.2', '120']);
    expect(book.openedAt).toBe(2);
  });

  test('a fee in base currency makes the held size smaller, not the cash', () => {
    const book = new Book();
    book.apply(fill('buy', '0.1', '100', '0.001', btc), 1);
    expect([book.size, book.cash].map(String)).toEqual(['0.099', '-10']);
  });

  const size = fc.integer({ min: 1, max: 10_000 }).map((n) => decimalOf(n).div(10_000).toString());
  const price = fc.integer({ min: 1, max: 10_000_000 }).map((n) => decimalOf(n).div(100).toString());
  property.prop([
    fc.array(fc.record({ side: fc.constantFrom('buy' as const, 'sell' as const), size, price, fee: price }), { maxLength: 40 }),
  ])('held and cash are exactly the sums of the fills', (fills) => {
    const book = new Book();
    let held = ZERO;
    let cash = ZERO;
    for (const f of fills) {
      const one = fill(f.side, f.size, f.price, f.fee);
      book.apply(one, 0);
      held = one.side === 'buy' ? held.plus(one.size) : held.minus(one.size);
      cash = (one.side === 'buy' ? cash.minus(one.value) : cash.plus(one.value)).minus(one.fee);
    }
    expect(book.size.eq(held) && book.cash.eq(cash)).toBe(true);
  });
});

describe('positions are intervals while orders are open', () => {
  const s = strategyId('s');
  const p = productCode('btcusd');
  const order = (id: string, side: 'buy' | 'sell', size: string): OrderCore => ({
    id: orderId(id),
    strategy: s,
    product: p,
    baseCcy: btc,
    quoteCcy: usd,
    side,
    quoteId: quoteId(id),
    lane: laneIdOf('l'),
    validUntil: 0,
    intentAt: 0,
    figures: { price: decimalOf(100), size: decimalOf(size), value: decimalOf(size).times(100), fee: ZERO, feeCcy: usd },
  });
  const texts = (books: Books) => {
    const { low, high } = books.interval(s, p);
    return [low.toString(), high.toString()];
  };

  test('an open buy may or may not have been executed', () => {
    const books = new Books();
    books.apply(s, p, fill('buy', '1', '100'), 0);
    books.track({ ...order('1', 'buy', '0.5'), state: 'sent', sentAt: 0 });
    books.track({ ...order('2', 'sell', '0.2'), state: 'unknown', since: 0 });
    expect(texts(books)).toEqual(['0.8', '1.5']);
    expect(books.inFlight(s, p)).toBe(true);
    expect(books.unknownIn(p)).toBeDefined();
    expect(books.unknowns).toBe(1);
    books.track({ ...order('2', 'sell', '0.2'), state: 'rejected', settledAt: 0 });
    expect(texts(books)).toEqual(['1', '1.5']);
    expect(books.unknownIn(p)).toBeUndefined();
  });

  test('a fee in base currency comes out of what an open sale leaves', () => {
    const books = new Books();
    books.apply(s, p, fill('buy', '1', '100'), 0);
    const sale = order('1', 'sell', '0.4');
    books.track({ ...sale, figures: { ...sale.figures, fee: decimalOf('0.0004'), feeCcy: btc }, state: 'unknown', since: 0 });
    expect(texts(books)).toEqual(['0.5996', '1']);
    // What is left is less than 0.6 for certain: selling so much would go short.
    expect(reduces(books.interval(s, p), 'sell', decimalOf('0.6'))).toBe(false);
  });

  test('books of two strategies are added up, not netted', () => {
    const books = new Books();
    books.apply(s, p, fill('buy', '1', '100'), 0);
    books.apply(strategyId('t'), p, fill('sell', '0.4', '100'), 0);
    expect(books.grossExposure(p).toString()).toBe('1.4');
  });

  test.each([
    ['sell', '1', '2', '1', true],
    ['sell', '1', '2', '1.1', false],
    ['sell', '-1', '2', '0.5', false],
    ['buy', '-2', '-1', '1', true],
    ['buy', '-2', '-1', '1.1', false],
    ['buy', '0', '0', '1', false],
    ['sell', '0', '0', '1', false],
  ] as const)('I07b: a %s in [%s, %s] of %s reduces: %s', (side, low, high, size, expected) => {
    expect(reduces({ low: decimalOf(low), high: decimalOf(high) }, side, decimalOf(size))).toBe(expected);
  });
});
