import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PARTIAL, removeUnfinished } from '#adapters/journal/backup.ts';
import { Thread } from '#adapters/threads/thread.ts';
import type { Settings } from '#config/settings.ts';
import type { RepeatingTask } from '#core/schedule/cron.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** The backup thread reports once how many rows it copied and checked. */
export interface BackupThread {
  readonly data: { readonly journal: string; readonly to: string };
  readonly toThread: never;
  readonly fromThread: { readonly rows: number };
}

/** Shortest time from a start to the first backup, in milliseconds: a daemon that restarts every day gets a backup each day. */
const FIRST_MS = 60_000;
/** Time limit of a copy, in milliseconds. */
const DEADLINE_MS = 3_600_000;

/** The place of a journal, by `instanceOf`, with its path: daemons that share a folder name, count and remove their copies apart. */
type JournalPlace = Pick<Settings['journal'], 'path'> & { readonly instance: string };
type BackupSettings = Settings['journal'] & JournalPlace;

/** The automatic backups of a running daemon that starts now: `everyMs` after the newest, since each replaces the oldest. */
export function repeatedBackups(of: BackupSettings, now: Millis): readonly RepeatingTask[] {
  const { dir, everyMs } = of.backup;
  if (dir === null || everyMs === null) return [];
  const newest = backupsIn(dir, of).at(-1);
  const dueMs = newest === undefined ? 0 : madeAt(newest) + everyMs - now;
  const firstMs = Math.max(FIRST_MS, Math.min(dueMs, everyMs));
  return [{ name: 'journal.backup', action: 'bot.backup', deadlineMs: DEADLINE_MS, firstMs, everyMs }];
}

/** Copies a journal and checks every row of the copy, in a thread of its own. Rejects if that fails. */
export function copyJournal(data: BackupThread['data'], signal: AbortSignal): Promise<{ readonly rows: number }> {
  const entry = new URL('./backup-thread-entry.ts', import.meta.url);
  return new Thread<BackupThread>({ entry, name: 'backup', data, signal }).next();
}

/** Files of the copies that are being made now. */
const unfinished = new Set<string>();

/**
 * Copies the journal by `copy` into `journal.backup.dir`, and removes what copies that were cut off have left there; then removes its oldest
 * copies beyond `journal.backup.keep`. Returns the answer of the action.
 */
export async function makeBackup(
  actionId: string,
  of: BackupSettings,
  { now, signal, copy }: { readonly now: Millis; readonly signal: AbortSignal; readonly copy: typeof copyJournal },
): Promise<ActionAnswer> {
  const failed = (why: string): ActionAnswer => ({ actionId, status: 'failed', httpStatus: null, response: why });
  const { path: journal, backup } = of;
  if (backup.dir === null) return failed('journal.backup.dir names no folder');
  const to = path.join(backup.dir, `${stemOf(of)}${isoTime(now).replace(/[-:]|\.\d+/g, '')}.db`);
  const beside = `${to}${PARTIAL}`;
  unfinished.add(beside);
  try {
    for (const left of copiesIn(backup.dir, of, `.db${PARTIAL}`)) if (!unfinished.has(left)) removeUnfinished(left);
    const { rows } = await copy({ journal, to }, signal);
    const removed = removeOld(backupsIn(backup.dir, of), to, backup.keep);
    const response = `${to}, ${rows} rows checked${removed === 0 ? '' : `; ${removed} older removed`}`;
    return { actionId, status: 'confirmed', httpStatus: null, response };
  } catch (error) {
    return failed(messageOf(error));
  } finally {
    unfinished.delete(beside);
  }
}

/** Removes the oldest copies, by name, behind the one just made. Those named after it are of a clock that was ahead, and go first. */
function removeOld(copies: readonly string[], made: string, keep: number): number {
  const old = [...copies.filter((file) => file > made), ...copies.filter((file) => file <= made)].slice(0, -keep);
  for (const file of old) rmSync(file, { force: true });
  return old.length;
}

/** When a copy was made, by its name. */
const madeAt = (file: string): Millis =>
  Date.parse(
    path
      .parse(file)
      .name.slice(-16)
      .replace(/^(.{4})(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'),
  );

/** The copies of a journal that its daemons have made in a folder, oldest first; none where it cannot be read. */
export const backupsIn = (dir: string, of: JournalPlace): readonly string[] => copiesIn(dir, of, '.db');

/** How the name of a copy begins, before the time. */
const stemOf = ({ path: journal, instance }: JournalPlace): string => `${path.parse(journal).name}-${instance.slice(0, 8)}-`;

/** Those whose name ends so behind the time. */
function copiesIn(dir: string, of: JournalPlace, end: string): readonly string[] {
  const stem = stemOf(of);
  const isOwn = (name: string): boolean =>
    name.startsWith(stem) && name.endsWith(end) && /^\d{8}T\d{6}Z$/.test(name.slice(stem.length, -end.length));
  return namesIn(dir)
    .filter(isOwn)
    .sort()
    .map((name) => path.join(dir, name));
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch {
    // The next backup makes the folder, or tells why it cannot.
    return [];
  }
}
