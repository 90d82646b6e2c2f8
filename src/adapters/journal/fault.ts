import Database from 'better-sqlite3';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isDiskFull } from './disk-reserve.ts';

/** True when SQLite refused because another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** True of the refusal that another program holds the journal: nothing was written, and a later write may succeed. */
export function isBusyFault(error: unknown): boolean {
  return error instanceof KairosError && error.code === 'JOURNAL_BUSY';
}

const TOO_MANY: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** True when a file could not be opened because the process or the machine has too many open (F63). */
export function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && TOO_MANY.has(error.code);
}

/** What a failed commit means for the caller; the transaction has been rolled back. */
export function commitFault(error: unknown, path: string): KairosError {
  if (error instanceof KairosError) return error;
  const cause = { cause: error };
  if (isBusy(error)) {
    return new KairosError(
      'JOURNAL_BUSY',
      `JOURNAL_BUSY: another program held journal ${path} for over 50 ms, so nothing was committed: close what writes to it`,
      cause,
    );
  }
  const text = messageOf(error);
  if (text.includes('orders.quote_id')) {
    return new KairosError('JOURNAL_FAULT', `journal ${path}: an earlier order names this quote; a quote is used once (${text})`, cause);
  }
  if (text.includes('orders.order_id')) {
    return new KairosError('JOURNAL_FAULT', `journal ${path}: an earlier order has this order id (${text})`, cause);
  }
  return new KairosError('JOURNAL_FAULT', `journal ${path} could not commit (${text}): check the disk, then start again`, cause);
}

/** What it means that a journal could not be opened or read. What passes by itself ends with 1, so that a process manager tries again. */
export function openFault(error: unknown, path: string): KairosError {
  if (error instanceof KairosError) return error;
  const cause = { cause: error };
  if (isBusy(error)) return new KairosError('JOURNAL_BUSY', `journal ${path} is held by another program: close it and try again`, cause);
  if (isDiskFull(error)) {
    return new KairosError(
      'JOURNAL_FAULT',
      `journal ${path} cannot be opened (${messageOf(error)}): check the disk, then start again`,
      cause,
    );
  }
  const what =
    error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB'
      ? 'is not an SQLite file'
      : `cannot be opened (${messageOf(error)})`;
  return new KairosError('JOURNAL_UNUSABLE', `journal ${path} ${what}: check it, or set journal.path to another file`, cause);
}
