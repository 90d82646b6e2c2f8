import { lstatSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { messageOf } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { archivesOf, noteRemoved } from './archives.ts';
import { openForReading } from './database.ts';
import { type JournalFiles, journalFiles } from './files.ts';

/** How long archives are kept, and who is told. */
export interface Retention {
  /** Days that an archive is kept; 0 for ever. */
  readonly keepDays: number;
  readonly now: Millis;
  readonly tell: (level: 'info' | 'warn', text: string) => void;
}

/**
 * Removes archives of a journal that are older than `keepDays`, the oldest first and never the newest. Money, orders and all that a start
 * needs are in the journal. A file that is not the archive that was made is told of, and kept with all that are newer. To be called by
 * whoever holds the lease.
 */
export function removeOldArchives(database: Database.Database, files: JournalFiles, { keepDays, now, tell }: Retention): void {
  if (keepDays === 0) return;
  const oldest = isoTime(now - keepDays * DAY_MS);
  for (const { seq, hash, file, at } of archivesOf(database).slice(0, -1)) {
    if (file === '') continue;
    if (at >= oldest) return;
    const place = `${files.database}.archive-${seq}`;
    try {
      if (!lstatSync(place).isFile()) throw new Error('it is no file');
      const archive = openForReading(journalFiles(place));
      try {
        const end = archivedEnd(archive);
        if (end?.seq !== seq || end.hash !== hash) throw new Error('it ends with another row');
        database.transaction(() => noteRemoved(database, seq, archive)).immediate();
      } finally {
        archive.close();
      }
      rmSync(place);
      tell('info', `archive ${place} is removed: it is older than journal.rotate.keepDays (${keepDays})`);
    } catch (error) {
      tell('warn', `archive ${place} cannot be removed by journal.rotate.keepDays: ${messageOf(error)}`);
      return;
    }
  }
}

const archivedEnd = (archive: Database.Database) =>
  archive.prepare<[], { seq: number; hash: string }>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1').get();
