import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';

/** The path that keeps a journal in memory only: no lease, no mark, nothing on disk. */
export const IN_MEMORY = ':memory:';

/** A journal and the files beside it. */
export interface JournalFiles {
  /** As the user named it, for messages. */
  readonly named: string;
  readonly database: string;
  readonly lease: string;
  readonly pid: string;
  readonly mark: string;
  readonly ballast: string;
  /** The id of this journal in this place (`instanceOf`). */
  readonly instance: string;
  /** Figures that follow from the journal, kept so that the page need not read all of it (`TradeStore`). */
  readonly figures: string;
}

const LEASE = '.lease';

/** The journal whose lease a file is; undefined for any other file. */
export const leasedBy = (file: string): string | undefined => (file.endsWith(LEASE) ? file.slice(0, -LEASE.length) : undefined);

const IN_MEMORY_FILES: JournalFiles = {
  named: IN_MEMORY,
  database: IN_MEMORY,
  lease: '',
  pid: '',
  mark: '',
  ballast: '',
  instance: '',
  figures: '',
};

/**
 * The files of the journal at `path`. Links are resolved, so that two names of one journal share one lease. Throws
 * JOURNAL_UNUSABLE when the path names something other than a file.
 */
export function journalFiles(path: string): JournalFiles {
  if (path === IN_MEMORY) return IN_MEMORY_FILES;
  const database = realPath(path);
  return {
    named: path,
    database,
    lease: `${database}${LEASE}`,
    pid: `${database}${LEASE}.pid`,
    mark: `${database}.mark`,
    ballast: `${database}.ballast`,
    instance: `${database}.instance`,
    figures: `${database}.figures`,
  };
}

/** True for the error of looking for a file that is not there. */
export function isMissing(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === 'ENOENT';
}

/** Creates the folder and an empty file, readable by the owner alone; leaves what exists as it is. */
export function createForOwner(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Where another process makes it in the meantime, that is as good.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** Removes a journal that nobody has open, with its write-ahead log and its mark. */
export function removeJournal({ database, mark }: JournalFiles): void {
  for (const file of [database, `${database}-wal`, `${database}-shm`, mark]) rmSync(file, { force: true });
}

/** So much of a small file is read, in bytes. */
const MAX_SMALL_BYTES = 10_000;

/**
 * Reads a small file that one process writes for another. Never waits: a FIFO would hold up any other opening. Throws for a link and for
 * what is no regular file or does not `fit`, and as `openSync`.
 */
export function readSmall(file: string, fits: (stat: Stats) => boolean = () => true): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || !fits(stat)) throw new Error(`${file} is no file of Kairos's own: remove it`);
    const bytes = Buffer.alloc(MAX_SMALL_BYTES);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

/** True for a file that this user wrote and nobody else can read or change. The superuser takes those of others. */
export function isOwn({ uid, mode }: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || ((user === 0 || uid === user) && (mode & 0o077) === 0);
}

/** Replaces a small file whole: written `beside` it, synced, renamed. Readable by the owner alone. */
export function replaceFile(file: string, text: string, beside = `${file}.new`): void {
  // What lies there is neither followed nor waited for.
  rmSync(beside, { force: true });
  const fd = openSync(beside, 'wx', 0o600);
  try {
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Identifies the file that a path names now, to detect that it was moved, removed or replaced (F50); null if there is none. */
export function identityOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}

/** Which files the name of a journal and its write-ahead log name now: rows that were committed last may be in the log alone. */
export function identityOfJournal({ database }: JournalFiles): string {
  return `${identityOf(database)} ${identityOf(`${database}-wal`)}`;
}

function realPath(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) {
      const what = stat.isDirectory() ? 'a directory' : 'not a regular file';
      throw new KairosError('JOURNAL_UNUSABLE', `journal ${path} is ${what}: set journal.path to a file`);
    }
    const folder = dirname(resolve(path));
    const there = existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
    // A link to a journal that is not there yet leads to the same place afterwards.
    const isLink = lstatSync(there, { throwIfNoEntry: false })?.isSymbolicLink();
    return isLink ? realPath(resolve(dirname(there), readlinkSync(there))) : there;
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('JOURNAL_UNUSABLE', `journal ${path} cannot be reached (${messageOf(error)}): check journal.path`);
  }
}
