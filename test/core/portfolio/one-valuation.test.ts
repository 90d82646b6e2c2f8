import { expect } from 'vitest';
import { Book } from '#core/portfolio/books.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { PastFill } from '#domain/event.ts';
import { fillOf } from '#domain/order.ts';
import { BooksSoFar, type PastBooks } from '#domain/past-books.ts';
import { cashOf, closeResult, entryOf, positionOf, unrealisedAt } from '#domain/position.ts';
import { BooksOfFills } from '#report/books.ts';
import { fc, test } from '../../support/property.ts';

const PLACE = { strategy: 'a', product: 'btcusd' } as const;
const AT = Date.UTC(2026, 0, 1);

const fillOrCorrection = fc.record({
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  price: fc.integer({ min: 1, max: 1e6 }),
  size: fc.integer({ min: 1, max: 400 }).map((hundredths) => new Decimal(hundredths).div(100).toString()),
  feeCcy: fc.constantFrom('btc', 'usd', 'bnb'),
  isCorrection: fc.nat({ max: 9 }).map((n) => n === 0),
});

const said = (lots: Parameters<typeof entryOf>[0]) =>
  lots.map(({ side, price, size, cash, fees }) => `${side} ${price} ${size} ${cash} ${fees}`);

test.prop([fc.array(fillOrCorrection, { maxLength: 60 }), fc.nat(), fc.integer({ min: 1, max: 1e6 })])(
  'a daemon, its restart and all reports value a position alike: the same lots, entry price, unrealised profit and results of closes',
  (given, cut, mark) => {
    const [book, reported] = [new Book(), new BooksOfFills()];
    let past = new BooksSoFar();
    let [parts, won] = [ZERO, ZERO];
    for (const [n, { side, price, size, feeCcy, isCorrection }] of given.entries()) {
      // A start reads the books of the snapshot before it.
      if (n === cut % given.length) past = new BooksSoFar(JSON.parse(JSON.stringify(past.text())) as PastBooks);
      const at = AT + n * 1_000;
      if (isCorrection) {
        const isCash = feeCcy === 'usd';
        const amount = side === 'buy' ? size : `-${size}`;
        const correction = { ...PLACE, currency: isCash ? 'usd' : 'btc', amount } as const;
        past.corrected(correction);
        book.correct(decimalOf(amount), isCash);
        reported.apply([], [{ ...correction, book: PLACE.strategy, at }]);
        continue;
      }
      const value = new Decimal(price).times(size).toString();
      const text = { side, price: String(price), size, value, fee: '0.00137', feeCcy, baseCcy: 'btc', quoteCcy: 'usd' };
      const fill = fillOf(text);
      const result = closeResult(book, fill);
      const trips = reported.apply([{ ...PLACE, orderId: `${n}`, at, fill: text } as PastFill], []);
      const profit = trips.reduce((sum, trip) => sum.plus(trip.profit), ZERO);
      won = won.plus(profit);
      // A left-over that is turned over counts for nothing.
      if (result !== undefined) expect([`${parts}`, `${parts.plus(profit)}`]).toContain(`${result}`);
      past.add({ ...PLACE, at, fill: text });
      book.apply(fill, at);
      parts = book.closed === undefined ? ZERO : parts.plus(profit);
      expect(`${book.closed ?? ZERO}`).toBe(`${parts}`);
    }
    const [held] = reported.holdings([]);
    const lots = held?.lots ?? [];
    const [kept] = past.text().books;
    const restored = kept === undefined ? [] : positionOf(kept).lots;
    expect([said(book.lots), said(restored)]).toEqual([said(lots), said(lots)]);
    expect([`${book.entry}`, `${book.size}`]).toEqual([`${entryOf(lots) ?? ZERO}`, `${held?.size ?? ZERO}`]);
    expect(`${unrealisedAt(book.lots, decimalOf(mark))}`).toBe(`${book.size.times(mark).plus(cashOf(lots))}`);
    const loose = reported.loose.reduce((sum, { amount }) => sum.plus(amount), ZERO);
    if (given[0]?.isCorrection !== true) expect(`${won.plus(cashOf(lots)).plus(loose)}`).toBe(`${book.cash}`);
  },
);
