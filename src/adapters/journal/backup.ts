import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { KairosError, messageOf } from '#domain/errors.ts';
import { openForReading } from './database.ts';
import { createForOwner, identityOf, journalFiles } from './files.ts';
import { type VerifyResult, verifyCopy } from './verify.ts';

/** Pages per copy step: all, so that a daemon that writes meanwhile cannot make the copy start over. */
const ALL_PAGES = 2 ** 31 - 1;

/** How the file of a copy that is not finished ends, behind the name of the backup. */
export const PARTIAL = '.partial';

/**
 * Copies a journal to a file of its own, also while a daemon writes it: to a temporary file, checked from behind its newest archive to
 * its last row, synced, and only then put in place of an older backup, which stands until that moment (F52). What a copy that
 * was cut off has left is removed by the next to this file, or by `removeUnfinished`. Tells the share that is
 * checked, which takes longest. Returns what the check found; throws BACKUP_FAILED, or JOURNAL_BROKEN when
 * the journal itself is not whole.
 */
export async function backupJournal(
  path: string,
  to: string,
  onShare: (share: number) => void = () => {},
): Promise<Extract<VerifyResult, { ok: true }>> {
  const target = targetOf(path, to);
  const beside = `${target}${PARTIAL}`;
  const source = openForReading(journalFiles(path));
  try {
    removeUnfinished(beside);
    createForOwner(beside);
    await source.backup(beside, { progress: () => ALL_PAGES });
    makeWhole(beside);
    const result = verifyCopy(beside, dirname(journalFiles(path).database), onShare);
    if (!result.ok) {
      const { table, row, what } = result;
      throw new KairosError('JOURNAL_BROKEN', `journal ${path}: ${table} row ${row}: ${what}; the earlier backup is kept`);
    }
    sync(beside);
    renameSync(beside, target);
    sync(dirname(target));
    return result;
  } catch (error) {
    throw failure(to, error);
  } finally {
    source.close();
    removeUnfinished(beside);
  }
}

function failure(to: string, error: unknown): KairosError {
  if (error instanceof KairosError) return error;
  const text = `backup ${to} could not be written (${messageOf(error)}): an earlier backup is unchanged; make room or name another file`;
  return new KairosError('BACKUP_FAILED', text, { cause: error });
}

/** Where the backup goes. Throws USAGE for a folder, and for the journal itself; BACKUP_FAILED where its folder cannot be made. */
function targetOf(path: string, to: string): string {
  const target = resolve(to);
  if (existsSync(target) && !statSync(target).isFile()) {
    throw new KairosError('USAGE', `${to} is not a file: name the file of the backup`);
  }
  const journal = journalFiles(path).database;
  if (existsSync(target) && identityOf(target) === identityOf(journal)) {
    throw new KairosError('USAGE', `${to} is the journal itself: name another file`);
  }
  try {
    // As it was named, so that an error names it so as well.
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failure(to, error);
  }
  return target;
}

/** Makes a copy independent of its write-ahead log, so that one file is the whole journal. */
function makeWhole(file: string): void {
  const database = new Database(file);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Removes a copy that was cut off, by its file, and what SQLite has left beside it. */
export function removeUnfinished(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

function sync(file: string): void {
  const fd = openSync(file, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
