import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { KairosError, messageOf } from '../../domain/errors.ts';

/** Version of the tables, kept in `user_version`. */
const VERSION = 1;
/** The mark in the file's header by which a venue's database is known: "KVNU". */
const APPLICATION_ID = 0x4b564e55;
/** How long a commit waits for another process that holds the file. */
const BUSY_MS = 1000;

const TABLES = `
  CREATE TABLE openings (user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (user_id, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE balances (user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (user_id, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE executions (
    order_id TEXT PRIMARY KEY, quote_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, side TEXT NOT NULL, product TEXT NOT NULL,
    price TEXT NOT NULL, size TEXT NOT NULL, value TEXT NOT NULL, fee TEXT NOT NULL, fee_ccy TEXT NOT NULL, executed_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE refusals (at TEXT NOT NULL, quote_id TEXT, user_id TEXT, status INTEGER NOT NULL, error_code TEXT NOT NULL) STRICT;
  CREATE TABLE actions (at TEXT NOT NULL, action TEXT NOT NULL) STRICT;
`;

/**
 * Opens the venue's database, with its tables, in WAL mode and with every commit on the disk before it returns.
 * Throws VENUE_DATABASE where the file cannot be opened or is something else.
 */
export function openVenueDatabase(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    db = new Database(path, { timeout: BUSY_MS });
    if (path !== ':memory:') chmodSync(path, 0o600);
    const version = db.pragma('user_version', { simple: true });
    const mark = db.pragma('application_id', { simple: true });
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    if (tables !== 0 && (mark !== APPLICATION_ID || version !== VERSION)) {
      throw new Error(
        mark === APPLICATION_ID ? `it has version ${version}, this is version ${VERSION}` : 'it is no database of a paper venue',
      );
    }
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    createTables(db);
    return db;
  } catch (error) {
    db?.close();
    const mend = 'set venue.database to another file, or move this one away';
    throw new KairosError('VENUE_DATABASE', `${path}: the paper venue cannot use this file: ${messageOf(error)}; ${mend}`, {
      cause: error,
    });
  }
}

/** Two venues may start on one new file at once: the second finds the first one's tables. */
function createTables(db: Database.Database): void {
  db.transaction(() => {
    if (db.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
    db.exec(TABLES);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  }).immediate();
}
