import type Database from 'better-sqlite3';
import { chainBegin } from './archives.ts';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';

/** How fast a journal's newest run makes it grow, as told by rows that no archive has. */
interface JournalGrowth {
  /** The file as it is now, bytes. */
  readonly bytes: number;
  /** All rows of one order, in every table, bytes; null where there is none whose rows are all here. */
  readonly orderBytes: number | null;
  /** A day of the strategies that are asked about at the rate of the run's newest rows; null where they span under a minute. */
  readonly perDay: { readonly orders: number; readonly bytes: number } | null;
}

/** Number of newest rows that are read, and of the orders among them. */
const ROWS = 20_000;
const ORDERS = 500;
const DAY_S = 86_400;
/** A shorter span gives no rate, in seconds. */
const MIN_S = 60;
/** Row headers, b-tree pages that are not full and the indexes, on top of the columns: as measured on a journal of 10,000 orders. */
const OVERHEAD = 1.25;

const DECISION = `(length(run_id) + length(at) + length(kind) + coalesce(length(strategy), 0) + coalesce(length(product), 0)
  + coalesce(length(reason), 0) + coalesce(length(quote_id), 0) + coalesce(length(order_id), 0) + length(CAST(detail AS BLOB)) + 128)`;
const ORDER = `(length(order_id) + length(run_id) + length(strategy) + length(product) + 2 * length(quote_id) + length(intent_at) * 4
  + length(price) + length(size) + length(value) + length(fee) + coalesce(length(CAST(response AS BLOB)), 0))`;
const ENTRY = '(length(run_id) + length(at) + length(book) + length(kind) + length(currency) + length(amount) + length(order_id))';

interface Recent {
  readonly seconds: number;
  readonly orders: number;
  readonly beside: number;
}

/** What the journal at `path` grows by, of which `strategies` are to go on. Reads only, also while a daemon writes. Throws what opening throws. */
export function journalGrowth(path: string, strategies: readonly string[]): JournalGrowth {
  const database = openForReading(journalFiles(path));
  try {
    const bytes = Number(database.pragma('page_count', { simple: true })) * Number(database.pragma('page_size', { simple: true }));
    const orderBytes = bytesOfOrder(database);
    const { seconds, orders, beside } = recent(database, strategies);
    if (seconds < MIN_S) return { bytes, orderBytes, perDay: null };
    const each = (count: number): number => Math.round((count * DAY_S) / seconds);
    const perDay = { orders: each(orders), bytes: each(orders * (orderBytes ?? 0) + beside * OVERHEAD) };
    return { bytes, orderBytes, perDay };
  } finally {
    database.close();
  }
}

function bytesOfOrder(database: Database.Database): number | null {
  const size = database
    .prepare<[number], number | null>(
      `SELECT avg(${ORDER} + coalesce((SELECT sum(${DECISION}) FROM decisions d WHERE d.order_id = o.order_id), 0)) FROM
         (SELECT * FROM orders ORDER BY rowid DESC LIMIT ?) o
       WHERE EXISTS (SELECT 1 FROM decisions WHERE order_id = o.order_id AND kind = 'intent')`,
    )
    .pluck()
    .get(ORDERS);
  const entries = database
    .prepare<[number], number>(
      `SELECT coalesce(sum(${ENTRY}) * 1.0 / count(DISTINCT order_id), 0) FROM
         (SELECT * FROM ledger ORDER BY entry_id DESC LIMIT ?) WHERE order_id IS NOT NULL`,
    )
    .pluck()
    .get(3 * ORDERS);
  return size == null ? null : Math.round((size + Number(entries)) * OVERHEAD);
}

function recent(database: Database.Database, strategies: readonly string[]): Recent {
  const asked = { rows: ROWS, archived: chainBegin(database).seq, strategies: JSON.stringify(strategies) };
  return (
    database
      .prepare<[typeof asked], Recent>(
        `WITH newest AS (SELECT * FROM decisions WHERE seq > max(@archived, (SELECT max(seq) FROM decisions) - @rows)
           AND run_id = (SELECT run_id FROM runs ORDER BY rowid DESC LIMIT 1)),
         asked AS (SELECT * FROM newest WHERE strategy IS NULL OR strategy IN (SELECT value FROM json_each(@strategies)))
         SELECT (SELECT coalesce(unixepoch(max(at)) - unixepoch(min(at)), 0) FROM newest) AS seconds,
           (SELECT count(DISTINCT order_id) FROM asked) AS orders,
           (SELECT coalesce(sum(${DECISION}), 0) FROM asked WHERE order_id IS NULL) AS beside`,
      )
      .get(asked) ?? { seconds: 0, orders: 0, beside: 0 }
  );
}
