import { type Dirent, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { backupJournal, PARTIAL, removeUnfinished } from '#adapters/journal/backup.ts';
import { Thread } from '#adapters/threads/thread.ts';
import type { Settings } from '#config/settings.ts';
import type { RepeatingTask } from '#core/schedule/cron.ts';
import { messageOf } from '#domain/errors.ts';
import type { ActionAnswer } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { Looks } from './looks.ts';

/** What is copied, how the names of its copies begin, where this one goes, how many are kept, and the files of those being made now. */
interface BackupWork {
  readonly journal: string;
  readonly stem: string;
  readonly to: string;
  readonly keep: number;
  readonly unfinished: readonly string[];
}

/** What was copied and checked, and how many older copies went for it. */
interface BackupDone {
  readonly rows: number;
  readonly removed: number;
}

/** The backup thread reports once. */
export interface BackupThread {
  readonly data: BackupWork;
  readonly toThread: never;
  readonly fromThread: BackupDone;
}

/** Shortest time from a start to the first backup, in milliseconds: a daemon that restarts every day gets a backup each day. */
const FIRST_MS = 60_000;
/** Time limit of a copy, in milliseconds. */
const DEADLINE_MS = 3_600_000;

/** The place of a journal, by `instanceOf`, with its path: daemons that share a folder name, count and remove their copies apart. */
type JournalPlace = Pick<Settings['journal'], 'path'> & { readonly instance: string };
type BackupSettings = Settings['journal'] & JournalPlace;

/**
 * When the newest backup of a journal was made. The folder may be of a network, and hang whoever looks: the loop never does. It is looked
 * into once, at the start; from then on the daemon's own backups count.
 */
export class NewestBackup {
  /** Null while none is known. */
  at: Millis | null = null;
  /** What the look found; never comes where the folder hangs. */
  readonly found: Promise<Millis | null>;

  constructor(of: BackupSettings, find: typeof findNewest) {
    const { dir } = of.backup;
    this.found = dir === null ? Promise.resolve(null) : find(dir, stemOf(of));
    void this.found.then((at) => {
      this.at ??= at;
    });
  }
}

const looks = new Looks<readonly string[]>();

/** When the newest copy in a folder was made, by its name; null where there is none, or it cannot be read. */
export async function findNewest(dir: string, stem: string): Promise<Millis | null> {
  const names = await looks.at(dir, () => readdir(dir, { withFileTypes: true }).then(filesOf, () => []));
  return newestOf(copiesAmong(names, stem, '.db'));
}

/** The same at once, for who may wait for the disk. */
export const newestIn = (dir: string, stem: string): Millis | null => newestOf(copiesIn(dir, stem, '.db'));

/** The automatic backups of a running daemon that starts now: `everyMs` after the newest, since each replaces the oldest. */
export function repeatedBackups(
  { dir, everyMs }: BackupSettings['backup'],
  { found }: Pick<NewestBackup, 'found'>,
  now: Millis,
): readonly RepeatingTask[] {
  if (dir === null || everyMs === null) return [];
  let firstMs = FIRST_MS;
  void found.then((newest) => {
    if (newest !== null) firstMs = Math.max(FIRST_MS, Math.min(newest + everyMs - now, everyMs));
  });
  return [{ name: 'journal.backup', action: 'bot.backup', deadlineMs: DEADLINE_MS, firstMs: () => firstMs, everyMs }];
}

/** Does `backUp` in a thread of its own. Rejects if that fails. */
export function copyJournal(data: BackupWork, signal: AbortSignal): Promise<BackupDone> {
  const entry = new URL('./backup-thread-entry.ts', import.meta.url);
  return new Thread<BackupThread>({ entry, name: 'backup', data, signal }).next();
}

/**
 * Removes what copies that were cut off have left in the folder; copies the journal and checks every row of the copy; then removes its oldest
 * copies beyond `keep`.
 */
export async function backUp({ journal, stem, to, keep, unfinished }: BackupWork): Promise<BackupDone> {
  const dir = path.dirname(to);
  for (const left of copiesIn(dir, stem, `.db${PARTIAL}`)) if (!unfinished.includes(path.basename(left))) removeUnfinished(left);
  const { decisions: rows } = await backupJournal(journal, to);
  return { rows, removed: removeOld(copiesIn(dir, stem, '.db'), to, keep) };
}

/** The copies that are being made now, by where they go: one is the answer to all who ask within its second. */
const making = new Map<string, Promise<BackupDone>>();

/** Has the journal copied by `copy` into `journal.backup.dir`. Returns the answer of the action. */
export async function makeBackup(
  actionId: string,
  of: BackupSettings,
  { now, signal, copy }: { readonly now: Millis; readonly signal: AbortSignal; readonly copy: typeof copyJournal },
): Promise<ActionAnswer> {
  const failed = (why: string): ActionAnswer => ({ actionId, status: 'failed', httpStatus: null, response: why });
  const { path: journal, backup } = of;
  if (backup.dir === null) return failed('journal.backup.dir names no folder');
  const stem = stemOf(of);
  const name = `${stem}${isoTime(now).replace(/[-:]|\.\d+/g, '')}.db`;
  const to = path.join(backup.dir, name);
  const unfinished = [...making.keys(), to].map((one) => `${path.basename(one)}${PARTIAL}`);
  try {
    const made = making.get(to) ?? copy({ journal, stem, to, keep: backup.keep, unfinished }, signal);
    making.set(to, made);
    const { rows, removed } = await made;
    const response = `${to}, ${rows} rows checked${removed === 0 ? '' : `; ${removed} older removed`}`;
    return { actionId, status: 'confirmed', httpStatus: null, response };
  } catch (error) {
    return failed(messageOf(error));
  } finally {
    making.delete(to);
  }
}

/** Removes the oldest copies, by name, behind the one just made. Those named after it are of a clock that was ahead, and go first. */
function removeOld(copies: readonly string[], made: string, keep: number): number {
  const old = [...copies.filter((file) => file > made), ...copies.filter((file) => file <= made)].slice(0, -keep);
  for (const file of old) rmSync(file, { force: true });
  return old.length;
}

/** When the last of some copies was made, by its name. */
function newestOf(copies: readonly string[]): Millis | null {
  const name = copies.at(-1)?.slice(-'20260101T010000Z.db'.length, -'.db'.length);
  return name === undefined ? null : Date.parse(name.replace(/^(.{4})(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'));
}

/** How the name of a copy begins, before the time. */
const stemOf = ({ path: journal, instance }: JournalPlace): string => `${path.parse(journal).name}-${instance.slice(0, 8)}-`;

/** The copies of a journal that its daemons have made in a folder, whose name ends so behind the time, oldest first; none where it cannot be read. */
const copiesIn = (dir: string, stem: string, end: string): readonly string[] =>
  copiesAmong(namesIn(dir), stem, end).map((name) => path.join(dir, name));

const copiesAmong = (names: readonly string[], stem: string, end: string): readonly string[] =>
  names.filter((name) => name.startsWith(stem) && name.endsWith(end) && /^\d{8}T\d{6}Z$/.test(name.slice(stem.length, -end.length))).sort();

const filesOf = (entries: readonly Dirent[]): readonly string[] => entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));

function namesIn(dir: string): readonly string[] {
  try {
    return filesOf(readdirSync(dir, { withFileTypes: true }));
  } catch {
    // The copy makes the folder, or tells why it cannot.
    return [];
  }
}
