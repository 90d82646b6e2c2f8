import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { journalFiles } from './files.ts';

/** Frames of the log, and those of them that are in the file by now. */
interface LogFrames {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Moves what stands in a journal's write-ahead log to its file, on a connection of its own: the writer commits on meanwhile.
 * For another thread than the writer's.
 */
export class Checkpoints {
  private readonly database: Database.Database;
  private readonly pageBytes: number;

  /** On the journal at `path`, which its writer has open. */
  constructor(path: string) {
    this.database = new Database(journalFiles(path).database, { fileMustExist: true });
    this.database.pragma('synchronous = FULL');
    this.pageBytes = Number(this.database.pragma('page_size', { simple: true }));
  }

  /** Moves what no reader still needs in the log; returns the bytes that remain because of a reader. Throws what the disk reports. */
  run(): number {
    const [row] = this.database.prepare<[], LogFrames>('PRAGMA wal_checkpoint(PASSIVE)').all();
    return row ? (row.log - row.checkpointed) * this.pageBytes : 0;
  }

  /** Idempotent. */
  close(): void {
    this.database.close();
  }
}

/**
 * Puts on the disk what another thread has handed to the operating system with `Journal.write`: it stands in the write-ahead
 * log, or was moved to the file, which SQLite syncs when it does so. Throws where the disk does not take it, or the log is gone.
 */
export function syncWritten(path: string): void {
  const log = openSync(`${journalFiles(path).database}-wal`, 'r+');
  try {
    fdatasyncSync(log);
  } finally {
    closeSync(log);
  }
}
