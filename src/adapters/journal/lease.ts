import { existsSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { KairosError } from '#domain/errors.ts';
import { isBusy, openFault } from './fault.ts';
import { createForOwner, identityOf, type JournalFiles, readSmall, replaceFile } from './files.ts';

/** Long enough to wait for another process that only checks the lease, short enough to refuse at once, in milliseconds. */
const TAKE_MS = 100;

/** The process that holds a journal; `pid` is null if it is not known, or not yet. */
export interface LeaseHolder {
  readonly pid: number | null;
}

/**
 * One live process a journal: an exclusive transaction held on a file beside it for as long as the process lives. The
 * kernel ends it with the process, also after a SIGKILL, so that nothing stale can be left (F49).
 */
export class Lease {
  private readonly files: JournalFiles;
  private readonly database: Database.Database;
  private readonly identity: string;

  private constructor(files: JournalFiles, database: Database.Database) {
    this.files = files;
    this.database = database;
    this.identity = identityOf(files.lease) ?? '';
  }

  /** Takes the lease. Throws JOURNAL_LEASED, naming the process that has it, or JOURNAL_UNUSABLE. */
  static acquire(files: JournalFiles, pid: number): Lease {
    try {
      return Lease.taken(files, pid);
    } catch (error) {
      throw openFault(error, files.named);
    }
  }

  private static taken(files: JournalFiles, pid: number): Lease {
    createForOwner(files.lease);
    const database = new Database(files.lease, { timeout: TAKE_MS });
    try {
      // The note of a killed process is removed first, while nobody else can hold the lease: it would name the wrong process.
      database.exec('BEGIN IMMEDIATE');
      rmSync(files.pid, { force: true });
      database.exec('ROLLBACK');
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (!isBusy(error)) throw error;
      throw leased(files);
    }
    const lease = new Lease(files, database);
    try {
      replaceFile(files.pid, `${pid}\n`);
    } catch (error) {
      lease.release();
      throw error;
    }
    return lease;
  }

  /** Who holds the journal's lease now; null when nobody does. Takes nothing and changes nothing. */
  static holder(files: JournalFiles): LeaseHolder | null {
    if (!existsSync(files.lease)) return null;
    const database = new Database(files.lease, { readonly: true, timeout: 0 });
    try {
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      return null;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return { pid: pidIn(files.pid) };
    } finally {
      database.close();
    }
  }

  /** False once the lease's file was moved, removed or replaced, so that another process could take a lease as well. */
  get isIntact(): boolean {
    return identityOf(this.files.lease) === this.identity;
  }

  /** Gives the lease back. Idempotent. */
  release(): void {
    if (!this.database.open) return;
    rmSync(this.files.pid, { force: true });
    this.database.close();
  }
}

function leased(files: JournalFiles): KairosError {
  const pid = pidIn(files.pid);
  const who = pid === null ? 'another process' : `process ${pid}`;
  return new KairosError(
    'JOURNAL_LEASED',
    `journal ${files.named} is held by ${who}: stop the daemon first, or set journal.path to another file`,
  );
}

function pidIn(file: string): number | null {
  try {
    const pid = Number(readSmall(file));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    // The file only helps to name the process; the lock itself is the truth.
    return null;
  }
}
