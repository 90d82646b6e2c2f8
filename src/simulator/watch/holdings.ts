import type { ServiceBooks } from '#simulator/service/books.ts';
import { exact } from './exact.ts';
import type { WireOrder } from './order-watch.ts';

/** So many of the positions that a book had last are remembered: what is seen on the wire may rest on an earlier one. */
const REMEMBERED = 20;

/** What lies between two orders that were executed one after the other, and answered the other way round. */
function otherwise(positions: readonly bigint[]): readonly bigint[] {
  return positions.flatMap((after, at) => {
    const [first, between] = [positions[at - 2], positions[at - 1]];
    return first === undefined || between === undefined ? [] : [first + after - between];
  });
}

/** What each book holds by the service's own executions, the last of its positions included. */
export class Holdings {
  private readonly books: ServiceBooks;
  /** Orders that were not executed, or not yet. */
  private orders: WireOrder[] = [];
  /** Orders that were executed without a clear answer: the machine may not know of them. */
  private unclear: WireOrder[] = [];
  private readonly positions = new Map<string, bigint[]>();

  constructor(books: ServiceBooks) {
    this.books = books;
  }

  /** An order that is being written. */
  wrote(order: WireOrder): void {
    this.orders.push(order);
  }

  /** What the executions of a product come to in base units, of one book or of all. */
  held(product: string, book: string | null): number {
    this.settle();
    return Number(this.positions.get(`${product} ${book}`)?.at(-1) ?? 0n) / Number(exact('1'));
  }

  /** The positions that any book had in a product lately, exactly. */
  lately(product: string): readonly bigint[] {
    this.settle();
    return [...this.positions].flatMap(([key, positions]) =>
      key.startsWith(`${product} `) ? [...positions, ...otherwise(positions)] : [],
    );
  }

  /** True while an order of a book, or of any, is without a clear answer: what it holds may be another than the machine knows. */
  isOpen(product: string, book: string | null): boolean {
    const isOf = ({ row }: WireOrder): boolean => row?.product === product && (book === null || row.strategy === book);
    this.unclear = this.unclear.filter(({ executedAt }) => executedAt === null);
    return this.unclear.some(isOf) || this.orders.some((order) => !order.isAnswered && isOf(order));
  }

  /** Counts the orders that were executed since it was looked last. */
  private settle(): void {
    this.orders = this.orders.filter((order) => {
      const executed = this.books.executed.get(order.quoteId);
      if (!executed || !order.row) return true;
      if (order.executedAt === null) this.unclear.push(order);
      const { side, size, fee, feeCcy } = executed;
      const signed = (side === 'buy' ? exact(size) : -exact(size)) - (order.quote?.baseCcy === feeCcy ? exact(fee) : 0n);
      for (const book of [order.row.strategy, null]) {
        const key = `${order.row.product} ${book}`;
        const positions = this.positions.get(key) ?? [0n];
        this.positions.set(key, [...positions, (positions.at(-1) ?? 0n) + signed].slice(-REMEMBERED));
      }
      return false;
    });
  }
}
