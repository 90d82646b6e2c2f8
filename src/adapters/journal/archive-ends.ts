import { existsSync } from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { KairosError, messageOf } from '#domain/errors.ts';
import { archivesOf } from './archives.ts';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';
import type { ChainEnd } from './records.ts';

/** Opens an archive with the last row that its journal knows; the caller closes it. Throws where it cannot be read, or is another. */
export function openArchive(place: string, { seq, hash }: ChainEnd): Database.Database {
  const archive = openForReading(journalFiles(place));
  try {
    const end = archive.prepare<[], ChainEnd>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1').get();
    if (end?.seq !== seq || end.hash !== hash) throw new KairosError('JOURNAL_BROKEN', 'it ends with another row');
    return archive;
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** Why an archive cannot be read: what SQLite says, since the advice of a journal that cannot be opened is none for an archive. */
export const unreadText = (error: unknown): string => messageOf(error instanceof KairosError ? (error.cause ?? error) : error);

/** What an archive that cannot be used does not stop. */
export const NOT_NEEDED = 'trading goes on without it';

/** An archive that cannot be used, and why. */
export interface SpoiltArchive {
  readonly file: string;
  readonly why: string;
}

/** The archives in their folder that cannot be read, or are others. A changed row before the last `journal verify` alone finds. */
export function spoiltArchives(database: Database.Database, folder: string): readonly SpoiltArchive[] {
  return archivesOf(database).flatMap(({ file, ...end }): readonly SpoiltArchive[] => {
    const place = path.join(folder, file);
    if (file === '' || !existsSync(place)) return [];
    try {
      openArchive(place, end).close();
      return [];
    } catch (error) {
      return [{ file, why: unreadText(error) }];
    }
  });
}
