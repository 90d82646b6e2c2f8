import type Database from 'better-sqlite3';
import type { DecisionRecord } from './chain.ts';
import { newOrder, type OrderRow } from './projection.ts';
import { decisionsIn } from './records.ts';
import type { Tables } from './tables.ts';

/** A row, and the number of the decision that it follows from. */
interface Owed {
  readonly row: OrderRow;
  readonly seq: number;
}

/**
 * Permitted orders whose row in `orders` is still to be written. An order is sent once its permission is committed, so that commit
 * writes decisions alone and is quick. The next transaction of another kind writes the row; after a crash the next opening of the
 * journal does. The watermark is the last decision up to which every permitted order has its row.
 */
export class OwedOrders {
  private readonly tables: Tables;
  private readonly owed = new Map<string, Owed>();
  /** Orders of the open transaction. */
  private readonly added = new Map<string, Owed>();
  /** The last decision whose row the open transaction has written. */
  private writtenUpTo: number | null = null;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  /** True while a committed order lacks its row. */
  get isAny(): boolean {
    return this.owed.size > 0;
  }

  get(id: string): OrderRow | undefined {
    return (this.added.get(id) ?? this.owed.get(id))?.row;
  }

  /** Notes an order that decision `seq` permits. Throws when an earlier one has its id or uses its quote. */
  add(row: OrderRow, seq: number): void {
    const { order_id, quote_id } = row;
    const other =
      this.tables.claimant(order_id, quote_id) ??
      this.waiting().find(({ row }) => row.order_id === order_id || row.quote_id === quote_id)?.row;
    if (other) throw new Error(`orders.${other.order_id === order_id ? 'order_id' : 'quote_id'}: order ${other.order_id} has it already`);
    this.added.set(order_id, { row, seq });
  }

  /** Writes the missing rows. To be called within a transaction. */
  write(): void {
    for (const { row, seq } of this.waiting()) {
      this.tables.apply({ table: 'orders', how: 'insert', row });
      this.writtenUpTo = seq;
    }
    this.added.clear();
  }

  /** Notes that no decision up to `seq` owes a row. To be called while `isAny` is false. */
  noneUpTo(seq: number): void {
    this.writtenUpTo = seq;
  }

  /** Moves the watermark, where rows were written, as the last step of a transaction. */
  mark(): void {
    if (this.writtenUpTo !== null) this.tables.setWatermark(this.writtenUpTo);
  }

  committed(): void {
    if (this.writtenUpTo !== null) this.owed.clear();
    for (const [id, owed] of this.added) this.owed.set(id, owed);
    this.failed();
  }

  /** The transaction was rolled back: what was owed before it still is. */
  failed(): void {
    this.added.clear();
    this.writtenUpTo = null;
  }

  private waiting(): Owed[] {
    return [...(this.writtenUpTo === null ? this.owed.values() : []), ...this.added.values()];
  }
}

/** The rows that a journal owes to `orders`, in their order: none but after a crash, or in the turn in which an order is sent. */
export function owedOrders(database: Database.Database): OrderRow[] {
  if (!database.prepare("SELECT 1 FROM main.sqlite_master WHERE name = 'watermarks'").get()) return [];
  const permitted = database.prepare<[], DecisionRecord>(
    `SELECT * FROM decisions WHERE seq > (SELECT seq FROM watermarks WHERE name = 'orders') AND kind = 'approved'
     AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.order_id = decisions.order_id) ORDER BY seq`,
  );
  return permitted
    .all()
    .flatMap((record) => decisionsIn([record], 'approved').map(({ detail: { order } }) => newOrder(record.run_id, order)));
}

/** Writes the rows that a crash has left owing. For whoever opens a journal to write, once its end was checked. */
export function completeOrders(database: Database.Database, tables: Tables): void {
  const rows = owedOrders(database);
  const { seq } = tables.end();
  if (rows.length === 0 && tables.watermark() <= seq) return;
  database
    .transaction(() => {
      for (const row of rows) tables.apply({ table: 'orders', how: 'insert', row });
      tables.setWatermark(seq);
    })
    .immediate();
}

/** Lets a connection that only reads see the rows that are owed: they stand in a table of its own, in front of the journal's. */
export function showOwedOrders(database: Database.Database): void {
  const rows = owedOrders(database);
  if (rows.length === 0) return;
  database.exec('CREATE TEMP TABLE orders AS SELECT * FROM main.orders ORDER BY rowid');
  for (const row of rows) {
    const columns = Object.keys(row);
    const values: unknown[] = Object.values(row);
    database
      .prepare<unknown[]>(`INSERT INTO temp.orders (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...values);
  }
}
