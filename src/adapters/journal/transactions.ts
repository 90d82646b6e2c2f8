import type Database from 'better-sqlite3';
import { commitFault } from './fault.ts';
import type { RowWriter } from './row-writer.ts';

interface TransactionsOptions {
  /** Named where something fails. */
  readonly named: string;
  /** Called before each. */
  readonly before: () => void;
  /** What they write. */
  readonly rows: Pick<RowWriter, 'mark' | 'committed' | 'failed'>;
}

/** The transactions of the one writer, each whole or not at all, on a database whose `synchronous` is FULL. */
export class Transactions {
  private readonly database: Database.Database;
  private readonly options: TransactionsOptions;
  private readonly begin: Database.Statement<[]>;
  private readonly commit: Database.Statement<[]>;
  private readonly rollback: Database.Statement<[]>;
  private isReserved = false;

  constructor(database: Database.Database, options: TransactionsOptions) {
    this.database = database;
    this.options = options;
    this.begin = database.prepare('BEGIN IMMEDIATE');
    this.commit = database.prepare('COMMIT');
    this.rollback = database.prepare('ROLLBACK');
  }

  /** Takes the lock of writers for the next transaction, which then cannot find it taken. Throws JOURNAL_BUSY or JOURNAL_FAULT. */
  reserve(): void {
    if (this.isReserved) return;
    try {
      this.begin.run();
      this.isReserved = true;
    } catch (error) {
      throw commitFault(error, this.options.named);
    }
  }

  /** Gives the lock back where nothing needed it. */
  release(): void {
    if (!this.isReserved) return;
    this.isReserved = false;
    this.rollback.run();
  }

  /** On the disk on return. Throws JOURNAL_BUSY or JOURNAL_FAULT. */
  run(work: () => void): void {
    const { named, before, rows } = this.options;
    before();
    try {
      this.reserve();
      this.isReserved = false;
      work();
      rows.mark();
      this.commit.run();
      rows.committed();
    } catch (error) {
      rows.failed();
      if (this.database.inTransaction) this.rollback.run();
      throw commitFault(error, named);
    }
  }

  /** Handed to the operating system on return, so that it survives the process; on disk with the next `run`, or once the log is synced. */
  runUnsynced(work: () => void): void {
    // Within a transaction SQLite does not change how it syncs.
    this.release();
    this.database.pragma('synchronous = NORMAL');
    try {
      this.run(work);
    } finally {
      this.database.pragma('synchronous = FULL');
    }
  }
}
