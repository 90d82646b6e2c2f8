import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { journalFiles } from './files.ts';

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
