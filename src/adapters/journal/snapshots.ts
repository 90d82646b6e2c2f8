import { hash as digest } from 'node:crypto';
import type Database from 'better-sqlite3';
import { messageOf } from '#domain/errors.ts';
import { type JournalState, NO_ROWS, NO_STATE, type RowEnd, rowEnd, stateAfter } from './journal-state.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** A row of `snapshots`. */
export interface SnapshotRow {
  /** The last decision that it stands for. */
  readonly seq: number;
  /** The last row of the ledger by then. */
  readonly entry_id: number;
  /** The state, as JSON. */
  readonly state: string;
  readonly hash: string;
}

/** What the rows up to an end come to. */
interface StateAtEnd {
  readonly end: RowEnd;
  readonly journalState: JournalState;
}

/** Rows after which another snapshot is due: so few that reading them between two quotes takes some 5 ms. */
const EVERY = 2_000;

/** Ties a snapshot to its decision: the chain's hash there, and its own columns. */
export function snapshotHash(decisionHash: string, { seq, entry_id, state }: Omit<SnapshotRow, 'hash'>): string {
  return digest('sha256', decisionHash + JSON.stringify([seq, entry_id, state]), 'hex');
}

/**
 * What a journal's rows come to, kept now and then, so that a start reads only the rows behind. A snapshot that does not belong
 * to the decisions is set aside: then all of them are read.
 */
export class Snapshots {
  private readonly database: Database.Database;
  private known: StateAtEnd | undefined;
  private kept: number;
  /** Why the last snapshot was not used; null if nothing is wrong with it. */
  fault: string | null = null;

  constructor(database: Database.Database) {
    this.database = database;
    this.kept = newest(database)?.seq ?? 0;
  }

  /** What all rows so far come to; those read before are not read again. Writes nothing. */
  journalState(): JournalState {
    return this.upToDate().journalState;
  }

  /** True once another one is due; without a due one a start reads a little more. `seq`: the last row. */
  isDue(seq: number): boolean {
    return seq - this.kept >= EVERY || this.fault !== null;
  }

  /** Keeps what all rows so far come to instead of what was kept before. To be called within a transaction. */
  keep(): void {
    const { database } = this;
    const { end, journalState } = this.upToDate();
    const state = JSON.stringify(journalState);
    const { seq, entry: entry_id } = end;
    const decisionHash = hashAt(database, seq);
    if (decisionHash === undefined) return;
    database.prepare('DELETE FROM snapshots').run();
    database
      .prepare<[SnapshotRow]>('INSERT INTO snapshots (seq, entry_id, state, hash) VALUES (@seq, @entry_id, @state, @hash)')
      .run({ seq, entry_id, state, hash: snapshotHash(decisionHash, { seq, entry_id, state }) });
    this.kept = seq;
    this.fault = null;
  }

  private upToDate(): StateAtEnd {
    const { end: from, journalState } = this.known ?? this.read();
    const end = rowEnd(this.database);
    this.known = { end, journalState: stateAfter(this.database, journalState, { from, to: end }) };
    return this.known;
  }

  private read(): StateAtEnd {
    const nothing = { end: NO_ROWS, journalState: NO_STATE };
    const row = newest(this.database);
    if (!row) return nothing;
    const { seq, entry_id: entry } = row;
    try {
      const decisionHash = hashAt(this.database, seq);
      if (decisionHash !== undefined && row.hash === snapshotHash(decisionHash, row)) {
        return { end: { seq, entry }, journalState: JSON.parse(row.state) as JournalState };
      }
      this.fault = `the snapshot of row ${seq} does not belong to the decisions`;
    } catch (error) {
      this.fault = `the snapshot of row ${seq} cannot be read (${messageOf(error)})`;
    }
    return nothing;
  }
}

/** The snapshot of a journal, if there is one; that of an earlier schema says less, and the next start sets it aside. */
export function storedSnapshot(database: Database.Database): SnapshotRow | undefined {
  return Number(database.pragma('user_version', { simple: true })) < SCHEMA_VERSION ? undefined : newest(database);
}

/** What a snapshot of the rows up to `end` has to say, by reading all of them. */
export function stateUpTo(database: Database.Database, end: RowEnd): string {
  return JSON.stringify(stateAfter(database, NO_STATE, { from: NO_ROWS, to: end }));
}

function newest(database: Database.Database): SnapshotRow | undefined {
  return database.prepare<[], SnapshotRow>('SELECT * FROM snapshots ORDER BY seq DESC LIMIT 1').get();
}

function hashAt(database: Database.Database, seq: number): string | undefined {
  return database.prepare<[number], string>('SELECT hash FROM decisions WHERE seq = ?').pluck().get(seq);
}
