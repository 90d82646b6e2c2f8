import path from 'node:path';
import type Database from 'better-sqlite3';
import { KairosError } from '#domain/errors.ts';
import { CHAIN_START, type ChainEnd } from './chain.ts';

/** A file that decisions were moved to: a whole journal of its own, beside the one they came from. */
interface Archive extends ChainEnd {
  /** Its name, without the folder. */
  readonly file: string;
  /** The last run in it. */
  readonly run_id: string;
  /** When it was made. */
  readonly at: string;
}

/** The archives of a journal of any schema, oldest first; `seq` and `hash` are their last rows. */
export function archivesOf(database: Database.Database): readonly Archive[] {
  const has = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'archives'").get();
  return has === undefined ? [] : database.prepare<[], Archive>('SELECT * FROM archives ORDER BY seq').all();
}

/** Where the gapless rows of a journal begin: behind the last row of its newest archive. */
export function chainBegin(database: Database.Database): ChainEnd {
  return archivesOf(database).at(-1) ?? CHAIN_START;
}

/** The oldest archive of a journal that has decisions of a run; undefined where the journal itself has them. */
export function archiveOf(database: Database.Database, run: string): Archive | undefined {
  const place = database.prepare<[string], number>('SELECT rowid FROM runs WHERE run_id = ?').pluck();
  const wanted = place.get(run);
  return archivesOf(database).find(({ run_id }) => wanted !== undefined && wanted <= (place.get(run_id) ?? 0));
}

/** Throws NOT_FOUND, with where to look, for a run whose decisions are in an archive of the journal at `journal`. */
export function refuseArchived(database: Database.Database, journal: string, run: string): void {
  const archive = archiveOf(database, run);
  if (!archive) return;
  const file = path.join(path.dirname(journal), archive.file);
  throw new KairosError('NOT_FOUND', `the decisions of run ${run} are in the archive ${file}: add --set journal.path=${file}`);
}
