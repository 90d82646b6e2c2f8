import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { KairosError, messageOf } from '#domain/errors.ts';
import { oneLine } from '#domain/one-line.ts';
import { NOT_NEEDED, unreadText } from './archive-ends.ts';
import { archiveNames, archivesOf, passedOver } from './archives.ts';
import { openForReading } from './database.ts';
import { type JournalFiles, journalFiles } from './files.ts';
import { readMark } from './high-water.ts';
import { rowEnd } from './journal-state.ts';
import { owedOrders } from './owed-orders.ts';
import { decisionsAfter, type LedgerRow, ledgerRows } from './paging.ts';
import { breakIn, CHAIN_START, type ChainEnd, type DecisionRecord, decisionOf, hashOf } from './records.ts';
import { type SnapshotRow, snapshotHash, stateUpTo, storedSnapshot } from './snapshots.ts';
import { belowMark } from './start-checks.ts';
import { type ActionRow, type LedgerEntry, type NotificationRow, type OrderRow, project } from './tables.ts';

/** What a check of the whole journal found: how much is right, or the first row that is not. */
export type VerifyResult =
  | {
      readonly ok: true;
      readonly decisions: number;
      readonly orders: number;
      readonly ledger: number;
      readonly actions: number;
      readonly notifications: number;
      readonly hash: string;
      /** Its archives, files of their own, those of them that are missing, and those up to the last of these, whose rows were not checked. */
      readonly archives: readonly string[];
      readonly missing: readonly string[];
      readonly unchecked: readonly string[];
    }
  | { readonly ok: false; readonly table: string; readonly row: string; readonly what: string };

type Fault = Extract<VerifyResult, { ok: false }>;

/**
 * Checks a journal from its first row to its last: chain, gapless numbers, high-water mark, and that `orders`, `ledger`,
 * `actions`, `notifications` and the snapshot are what the decisions say. Reads only, also beside a running daemon. Tells the share
 * of rows that is checked. Its archives are sought beside it, and checked as well; behind those that
 * `journal.rotate.keepDays` removed, or that are missing, the check begins with the next. Throws what opening throws.
 */
export function verifyJournal(journal: string, onShare: (share: number) => void = () => {}): VerifyResult {
  return verified(journal, { onShare, folder: path.dirname(journalFiles(journal).database), all: false });
}

/** Checks a copy of a journal in the same way, but behind its archives, which are in `folder`: they do not change with the journal. */
export function verifyCopy(copy: string, folder: string, onShare: (share: number) => void): VerifyResult {
  return verified(copy, { onShare, folder, all: true });
}

interface Extent {
  readonly onShare: (share: number) => void;
  /** Where the archives are. */
  readonly folder: string;
  /** True to pass over all archives, where that can be. */
  readonly all: boolean;
}

/** What a rotation moves meanwhile is sought again, where it is then. */
function verified(journal: string, extent: Extent): VerifyResult {
  return verifiedAtRest(journal, extent) ?? verified(journal, extent);
}

/** Undefined where the archives changed meanwhile. */
function verifiedAtRest(journal: string, extent: Extent): VerifyResult | undefined {
  const files = journalFiles(journal);
  // What SQLite cannot read is a finding of the check, not a failure of it (F51), whether it is told at once or later.
  const unreadable = (error: unknown): VerifyResult => ({ ok: false, table: 'file', row: files.named, what: messageOf(error) });
  let database: Database.Database;
  try {
    database = openForReading(files);
  } catch (error) {
    const cause = causeOf(error);
    if (isCorruption(cause)) return unreadable(cause);
    throw error;
  }
  try {
    const archives = archivesOf(database);
    const verdict = verify(database, files, extent);
    if (!isDeepStrictEqual(archivesOf(database), archives)) return undefined;
    return verdict.ok ? verdict : { ...verdict, row: oneLine(verdict.row), what: oneLine(verdict.what) };
  } catch (error) {
    return unreadable(error);
  } finally {
    database.close();
  }
}

const isCorruption = (cause: unknown): boolean => cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_CORRUPT');

/** What SQLite says, where opening a journal says that it cannot be opened. */
const causeOf = (error: unknown): unknown => (error instanceof KairosError && isCorruption(error.cause) ? error.cause : error);

function verify(database: Database.Database, files: JournalFiles, extent: Extent): VerifyResult {
  const mark = readMark(files.mark);
  const rebuilt = new RebuiltTables(database, extent);
  const rows = () => decisionsAfter(database, rebuilt.end.seq);
  let fault = rebuilt.followArchives(database) ?? rebuilt.follow(rows());
  if (fault) return fault;
  // What the daemon wrote meanwhile, and the tables as they stand at the same instant, until the connection is closed.
  database.exec('BEGIN');
  fault = rebuilt.follow(rows());
  if (fault) return fault;
  const below = belowMark(database, mark, rebuilt.end);
  if (below) return { ok: false, table: 'decisions', row: String(mark?.seq), what: below };
  return rebuilt.compare(database);
}

/** What to do about an archive. */
const COPY = `: put back a copy of this archive; ${NOT_NEEDED}`;

const CHANGED = 'its hash does not match its columns: the row was changed';

/** Rows between two reports of progress. */
const TELL_EACH = 500;

/** The tables rebuilt from the decisions read so far. The ledger is compared on the way, so that it needs no memory. */
class RebuiltTables {
  end: ChainEnd = CHAIN_START;
  private readonly orders = new Map<string, OrderRow>();
  private readonly actions = new Map<string, ActionRow>();
  private readonly notifications = new Map<string, NotificationRow>();
  /** Finds a run, also one that began meanwhile. */
  private readonly findRun: Database.Statement<[string]>;
  private run: string | undefined;
  private readonly ledger: Iterator<LedgerRow, void>;
  private entries = 0;
  /** Hashes of rows that stayed when others were archived, and that were not found in an archive yet. */
  private readonly stayed = new Map<number, string>();
  private readonly extent: Extent;
  /** The row behind which the check begins. */
  private readonly begin: number = 0;
  /** Number of the last row when the check began. */
  private readonly last: number;
  /** The snapshot when the check began; a daemon may replace it meanwhile. */
  private readonly snapshot: SnapshotRow | undefined;
  /** Where the rows ended that it stands for. */
  private snapshotEnd: { readonly hash: string; readonly entry: number } | undefined;

  constructor(database: Database.Database, extent: Extent) {
    this.extent = extent;
    this.last = rowEnd(database).seq;
    this.snapshot = storedSnapshot(database);
    this.findRun = database.prepare('SELECT 1 FROM runs WHERE run_id = ?');
    const passed = passedOver(database, extent);
    this.ledger = ledgerRows(database, passed?.rows.ledger);
    if (!passed) return;
    // What followed from them stands as it is: there is nothing to compare it with.
    const { orders, ledger, actions, notifications } = passed.rows;
    this.end = passed;
    this.begin = passed.seq;
    this.entries = ledger;
    if (this.snapshot?.seq === passed.seq) this.snapshotEnd = { hash: passed.hash, entry: ledger };
    for (const row of firstOf<OrderRow>(database, 'orders', orders)) this.orders.set(row.order_id, row);
    for (const row of firstOf<ActionRow>(database, 'actions', actions)) this.actions.set(row.action_id, row);
    for (const row of firstOf<NotificationRow>(database, 'notifications', notifications)) this.notifications.set(row.id, row);
  }

  /** Checks the archived rows, and that rows which stayed are equal to their archived ones. */
  followArchives(database: Database.Database): Fault | null {
    const { folder } = this.extent;
    const archives = archivesOf(database);
    const stayed = database.prepare<[number], DecisionRecord>('SELECT * FROM decisions WHERE seq <= ? ORDER BY seq');
    for (const record of stayed.iterate(archives.at(-1)?.seq ?? 0)) {
      if (record.hash !== hashOf(record)) return { ok: false, table: 'decisions', row: String(record.seq), what: CHANGED };
      if (record.seq > this.end.seq) this.stayed.set(record.seq, record.hash);
    }
    for (const { file, seq, hash } of archives) {
      if (seq <= this.end.seq) continue;
      const bad = (what: string): Fault => ({ ok: false, table: 'archives', row: file, what });
      const from = path.join(folder, file);
      if (!existsSync(from)) return bad(`it is not in ${folder}, so rows ${this.end.seq + 1} to ${seq} are missing: put it back`);
      const unread: string[] = [];
      const fault = this.follow(archivedRows(from, this.end.seq, (why) => unread.push(why)));
      if (unread.length > 0) return bad(`it cannot be read (${unread})${COPY}`);
      // Where a table is at fault, that is the journal's own.
      if (fault) return bad(`${fault.table} row ${fault.row}: ${fault.what}${fault.table === 'decisions' ? COPY : ''}`);
      if (this.end.seq !== seq) return bad(`it ends at row ${this.end.seq}, not at row ${seq} as it did${COPY}`);
      if (this.end.hash !== hash) return bad(`it ends with another row ${seq}${COPY}`);
    }
    const [extra] = this.stayed.keys();
    return extra === undefined ? null : { ok: false, table: 'decisions', row: String(extra), what: 'it is another row in its archive' };
  }

  follow(records: Iterable<DecisionRecord>): Fault | null {
    for (const record of records) {
      const fault = this.check(record);
      if (fault) return fault;
      this.end = record;
      if (record.seq % TELL_EACH === 0) this.extent.onShare(Math.min(1, record.seq / this.last));
    }
    return null;
  }

  private check(record: DecisionRecord): Fault | null {
    const bad = (what: string): Fault => ({ ok: false, table: 'decisions', row: String(record.seq), what });
    const wrong = breakIn(this.end, record);
    if (wrong) return bad(wrong);
    if (this.stayed.get(record.seq) === record.hash) this.stayed.delete(record.seq);
    if (record.run_id !== this.run && !this.findRun.get(record.run_id)) return bad(`its run ${record.run_id} is not in runs`);
    this.run = record.run_id;
    try {
      const before = this.orders.get(record.order_id ?? '');
      for (const change of project(record.run_id, decisionOf(record), before)) {
        if (change.table === 'actions') this.actions.set(change.row.action_id, change.row);
        else if (change.table === 'notifications') this.notifications.set(change.row.id, change.row);
        else if (change.table === 'orders') this.orders.set(change.row.order_id, change.row);
        else {
          const fault = this.compareEntry(change.row);
          if (fault) return fault;
        }
      }
    } catch (error) {
      if (error instanceof Database.SqliteError) throw error;
      return bad(`its detail cannot be read (${messageOf(error)})`);
    }
    if (record.seq === this.snapshot?.seq) this.snapshotEnd = { hash: record.hash, entry: this.entries };
    return null;
  }

  private compareEntry(entry: LedgerEntry): Fault | null {
    this.entries += 1;
    const expected = { entry_id: this.entries, ...entry };
    const next = this.ledger.next();
    if (next.done) return missing('ledger', String(this.entries), `a ${entry.kind} of order ${entry.order_id}`);
    return differing('ledger', String(next.value.entry_id), expected, next.value);
  }

  compare(database: Database.Database): VerifyResult {
    const extra = this.ledger.next();
    if (!extra.done) return unfounded('ledger', String(extra.value.entry_id));
    const orders = [...database.prepare<[], OrderRow>('SELECT * FROM orders ORDER BY rowid').all(), ...owedOrders(database)];
    const actions = database.prepare<[], ActionRow>('SELECT * FROM actions ORDER BY rowid').all();
    const notifications = database.prepare<[], NotificationRow>('SELECT * FROM notifications ORDER BY rowid').all();
    return (
      compareTable('orders', { stored: orders, rebuilt: this.orders, keyOf: (row) => row.order_id }) ??
      compareTable('actions', { stored: actions, rebuilt: this.actions, keyOf: (row) => row.action_id }) ??
      compareTable('notifications', { stored: notifications, rebuilt: this.notifications, keyOf: (row) => row.id }) ??
      this.compareSnapshot(database) ?? {
        ok: true,
        decisions: this.end.seq,
        orders: orders.length,
        ledger: this.entries,
        actions: actions.length,
        notifications: notifications.length,
        hash: this.end.hash,
        ...archiveNames(database, this.extent.folder),
        unchecked: archivesOf(database).flatMap(({ file, seq }) => (file !== '' && seq <= this.begin ? file : [])),
      }
    );
  }

  private compareSnapshot(database: Database.Database): Fault | null {
    const { snapshot, snapshotEnd } = this;
    if (!snapshot) return null;
    const row = String(snapshot.seq);
    if (!snapshotEnd) return unfounded('snapshots', row);
    const own = { seq: snapshot.seq, entry_id: snapshotEnd.entry, state: stateUpTo(database, { ...snapshot, entry: snapshotEnd.entry }) };
    const fault = differing('snapshots', row, { ...own, hash: snapshotHash(snapshotEnd.hash, own) }, snapshot);
    return (
      fault && {
        ...fault,
        what: `${fault.what}; everything else is intact: stop the daemon and DELETE FROM snapshots; the next start makes another`,
      }
    );
  }
}

/** Rows of an archive after one. What cannot be read of it is told, and ends them. */
function* archivedRows(file: string, after: number, tell: (why: string) => void): Generator<DecisionRecord, void> {
  try {
    const archive = openForReading(journalFiles(file));
    try {
      yield* decisionsAfter(archive, after);
    } finally {
      archive.close();
    }
  } catch (error) {
    tell(unreadText(error));
  }
}

const firstOf = <Row>(database: Database.Database, table: string, count: number): Row[] =>
  database.prepare<[number], Row>(`SELECT * FROM ${table} ORDER BY rowid LIMIT ?`).all(count);

interface Comparison<Row> {
  readonly stored: readonly Row[];
  readonly rebuilt: ReadonlyMap<string, Row>;
  readonly keyOf: (row: Row) => string;
}

function compareTable<Row extends object>(table: string, { stored, rebuilt, keyOf }: Comparison<Row>): Fault | null {
  const seen = new Set<string>();
  for (const row of stored) {
    const key = keyOf(row);
    seen.add(key);
    const expected = rebuilt.get(key);
    if (!expected) return unfounded(table, key);
    const fault = differing(table, key, expected, row);
    if (fault) return fault;
  }
  for (const key of rebuilt.keys()) if (!seen.has(key)) return missing(table, key, 'a row');
  return null;
}

function differing(table: string, row: string, expected: object, stored: object): Fault | null {
  const columns = new Map<string, unknown>(Object.entries(stored));
  for (const [column, value] of Object.entries(expected)) {
    if (columns.get(column) !== value) {
      return { ok: false, table, row, what: `${column} is ${show(columns.get(column))}, the decisions say ${show(value)}` };
    }
  }
  return null;
}

const unfounded = (table: string, row: string): Fault => ({ ok: false, table, row, what: 'no decision leads to it' });

const missing = (table: string, row: string, what: string): Fault => ({
  ok: false,
  table,
  row,
  what: `${what} that the decisions lead to is missing`,
});

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
};
