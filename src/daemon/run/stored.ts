import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { journalFiles } from '#adapters/journal/files.ts';
import type { Settings } from '#config/settings.ts';
import type { Timers } from '#ports/timers.ts';
import type { DiskUsage } from '#server/metrics/samples.ts';
import { Looks } from './looks.ts';

/** How long a scrape waits for a disk, in milliseconds. */
const WAIT_MS = 500;

const looks = new Looks<number | null>();

/** Where a daemon writes: the folders of its journal and of its recordings. */
export function writtenFolders({ journal, recording }: Pick<Settings, 'journal' | 'recording'>): readonly string[] {
  return [...new Set([path.dirname(path.resolve(journal.path)), ...(recording.enabled ? [path.resolve(recording.dir)] : [])])];
}

/** What is free where a folder is, in bytes; null where that cannot be read. Never comes while the disk hangs. */
export const freeIn = (folder: string): Promise<number | null> =>
  look(folder, () => statfs(folder).then(({ bavail, bsize }) => bavail * bsize));

/** What is on the disks now, in bytes; what cannot be read, or hangs, is left out. */
export async function storedNow(
  settings: Pick<Settings, 'journal' | 'recording'>,
  timers: Pick<Timers, 'after'>,
): Promise<Omit<DiskUsage, 'backupAt'>> {
  const { database } = journalFiles(settings.journal.path);
  const late = Promise.withResolvers<null>();
  const cancel = timers.after(WAIT_MS, () => late.resolve(null));
  const inTime = (asked: Promise<number | null>): Promise<number | null> => Promise.race([asked, late.promise]);
  const free = writtenFolders(settings).map(async (folder) => [folder, await inTime(freeIn(folder))] as const);
  const sizes = [database, `${database}-wal`].map((file) => inTime(look(file, () => stat(file).then(({ size }) => size))));
  const freeBytes = new Map(await Promise.all(free));
  const journalBytes = (await Promise.all(sizes)).reduce<number>((sum, size) => sum + (size ?? 0), 0);
  cancel();
  return { freeBytes, journalBytes };
}

/** Null where it cannot be read: it is not there, or the disk fails. */
const look = (place: string, read: () => Promise<number>): Promise<number | null> => looks.at(place, () => read().catch(() => null));
