import { existsSync } from 'node:fs';
import { isoTime, type Millis } from '#domain/names.ts';
import { chainBegin } from './archives.ts';
import { openForReading, openForWriting } from './database.ts';
import { openFault } from './fault.ts';
import { IN_MEMORY, journalFiles } from './files.ts';
import { HighWater } from './high-water.ts';
import { Lease } from './lease.ts';
import { type Rotated, rotateJournal } from './rotate.ts';
import { checkEnd } from './start-checks.ts';
import { Tables } from './tables.ts';

/**
 * Rotates a journal that no daemon holds. Takes the lease itself: throws JOURNAL_LEASED while a daemon runs, NOT_FOUND where
 * there is no journal, and what `rotateJournal` throws.
 */
export async function rotateAtRest(path: string, now: Millis): Promise<Rotated> {
  const files = journalFiles(path);
  openForReading(files).close();
  const lease = Lease.take(files, process.pid);
  try {
    const database = openForWriting(files);
    try {
      checkEnd(database, files);
      // The mark names the last row, which stays: it holds whether or not the rows before it have gone.
      const { seq, hash } = new Tables(database).end();
      new HighWater(files.mark).note({ seq, hash });
      return await rotateJournal(database, files, now);
    } finally {
      database.close();
    }
  } catch (error) {
    throw openFault(error, files.named);
  } finally {
    lease.release();
  }
}

/** When a start is to rotate: once so many decisions have come since the last archive, or the first of them is of an earlier month, in UTC. */
interface RotationRule {
  readonly decisions: number | null;
  readonly monthly: boolean;
}

/** Whether the journal at `path` is to be rotated now. Throws what opening throws. */
export function isRotationDue(path: string, { decisions, monthly }: RotationRule, now: Millis): boolean {
  if ((decisions === null && !monthly) || path === IN_MEMORY || !existsSync(path)) return false;
  const database = openForReading(journalFiles(path));
  try {
    const begin = chainBegin(database).seq;
    const end = database.prepare<[], number | null>('SELECT max(seq) FROM decisions').pluck().get() ?? 0;
    if (end <= begin) return false;
    if (decisions !== null && end - begin >= decisions) return true;
    const first = database.prepare<[number], string>('SELECT at FROM decisions WHERE seq > ? ORDER BY seq LIMIT 1').pluck().get(begin);
    return monthly && first !== undefined && first.slice(0, 7) < isoTime(now).slice(0, 7);
  } finally {
    database.close();
  }
}
