import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { KairosError } from '#domain/errors.ts';
import { chainBegin } from './archives.ts';
import { openForReading } from './database.ts';
import { type JournalFiles, journalFiles } from './files.ts';
import { readMark } from './high-water.ts';
import { breakIn, type ChainEnd, type DecisionRecord } from './records.ts';

/** Rows at the end that are checked at every start; `journal verify` checks them all. */
export const CHECKED = 1_000;

/** Throws BOOK_MISMATCH, naming both books, when the journal's runs belong to another one; null is any. */
export function checkBook(database: Database.Database, files: JournalFiles, book: string | null): void {
  const other = database.prepare<[string | null], string>('SELECT book FROM runs WHERE book <> ? LIMIT 1').pluck().get(book);
  if (other === undefined) return;
  throw new KairosError(
    'BOOK_MISMATCH',
    `journal ${files.named} belongs to the book "${other}", this run to "${book}": set journal.path to another file`,
  );
}

/** As `checkBook`, of the journal at a path. Throws what opening throws as well. */
export function checkBookAt(path: string, book: string): void {
  const files = journalFiles(path);
  const database = openForReading(files);
  try {
    checkBook(database, files, book);
  } finally {
    database.close();
  }
}

/** What it means that a journal is not there whose mark is, and what to do; null where it is there, or never was (F50). */
export function lostJournal(files: JournalFiles): { readonly what: string; readonly mend: string } | null {
  const mark = existsSync(files.database) ? null : readMark(files.mark);
  if (mark === null) return null;
  return {
    what: `journal ${files.named} is not there, and its mark ${files.mark} knows row ${mark.seq}`,
    mend: `put the journal back or restore its newest copy, or remove ${files.mark} to begin a new journal that knows nothing of its orders and positions`,
  };
}

/** Throws JOURNAL_BROKEN when a journal is not there whose mark is. */
export function checkThere(files: JournalFiles): void {
  const lost = lostJournal(files);
  if (lost) throw new KairosError('JOURNAL_BROKEN', `${lost.what}: ${lost.mend}`);
}

/** Throws JOURNAL_BROKEN when the last rows were changed, or rows below the high-water mark are gone (F50, F51). */
export function checkEnd(database: Database.Database, files: JournalFiles): void {
  const begin = chainBegin(database);
  const rows = database
    .prepare<[number, number], DecisionRecord>(
      'SELECT * FROM (SELECT * FROM decisions WHERE seq > ? ORDER BY seq DESC LIMIT ?) ORDER BY seq',
    )
    .all(begin.seq, CHECKED + 1);
  // A journal that is longer is taken up at the row before those that are checked.
  const before = rows.length > CHECKED ? rows.shift() : undefined;
  let end: ChainEnd = before ?? begin;
  for (const row of rows) {
    const wrong = breakIn(end, row);
    if (wrong) throw broken(files, `decisions row ${row.seq}: ${wrong}`);
    end = row;
  }
  const wrong = belowMark(database, readMark(files.mark), end);
  if (wrong) throw broken(files, wrong, `, or remove ${files.mark} to go on without these rows`);
}

/** What is missing from a chain that ends at `end`, by the high-water mark; null for nothing. */
export function belowMark(database: Database.Database, mark: ChainEnd | null, end: ChainEnd): string | null {
  if (mark === null) return null;
  if (mark.seq > end.seq) return `rows are missing: the high-water mark is row ${mark.seq}, the journal ends at ${end.seq}`;
  const hash = database.prepare<[number], string>('SELECT hash FROM decisions WHERE seq = ?').pluck().get(mark.seq);
  return hash === mark.hash ? null : `decisions row ${mark.seq} is not the row of the high-water mark`;
}

function broken(files: JournalFiles, what: string, orElse = ''): KairosError {
  return new KairosError('JOURNAL_BROKEN', `journal ${files.named}: ${what}: restore the newest whole copy${orElse}`);
}
