import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { KairosError, messageOf } from '#domain/errors.ts';

const BALLAST_BYTES = 4 * 1024 * 1024;

/**
 * Lays a file of 4 MB beside a journal, which is given up when the disk is full, so that the halt itself can still be
 * written (F46). Throws JOURNAL_FAULT when there is no room for it now.
 */
export function reserveDiskSpace(file: string, journal: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size === BALLAST_BYTES) return;
  try {
    const fd = openSync(file, 'w', 0o600);
    try {
      const bytes = Buffer.alloc(BALLAST_BYTES, 'kairos ');
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    rmSync(file, { force: true });
    throw new KairosError(
      'JOURNAL_FAULT',
      `journal ${journal}: its disk has no 4 MB left (${messageOf(error)}): make room, then start again`,
    );
  }
}

/** True when an error, or what caused it, says that the disk takes no more. */
export function isDiskFull(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof Database.SqliteError && /SQLITE_(FULL|IOERR)/.test(at.code)) return true;
    if ('code' in at && at.code === 'ENOSPC') return true;
  }
  return false;
}
