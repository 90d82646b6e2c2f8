import type Database from 'better-sqlite3';
import type { Decision } from '#domain/decision.ts';
import type { Millis } from '#domain/names.ts';
import { BUSY_MS } from './database.ts';
import { commitFault, isBusy } from './fault.ts';
import { CHAIN_START, type ChainEnd, type DecisionRecord, decisionOf, recordOf } from './records.ts';
import { type OrderRow, PROJECTED, project, type Tables } from './tables.ts';

/** A permitted order whose row in `orders` is still to be written, and the number of the decision that permits it. */
interface OwedRow {
  readonly row: OrderRow;
  readonly seq: number;
}

/** What one transaction does: rows of a run, and what is done besides. */
interface Transaction {
  readonly run?: string;
  readonly decisions?: readonly Decision[];
  readonly besides?: () => void;
}

/** Orders in these states may still change; rows of others are read when a late report comes. */
const OPEN: ReadonlySet<OrderRow['state']> = new Set(['intent', 'sent', 'unknown']);

interface RowWriterOptions {
  readonly tables: Tables;
  /** Named where a transaction fails. */
  readonly named: string;
  /** Called before each transaction. */
  readonly before: () => void;
}

/**
 * Appends decisions to the chain and changes the other tables as they say, in transactions of which each is whole or not at all; on a
 * database whose `synchronous` is FULL.
 *
 * It remembers its own rows, so that a commit reads nothing back: the end of the chain, and the orders whose outcome is open. An order is
 * sent once its permission is committed, so that commit writes decisions alone and is quick: the order's own row is owed until the next
 * transaction of another kind writes it, or after a crash the next opening of the journal. The watermark is the last decision up to which
 * every permitted order has its row.
 */
export class RowWriter {
  private readonly database: Database.Database;
  private readonly options: RowWriterOptions;
  private readonly tables: Tables;
  private readonly beginning: Database.Statement<[]>;
  private readonly commit: Database.Statement<[]>;
  private readonly rollback: Database.Statement<[]>;
  /** How long the next transaction waits for another program's lock. */
  private waitMs = BUSY_MS;
  /** True while the next transaction has its lock. */
  private isReserved = false;
  /** The time of the last decision. */
  lastAt: Millis = 0;
  /** The end of the chain as it was committed; undefined before the first transaction, and after one that failed. */
  private last: ChainEnd | undefined;
  /** The last row that is certainly on disk. */
  durable: ChainEnd = CHAIN_START;
  /** How many transactions were written. */
  written = 0;
  private next: ChainEnd | undefined;
  private readonly open = new Map<string, OrderRow>();
  private owed: readonly OwedRow[] = [];
  /** What the open transaction changes: orders, orders that it permits, and the last decision whose order it has written. */
  private readonly changed = new Map<string, OrderRow>();
  private added: OwedRow[] = [];
  private writtenUpTo: number | null = null;

  constructor(database: Database.Database, options: RowWriterOptions) {
    this.database = database;
    this.options = options;
    this.tables = options.tables;
    this.beginning = database.prepare('BEGIN IMMEDIATE');
    this.commit = database.prepare('COMMIT');
    this.rollback = database.prepare('ROLLBACK');
  }

  /** The row that the next decision follows. */
  get end(): ChainEnd {
    this.next ??= this.last ?? this.tables.end();
    return this.next;
  }

  /** True while an order that was permitted lacks its row in `orders`. */
  get owesOrders(): boolean {
    return this.owed.length > 0;
  }

  /** Writes the rows of orders that are owed. Within a transaction. */
  writeOrders(): void {
    for (const { row, seq } of this.waiting()) {
      this.tables.apply({ table: 'orders', how: 'insert', row });
      this.writtenUpTo = seq;
    }
    this.added = [];
  }

  /** Notes that no row of an order is owed for any decision so far. To be called behind `writeOrders`. */
  allOrdersWritten(): void {
    this.writtenUpTo = this.end.seq;
  }

  /**
   * Takes the lock of writers for the next transaction, which then cannot find it taken. Throws JOURNAL_BUSY or JOURNAL_FAULT. Who has
   * waited in vain waits no more until the lock was free: quotes come meanwhile.
   */
  reserve(): void {
    if (this.isReserved) return;
    try {
      this.beginning.run();
      this.isReserved = true;
      if (this.waitMs !== BUSY_MS) this.wait(BUSY_MS);
    } catch (error) {
      if (isBusy(error)) this.wait(0);
      throw commitFault(error, this.options.named);
    }
  }

  /** Gives the lock back where nothing needed it. */
  release(): void {
    if (!this.isReserved) return;
    this.isReserved = false;
    this.rollback.run();
  }

  /** One transaction, on the disk on return. Throws JOURNAL_BUSY or JOURNAL_FAULT. */
  write({ run = '', decisions = [], besides }: Transaction): void {
    const { named, before } = this.options;
    before();
    try {
      this.reserve();
      this.isReserved = false;
      let end = this.next ?? this.tables.end();
      for (const decision of decisions) {
        const record = recordOf(decision, run, end);
        this.tables.addDecision(record);
        if (PROJECTED.has(decision.kind)) this.project(run, decision, record);
        end = record;
        this.lastAt = Math.max(this.lastAt, decision.at);
      }
      this.next = end;
      besides?.();
      // An order waits for its permission, and its row follows from that.
      if (this.added.length === 0) this.writeOrders();
      if (this.writtenUpTo !== null) this.tables.setWatermark(this.writtenUpTo);
      this.commit.run();
      this.last = end;
      this.durable = end;
      this.written += 1;
      for (const row of this.changed.values()) {
        if (OPEN.has(row.state)) this.open.set(row.order_id, row);
        else this.open.delete(row.order_id);
      }
      this.owed = this.waiting();
    } catch (error) {
      // All but what was owed before it is forgotten, and read again.
      this.last = undefined;
      this.next = undefined;
      this.open.clear();
      if (this.database.inTransaction) this.rollback.run();
      throw commitFault(error, named);
    } finally {
      this.changed.clear();
      this.added = [];
      this.writtenUpTo = null;
    }
  }

  /** The same, handed to the operating system on return, so that it survives the process; on disk with the next `write`, or once the log is synced. */
  writeUnsynced(transaction: Transaction): void {
    // Within a transaction SQLite does not change how it syncs.
    this.release();
    const { durable } = this;
    this.database.pragma('synchronous = NORMAL');
    try {
      this.write(transaction);
    } finally {
      this.durable = durable;
      this.database.pragma('synchronous = FULL');
    }
  }

  private wait(ms: Millis): void {
    this.database.pragma(`busy_timeout = ${ms}`);
    this.waitMs = ms;
  }

  /** Orders whose rows are not written, in their order. */
  private waiting(): readonly OwedRow[] {
    return this.writtenUpTo === null ? [...this.owed, ...this.added] : this.added;
  }

  private project(run: string, decision: Decision, record: DecisionRecord): void {
    const { orderId, kind } = decision;
    // A permission begins its order: who has its id or its quote already is found when it is owed.
    const before =
      orderId === null || kind === 'approved'
        ? undefined
        : (this.changed.get(orderId) ??
          this.open.get(orderId) ??
          this.tables.order(orderId) ??
          this.owed.find(({ row }) => row.order_id === orderId)?.row);
    // Arguments are anything: taken from the row as it will be read, so that a rebuild comes to the same. The rest is text.
    const kept = kind === 'action' ? decisionOf(record) : decision;
    for (const change of project(run, kept, before)) {
      if (change.table === 'orders') this.changed.set(change.row.order_id, change.row);
      if (change.table === 'orders' && change.how === 'insert') this.owe(change.row, record.seq);
      else {
        this.writeOrders();
        this.tables.apply(change);
      }
    }
  }

  /** Throws when an earlier order has the id or uses the quote. */
  private owe(row: OrderRow, seq: number): void {
    const { order_id, quote_id } = row;
    const other =
      this.tables.claimant(order_id, quote_id) ??
      this.waiting().find(({ row }) => row.order_id === order_id || row.quote_id === quote_id)?.row;
    if (other) throw new Error(`orders.${other.order_id === order_id ? 'order_id' : 'quote_id'}: order ${other.order_id} has it already`);
    this.added.push({ row, seq });
  }
}

/** Above so many waiting rows, those that say only why nothing was done are dropped. */
const KEPT = 10_000;

/** Number of rows that are written even without a commit or flush. */
const WRITTEN_AT = 1_000;

/** Nothing is rebuilt from them at a restart. */
const DROPPED: ReadonlySet<Decision['kind']> = new Set<Decision['kind']>(['refused', 'hold', 'blocked']);

const isDropped = ({ orderId, kind }: Decision): boolean => orderId === null && DROPPED.has(kind);

/**
 * Decisions that wait for the next commit. Bounded: when commits keep failing, the oldest that says only why nothing was done is dropped
 * and counted, and first of all those of attempts that found the journal held.
 */
export class PendingDecisions {
  rows: Decision[] = [];
  /** Rows lost since the start. */
  dropped = 0;
  private dueAt = WRITTEN_AT;

  /** Takes rows. True once a thousand wait; while they cannot be written, again with each further thousand. */
  add(decisions: readonly Decision[]): boolean {
    this.rows.push(...decisions);
    while (this.rows.length > KEPT) {
      const held = this.rows.findIndex((row) => row.reason === 'JOURNAL_BUSY' && isDropped(row));
      const oldest = held < 0 ? this.rows.findIndex(isDropped) : held;
      if (oldest < 0) break;
      this.rows.splice(oldest, 1);
      this.dropped += 1;
    }
    if (this.rows.length < this.dueAt) return false;
    this.dueAt = this.rows.length + WRITTEN_AT;
    return true;
  }

  clear(): void {
    this.rows = [];
    this.dueAt = WRITTEN_AT;
  }
}
