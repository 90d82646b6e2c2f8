import { Decimal, ZERO } from '#domain/decimal.ts';
import type { Amount } from '#domain/lane.ts';
import type { Currency, Millis, OrderId, ProductCode, StrategyId } from '#domain/names.ts';
import { type Fill, feeInBase, isOpen, type Order, type OrderCore } from '#domain/order.ts';
import type { PastBooks } from '#domain/past-books.ts';
import { entryOf, FLAT, type Position, positionAfter, positionCorrected, positionOf } from '#domain/position.ts';

/** The position of one strategy in one product, with what is asked of it at each quote. */
export class Book implements Position {
  size = FLAT.size;
  average = FLAT.average;
  cash = FLAT.cash;
  openedAt = FLAT.openedAt;
  entries = FLAT.entries;
  lots = FLAT.lots;
  closed = FLAT.closed;
  /** Size, average price and cash as doubles: for what is asked at each quote and rests on no last digit. */
  sizeFigure = 0;
  averageFigure = 0;
  cashFigure = 0;
  /** The product's quote currency, once there was an order or a fill. */
  currency: Currency | undefined;
  /** Its worst size, as `Books` has read it when `changes` stood at `worstAt`. */
  worst = ZERO;
  worstAt = -1;
  /** Counts fills and changes of its orders: while it stands, everything about the book does. */
  changes = 0;

  /** Entry price of the open lots; zero when flat. */
  get entry(): Decimal {
    return entryOf(this.lots) ?? ZERO;
  }

  /** Books a fill. */
  apply(fill: Fill, at: Millis): void {
    this.restore(positionAfter(this, fill, at));
  }

  /** Quote currency that no fill moved, such as financing. */
  move(amount: Decimal): void {
    this.restore({ ...this, cash: this.cash.plus(amount) });
  }

  /** A person corrected it by what the account has. */
  correct(amount: Decimal, isCash: boolean): void {
    this.restore(positionCorrected(this, amount, isCash));
  }

  /** Takes over what earlier fills came to. */
  restore({ size, average, cash, openedAt, entries, lots, closed }: Position): void {
    this.changes += 1;
    this.size = size;
    this.average = average;
    this.cash = cash;
    this.openedAt = openedAt;
    this.entries = entries;
    this.lots = lots;
    this.closed = closed;
    this.sizeFigure = size.toNumber();
    this.averageFigure = average.toNumber();
    this.cashFigure = cash.toNumber();
  }
}

/** The smallest and the largest position possible once everything open has settled. */
export interface PositionBounds {
  readonly low: Decimal;
  readonly high: Decimal;
}

/** A book as an order finds it: its position with everything open at its worse end, and what is open. */
export interface OpenBook extends PositionBounds {
  readonly size: Decimal;
  /** An order of the book is on its way; one of unknown outcome is not. */
  readonly inFlight: boolean;
  /** An order in its product, of whichever book, has an unknown outcome. */
  readonly isFrozen: boolean;
  /** Its own open orders. */
  readonly open: readonly Order[];
}

/** All books, and the orders whose outcome is still open. Books of different strategies are never netted. */
export class Books {
  private readonly books = new Map<ProductCode, Map<StrategyId, Book>>();
  private readonly open = new Map<OrderId, Order>();
  /** Books that have or had something in them, by strategy, in the order of their first. */
  readonly traded = new Map<StrategyId, Map<ProductCode, Book>>();

  book(strategy: StrategyId, product: ProductCode): Book {
    let ofProduct = this.books.get(product);
    if (!ofProduct) {
      ofProduct = new Map();
      this.books.set(product, ofProduct);
    }
    let book = ofProduct.get(strategy);
    if (!book) {
      book = new Book();
      ofProduct.set(strategy, book);
    }
    return book;
  }

  /** True where that book was asked for before; asking so does not count. */
  has(strategy: StrategyId, product: ProductCode): boolean {
    return this.books.get(product)?.has(strategy) === true;
  }

  /** Every book that was ever asked for, with what it holds, by product and strategy: who asked first, and why, changes nothing. */
  *positions(): Iterable<{ readonly strategy: StrategyId; readonly product: ProductCode; readonly size: Decimal }> {
    for (const [product, books] of [...this.books].sort(byName)) {
      for (const [strategy, { size }] of [...books].sort(byName)) yield { strategy, product, size };
    }
  }

  /** The largest long position of a strategy in any product, in base currency. */
  largestOf(strategy: StrategyId): Decimal {
    let largest = ZERO;
    for (const one of this.positions()) if (one.strategy === strategy) largest = Decimal.max(largest, one.size);
    return largest;
  }

  /** Takes over what earlier runs left. */
  restore({ books }: PastBooks): void {
    for (const { strategy, product, quoteCcy, ...text } of books) this.begun(strategy, product, quoteCcy).restore(positionOf(text));
  }

  apply(strategy: StrategyId, product: ProductCode, fill: Fill, at: Millis): void {
    this.begun(strategy, product, fill.quoteCcy).apply(fill, at);
  }

  /** Keeps an order while its outcome is open, forgets it once settled. */
  track(order: Order): void {
    this.begun(order.strategy, order.product, order.quoteCcy).changes += 1;
    if (isOpen(order)) this.open.set(order.id, order);
    else this.open.delete(order.id);
  }

  order(id: OrderId): Order | undefined {
    return this.open.get(id);
  }

  /** True while the outcome of an order is open. */
  get hasOpen(): boolean {
    return this.open.size > 0;
  }

  openOrders(): Iterable<Order> {
    return this.open.values();
  }

  openOf(strategy: StrategyId, product: ProductCode): readonly Order[] {
    if (this.open.size === 0) return NONE;
    return [...this.open.values()].filter((order) => order.strategy === strategy && order.product === product);
  }

  /** What open purchases cost if all are executed, of one strategy or of all: in their quote currency, with fees that are in it. */
  openPurchases(name: string, strategy: StrategyId | null = null): Decimal {
    let sum = ZERO;
    for (const { side, quoteCcy, figures, strategy: own } of this.open.values()) {
      if (side !== 'buy' || quoteCcy !== name || (strategy !== null && own !== strategy)) continue;
      sum = sum.plus(figures.value).plus(figures.feeCcy === name ? figures.fee : ZERO);
    }
    return sum;
  }

  /** Counts fills, corrections and changes of orders, of all books: while it stands, so do they. */
  get changes(): number {
    let count = 0;
    for (const books of this.books.values()) for (const book of books.values()) count += book.changes;
    return count;
  }

  /** True while an order of the strategy in the product is on its way; one of unknown outcome is not. */
  inFlight(strategy: StrategyId, product: ProductCode): boolean {
    if (this.open.size === 0) return false;
    for (const order of this.open.values()) {
      if (order.strategy === strategy && order.product === product && order.state !== 'unknown') return true;
    }
    return false;
  }

  /** The oldest order of unknown outcome in a product, while which nothing is opened in it. */
  unknownIn(product: ProductCode): OrderId | undefined {
    for (const order of this.open.values()) if (order.product === product && order.state === 'unknown') return order.id;
    return undefined;
  }

  get unknowns(): number {
    let count = 0;
    for (const order of this.open.values()) if (order.state === 'unknown') count += 1;
    return count;
  }

  /** Orders of unknown outcome that may have opened something. Exits of what was certainly held are none. */
  get unknownOpenings(): number {
    let count = 0;
    for (const order of this.open.values()) if (order.state === 'unknown' && !this.isExit(order)) count += 1;
    return count;
  }

  /** True for an open order after which its position still lies on its side of zero, whatever becomes of all that are open. */
  private isExit({ strategy, product, side }: OrderCore): boolean {
    const { low, high } = this.interval(strategy, product);
    return side === 'sell' ? low.gte(ZERO) : high.lte(ZERO);
  }

  /** The position of one book, with everything open at its worse end, and what is open: all in one look at the open orders. */
  interval(strategy: StrategyId, product: ProductCode): OpenBook {
    const { size } = this.book(strategy, product);
    let [low, high, inFlight, isFrozen] = [size, size, false, false];
    let open = NONE;
    for (const order of this.open.values()) {
      if (order.product !== product) continue;
      const isUnknown = order.state === 'unknown';
      isFrozen ||= isUnknown;
      if (order.strategy !== strategy) continue;
      inFlight ||= !isUnknown;
      open = [...open, order];
      if (order.side === 'buy') high = high.plus(order.figures.size);
      else low = low.minus(order.figures.size).minus(feeInBase(order));
    }
    return { size, low, high, inFlight, isFrozen, open };
  }

  /** The worst sizes of all books of a product added up, without netting, in base currency. */
  grossExposure(product: ProductCode): Decimal {
    let sum = ZERO;
    for (const strategy of this.books.get(product)?.keys() ?? NOBODY) sum = sum.plus(this.worst(strategy, product));
    return sum;
  }

  /** The worst size of one book, read anew once it has changed. */
  worst(strategy: StrategyId, product: ProductCode): Decimal {
    const book = this.book(strategy, product);
    if (book.worstAt !== book.changes) {
      book.worstAt = book.changes;
      book.worst = worstOf(this.interval(strategy, product));
    }
    return book.worst;
  }

  /** A book with an order or a fill. */
  private begun(strategy: StrategyId, product: ProductCode, currency: Currency): Book {
    const book = this.book(strategy, product);
    if (book.currency !== undefined) return book;
    book.currency = currency;
    const products = this.traded.get(strategy) ?? new Map<ProductCode, Book>();
    this.traded.set(strategy, products.set(product, book));
    return book;
  }
}

const NONE: readonly Order[] = [];
const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1);
const NOBODY: readonly StrategyId[] = [];

/** What is held for certain, whatever becomes of the orders that are open: the end nearer to zero, or nothing. */
export const certainOf = ({ low, high }: PositionBounds): Decimal => (low.gt(ZERO) ? low : high.lt(ZERO) ? high : ZERO);

/** True where no open order can change the position. */
export const isSure = ({ low, high }: PositionBounds): boolean => low === high || low.eq(high);

/** The larger of the two ends' sizes. */
export function worstOf(interval: PositionBounds): Decimal {
  const low = interval.low.abs();
  if (interval.low === interval.high) return low;
  const high = interval.high.abs();
  return low.gt(high) ? low : high;
}

/**
 * True when an order of `size` makes the worst-case position smaller and cannot flip its sign, whatever becomes of
 * the orders that are open.
 */
export function reduces(interval: PositionBounds, side: 'buy' | 'sell', size: Decimal): boolean {
  return size.gt(0) && (side === 'sell' ? interval.low.gte(size) : interval.high.plus(size).lte(0));
}

/** True where an order of an amount may turn out to reduce so: the size of a value in quote currency is that of its quote. */
export const reducesAtMost = (interval: PositionBounds, side: 'buy' | 'sell', amount: Amount): boolean =>
  'base' in amount ? reduces(interval, side, amount.base) : side === 'sell' ? interval.low.gt(0) : interval.high.lt(0);
