import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { DAY_MS, dayStart } from '#domain/utc-day.ts';
import { recordingsIn } from './catalog.ts';
import { CACHE_NAME, ColumnsCache } from './columns-cache.ts';
import { syncFolder } from './durable.ts';
import { IMPORTED, isOwnName, type Manifest, readManifest, type SealedQuotes, writeManifest } from './manifest.ts';
import { partsOf } from './parts.ts';
import { sealRun } from './seal.ts';
import { isBeingWritten, removeMark } from './writing-mark.ts';

interface RetentionOptions {
  /** Folder of recordings. */
  readonly dir: string;
  /** Whole days of quotes that are kept; 0 for ever. */
  readonly keepDays: number;
  readonly now: Millis;
  readonly tell: (level: 'info' | 'warn', text: string) => void;
}

/**
 * Seals every log that nobody writes any more, also finished parts of a run that goes on, then removes what is older than
 * `keepDays`: quotes by the day, a recording as a whole when its last day goes. So many days with quotes stay whatever the clock says,
 * which may be wrong. Only files that Kairos made are removed, and none behind a link. What cannot be sealed is told and left as it is.
 * Returns how many logs were sealed.
 */
export function tidyRecordings({ dir, keepDays, now, tell }: RetentionOptions): number {
  let sealed = 0;
  const each = <T>(all: readonly T[], work: (one: T) => void): void => {
    for (const one of all) {
      try {
        work(one);
      } catch (error) {
        if (!(error instanceof KairosError)) throw error;
        tell('warn', `${messageOf(error)}; the log is kept`);
      }
    }
  };
  const recordings: Recording[] = [];
  each(recordingsIn(dir), (path) => {
    for (const { run, part, lines, from, to } of sealRun(path, now)) {
      sealed += 1;
      const name = part === 1 ? run : `${run}, part ${part},`;
      tell('info', `recording ${name} sealed: ${lines} events in ${kilobytes(to)} of Parquet, its log had ${kilobytes(from)}`);
    }
    if (keepDays > 0) recordings.push(...ownRecording(path));
  });
  const oldest = oldestKept(recordings, keepDays, now);
  each(recordings, (recording) => removeOld(recording, { oldest, keepDays, now, tell }));
  return sealed;
}

/** A recording whose old days may be removed, with its sealed parts. */
interface Recording {
  readonly path: string;
  /** Whether a part of it is still in its log. */
  readonly isInLog: boolean;
  readonly parts: readonly { readonly folder: string; readonly manifest: Manifest }[];
}

/** The recording at a path; none behind a link, and none that a person imported, which is theirs to remove. */
function ownRecording(path: string): readonly Recording[] {
  const places = partsOf(path);
  if ([dirname(path), ...places.map(({ folder }) => folder)].some(isLink)) return [];
  const sealed = places.filter(({ isInLog }) => !isInLog);
  const parts = sealed.map(({ folder }) => ({ folder, manifest: readManifest(folder) }));
  if (parts.some(({ manifest }) => manifest.book === IMPORTED)) return [];
  return [{ path, isInLog: sealed.length < places.length, parts }];
}

/** The first day that is kept: as the clock has it, and no later than the day from which on so many are recorded. */
function oldestKept(recordings: readonly Recording[], keepDays: number, now: Millis): string {
  const byClock = isoTime(dayStart(now) - keepDays * DAY_MS).slice(0, 10);
  const recorded = new Set(recordings.flatMap(({ parts }) => parts.flatMap(({ manifest }) => manifest.quotes.map(({ day }) => day))));
  return [byClock, [...recorded].sort().at(-keepDays) ?? ''].sort()[0] ?? '';
}

/** A sealed part, and which of its quotes are too old. */
interface AgedPart {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly old: readonly SealedQuotes[];
}

interface RemovalOptions extends Pick<RetentionOptions, 'keepDays' | 'now' | 'tell'> {
  readonly oldest: string;
}

function removeOld({ path, isInLog, parts: sealed }: Recording, { oldest, keepDays, now, tell }: RemovalOptions): void {
  const parts = sealed.map(
    ({ folder, manifest }): AgedPart => ({ folder, manifest, old: manifest.quotes.filter(({ day }) => day < oldest) }),
  );
  const run = parts[0]?.manifest.run ?? '';
  const isLast = !isInLog && parts.every(({ manifest, old }) => old.length === manifest.quotes.length);
  const hadQuotes = parts.some(({ manifest, old }) => old.length > 0 || manifest.removedBefore !== null);
  const aged = parts.filter(({ old }) => old.length > 0);
  for (const part of aged) removeQuotes(part, oldest);
  if (isLast && hadQuotes && !isBeingWritten(path, now)) {
    for (const { folder } of parts) removeSealed(folder);
    removeMark(path);
    const rest = isEmptied(dirname(path)) ? '' : '; files in it that Kairos did not make are kept';
    tell('info', `recording ${run} removed: its last quote is older than recording.keepDays (${keepDays})${rest}`);
    return;
  }
  if (aged.length > 0) tell('info', `recording ${run}: quotes before ${oldest} removed by recording.keepDays (${keepDays})`);
}

/**
 * Other events of a part go with its last quote, except those of the first, which say how the run began: what would follow
 * from them can no longer be played.
 */
function removeQuotes({ folder, manifest, old }: AgedPart, oldest: string): void {
  const quotes = manifest.quotes.filter(({ day }) => day >= oldest);
  const events = quotes.length === 0 && manifest.part > 1 ? null : manifest.events;
  // First what there is, then the files: a power cut leaves files that nobody misses, never a manifest without them.
  writeManifest(folder, { ...manifest, quotes, events, removedBefore: oldest });
  for (const file of old) {
    rmSync(join(folder, file.file), { force: true });
    new ColumnsCache(folder, file).remove();
  }
  if (events === null && manifest.events) rmSync(join(folder, manifest.events.file), { force: true });
  syncFolder(folder);
}

/** Removes the files that Kairos makes in the folder of a sealed part, and the folder where nothing else is in it. */
function removeSealed(folder: string): void {
  removeNamed(join(folder, 'cache'), (name) => CACHE_NAME.test(name));
  removeNamed(folder, isOwnName);
}

function removeNamed(folder: string, isOwn: (name: string) => boolean): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries) if (isOwn(entry.name) && !entry.isDirectory()) rmSync(join(folder, entry.name));
  isEmptied(folder);
}

/** Removes a folder that is empty; false where it is not. */
function isEmptied(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // Somebody has put something of their own there.
    return false;
  }
}

/** Kairos makes no links: what one leads to is somebody else's. */
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
