import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KairosError, messageOf } from '../domain/errors.ts';
import { isoTime, type Millis } from '../domain/names.ts';
import { recordingsIn } from './catalog.ts';
import { ColumnsCache } from './columns-cache.ts';
import { syncFolder } from './durable.ts';
import { IMPORTED, isSealed, readManifest, sealedFolder } from './manifest.ts';
import { sealLog, writeManifest } from './seal.ts';
import { isBeingWritten } from './writing-mark.ts';

const DAY_MS = 86_400_000;

export interface RetentionOptions {
  /** Folder of recordings. */
  readonly dir: string;
  /** Whole days of quotes that are kept; 0 for ever. */
  readonly keepDays: number;
  readonly now: Millis;
  readonly tell: (level: 'info' | 'warn', text: string) => void;
}

/**
 * Seals every log that nobody writes any more, then removes what is older than `keepDays`: quotes by the day, a recording
 * as a whole when its last day goes. What cannot be sealed is told and left as it is. Returns how many logs were sealed.
 */
export function tidyRecordings({ dir, keepDays, now, tell }: RetentionOptions): number {
  let sealed = 0;
  for (const path of recordingsIn(dir)) {
    try {
      if (isBeingWritten(path, now)) continue;
      const done = sealLog(path);
      if (done) {
        sealed += 1;
        const { run, lines, from, to } = done;
        tell('info', `recording ${run} sealed: ${lines} events in ${kilobytes(to)} of Parquet, its log had ${kilobytes(from)}`);
      }
      if (keepDays > 0 && isSealed(sealedFolder(path))) removeOld(path, { keepDays, now, tell });
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      tell('warn', `${messageOf(error)}; left as it is`);
    }
  }
  return sealed;
}

function removeOld(path: string, { keepDays, now, tell }: Pick<RetentionOptions, 'keepDays' | 'now' | 'tell'>): void {
  const folder = sealedFolder(path);
  const manifest = readManifest(folder);
  const oldest = isoTime(Math.floor(now / DAY_MS) * DAY_MS - keepDays * DAY_MS).slice(0, 10);
  // What a person imported is theirs to remove.
  if (manifest.book === IMPORTED) return;
  const old = manifest.quotes.filter(({ day }) => day < oldest);
  if (old.length === 0) return;
  if (old.length === manifest.quotes.length) {
    rmSync(dirname(path), { recursive: true });
    tell('info', `recording ${manifest.run} removed: its last quote is older than recording.keepDays (${keepDays})`);
    return;
  }
  // First what there is, then the files: a power cut leaves files that nobody misses, never a manifest without them.
  writeManifest(folder, { ...manifest, quotes: manifest.quotes.filter(({ day }) => day >= oldest), removedBefore: oldest });
  for (const file of old) {
    rmSync(join(folder, file.file), { force: true });
    new ColumnsCache(folder, file).remove();
  }
  syncFolder(folder);
  tell('info', `recording ${manifest.run}: quotes before ${oldest} removed by recording.keepDays (${keepDays})`);
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
