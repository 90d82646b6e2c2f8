import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { journalFiles } from '#adapters/journal/files.ts';
import type { Settings } from '#config/settings.ts';
import type { DiskUsage } from '#server/metrics/samples.ts';
import { backupsIn } from './backups.ts';

/** Where a daemon writes: the folders of its journal and of its recordings. */
export function writtenFolders({ journal, recording }: Pick<Settings, 'journal' | 'recording'>): readonly string[] {
  return [...new Set([path.dirname(path.resolve(journal.path)), ...(recording.enabled ? [path.resolve(recording.dir)] : [])])];
}

/** What is on the disks now, in bytes, by the daemon of the `instanceOf` a journal; what cannot be read is left out. */
export async function storedNow(settings: Pick<Settings, 'journal' | 'recording'>, instance: string): Promise<DiskUsage> {
  const { path: journal, backup } = settings.journal;
  const { database } = journalFiles(journal);
  const free = writtenFolders(settings).map(
    async (folder) => [folder, await read(statfs(folder), ({ bavail, bsize }) => bavail * bsize)] as const,
  );
  const sizes = [database, `${database}-wal`].map((file) => read(stat(file), ({ size }) => size));
  const copies =
    backup.dir === null ? [] : backupsIn(backup.dir, { path: journal, instance }).map((file) => read(stat(file), ({ mtimeMs }) => mtimeMs));
  return {
    freeBytes: new Map(await Promise.all(free)),
    journalBytes: (await Promise.all(sizes)).reduce<number>((sum, size) => sum + (size ?? 0), 0),
    backupAt: (await Promise.all(copies)).reduce((last, at) => Math.max(last ?? 0, at ?? 0) || null, null),
  };
}

async function read<Found>(asked: Promise<Found>, of: (found: Found) => number): Promise<number | null> {
  // It is not there, or the disk does not answer: it has no sample.
  return asked.then(of, () => null);
}
