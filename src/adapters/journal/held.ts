import { readdirSync } from 'node:fs';
import path from 'node:path';
import { journalFiles, leasedBy } from './files.ts';
import { Lease } from './lease.ts';

/** The journals in a folder, and in the folders in it, that a process holds. */
export function heldIn(folder: string): readonly string[] {
  const folders = entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));
  return [folder, ...folders].flatMap((place) =>
    entriesOf(place)
      .flatMap(({ name }) => leasedBy(path.join(place, name)) ?? [])
      .filter((journal) => Lease.holder(journalFiles(journal)) !== null),
  );
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It may not be read: what is in it is not ours.
    return [];
  }
}
