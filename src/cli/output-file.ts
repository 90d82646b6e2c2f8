import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { KairosError } from '#domain/errors.ts';

/** So many bytes at its begin, and at its end, tell what a file is. */
const PART_BYTES = 16_384;

/** A file of SQLite with a mark of Kairos; what a daemon has begun to write has another way of writing. */
const isDatabase = (mark: string) => (head: string) =>
  head.startsWith('SQLite format 3\0') && head[18] === '\x01' && head.slice(68, 72) === mark;

/** What a command writes, and what Kairos alone writes at the begin of such a file, and at the end of a Parquet file: who created it. */
const KINDS = {
  report: { what: 'report', fits: (head: string) => /^<!doctype html>\n.* - Kairos report<\/title>\n/s.test(head) },
  trials: {
    what: 'list of trials',
    fits: (head: string) =>
      /^(id,from,to,.*,played,refused,halted,failed,remark\r?\n|\[\n {2}\{\n {4}"id": "\w+",\n {4}"setup": |\[\]\n$)/.test(head),
  },
  quotes: {
    what: 'export of quotes',
    fits: (head: string, end: string) =>
      /^product,lane,(arrived_at,valid_until|ts_ms_open),/.test(head) || (end.includes('\x06kairos\x19') && end.endsWith('PAR1')),
  },
  backup: { what: 'backup', fits: isDatabase('KAIR') },
  // Those of 0.1.0 have no mark, and a size of pages and a version that few others have.
  bundle: {
    what: 'export',
    fits: (head: string) =>
      isDatabase('KAIX')(head) || (isDatabase('\0\0\0\0')(head) && head.slice(16, 18) === '@\0' && head.slice(60, 64) === '\0\0\0\x01'),
  },
} as const;

/** Reads an option that is a file to write: one where nothing stands, or what the same command has written. Throws USAGE. */
export const outputFile =
  (kind: Exclude<keyof typeof KINDS, 'bundle'>) =>
  (file: string): string => {
    const isSealed = path.basename(path.dirname(file)) === 'sealed';
    const isKept = existsSync(file) && (/\.archive-\d+$/.test(file) || (kind === 'quotes' && isSealed));
    return isKept || !fits(kind, file) ? refused(kind, file) : file;
  };

/** Reads an option that is a folder of an export, as `outputFile`. */
export function outputFolder(folder: string): string {
  const there = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  const database = path.join(folder, 'bundle.sqlite');
  const isOthers = !existsSync(database) && there.some((name) => name.endsWith('.parquet'));
  return isOthers || !fits('bundle', database) ? refused('bundle', folder) : folder;
}

function fits(kind: keyof typeof KINDS, file: string): boolean {
  // What is no file is left to who writes.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return true;
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(PART_BYTES);
    const part = (from: number) => bytes.toString('latin1', 0, readSync(fd, bytes, { position: Math.max(0, from) }));
    const head = part(0);
    // An empty file is of no use to anybody, unless it belongs to a journal.
    return head === '' ? !/\.db[-.]/.test(path.basename(file)) : KINDS[kind].fits(head, part(fstatSync(fd).size - PART_BYTES));
  } finally {
    closeSync(fd);
  }
}

function refused(kind: keyof typeof KINDS, name: string): never {
  const { what } = KINDS[kind];
  throw new KairosError(
    'USAGE',
    `${name} holds something else than an earlier ${what} of Kairos, and is kept: name another, or move it away`,
  );
}
