import { describe, expect } from 'vitest';
import { Books } from '#core/portfolio/books.ts';
import { LossStreaks } from '#core/risk/loss-limits.ts';
import { Decimal, decimalOf } from '#domain/decimal.ts';
import { productCode, strategyId } from '#domain/names.ts';
import { fillOf } from '#domain/order.ts';
import { type BookedFill, BooksSoFar, type PastBooks } from '#domain/past-books.ts';
import { booksOf } from '../support/past-books.ts';
import { fc, test } from '../support/property.ts';

const STRATEGIES = ['a', 'b', '9'] as const;
const PRODUCTS = ['btcusd', 'ethusd'] as const;

const fills = fc.array(
  fc
    .record({
      strategy: fc.constantFrom(...STRATEGIES),
      product: fc.constantFrom(...PRODUCTS),
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      price: fc.integer({ min: 1, max: 1e9 }),
      size: fc.integer({ min: 1, max: 7 }),
      feeCcy: fc.constantFrom('BASE', 'USD', 'BNB'),
    })
    .map(({ strategy, product, side, price, size, feeCcy }) => {
      const figures = { price: String(price), size: `0.${size}`, value: new Decimal(price).times(`0.${size}`).toString(), fee: '0.00137' };
      return { strategy, product, at: 0, fill: { side, baseCcy: 'BASE', quoteCcy: 'USD', feeCcy, ...figures } };
    }),
  { maxLength: 80 },
);
const timed = (given: readonly BookedFill[]): BookedFill[] => given.map((fill, index) => ({ ...fill, at: 1000 + index * 60_000 }));
const limit = fc.option(fc.integer({ min: 1, max: 6 }));

describe('I19 I32 what fills come to is the same in one go, in two, and in the engine that saw them', () => {
  test.prop([fills, fc.nat()])('cut anywhere, and kept as JSON meanwhile', (given, cut) => {
    const all = timed(given);
    const at = cut % (all.length + 1);
    const kept = JSON.parse(JSON.stringify(booksOf(all.slice(0, at)))) as PastBooks;
    const books = new BooksSoFar(kept);
    for (const fill of all.slice(at)) books.add(fill);
    expect(JSON.stringify(books.text())).toBe(JSON.stringify(booksOf(all)));
  });

  test.prop([fills, limit, limit])('books and losses in a row, whatever the limits are by then', (given, max, maxOfAll) => {
    const options = { max, maxOfAll, cooldownMs: 90_000 };
    const seen = { books: new Books(), losses: new LossStreaks(options) };
    const all = timed(given);
    for (const { strategy, product, at, fill: text } of all) {
      const fill = fillOf(text);
      const book = seen.books.book(strategyId(strategy), productCode(product));
      seen.losses.filling(strategyId(strategy), book, { fill, at });
      book.apply(fill, at);
    }
    seen.losses.takeReached();
    const past = booksOf(all);
    const restored = { books: new Books(), losses: new LossStreaks(options) };
    restored.books.restore(past);
    restored.losses.restore(past);
    const now = 1000 + all.length * 60_000;
    for (const strategy of STRATEGIES.map(strategyId)) {
      expect(restored.losses.leftMs(strategy, now - 60_000)).toBe(seen.losses.leftMs(strategy, now - 60_000));
      for (const product of PRODUCTS.map(productCode)) {
        const [mine, theirs] = [restored.books.book(strategy, product), seen.books.book(strategy, product)];
        for (const figure of ['size', 'average', 'cash'] as const) expect(mine[figure].eq(theirs[figure])).toBe(true);
        expect([mine.openedAt, mine.entries, mine.sizeFigure, mine.averageFigure]).toEqual([
          theirs.openedAt,
          theirs.entries,
          theirs.sizeFigure,
          theirs.averageFigure,
        ]);
      }
      // The closes that follow are counted on alike.
      const long = restored.books.book(strategy, productCode('btcusd'));
      for (const at of [now, now + 1, now + 2, now + 3]) {
        const losing = {
          ...fillOf(LOSING),
          side: long.size.isNegative() ? ('buy' as const) : ('sell' as const),
          price: decimalOf(long.size.isNegative() ? 1e12 : 1),
        };
        for (const { books, losses } of [seen, restored])
          losses.filling(strategy, books.book(strategy, productCode('btcusd')), { fill: losing, at });
        expect(restored.losses.leftMs(strategy, at)).toBe(seen.losses.leftMs(strategy, at));
        expect(restored.losses.takeReached()).toBe(seen.losses.takeReached());
      }
    }
  });
});

const LOSING = { side: 'sell', baseCcy: 'BASE', quoteCcy: 'USD', price: '1', size: '0.1', value: '0.1', fee: '1', feeCcy: 'USD' } as const;

test('financing and a person’s correction change the book they name, each in its own currency, and no other', () => {
  const fill = { side: 'buy', baseCcy: 'btc', quoteCcy: 'usd', price: '100', size: '0.5', value: '50', fee: '0.1', feeCcy: 'usd' } as const;
  const books = new BooksSoFar(booksOf([{ strategy: 'a', product: 'btcusd', at: 1, fill }]));
  const held = () => books.text().books.map(({ size, cash }) => `${size} ${cash}`);
  expect(held()).toEqual(['0.5 -50.1']);
  books.financed({ strategy: 'a', product: 'btcusd', amount: '-0.25' });
  expect(held()).toEqual(['0.5 -50.35']);
  books.corrected({ strategy: 'a', product: 'btcusd', currency: 'usd', amount: '0.35' } as Parameters<typeof books.corrected>[0]);
  expect(held()).toEqual(['0.5 -50']);
  books.corrected({ strategy: 'a', product: 'btcusd', currency: 'btc', amount: '-0.1' } as Parameters<typeof books.corrected>[0]);
  expect(held()).toEqual(['0.4 -50']);
  books.financed({ strategy: 'b', product: 'btcusd', amount: '9' });
  books.corrected({ strategy: 'b', product: 'btcusd', currency: 'usd', amount: '9' } as Parameters<typeof books.corrected>[0]);
  expect(held()).toEqual(['0.4 -50']);
});

test('of losses in a row it is kept when each number of them was reached last, whatever the limit is by then', () => {
  const trade = (price: string, at: number) =>
    ['100', price].map((one, index) => ({
      ...{ strategy: 'a', product: 'btcusd', at },
      fill: {
        side: index === 0 ? 'buy' : 'sell',
        baseCcy: 'btc',
        quoteCcy: 'usd',
        feeCcy: 'usd',
        price: one,
        size: '1',
        value: one,
        fee: '0',
      } as const,
    }));
  const lost = [1, 2, 3, 4].flatMap((at) => trade('90', at));
  expect(booksOf(lost).losses).toEqual({ a: { losses: 4, reachedAt: [4, 4, 3, 4] } });
  expect(booksOf([...lost, ...trade('110', 5)]).losses).toMatchObject({ a: { losses: 0 } });
});
