import { existsSync } from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { KairosError } from '#domain/errors.ts';
import { CHAIN_START, type ChainEnd } from './records.ts';

/** A file that decisions were moved to: a whole journal of its own, beside the one they came from. */
interface Archive extends ChainEnd {
  /** Its name, without the folder; empty once `journal.rotate.keepDays` has removed it. */
  readonly file: string;
  /** The last run in it. */
  readonly run_id: string;
  /** When it was made. */
  readonly at: string;
}

/** The archives of a journal, oldest first; `seq` and `hash` are their last rows. */
export const archivesOf = (database: Database.Database): readonly Archive[] =>
  database.prepare<[], Archive>('SELECT * FROM archives ORDER BY seq').all();

/** The names of a journal's archives that were not removed, and of those that are not in their folder. */
export function archiveNames(database: Database.Database, folder: string): Record<'archives' | 'missing', readonly string[]> {
  const archives = archivesOf(database).flatMap(({ file }) => (file === '' ? [] : [file]));
  return { archives, missing: archives.filter((file) => !existsSync(path.join(folder, file))) };
}

const COUNTED = ['orders', 'ledger', 'actions', 'notifications'] as const;

/** How many rows of each table follow from decisions that no archive has any more. */
type UnfoundedRows = Readonly<Record<(typeof COUNTED)[number], number>>;

/** Notes how many rows of each table follow from the decisions up to the end of an archive, as `source` has them: the check needs it once it is removed. */
export function noteArchived(database: Database.Database, seq: number, source: Database.Database): void {
  const note = database.prepare('INSERT OR REPLACE INTO watermarks (name, seq) VALUES (?, ?)');
  for (const table of COUNTED) note.run(noteOf(table, seq), source.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
}

/** Notes that an archive is removed. False where `noteArchived` never was: the check could not go on without the file. */
export function noteRemoved(database: Database.Database, seq: number): boolean {
  const isNoted = database.prepare('SELECT 1 FROM watermarks WHERE name = ?').get(noteOf('orders', seq)) !== undefined;
  if (isNoted) database.prepare("UPDATE archives SET file = '' WHERE seq = ?").run(seq);
  return isNoted;
}

const noteOf = (table: string, seq: number): string => `archive ${seq} ${table}`;

/**
 * The last archive that the check of a journal passes over, and what follows from it; undefined where none is. That is one that was removed,
 * or is not in its folder, as where a backup was put back without it; `all`: any. One of which `noteArchived` never was is not meant: the
 * check cannot go on without it.
 */
export function passedOver(
  database: Database.Database,
  { folder, all }: { readonly folder: string; readonly all: boolean },
): (ChainEnd & { readonly rows: UnfoundedRows }) | undefined {
  const noted = database.prepare<[string], number>('SELECT seq FROM watermarks WHERE name = ?').pluck();
  const { missing } = archiveNames(database, folder);
  const isPassed = ({ file, seq }: Archive): boolean => (all || missing.includes(file)) && noted.get(noteOf('orders', seq)) !== undefined;
  const last = archivesOf(database).findLast((archive) => archive.file === '' || isPassed(archive));
  if (!last) return undefined;
  const count = (table: (typeof COUNTED)[number]): number => noted.get(noteOf(table, last.seq)) ?? 0;
  const rows = { orders: count('orders'), ledger: count('ledger'), actions: count('actions'), notifications: count('notifications') };
  return { ...last, rows };
}

/** Where the gapless rows of a journal begin: behind the last row of its newest archive. */
export function chainBegin(database: Database.Database): ChainEnd {
  return archivesOf(database).at(-1) ?? CHAIN_START;
}

/** The oldest archive of a journal that has decisions of a run; undefined where the journal itself has them. */
export function archiveOf(database: Database.Database, run: string): Archive | undefined {
  const upTo = database.prepare<[string], Archive>(
    `SELECT archives.* FROM archives JOIN runs USING (run_id)
     WHERE runs.rowid >= (SELECT rowid FROM runs WHERE run_id = ?) ORDER BY seq LIMIT 1`,
  );
  return upTo.get(run);
}

/** Throws NOT_FOUND, with where to look, for a run whose decisions are in an archive of the journal at `journal`. */
export function refuseArchived(database: Database.Database, journal: string, run: string): void {
  const archive = archiveOf(database, run);
  if (archive) throw new KairosError('NOT_FOUND', archivedText(archive, journal, `run ${run}`));
}

/** Where the decisions about orders are that the journal at `journal` has no more, a line for each archive. */
export function archivedOrders(database: Database.Database, journal: string, orders: readonly string[]): readonly string[] {
  const runs = database
    .prepare<[string], string>(
      `SELECT DISTINCT run_id FROM orders o WHERE order_id IN (SELECT value FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM decisions WHERE order_id = o.order_id AND kind = 'intent')`,
    )
    .pluck()
    .all(JSON.stringify(orders));
  const archives = runs.flatMap((run) => archiveOf(database, run) ?? []);
  return [...new Set(archives.map((archive) => archivedText(archive, journal, 'some of these orders')))];
}

/** Where the decisions of earlier runs are, that a count of the rows of a journal is without; undefined without archives. An archive tells of the one before it. */
export function uncountedText(database: Database.Database, journal: string): string | undefined {
  const last = archivesOf(database).at(-1);
  return last && archivedText(last, journal, 'earlier runs, which are not counted,');
}

function archivedText({ file }: Archive, journal: string, of: string): string {
  if (file === '') return `journal.rotate.keepDays has removed the decisions of ${of}`;
  const place = path.join(path.dirname(journal), file);
  return `the decisions of ${of} are in the archive ${place}: add --set journal.path=${place}`;
}
