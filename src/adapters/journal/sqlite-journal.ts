import { existsSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Decision } from '#domain/decision.ts';
import { invariant, KairosError } from '#domain/errors.ts';
import { isoTime, type Millis, type RunId } from '#domain/names.ts';
import type { Journal } from '#ports/journal.ts';
import { openForWriting } from './database.ts';
import { isDiskFull, reserveDiskSpace } from './disk-reserve.ts';
import { commitFault, isBusyFault, isOutOfDescriptors, openFault } from './fault.ts';
import { IN_MEMORY, identityOfJournal, type JournalFiles, journalFiles, removeJournal } from './files.ts';
import { HighWater } from './high-water.ts';
import { Lease } from './lease.ts';
import { completeOrders } from './owed-orders.ts';
import { type RecoveryState, recover } from './recovery.ts';
import { PendingDecisions, RowWriter } from './row-writer.ts';
import { Snapshots } from './snapshots.ts';
import { checkBook, checkEnd, checkThere } from './start-checks.ts';
import { type RunRow, Tables } from './tables.ts';

export type { RecoveryState } from './recovery.ts';

export interface JournalOptions {
  /** A file, created where there is none; `:memory:` keeps nothing. */
  readonly path: string;
  /** Mode, service address and user that the journal belongs to; null takes the book it has. */
  readonly book: string | null;
  /** Called before every commit: hands the inbox log to the operating system, so that no decision lacks its cause. */
  readonly beforeCommit: () => void;
  /** True for a new journal that is written once, and whole: nothing stands beside its file. */
  readonly writtenOnce?: boolean;
  /** Time for the end of a run; without it, that of the last decision. */
  readonly now?: () => Millis;
}

/** Flushes without a row after which the files are checked all the same: those of a second. */
const CHECKED_AFTER = 4;

/** What `runs` keeps of a run. */
interface RunFacts {
  readonly run: RunId;
  readonly at: Millis;
  readonly mode: string;
  readonly version: string;
  readonly configHash: string;
  /** The resolved configuration without secrets, as JSON. */
  readonly configJson: string;
}

/**
 * The decision journal: one SQLite file, one live process, one book. Each commit appends its rows to the chain and
 * changes `orders`, `ledger` and `actions` as they say, all in one durable transaction.
 */
export class SqliteJournal implements Journal {
  private readonly options: JournalOptions;
  private readonly files: JournalFiles;
  private readonly database: Database.Database;
  private readonly lease: Lease | null;
  private readonly identity: string;
  private readonly mark: HighWater | null;
  private readonly tables: Tables;
  private readonly rows: RowWriter;
  private readonly snapshots: Snapshots;
  private readonly deferred = new PendingDecisions();
  private run: RunId | null = null;
  /** Flushes since the files were checked, and how much was written by then. */
  private unchecked = 0;
  private checkedAt = -1;

  private constructor(options: JournalOptions, files: JournalFiles, lease: Lease | null) {
    this.options = options;
    this.files = files;
    this.lease = lease;
    this.database = openForWriting(files);
    try {
      this.tables = new Tables(this.database);
      this.rows = new RowWriter(this.database, { tables: this.tables, named: files.named, before: options.beforeCommit });
      this.snapshots = new Snapshots(this.database);
      checkEnd(this.database, files);
      checkBook(this.database, files, options.book);
      completeOrders(this.database, this.tables);
      this.identity = identityOfJournal(files);
      this.mark = isAlone(options) ? null : new HighWater(files.mark);
      this.rows.durable = this.tables.end();
    } catch (error) {
      this.database.close();
      throw openFault(error, files.named);
    }
  }

  /**
   * Opens a journal, creates it where there is none. Throws one line: JOURNAL_LEASED when another process has it,
   * BOOK_MISMATCH, JOURNAL_NEWER, JOURNAL_UNUSABLE, or JOURNAL_BROKEN when rows are missing or were changed, or the file
   * itself is missing under its mark. Leaves no new journal behind where it throws.
   */
  static open(options: JournalOptions): SqliteJournal {
    const files = journalFiles(options.path);
    checkThere(files);
    const lease = isAlone(options) ? null : Lease.acquire(files, process.pid);
    const isNew = !existsSync(files.database);
    try {
      return new SqliteJournal(options, files, lease);
    } catch (error) {
      if (isNew) removeJournal(files);
      lease?.release();
      throw error;
    }
  }

  /** The run that began last; undefined before the first. */
  get lastRun(): Pick<RunRow, 'run_id' | 'config_json'> | undefined {
    return this.database.prepare<[], RunRow>('SELECT * FROM runs ORDER BY rowid DESC LIMIT 1').get();
  }

  /** What earlier runs left: positions, open orders, latches, the order rate of the last minute before `now`. */
  recover(now: Millis): RecoveryState {
    return { ...recover(this.database, this.snapshots.journalState(), now), snapshotFault: this.snapshots.fault };
  }

  /** Begins a run, to which every later decision belongs. Earlier runs without an end are marked crashed. */
  beginRun(facts: RunFacts): void {
    const { run, at, mode, version, configHash, configJson } = facts;
    const book = this.options.book;
    invariant(book !== null, 'a run needs a book');
    const besides = (): void => {
      this.tables.addRun({
        run_id: run,
        book,
        started_at: isoTime(at),
        ended_at: null,
        mode,
        version,
        config_hash: configHash,
        config_json: configJson,
        end_state: null,
      });
      if (this.snapshots.isDue(this.rows.end.seq)) this.keepSnapshot();
    };
    this.rows.write({ besides });
    this.run = run;
    this.rows.lastAt = at;
  }

  /**
   * Durable on return, in order, behind all that was deferred. Throws JOURNAL_BUSY when another program held the file, JOURNAL_FAULT for
   * anything else; nothing was committed then, and what was deferred still waits. Without rows no other program may write until `flush`.
   */
  commit(decisions: readonly Decision[]): void {
    this.append(decisions);
    if (decisions.length === 0) this.rows.reserve();
  }

  /** Writes what was deferred and `decisions` behind it. `synced`: on the disk on return. */
  private append(decisions: readonly Decision[], synced = true): void {
    const { run, deferred } = this;
    const rows = deferred.rows.length === 0 ? decisions : [...deferred.rows, ...decisions];
    if (rows.length === 0) return;
    if (run === null) invariant(false, 'decisions belong to a run');
    if (synced) this.rows.write({ run, decisions: rows });
    else this.rows.writeUnsynced({ run, decisions: rows });
    if (deferred.rows.length > 0) deferred.clear();
  }

  /** Writes the rows of orders that commits have permitted; they follow from what is on the disk, so that nobody waits for it. Throws as `commit` does. */
  writeOrders(): void {
    // Each transaction without a permission writes what is owed.
    if (!this.rows.owesOrders) return;
    this.rows.writeUnsynced({});
  }

  /** Hands what was deferred to the operating system; whoever answers for it syncs the log (`syncWritten`). Without rows as `commit`; throws as it does. */
  write(): void {
    if (this.deferred.rows.length === 0) this.rows.reserve();
    else this.append([], false);
  }

  /** Keeps rows for the next commit or `flush`. Past a thousand they are written at once. */
  defer(decisions: readonly Decision[]): void {
    if (!this.deferred.add(decisions)) return;
    try {
      this.append([]);
    } catch (error) {
      // Busy is a refusal: the rows still wait, and the next commit or flush takes them along.
      if (!isBusyFault(error)) throw error;
    }
  }

  /** Writes what was deferred, checks that the files are still those that were opened, and moves the mark. Off the path of orders. Throws as `commit`. */
  flush(): void {
    this.rows.release();
    this.append([]);
    this.writeOrders();
    if (this.snapshots.isDue(this.rows.end.seq)) this.rows.write({ besides: () => this.keepSnapshot() });
    this.unchecked += 1;
    if (this.unchecked >= CHECKED_AFTER || this.rows.written !== this.checkedAt) this.checkFiles();
    this.noteMark();
  }

  /** Keeps 4 MB of the disk for the day on which it is full. Throws JOURNAL_FAULT when they are not there. */
  reserveDiskSpace(): void {
    if (this.files.database !== IN_MEMORY) reserveDiskSpace(this.files.ballast, this.files.named);
  }

  /** Deletes the reserved file if an error says that the disk is full, so that a halt can still be written. */
  makeRoom(error: unknown): void {
    if (isDiskFull(error)) rmSync(this.files.ballast, { force: true });
  }

  /** Rows that were dropped because commits kept failing. None belongs to an order. */
  get dropped(): number {
    return this.deferred.dropped;
  }

  /** Ends the run: `ended_at` and `end_state`. The first end stands. */
  end(run: RunId, endState: 'stopped' | 'halted' | 'crashed'): void {
    this.append([]);
    const at = isoTime(this.options.now?.() ?? this.rows.lastAt);
    const besides = (): void => {
      this.tables.closeRun(run, at, endState);
      this.keepSnapshot();
    };
    this.rows.write({ besides });
    this.noteMark();
  }

  /** Appends rows to a run that is over, for what a person says while no daemon runs. */
  appendTo(run: RunId, decisions: readonly Decision[]): void {
    this.rows.write({ run, decisions });
  }

  /** Writes what waits, closes the files and releases the lease. Idempotent. */
  close(): void {
    if (!this.database.open) return;
    try {
      this.rows.release();
      if (this.run !== null) this.append([]);
      this.writeOrders();
      this.noteMark();
      // Readers of a file without a write-ahead log make none.
      if (this.options.writtenOnce) this.database.pragma('journal_mode = DELETE');
    } finally {
      this.database.close();
      this.lease?.release();
    }
  }

  /** Keeps what all rows come to. Up to there no row of an order is owed, so that a start need not look for one. */
  private keepSnapshot(): void {
    this.rows.writeOrders();
    this.rows.allOrdersWritten();
    this.snapshots.keep();
  }

  private checkFiles(): void {
    this.unchecked = 0;
    this.checkedAt = this.rows.written;
    const moved = identityOfJournal(this.files) !== this.identity;
    if (!moved && this.lease?.isIntact !== false) return;
    const what = moved ? `${this.files.database} or its -wal` : this.files.lease;
    throw new KairosError('JOURNAL_FAULT', `${what} was moved, removed or replaced while in use: put it back and start again`);
  }

  private noteMark(): void {
    if (this.mark === null) return;
    try {
      const { seq, hash } = this.rows.durable;
      this.mark.note({ seq, hash });
    } catch (error) {
      // A mark that stays behind says nothing false, and follows when a descriptor is free (F63).
      if (isOutOfDescriptors(error)) return;
      throw commitFault(error, this.files.mark);
    }
  }
}

const isAlone = ({ path, writtenOnce }: JournalOptions): boolean => path === IN_MEMORY || writtenOnce === true;
