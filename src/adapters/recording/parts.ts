import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSealed, sealedFolder } from './manifest.ts';

/** Where one part of a recording is: in its log, or sealed in a folder beside it. */
export interface PartPlace {
  /** Counted from 1. */
  readonly part: number;
  readonly log: string;
  readonly folder: string;
  /** Whether it is still in its log. */
  readonly isInLog: boolean;
}

const NAME = /^(?:inbox(?:-(\d{6,}))?\.ndjson|sealed(?:-(\d{6,}))?)$/;
const HEADER_BYTES = 4096;

/** The log of a part of the recording whose first log is at `path`. */
export function partLog(path: string, part: number): string {
  return part === 1 ? path : join(dirname(path), `inbox-${String(part).padStart(6, '0')}.ndjson`);
}

/**
 * The parts of the recording whose first log is, or was, at `path`, in their order: a part once its log has a first line,
 * also one that is sealed. A log of another name is a recording of one part.
 */
export function partsOf(path: string): readonly PartPlace[] {
  if (!NAME.test(basename(path))) return existsSync(path) ? [placeOf(path, 1)] : [];
  const numbers = numbersIn(dirname(path));
  const first = join(dirname(path), 'inbox.ndjson');
  const places = numbers.map((part) => placeOf(partLog(first, part), part));
  // A writer that was cut off right after it had gone on to this part, or begun: nothing is in it yet.
  return places.filter(({ part, log, folder }) => isSealed(folder) || part !== numbers.at(-1) || isBegun(log));
}

function placeOf(log: string, part: number): PartPlace {
  return { part, log, folder: sealedFolder(log), isInLog: existsSync(log) };
}

function numbersIn(folder: string): readonly number[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const numbers = new Set<number>();
  for (const name of readdirSync(folder)) {
    const found = NAME.exec(name);
    if (!found || (name.startsWith('sealed') && !isSealed(join(folder, name)))) continue;
    numbers.add(Number(found[1] ?? found[2] ?? 1));
  }
  return [...numbers].sort((a, b) => a - b);
}

/** Whether a log has a whole first line. */
function isBegun(log: string): boolean {
  let fd: number;
  try {
    fd = openSync(log, 'r');
  } catch {
    // Sealed and removed since the folder was read.
    return isSealed(sealedFolder(log));
  }
  try {
    const start = Buffer.alloc(HEADER_BYTES);
    return start.subarray(0, readSync(fd, start, 0, HEADER_BYTES, 0)).includes(0x0a);
  } finally {
    closeSync(fd);
  }
}
