import type { ChainEnd } from './chain.ts';
import type { OrderRow } from './projection.ts';
import type { Tables } from './tables.ts';

/** Orders in these states may still change; rows of others are read when a late report comes. */
const OPEN: ReadonlySet<OrderRow['state']> = new Set(['intent', 'sent', 'unknown']);

/**
 * What the one writer remembers of its own rows, so that a commit reads nothing back: the end of the chain, and the orders
 * whose outcome is open. Changes count once their transaction is committed; after a failed one everything is forgotten and
 * read again.
 */
export class OwnRows {
  private readonly tables: Tables;
  private readonly open = new Map<string, OrderRow>();
  private readonly changed = new Map<string, OrderRow>();
  private last: ChainEnd | undefined;
  private next: ChainEnd | undefined;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  /** The row that the next decision follows. */
  get end(): ChainEnd {
    this.next ??= this.last ?? this.tables.end();
    return this.next;
  }

  order(id: string): OrderRow | undefined {
    return this.changed.get(id) ?? this.open.get(id) ?? this.tables.order(id);
  }

  added(end: ChainEnd): void {
    this.next = end;
  }

  orderChanged(row: OrderRow): void {
    this.changed.set(row.order_id, row);
  }

  committed(): void {
    this.last = this.next;
    for (const row of this.changed.values()) {
      if (OPEN.has(row.state)) this.open.set(row.order_id, row);
      else this.open.delete(row.order_id);
    }
    this.changed.clear();
  }

  forget(): void {
    this.last = undefined;
    this.next = undefined;
    this.open.clear();
    this.changed.clear();
  }
}
