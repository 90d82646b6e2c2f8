import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { KairosError, messageOf } from '#domain/errors.ts';

/** The application id in the header of a venue's database: "KVNU". */
const APPLICATION_ID = 0x4b564e55;
/** How long a commit waits for another process's lock, in milliseconds. */
const BUSY_MS = 1000;

/** The changes of each version of the tables; `user_version` is their number. */
const VERSIONS: readonly string[] = [
  `
  CREATE TABLE openings (user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (user_id, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE balances (user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (user_id, currency)) STRICT, WITHOUT ROWID;
  CREATE TABLE executions (
    order_id TEXT PRIMARY KEY, quote_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, side TEXT NOT NULL, product TEXT NOT NULL,
    price TEXT NOT NULL, size TEXT NOT NULL, value TEXT NOT NULL, fee TEXT NOT NULL, fee_ccy TEXT NOT NULL, executed_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE refusals (at TEXT NOT NULL, quote_id TEXT, user_id TEXT, status INTEGER NOT NULL, error_code TEXT NOT NULL) STRICT;
  CREATE TABLE actions (at TEXT NOT NULL, action TEXT NOT NULL) STRICT;
`,
  `
  CREATE TABLE signing_keys (name TEXT PRIMARY KEY, key TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (session_id TEXT PRIMARY KEY, username TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE account_balances (
    account_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (account_id, currency)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE strategies (number INTEGER PRIMARY KEY, strategy_id TEXT NOT NULL UNIQUE, child_id TEXT NOT NULL UNIQUE, record TEXT NOT NULL) STRICT;
  CREATE TABLE deposits (
    transfer_id TEXT PRIMARY KEY, at TEXT NOT NULL, user_id TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, source TEXT NOT NULL
  ) STRICT;
  CREATE TABLE notifications (
    id INTEGER PRIMARY KEY, created_at TEXT NOT NULL, user_id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL,
    attempts INTEGER NOT NULL, first_timestamp TEXT, next_at_ms INTEGER, last_at TEXT, last_result TEXT
  ) STRICT;
  CREATE INDEX notifications_due ON notifications (next_at_ms) WHERE next_at_ms IS NOT NULL;
`,
  `
  CREATE TABLE market (
    seed TEXT NOT NULL, product TEXT NOT NULL, walk TEXT NOT NULL, resume_ms INTEGER NOT NULL, PRIMARY KEY (seed, product)
  ) STRICT, WITHOUT ROWID;
`,
];
const VERSION = VERSIONS.length;

/**
 * Opens the venue's database with its tables, in WAL mode with durable commits. Throws VENUE_DATABASE if the file cannot
 * be opened, is something else, or is another venue's.
 */
export function openVenueDatabase(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    db = new Database(path, { timeout: BUSY_MS });
    const version = db.pragma('user_version', { simple: true });
    const mark = db.pragma('application_id', { simple: true });
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    if (tables !== 0 && (mark !== APPLICATION_ID || typeof version !== 'number' || version > VERSION)) {
      throw new Error(
        mark === APPLICATION_ID ? `its schema is ${version}, and this venue reads ${VERSION}` : 'it is not the database of a paper venue',
      );
    }
    if (path !== ':memory:') keepForOwner(realpathSync(path));
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    if (path !== ':memory:') keepOthersOut(db, realpathSync(path));
    bringTables(db);
    return db;
  } catch (error) {
    db?.close();
    const mend =
      error instanceof UsedElsewhere
        ? 'end that one, or set venue.database to another file'
        : 'set venue.database to another file, or move this one away';
    throw new KairosError('VENUE_DATABASE', `${path}: the paper venue cannot use this file: ${messageOf(error)}; ${mend}`, {
      cause: error,
    });
  }
}

class UsedElsewhere extends Error {}

/** Makes the database readable for the owner alone, with what a killed venue left. */
function keepForOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/**
 * One venue a file: it keeps its strategies in memory. The lock on a file beside it ends with the connection, also after
 * a SIGKILL, and other programs may read the database.
 */
function keepOthersOut(db: Database.Database, path: string): void {
  const lock = `${path}.lock`;
  try {
    db.prepare('ATTACH ? AS lock').run(lock);
    chmodSync(lock, 0o600);
    db.pragma('lock.locking_mode = EXCLUSIVE');
    db.pragma('lock.journal_mode = MEMORY');
    // The first write takes the lock.
    db.pragma('lock.user_version = 1');
  } catch (error) {
    const isHeld = error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY';
    throw isHeld ? new UsedElsewhere('another venue uses it', { cause: error }) : error;
  }
}

/** Adds missing tables. */
function bringTables(db: Database.Database): void {
  db.transaction(() => {
    const version = Number(db.pragma('user_version', { simple: true }));
    for (const tables of VERSIONS.slice(version)) db.exec(tables);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  }).immediate();
}
