import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { KairosError } from '#domain/errors.ts';
import { openFault } from './fault.ts';
import { createForOwner, IN_MEMORY, type JournalFiles } from './files.ts';
import { heldIn } from './held.ts';
import { Lease } from './lease.ts';
import { showOwedOrders } from './owed-orders.ts';
import { APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION, schemaAfter } from './schema.ts';

/** Older versions of SQLite can lose rows when a write-ahead log is reset while another connection writes. */
const SQLITE_AT_LEAST = '3.51.3';

/** How long a write waits for another program's lock before it is refused, in milliseconds; the event loop is blocked meanwhile. */
export const BUSY_MS = 50;

/** Pages in the write-ahead log before a commit moves them to the file (16 MiB); a daemon has a thread that does so before (`Checkpoints`). */
const CHECKPOINT_PAGES = 4000;

/**
 * Opens a journal for writing, creates it where there is none, and brings its schema up to date. Throws
 * JOURNAL_UNUSABLE or JOURNAL_NEWER, in one line.
 */
export function openForWriting(files: JournalFiles): Database.Database {
  return guarded(files, () => {
    if (files.database !== IN_MEMORY) {
      createForOwner(files.database);
      refuseHardLinks(files);
    }
    const database = new Database(files.database, { timeout: BUSY_MS });
    return checked(database, files, () => {
      if (database.pragma('user_version', { simple: true }) === 0) refuseForeign(database, files);
      const kept = database.pragma('journal_mode = WAL', { simple: true });
      if (kept !== 'wal' && files.database !== IN_MEMORY) {
        throw new KairosError(
          'JOURNAL_UNUSABLE',
          `journal ${files.named}: its disk does not support a write-ahead log: set journal.path to a local disk`,
        );
      }
      database.pragma('synchronous = FULL');
      database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      migrate(database, MIGRATIONS);
    });
  });
}

/** Opens a journal to look at it, also while a daemon writes; takes no lease. Throws NOT_FOUND where there is none. */
export function openForReading(files: JournalFiles): Database.Database {
  return guarded(files, () => {
    if (!existsSync(files.database)) {
      const [held] = heldIn(dirname(files.database));
      const mend = held === undefined ? 'start a daemon, or check journal.path' : `a daemon runs on ${held}: --set journal.path=${held}`;
      throw new KairosError('NOT_FOUND', `there is no journal at ${files.named} yet: ${mend}`);
    }
    const database = new Database(files.database, { readonly: true, timeout: BUSY_MS });
    return checked(database, files, () => {
      if (database.pragma('user_version', { simple: true }) === 0) refuseForeign(database, files);
      if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
        throw new KairosError('JOURNAL_UNUSABLE', `journal ${files.named} is empty: start a daemon, or check journal.path`);
      }
      // A daemon writes what it owes within the turn; one that was killed in it left that to whoever looks.
      if (Lease.holder(files) === null) showOwedOrders(database);
    });
  });
}

/** Runs the steps that the file has not seen, each whole or not at all (F54). */
export function migrate(database: Database.Database, steps: readonly string[]): void {
  const done = Number(database.pragma('user_version', { simple: true }));
  for (const [index, step] of steps.entries()) {
    if (schemaAfter(index) <= done) continue;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(step);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${schemaAfter(index)}`);
      database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Throws JOURNAL_UNUSABLE when SQLite itself is too old to be trusted with a write-ahead log. */
export function assertSqliteVersion(version: string): void {
  const numbers = (text: string) => text.split('.').map(Number);
  const [major = 0, minor = 0, patch = 0] = numbers(version);
  const [minMajor = 0, minMinor = 0, minPatch = 0] = numbers(SQLITE_AT_LEAST);
  const ahead = major - minMajor || minor - minMinor || patch - minPatch;
  if (ahead >= 0) return;
  throw new KairosError(
    'JOURNAL_UNUSABLE',
    `SQLite ${version} can lose journal rows, and Kairos needs ${SQLITE_AT_LEAST} or newer: run npm ci`,
  );
}

function checked(database: Database.Database, files: JournalFiles, prepare: () => void): Database.Database {
  try {
    assertSqliteVersion(String(database.prepare('SELECT sqlite_version()').pluck().get()));
    refuseUnfit(database, files);
    prepare();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Under another name of the same file another process could write, with a lease and a write-ahead log of its own (F49). */
function refuseHardLinks(files: JournalFiles): void {
  const names = statSync(files.database).nlink;
  if (names <= 1) return;
  throw new KairosError(
    'JOURNAL_UNUSABLE',
    `journal ${files.named} has ${names} names (hard links): stop what runs under another one, then remove it, or set journal.path to another file`,
  );
}

function refuseUnfit(database: Database.Database, files: JournalFiles): void {
  const application = Number(database.pragma('application_id', { simple: true }));
  const version = Number(database.pragma('user_version', { simple: true }));
  if (application !== APPLICATION_ID && (application !== 0 || version !== 0)) throw foreign(files);
  if (version > SCHEMA_VERSION) {
    throw new KairosError(
      'JOURNAL_NEWER',
      `journal ${files.named} has schema ${version}, and this Kairos reads up to ${SCHEMA_VERSION}: use the newer Kairos, or another journal.path`,
    );
  }
}

/** A file without a version must be empty: anything in it belongs to another program. */
function refuseForeign(database: Database.Database, files: JournalFiles): void {
  if (database.prepare('SELECT 1 FROM sqlite_master').get()) throw foreign(files);
}

function foreign(files: JournalFiles): KairosError {
  return new KairosError(
    'JOURNAL_UNUSABLE',
    `journal ${files.named} is an SQLite file of another program: set journal.path to another file`,
  );
}

function guarded(files: JournalFiles, open: () => Database.Database): Database.Database {
  try {
    return open();
  } catch (error) {
    throw openFault(error, files.named);
  }
}
