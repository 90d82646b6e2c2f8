import type Database from 'better-sqlite3';
import { type DecisionRecord, decisionsIn } from './records.ts';
import { newOrder, type OrderRow, type Tables } from './tables.ts';

/** The rows that a journal owes to `orders` (`row-writer.ts`), in their order: none but after a crash, or in the turn in which an order is sent. */
export function owedOrders(database: Database.Database): OrderRow[] {
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
