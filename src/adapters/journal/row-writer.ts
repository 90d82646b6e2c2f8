import type { Decision } from '#domain/decision.ts';
import type { Millis } from '#domain/names.ts';
import type { ChainEnd, DecisionRecord } from './chain.ts';
import { OwedOrders } from './owed-orders.ts';
import { isProjected, type OrderRow, project } from './projection.ts';
import { decisionOf, recordOf } from './records.ts';
import type { Tables } from './tables.ts';

/** Appends decisions to the chain and changes the other tables as they say. All but `committed` and `failed` within a transaction. */
export class RowWriter {
  private readonly tables: Tables;
  private readonly rows: OwnRows;
  private readonly owed: OwedOrders;
  /** The time of the last decision. */
  lastAt: Millis = 0;

  constructor(tables: Tables) {
    this.tables = tables;
    this.rows = new OwnRows(tables);
    this.owed = new OwedOrders(tables);
  }

  /** The row that the next decision follows. */
  get end(): ChainEnd {
    return this.rows.end;
  }

  /** True while an order that was permitted lacks its row in `orders`. */
  get owesOrders(): boolean {
    return this.owed.isAny;
  }

  add(run: string, decisions: readonly Decision[]): void {
    for (const decision of decisions) {
      const record = recordOf(decision, run, this.rows.end);
      this.tables.addDecision(record);
      if (isProjected(decision.kind)) this.project(run, decision, record);
      this.rows.added(record);
      this.lastAt = Math.max(this.lastAt, decision.at);
    }
  }

  /** Writes the rows of orders that are owed. */
  writeOrders(): void {
    this.owed.write();
  }

  /** Notes that no row of an order is owed for any decision so far. */
  allOrdersWritten(): void {
    this.owed.noneUpTo(this.rows.end.seq);
  }

  /** The last step of a transaction. */
  mark(): void {
    this.owed.mark();
  }

  committed(): void {
    this.rows.committed();
    this.owed.committed();
  }

  /** The transaction was rolled back. */
  failed(): void {
    this.rows.forget();
    this.owed.failed();
  }

  private project(run: string, decision: Decision, record: DecisionRecord): void {
    const { orderId } = decision;
    const before = orderId === null ? undefined : (this.rows.order(orderId) ?? this.owed.get(orderId));
    // Arguments are anything: taken from the row as it will be read, so that a rebuild comes to the same. The rest is text.
    const kept = decision.kind === 'action' ? decisionOf(record) : decision;
    for (const change of project(run, kept, before)) {
      if (change.table === 'orders') this.rows.orderChanged(change.row);
      if (change.table === 'orders' && change.how === 'insert') this.owed.add(change.row, record.seq);
      else {
        this.owed.write();
        this.tables.apply(change);
      }
    }
  }
}

/** Orders in these states may still change; rows of others are read when a late report comes. */
const OPEN: ReadonlySet<OrderRow['state']> = new Set(['intent', 'sent', 'unknown']);

/**
 * What the one writer remembers of its own rows, so that a commit reads nothing back: the end of the chain, and the orders
 * whose outcome is open. Changes count once their transaction is committed; after a failed one everything is forgotten and
 * read again.
 */
class OwnRows {
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
