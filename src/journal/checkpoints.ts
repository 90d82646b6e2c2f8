import Database from 'better-sqlite3';
import { journalFiles } from './files.ts';

/**
 * Moves what stands in a journal's write-ahead log to its file, on a connection of its own: the writer commits on meanwhile.
 * For another thread than the writer's.
 */
export class Checkpoints {
  private readonly database: Database.Database;

  /** On the journal at `path`, which its writer has open. */
  constructor(path: string) {
    this.database = new Database(journalFiles(path).database, { fileMustExist: true });
    this.database.pragma('synchronous = FULL');
  }

  /** Moves what no reader still needs where it is. Throws what the disk says. */
  run(): void {
    this.database.pragma('wal_checkpoint(PASSIVE)');
  }

  /** Idempotent. */
  close(): void {
    this.database.close();
  }
}
