import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { KairosError } from '#domain/errors.ts';

/** So many bytes tell what a file is. */
const HEAD_BYTES = 400;
/** SQLite's, with its pages and ways of writing: what a daemon has begun to write is `\x02\x02`. */
const SQLITE = /^SQLite format 3\0(.{2})(.)/s;

/** What a command writes, and how a file of that kind begins that Kairos has written. */
const KINDS = {
  report: { what: 'report', fits: (head: string) => /^<!doctype html>\n.*\n<meta http-equiv="Content-Security-Policy"/s.test(head) },
  trials: { what: 'list of trials', fits: (head: string) => /^(id,from,to,|\[\n {2}\{\n {4}"id": |\[\]\n$)/.test(head) },
  quotes: { what: 'export of quotes', fits: (head: string) => /^(product,lane,|PAR1)/.test(head) },
  backup: { what: 'backup', fits: (head: string) => SQLITE.exec(head)?.[2] === '\x01' && head.slice(68, 72) === 'KAIR' },
  bundle: { what: 'export', fits: (head: string) => SQLITE.exec(head)?.[0].endsWith('@\0\x01') === true },
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
    const bytes = Buffer.alloc(HEAD_BYTES);
    const head = bytes.toString('latin1', 0, readSync(fd, bytes));
    // An empty file is of no use to anybody, unless it belongs to a journal.
    return head === '' ? !/\.db[-.]/.test(path.basename(file)) : KINDS[kind].fits(head);
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
