import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { Currency, ProductCode, StrategyId } from '#domain/names.ts';
import type { Amounts } from './amounts.ts';
import type { Book } from './book.ts';
import { type Books, worstOf } from './books.ts';
import type { Marks } from './valuation.ts';

/** A book that has or had something in it, with its worst size as it was when the book last changed. */
interface Traded {
  readonly currency: Currency;
  readonly book: Book;
  bookAt: number;
  worst: Decimal;
}

/** Worst-case values of what strategies hold, by quote currency, books not netted. */
export class Exposure {
  private readonly books: Books;
  private readonly marks: Marks;
  private readonly traded = new Map<StrategyId, Map<ProductCode, Traded>>();

  constructor(options: { readonly books: Books; readonly marks: Marks }) {
    this.books = options.books;
    this.marks = options.marks;
  }

  /** A strategy has an order or a fill in a product that is quoted in `currency`. */
  note(strategy: StrategyId, product: ProductCode, currency: Currency): void {
    let products = this.traded.get(strategy);
    if (!products) {
      products = new Map();
      this.traded.set(strategy, products);
    }
    if (!products.has(product)) products.set(product, { currency, book: this.books.book(strategy, product), bookAt: -1, worst: ZERO });
  }

  /** What one strategy holds, in products other than `without`. */
  ofStrategy(strategy: StrategyId, without?: ProductCode): Amounts {
    const sums = new Map<Currency, Decimal>();
    this.add(sums, strategy, without);
    return sums;
  }

  /** What all hold, in products other than `without`. */
  ofAll(without?: ProductCode): Amounts {
    const sums = new Map<Currency, Decimal>();
    for (const strategy of this.traded.keys()) this.add(sums, strategy, without);
    return sums;
  }

  private add(sums: Map<Currency, Decimal>, strategy: StrategyId, without: ProductCode | undefined): void {
    for (const [product, traded] of this.traded.get(strategy) ?? NOTHING) {
      if (product === without) continue;
      const { book, currency } = traded;
      if (traded.bookAt !== book.changes) {
        traded.bookAt = book.changes;
        traded.worst = worstOf(this.books.interval(strategy, product));
      }
      const { worst } = traded;
      if (worst.isZero()) continue;
      const price = this.marks.closingPrice(product, -worst.toNumber()) ?? book.average;
      sums.set(currency, worst.times(price).plus(sums.get(currency) ?? ZERO));
    }
  }
}

const NOTHING: ReadonlyMap<ProductCode, Traded> = new Map();
