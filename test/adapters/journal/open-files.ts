import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const OPEN = '/proc/self/fd';

/** Paths of the files that this process has open, as Linux tells them; other systems do not. Those that are gone end in ` (deleted)`. */
export function openFiles(): string[] {
  if (!existsSync(OPEN)) return [];
  return readdirSync(OPEN).flatMap((fd) => {
    try {
      return [readlinkSync(`${OPEN}/${fd}`)];
    } catch {
      // By now it is closed: the one by which the folder was read.
      return [];
    }
  });
}
