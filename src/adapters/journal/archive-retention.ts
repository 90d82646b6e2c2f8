import { lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { messageOf } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { openArchive } from './archive-ends.ts';
import { archivesOf, noteArchived, noteRemoved } from './archives.ts';
import type { JournalFiles } from './files.ts';
import type { ChainEnd } from './records.ts';

/** How long archives are kept, and who is told. */
export interface Retention {
  /** Days that an archive is kept; 0 for ever. */
  readonly keepDays: number;
  readonly now: Millis;
  readonly tell: (level: 'info' | 'warn', text: string) => void;
}

/**
 * Removes archives of a journal that are older than `keepDays`, the oldest first and never the newest. Their age is that at the last row, or
 * now where that is earlier: a clock may be years ahead. Money, orders and all that a start needs are in the journal. A file that is not the
 * archive that was made is told of, and kept with all that are newer. To be called by whoever holds the lease.
 */
export function removeOldArchives(database: Database.Database, files: JournalFiles, { keepDays, now, tell }: Retention): void {
  if (keepDays === 0) return;
  const lastAt = database.prepare<[], string>('SELECT at FROM decisions ORDER BY seq DESC LIMIT 1').pluck().get();
  const oldest = isoTime(Math.min(now, Date.parse(lastAt ?? isoTime(now))) - keepDays * DAY_MS);
  for (const { seq, hash, file, at } of archivesOf(database).slice(0, -1)) {
    if (file === '') continue;
    if (at >= oldest) return;
    const place = join(dirname(files.database), file);
    try {
      // A journal that was put back from a copy may name one that is removed already.
      const there = lstatSync(place, { throwIfNoEntry: false });
      if (there) noteEnd(database, { seq, hash }, there.isFile() ? place : null);
      if (!noteRemoved(database, seq)) throw new Error('it is not there');
      if (!there) continue;
      rmSync(place);
      tell('info', `archive ${place} is removed: it is older than journal.rotate.keepDays (${keepDays})`);
    } catch (error) {
      tell('warn', `archive ${place} cannot be removed by journal.rotate.keepDays: ${messageOf(error)}`);
      return;
    }
  }
}

/** Looks whether a file is the archive with that end, and notes what follows from it. Throws where it is not. */
function noteEnd(database: Database.Database, end: ChainEnd, place: string | null): void {
  if (place === null) throw new Error('it is no file');
  const archive = openArchive(place, end);
  try {
    noteArchived(database, end.seq, archive);
  } finally {
    archive.close();
  }
}
