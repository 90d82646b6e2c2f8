import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Thread } from '#adapters/threads/thread.ts';
import type { Settings } from '#config/settings.ts';
import type { Repeating } from '#core/schedule/cron.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** The backup's thread says once how many rows it has copied and checked. */
export interface BackupThread {
  readonly data: { readonly journal: string; readonly to: string };
  readonly toThread: never;
  readonly fromThread: { readonly rows: number };
}

/** From the start of a run to its first backup: a daemon that is started again every day has one of each day, too. */
const FIRST_MS = 60_000;
/** A copy that takes longer is given up. */
const DEADLINE_MS = 3_600_000;

/** The backups that a running daemon makes by itself. */
export function repeatedBackups({ backup }: Settings['journal']): readonly Repeating[] {
  if (backup.dir === null || backup.everyMs === null) return [];
  return [{ name: 'journal.backup', action: 'bot.backup', deadlineMs: DEADLINE_MS, firstMs: FIRST_MS, everyMs: backup.everyMs }];
}

/** Copies a journal and checks the copy from its first row to its last, in a thread of its own, so that no quote waits for it. Rejects where it cannot. */
export function copyJournal(data: BackupThread['data'], signal: AbortSignal): Promise<{ readonly rows: number }> {
  const entry = new URL('./backup-thread-entry.ts', import.meta.url);
  return new Thread<BackupThread>({ entry, name: 'backup', data, signal }).next();
}

/**
 * Copies the journal by `copy` into `journal.backup.dir`; then removes the oldest of its copies over `journal.backup.keep`. What came of it, as the answer of an action.
 */
export async function makeBackup(
  actionId: string,
  { path: journal, backup }: Settings['journal'],
  { now, signal, copy }: { readonly now: Millis; readonly signal: AbortSignal; readonly copy: typeof copyJournal },
): Promise<ActionAnswer> {
  const failed = (why: string): ActionAnswer => ({ actionId, status: 'failed', httpStatus: null, response: why });
  if (backup.dir === null) return failed('journal.backup.dir names no folder');
  const stem = path.parse(journal).name;
  const to = path.join(backup.dir, `${stem}-${isoTime(now).replace(/[-:]|\.\d+/g, '')}.db`);
  try {
    const { rows } = await copy({ journal, to }, signal);
    const removed = removeOld(backup.dir, stem, backup.keep);
    const response = `${to}, ${rows} rows checked${removed === 0 ? '' : `; ${removed} older removed`}`;
    return { actionId, status: 'confirmed', httpStatus: null, response };
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** Names sort by time. Only copies of this journal that a daemon has made are looked at. */
function removeOld(dir: string, stem: string, keep: number): number {
  const own = readdirSync(dir).filter((name) => name.startsWith(`${stem}-`) && /^\d{8}T\d{6}Z\.db$/.test(name.slice(stem.length + 1)));
  const old = own.sort().slice(0, -keep);
  for (const name of old) rmSync(path.join(dir, name), { force: true });
  return old.length;
}
