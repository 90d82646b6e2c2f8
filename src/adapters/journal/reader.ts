import type Database from 'better-sqlite3';
import type { LearnedSize, PastFill } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import type { Millis } from '#domain/names.ts';
import { STILL_RUNS } from '#domain/schedule.ts';
import { archivedOrders, refuseArchived, uncountedText } from './archives.ts';
import { openForReading } from './database.ts';
import { openFault } from './fault.ts';
import { type JournalFiles, journalFiles } from './files.ts';
import { learnedSizes } from './learned-sizes.ts';
import { Lease, type LeaseHolder } from './lease.ts';
import { type OrderDetails, type OrderQuery, toldOrders } from './order-details.ts';
import { inSmallLetters, type LedgerRow, ledgerRows } from './paging.ts';
import { waitUntil } from './past-risk.ts';
import type { ChainEnd, DecisionRecord } from './records.ts';
import { fillsOf, latchesOf } from './recovery.ts';
import { BESIDE_ORDERS } from './schema.ts';
import type { ActionRow, OrderRow, RunRow } from './tables.ts';

/** A run with what it decided, for `journal runs`. */
interface RunSummary extends Omit<RunRow, 'config_json'> {
  readonly decisions: number;
  readonly orders: number;
  readonly accepted: number;
}

/** How often a kind of decision came with a reason. */
interface ReasonCount {
  readonly kind: string;
  readonly reason: string | null;
  /** Decisions, counting each repetition that one row stands for. */
  readonly count: number;
  readonly last_at: string;
}

/** An order with everything that was decided about it. */
export interface Story {
  readonly order: OrderRow | null;
  readonly decisions: readonly DecisionRecord[];
  readonly ledger: readonly LedgerRow[];
  /** When the plan that the order serves was decided, ISO 8601; null where it serves none. */
  readonly decidedAt: string | null;
}

/** When the plan of an order was decided: an intent names its leg, `12-1/0` of the plan `12-1`. */
const DECIDED_AT = `WITH intent AS (SELECT seq, detail ->> 'work' AS leg FROM decisions WHERE order_id = ? AND kind = 'intent')
  SELECT at FROM decisions WHERE kind = 'working' AND ${BESIDE_ORDERS}
    AND seq < (SELECT seq FROM intent) AND (SELECT leg FROM intent) LIKE (detail ->> 'work') || '/%'
  ORDER BY seq DESC LIMIT 1`;

/** Reads a journal, also while a daemon writes it: read-only, without the lease, in short transactions. */
export class JournalReader {
  readonly path: string;
  private readonly files: JournalFiles;
  private readonly database: Database.Database;

  private constructor(files: JournalFiles) {
    this.files = files;
    this.path = files.database;
    this.database = openForReading(files);
  }

  /** Throws NOT_FOUND where there is no journal, JOURNAL_NEWER or JOURNAL_UNUSABLE where it cannot be read. */
  static open(path: string): JournalReader {
    return new JournalReader(journalFiles(path));
  }

  /** The process that has the journal's lease now; null when no daemon runs. */
  holder(): LeaseHolder | null {
    try {
      return Lease.holder(this.files);
    } catch (error) {
      throw openFault(error, this.files.lease);
    }
  }

  /** Runs `read` on one consistent state. For short reads only: the daemon's log grows meanwhile (F53). */
  snapshot<Result>(read: () => Result): Result {
    return this.database.transaction(read).deferred();
  }

  /** All runs, oldest first. */
  runs(): RunSummary[] {
    return this.database
      .prepare<[], RunSummary>(
        `SELECT r.run_id, r.book, r.started_at, r.ended_at, r.mode, r.version, r.config_hash, r.end_state,
           coalesce(d.decisions, 0) AS decisions, coalesce(o.orders, 0) AS orders, coalesce(o.accepted, 0) AS accepted
         FROM runs r
         LEFT JOIN (SELECT run_id, count(*) AS decisions FROM decisions GROUP BY run_id) d ON d.run_id = r.run_id
         LEFT JOIN (SELECT run_id, count(*) AS orders, sum(state = 'accepted') AS accepted FROM orders GROUP BY run_id) o
           ON o.run_id = r.run_id
         ORDER BY r.rowid`,
      )
      .all();
  }

  /** The run that began last. */
  lastRun(): RunRow | undefined {
    return this.database.prepare<[], RunRow>('SELECT * FROM runs ORDER BY rowid DESC LIMIT 1').get();
  }

  /** Until when the service asked us to wait; null if it never did. */
  waitUntil(): Millis | null {
    return waitUntil(this.database);
  }

  run(id: string): RunRow | undefined {
    return this.database.prepare<[string], RunRow>('SELECT * FROM runs WHERE run_id = ?').get(id);
  }

  /** The last action of a name, by a schedule or by hand; none that was skipped because the one before it still ran. */
  lastAction(name: string): ActionRow | undefined {
    const found = this.database.prepare<[string, string], ActionRow>(
      "SELECT * FROM actions WHERE name = ? AND NOT (status = 'skipped' AND response = ?) ORDER BY rowid DESC LIMIT 1",
    );
    return found.get(name, STILL_RUNS);
  }

  /** The action with an id. */
  action(id: string): ActionRow | undefined {
    return this.database.prepare<[string], ActionRow>('SELECT * FROM actions WHERE action_id = ?').get(id);
  }

  /** Everything that a run decided, in order. Throws NOT_FOUND, with where to look, where that is in an archive. */
  decisionsOf(run: string): DecisionRecord[] {
    return this.snapshot(() => {
      this.refuseArchived(run);
      return this.database.prepare<[string], DecisionRecord>('SELECT * FROM decisions WHERE run_id = ? ORDER BY seq').all(run);
    });
  }

  /** Throws NOT_FOUND, with where to look, where the decisions of a run are in an archive. */
  refuseArchived(run: string): void {
    refuseArchived(this.database, this.path, run);
  }

  /** When the last decision of a run was made, as an ISO time. */
  lastOfRun(run: string): string | undefined {
    return this.database.prepare<[string], string>('SELECT at FROM decisions WHERE run_id = ? ORDER BY seq DESC LIMIT 1').pluck().get(run);
  }

  /** The run that had begun last at an ISO time. */
  runAt(at: string): RunRow | undefined {
    return this.database.prepare<[string], RunRow>('SELECT * FROM runs WHERE started_at <= ? ORDER BY rowid DESC LIMIT 1').get(at);
  }

  /** The largest size at spread 0 of each product. */
  learned(): LearnedSize[] {
    return learnedSizes(this.database);
  }

  /** The last decision's number and hash. */
  end(): ChainEnd | undefined {
    return this.database.prepare<[], ChainEnd>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1').get();
  }

  /** The last `count` decisions, oldest first. */
  tail(count: number): DecisionRecord[] {
    return this.database
      .prepare<[number], DecisionRecord>('SELECT * FROM (SELECT * FROM decisions ORDER BY seq DESC LIMIT ?) ORDER BY seq')
      .all(count);
  }

  /** Up to `limit` decisions after row `seq`, for following a journal that grows. */
  after(seq: number, limit: number): DecisionRecord[] {
    return this.database
      .prepare<[number, number], DecisionRecord>('SELECT * FROM decisions WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(seq, limit);
  }

  /** The decisions about an order up to row `seq`, in order. */
  rowsOf(order: string, seq: number): DecisionRecord[] {
    return this.database
      .prepare<[string, number], DecisionRecord>('SELECT * FROM decisions WHERE order_id = ? AND seq <= ? ORDER BY seq')
      .all(order, seq);
  }

  decision(seq: number): DecisionRecord | undefined {
    return this.database.prepare<[number], DecisionRecord>('SELECT * FROM decisions WHERE seq = ?').get(seq);
  }

  /** Everything about an order; undefined when no row knows it. Throws NOT_FOUND, with where to look, where that is in an archive. */
  story(orderId: string): Story | undefined {
    return this.snapshot(() => this.readStory(orderId));
  }

  /** Finds rows by the names that people use: `named-rows.ts`. */
  named<Found>(ask: (database: Database.Database) => Found): Found {
    return ask(this.database);
  }

  private readStory(orderId: string): Story | undefined {
    const order = this.database.prepare<[string], OrderRow>('SELECT * FROM orders WHERE order_id = ?').get(orderId) ?? null;
    if (order) this.refuseArchived(order.run_id);
    const decisions = this.database
      .prepare<[string], DecisionRecord>('SELECT * FROM decisions WHERE order_id = ? ORDER BY seq')
      .all(orderId);
    if (decisions.length === 0) return undefined;
    return {
      order,
      decisions,
      ledger: this.database.prepare<[string], LedgerRow>('SELECT * FROM ledger WHERE order_id = ? ORDER BY entry_id').all(orderId),
      decidedAt: this.database.prepare<[string], string>(DECIDED_AT).pluck().get(orderId) ?? null,
    };
  }

  /** Decisions by kind and reason, the most frequent first; `kind`: of this kind alone. A row that closes a streak stands for all in between. */
  reasons(top: number, kind: string | null = null): ReasonCount[] {
    return this.database
      .prepare<[string | null, number], ReasonCount>(
        `SELECT kind, reason, sum(coalesce(json_extract(detail, '$.repeated') - 1, 1)) AS count, max(at) AS last_at
         FROM decisions WHERE kind = coalesce(?, kind) GROUP BY kind, reason ORDER BY count DESC, kind, reason LIMIT ?`,
      )
      .all(kind, top);
  }

  /** Where the decisions are that `runs` and `reasons` do not count; undefined without archives. */
  uncounted(): string | undefined {
    return uncountedText(this.database, this.path);
  }

  /** Orders whose outcome is not known, oldest first. */
  openOrders(): OrderRow[] {
    return this.database.prepare<[], OrderRow>("SELECT * FROM orders WHERE state IN ('intent', 'sent', 'unknown') ORDER BY rowid").all();
  }

  /** Orders, newest first, with what was decided about them. */
  orders(query: OrderQuery): OrderDetails[] {
    return toldOrders(this.database, query);
  }

  /** Where the decisions about orders are that the journal has no more, a line for each archive. */
  archivedOrders(orders: readonly string[]): readonly string[] {
    return archivedOrders(this.database, this.path, orders);
  }

  /** Every execution that stood, in order. */
  fills(): PastFill[] {
    return fillsOf(this.database);
  }

  /** The tag of each order whose intent had one. */
  tags(): ReadonlyMap<string, string> {
    const rows = this.database
      .prepare<[], { order_id: string; tag: string }>(
        `SELECT order_id, json_extract(detail, '$.tag') AS tag FROM decisions
         WHERE kind = 'intent' AND order_id IS NOT NULL AND json_extract(detail, '$.tag') IS NOT NULL`,
      )
      .all();
    return new Map(rows.map(({ order_id, tag }) => [order_id, tag]));
  }

  /** Orders of a product whose outcome was open at an ISO time, oldest first. */
  openAt(product: string, at: string): OrderRow[] {
    return this.database
      .prepare<[string, string, string], OrderRow>(
        'SELECT * FROM orders WHERE lower(product) = ? AND intent_at <= ? AND (settled_at IS NULL OR settled_at > ?) ORDER BY rowid',
      )
      .all(product, at, at);
  }

  /** Everything booked, in order. Names are in small letters, also those of older journals. */
  *ledger(): Iterable<LedgerRow> {
    for (const row of ledgerRows(this.database)) yield inSmallLetters(row);
  }

  /** Movements of money that belong to no execution, in order: capital, deposits, financing, corrections. */
  flows(): LedgerRow[] {
    return this.database
      .prepare<[], LedgerRow>("SELECT * FROM ledger WHERE kind NOT IN ('fill', 'fee') ORDER BY entry_id")
      .all()
      .map(inSmallLetters);
  }

  /** Base currency of each product that was ever traded. */
  baseCurrencies(): Map<string, string> {
    const products = this.database
      .prepare<[], { product: string; order: string }>('SELECT lower(product) AS product, min(order_id) AS "order" FROM orders GROUP BY 1')
      .all();
    const base = this.database
      .prepare<[string], string>(
        `SELECT lower(json_extract(detail, '$.order.baseCcy')) FROM decisions WHERE order_id = ? AND kind = 'approved'`,
      )
      .pluck();
    const currencies = new Map<string, string>();
    for (const { product, order } of products) {
      const currency = base.get(order);
      if (currency) currencies.set(product, currency);
    }
    return currencies;
  }

  /** What was asked of the service's strategies, oldest first, the newest `limit` of them. */
  remoteActions(limit: number): ActionRow[] {
    return this.database
      .prepare<[number], ActionRow>("SELECT * FROM actions WHERE action LIKE 'remote.%' ORDER BY rowid DESC LIMIT ?")
      .all(limit)
      .reverse();
  }

  /** Everything latched now, or at an ISO time. */
  latches(at?: string): Latch[] {
    return latchesOf(this.database, at);
  }

  close(): void {
    this.database.close();
  }
}
