import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { Currency, ProductCode, StrategyId } from '#domain/names.ts';
import type { Amounts } from './amounts.ts';
import type { Book, Books } from './books.ts';
import type { Marks } from './valuation.ts';

/** Worst-case values of what strategies hold, by quote currency, books not netted. */
export class Exposure {
  private readonly books: Books;
  private readonly marks: Marks;

  constructor(options: { readonly books: Books; readonly marks: Marks }) {
    this.books = options.books;
    this.marks = options.marks;
  }

  /** What one strategy holds, in products other than `without`. */
  ofStrategy(strategy: StrategyId, without?: ProductCode): Amounts {
    return this.of([strategy], without);
  }

  /** What all hold, in products other than `without`. */
  ofAll(without?: ProductCode): Amounts {
    return this.of(this.books.traded.keys(), without);
  }

  private of(strategies: Iterable<StrategyId>, without: ProductCode | undefined): Amounts {
    const sums = new Map<Currency, Decimal>();
    for (const strategy of strategies)
      for (const [product, book] of this.books.traded.get(strategy) ?? NOTHING) {
        const { currency } = book;
        const worst = product === without ? ZERO : this.books.worst(strategy, product);
        if (currency === undefined || worst.isZero()) continue;
        const price = this.marks.closingPrice(product, -worst.toNumber()) ?? this.paid(strategy, product, book.entry);
        sums.set(currency, worst.times(price).plus(sums.get(currency) ?? ZERO));
      }
    return sums;
  }

  /** The entry price of a book without a lane, or where it holds nothing, what its order is to cost. */
  private paid(strategy: StrategyId, product: ProductCode, entry: Decimal): Decimal {
    return entry.isZero() ? (this.books.openOf(strategy, product).at(-1)?.figures.price ?? entry) : entry;
  }
}

const NOTHING: ReadonlyMap<ProductCode, Book> = new Map();
