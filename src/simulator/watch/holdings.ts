import type { ServiceBooks } from '#simulator/service/books.ts';
import { exact } from './exact.ts';
import type { WireOrder } from './order-watch.ts';

/** Number of a book's last positions that are remembered, since an order may rest on an earlier one. */
const REMEMBERED = 20;

/** Positions between two orders that were executed in one order and answered in the other. */
function otherwise(positions: readonly bigint[]): readonly bigint[] {
  return positions.flatMap((after, at) => {
    const [first, between] = [positions[at - 2], positions[at - 1]];
    return first === undefined || between === undefined ? [] : [first + after - between];
  });
}

/** The positions of each book by the service's own executions, with the last earlier ones. */
export class Holdings {
  private readonly books: ServiceBooks;
  /** Orders that were not executed, or not yet. */
  private orders: WireOrder[] = [];
  /** Orders executed without a clear answer, of which the machine may not know. */
  private unclear: WireOrder[] = [];
  private readonly positions = new Map<string, bigint[]>();
  /** Executions whose fee came out of the base currency. */
  private readonly feesInBase = new Map<string, number>();

  constructor(books: ServiceBooks) {
    this.books = books;
  }

  /** An order that is being written. */
  wrote(order: WireOrder): void {
    this.orders.push(order);
  }

  /** The position in a product by its executions, in base units, of one book or all. */
  held(product: string, book: string | null): number {
    this.settle();
    return Number(this.positions.get(`${product} ${book}`)?.at(-1) ?? 0n) / Number(exact('1'));
  }

  /** By how much the machine may take a position to be another: it knows fees in base currency to their eighth decimal. */
  blur(product: string, book: string): number {
    this.settle();
    return 1e-9 + (this.feesInBase.get(`${product} ${book}`) ?? 0) * 1e-8;
  }

  /** The exact recent positions of all books in a product. */
  lately(product: string): readonly bigint[] {
    this.settle();
    return [...this.positions].flatMap(([key, positions]) =>
      key.startsWith(`${product} `) ? [...positions, ...otherwise(positions)] : [],
    );
  }

  /** True while an order of a book, or of any book, has no clear answer: its position may differ from what the machine knows. */
  isOpen(product: string, book: string | null): boolean {
    const isOf = ({ row }: WireOrder): boolean => row?.product === product && (book === null || row.strategy === book);
    this.unclear = this.unclear.filter(({ executedAt }) => executedAt === null);
    return this.unclear.some(isOf) || this.orders.some((order) => !order.isAnswered && isOf(order));
  }

  /** Books the orders executed since the last call. */
  private settle(): void {
    this.orders = this.orders.filter((order) => {
      const executed = this.books.executed.get(order.quoteId);
      if (!executed || !order.row) return true;
      if (order.executedAt === null) this.unclear.push(order);
      const { side, size, fee, feeCcy } = executed;
      const isInBase = order.quote?.baseCcy === feeCcy;
      const signed = (side === 'buy' ? exact(size) : -exact(size)) - (isInBase ? exact(fee) : 0n);
      const own = `${order.row.product} ${order.row.strategy}`;
      if (isInBase) this.feesInBase.set(own, (this.feesInBase.get(own) ?? 0) + 1);
      for (const book of [order.row.strategy, null]) {
        const key = `${order.row.product} ${book}`;
        const positions = this.positions.get(key) ?? [0n];
        this.positions.set(key, [...positions, (positions.at(-1) ?? 0n) + signed].slice(-REMEMBERED));
      }
      return false;
    });
  }
}
