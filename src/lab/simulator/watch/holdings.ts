import type { ServiceBooks, ServiceFill } from '#lab/simulator/service/books.ts';
import { exact } from './exact.ts';
import { OPENS } from './folded-book.ts';
import type { WireOrder } from './order-watch.ts';

/** Number of a book's last positions that are remembered, since an order may rest on an earlier one. */
const REMEMBERED = 20;
const UNIT = Number(exact('1'));

/** What a book holds of a product by the service's executions. */
interface Holding {
  readonly product: string;
  /** Null: all books of the product. */
  readonly book: string | null;
  /** The last positions, exact; the present one is the last. */
  positions: readonly bigint[];
  /** What executions brought, less what they cost, in quote currency. */
  cash: number;
  /** Average price of the present position, and when it was opened, in world time. */
  average: number;
  openedAt: number;
  /** Executions whose fee came out of the base currency. */
  feesInBase: number;
}

/** An order as it is written, beside what its book holds. */
export interface Effect {
  readonly order: WireOrder;
  readonly product: string;
  readonly book: string;
  /** In base units, negative for a sale. */
  readonly signed: number;
  /** In quote currency. */
  readonly value: number;
  /** In quote currency. */
  readonly price: number;
  /** The lowest and highest that the book may hold: orders without a known outcome may be executed or not. */
  readonly low: number;
  readonly high: number;
  /** By how much the machine may take a position to be another: it knows fees in base currency to their eighth decimal. */
  readonly blur: number;
  /** True unless it shrinks whatever the book may hold. */
  readonly isOpening: boolean;
}

/** Positions between two orders that were executed in one order and answered in the other. */
function otherwise(positions: readonly bigint[]): readonly bigint[] {
  return positions.flatMap((after, at) => {
    const [first, between] = [positions[at - 2], positions[at - 1]];
    return first === undefined || between === undefined ? [] : [first + after - between];
  });
}

/** What an execution changes of what is held, exact: a fee in base currency comes out of it. */
const changeBy = ({ side, size, fee, feeCcy }: ServiceFill, quote: WireOrder['quote']): bigint =>
  (side === 'buy' ? exact(size) : -exact(size)) - (quote?.baseCcy === feeCcy ? exact(fee) : 0n);

/** What each book holds by the service's own executions, with the last earlier positions. */
export class ServiceHoldings {
  private readonly books: ServiceBooks;
  private readonly now: () => number;
  /** Orders that are not executed, or not yet. */
  private waiting: WireOrder[] = [];
  /** Orders of which the machine does not know the outcome. */
  private unsettled: WireOrder[] = [];
  private readonly held = new Map<string, Holding>();

  constructor(books: ServiceBooks, now: () => number) {
    this.books = books;
    this.now = now;
  }

  /** An order that is being written, and what it may do. */
  wrote(order: WireOrder): Effect | undefined {
    const { row, quote, side } = order;
    if (!row || !quote) return undefined;
    const { product, strategy: book } = row;
    const { size, value, price } = quote[side];
    const signed = side === 'buy' ? size : -size;
    const { low, high } = this.interval(product, book);
    const blur = 1e-9 + this.of(product, book).feesInBase * 1e-8;
    const reduces = signed < 0 ? low + signed >= -blur && low > 0 : high + signed <= blur && high < 0;
    this.waiting.push(order);
    this.unsettled.push(order);
    return { order, product, book, signed, value, price, low, high, blur, isOpening: !reduces };
  }

  /** What a book, or all of them together, holds of a product, by the executions. */
  of(product: string, book: string | null): Holding {
    this.settle();
    return this.holding(product, book);
  }

  position(product: string, book: string | null): number {
    return Number(this.of(product, book).positions.at(-1) ?? 0n) / UNIT;
  }

  /** All that books hold, each by itself. */
  ofBooks(): readonly (Holding & { readonly book: string; readonly size: number })[] {
    this.settle();
    return [...this.held.values()].flatMap((one) =>
      one.book === null ? [] : [{ ...one, book: one.book, size: Number(one.positions.at(-1) ?? 0n) / UNIT }],
    );
  }

  /** The exact recent positions of all books in a product. */
  lately(product: string): readonly bigint[] {
    this.settle();
    return [...this.held.values()].flatMap((one) => (one.product === product ? [...one.positions, ...otherwise(one.positions)] : []));
  }

  /** What recent executions of each book changed in a product, each alone and with the two after it, exact: an order of several legs takes one back, in parts if need be. */
  moves(product: string): readonly bigint[] {
    this.settle();
    const ofBooks = [...this.held.values()].filter((one) => one.product === product && one.book !== null);
    return ofBooks.flatMap(({ positions }) =>
      positions.flatMap((before, at) => positions.slice(at + 1, at + 4).map((after) => after - before)),
    );
  }

  /** True while an order of a product, of a book, or any order at all, has no outcome that the machine knows. */
  isOpen(product: string | null = null, book: string | null = null): boolean {
    return this.open(product, book).length > 0;
  }

  /** How many orders have no outcome that the machine knows. */
  get unsettledOrders(): number {
    return this.open(null, null).length;
  }

  private open(product: string | null, book: string | null): readonly WireOrder[] {
    this.unsettled = this.unsettled.filter(({ isSettled }) => !isSettled);
    return this.unsettled.filter(({ row }) => (product === null || row?.product === product) && (book === null || row?.strategy === book));
  }

  private interval(product: string, book: string): { readonly low: number; readonly high: number } {
    let low = this.position(product, book);
    let high = low;
    for (const { quote, side, quoteId } of this.open(product, book)) {
      const executed = this.books.executed.get(quoteId);
      const size = quote?.[side].size ?? 0;
      // An execution that the machine does not know is undone in what it knows.
      const signed = executed ? -Number(changeBy(executed, quote)) / UNIT : side === 'buy' ? size : -size;
      low += Math.min(0, signed);
      high += Math.max(0, signed);
    }
    return { low, high };
  }

  private holding(product: string, book: string | null): Holding {
    const key = `${product} ${book}`;
    const known = this.held.get(key) ?? { product, book, positions: [0n], cash: 0, average: 0, openedAt: 0, feesInBase: 0 };
    this.held.set(key, known);
    return known;
  }

  /** Books the orders executed since the last call. */
  private settle(): void {
    this.waiting = this.waiting.filter(({ quoteId, row, quote }) => {
      const executed = this.books.executed.get(quoteId);
      if (!executed || !row) return true;
      for (const book of [row.strategy, null]) this.book(this.holding(row.product, book), executed, quote);
      return false;
    });
  }

  private book(into: Holding, executed: ServiceFill, quote: WireOrder['quote']): void {
    const { side, value, price, fee } = executed;
    const isFeeInBase = quote?.baseCcy === executed.feeCcy;
    const before = into.positions.at(-1) ?? 0n;
    const signed = changeBy(executed, quote);
    const after = before + signed;
    if (isFeeInBase) into.feesInBase += 1;
    into.cash += (side === 'buy' ? -Number(value) : Number(value)) - (isFeeInBase ? 0 : Number(fee));
    into.positions = [...into.positions, after].slice(-REMEMBERED);
    const isLarger = before === 0n || before > 0n === signed > 0n;
    if (before === 0n || before > 0n !== after > 0n) [into.openedAt, into.average] = [this.now(), Number(price)];
    else if (isLarger) into.average = (into.average * Number(before) + Number(price) * Number(signed)) / Number(after);
    if (isLarger && Math.abs(Number(signed)) > Math.abs(Number(before)) * OPENS) into.openedAt = this.now();
  }
}
