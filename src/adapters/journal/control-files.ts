import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Latch } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { IN_MEMORY, isMissing, journalFiles } from './files.ts';

/** Files beside the journal by which a running daemon, its watchdog and the commands hear of each other. */
export interface ControlFiles {
  /** There while trading is to be halted: anybody may write it. One for all daemons that share the folder. */
  readonly halt: string;
  /** A halt of this journal that is not in it: the watchdog's receipt for a halt by file, or a halt that could not be journaled. */
  readonly halted: string;
  /** Why the watchdog ended the process, for the next start. */
  readonly stall: string;
  /** Where the running daemon's control server listens. */
  readonly ops: string;
  /** The control server's token where none is set; one for all daemons that share the folder. */
  readonly token: string;
}

/** The control files of the journal at `journalPath`. Throws JOURNAL_UNUSABLE when that names something other than a file. */
export function controlFiles(journalPath: string): ControlFiles {
  const database = journalPath === IN_MEMORY ? path.resolve('var', 'kairos.db') : journalFiles(journalPath).database;
  const folder = path.dirname(database);
  return {
    halt: path.join(folder, 'HALT'),
    halted: `${database}.halted`,
    stall: `${database}.stall`,
    ops: `${database}.ops`,
    token: path.join(folder, 'ops-token'),
  };
}

/** What a file of a halt says: who wanted it, and why. */
export interface HaltNote {
  readonly who: string;
  readonly why: string;
}

/**
 * Writes the file of a halt. Nothing is synced, so that a disk that hangs in a sync does not hold it up; on a full disk an
 * empty file does as well.
 */
export function writeHalt(file: string, note: HaltNote, at: Millis): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  try {
    writeFileSync(beside, `${JSON.stringify({ ...note, at: isoTime(at) })}\n`, { mode: 0o600 });
    renameSync(beside, file);
  } catch {
    // On a full disk an empty file may still be created, and its existence is what halts.
    writeFileSync(file, '', { mode: 0o600 });
  }
}

/** Leaves a halt that could not be journaled for the next start. The last resort. */
export function leaveHalt({ halted }: ControlFiles, why: string, at: Millis): void {
  try {
    writeHalt(halted, { who: 'kairos', why: why.slice(0, 500) }, at);
  } catch {
    // Neither journal nor folder can be written: the latch of this process is all that is left, and it is set.
  }
}

/** What a file of a halt says, or undefined when there is none. A file of any content halts. */
export function readHalt(file: string): HaltNote | undefined {
  try {
    return noteIn(readFileSync(file, 'utf8').slice(0, 2_000), file);
  } catch (error) {
    return isMissing(error) ? undefined : { who: 'file', why: `${file} exists and cannot be read` };
  }
}

function noteIn(text: string, file: string): HaltNote {
  const plain = { who: 'file', why: text.trim().split('\n')[0] || `the file ${file} exists` };
  try {
    const { who, why }: Readonly<Record<string, unknown>> = Object(JSON.parse(text));
    return typeof who === 'string' && typeof why === 'string' ? { who, why } : plain;
  } catch {
    // Written by hand: its first line is the reason.
    return plain;
  }
}

/** A halt by file that the journal, whose `latches` are given, does not have: none runs that would write it there, or the one that does hangs. */
export function haltByFile({ halt, halted }: ControlFiles, latches: readonly Latch[]): readonly Latch[] {
  if (latches.some(({ kind }) => kind === 'halted')) return [];
  for (const file of [halt, halted]) {
    const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    const note = readHalt(file);
    if (since !== undefined && note) return [{ kind: 'halted', strategy: null, since: Math.floor(since), ...note }];
  }
  return [];
}

/** The files of a halt that are there now, each by what tells it from one that is written later. */
export function haltsSeen({ halt, halted }: ControlFiles): ReadonlyMap<string, string> {
  const seen = [halt, halted].map((file) => [file, identityOf(file)] as const);
  return new Map(seen.flatMap(([file, identity]) => (identity === undefined ? [] : [[file, identity] as const])));
}

/** Takes files of a halt away, all or those that were seen: one that was written since stays and halts. */
export function removeHalt(files: ControlFiles, seen: ReadonlyMap<string, string> = haltsSeen(files)): void {
  for (const [file, identity] of seen) {
    const aside = `${file}.ended`;
    try {
      renameSync(file, aside);
      if (identityOf(aside) === identity) rmSync(aside);
      else renameSync(aside, file);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** Tells a file from another of its name; undefined where there is none. */
export function identityOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.ino} ${stat.mtimeNs}`;
}
