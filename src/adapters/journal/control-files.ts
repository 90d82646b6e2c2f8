import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Latch } from '#domain/latch.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { IN_MEMORY, isMissing, journalFiles, readSmall, replaceFile } from './files.ts';

/** Files beside the journal by which a running daemon, its watchdog and the commands hear of each other. */
export interface ControlFiles {
  /** A halt of this journal's daemon, as `kairos halt` writes it. */
  readonly halt: string;
  /** HALT: a person's halt of every daemon whose journal is in the folder. Kairos neither writes nor removes it. */
  readonly haltOfAll: string;
  /** The same in the folder that `journal.path` names: another one where that is a link to the journal. */
  readonly haltByName: string;
  /** Which HALT this journal was resumed from, by their marks, a line each. */
  readonly resumed: string;
  /** A halt of this journal that is not in it: the watchdog's receipt for a halt by file, or a halt that could not be journaled. */
  readonly halted: string;
  /** Why the watchdog ended the process, for the next start. */
  readonly stall: string;
  /** Why the last start that failed did. */
  readonly failed: string;
  /** Where the running daemon's control server listens. */
  readonly ops: string;
  /** The control server's token where none is set; one for all daemons that share the folder. */
  readonly token: string;
}

const HALT = 'HALT';

function folderNamed(journalPath: string): string {
  const folder = path.dirname(path.resolve(journalPath));
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** The control files of the journal at `journalPath`. Throws JOURNAL_UNUSABLE when that names something other than a file. */
export function controlFiles(journalPath: string): ControlFiles {
  const database = journalPath === IN_MEMORY ? path.resolve('var', 'kairos.db') : journalFiles(journalPath).database;
  const folder = path.dirname(database);
  return {
    halt: `${database}.halt`,
    haltOfAll: path.join(folder, HALT),
    haltByName: path.join(journalPath === IN_MEMORY ? folder : folderNamed(journalPath), HALT),
    resumed: `${database}.resumed`,
    halted: `${database}.halted`,
    stall: `${database}.stall`,
    failed: `${database}.failed`,
    ops: `${database}.ops`,
    token: path.join(folder, 'ops-token'),
  };
}

/** So much of a note is told, in characters. */
const MAX_NOTE_LENGTH = 2_000;

/** What a file of a halt says: who wanted it, and why. */
export interface HaltNote {
  readonly who: string;
  readonly why: string;
}

/** Writes the file of a halt, as `writeFacts`. */
export function writeHalt(file: string, note: HaltNote, at: Millis): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFacts(file, { ...note, at: isoTime(at) });
}

/**
 * Writes facts into a file. Nothing is synced, so that a disk that hangs in a sync does not hold it up; on a full disk an empty file does
 * as well.
 */
export function writeFacts(file: string, facts: object): void {
  const beside = `${file}.${process.pid}`;
  try {
    rmSync(beside, { force: true });
    writeFileSync(beside, `${JSON.stringify(facts)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } catch {
    rmSync(beside, { force: true, recursive: true });
    // What is there and gives no way, such as a folder, halts; on a full disk an empty file may still be created, and does.
    if (identityOf(file) === undefined) writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  }
}

/** Leaves a halt that could not be journaled for the next start. The last resort. */
export function leaveHalt({ halted }: ControlFiles, { who, why }: HaltNote, at: Millis): void {
  try {
    writeHalt(halted, { who, why: why.slice(0, 500) }, at);
  } catch {
    // Neither journal nor folder can be written: the latch of this process is all that is left, and it is set.
  }
}

/** What a file of a halt says, or undefined when there is none. A file of any content halts, and so does what is no regular file. */
export function readHalt(file: string): HaltNote | undefined {
  try {
    return identityOf(file) === undefined ? undefined : noteIn(readSmall(file).slice(0, MAX_NOTE_LENGTH), file);
  } catch {
    // Whatever keeps it from being read, it may be there.
    return unreadableHalt(file);
  }
}

/**
 * True where the watchdog's receipt names this very halt by file as one for which it shut the gate. The mark of a file is the kernel's, so
 * that a receipt that was laid there before the halt names another.
 */
export function isTaken({ halted }: Pick<ControlFiles, 'halted'>, file: string): boolean {
  try {
    const { of }: { readonly of?: unknown } = Object(JSON.parse(readSmall(halted)));
    return Array.isArray(of) && of.includes(changeOf(file));
  } catch {
    // No receipt, or none that can be read.
    return false;
  }
}

/** What a file of a halt says that is there and cannot be read. */
export const unreadableHalt = (file: string): HaltNote => ({ who: 'file', why: `${file} exists and cannot be read` });

/** Tells a file from another of its name; undefined where there is none. A link is one, wherever it leads. Throws where nobody can tell. */
export function identityOf(file: string): string | undefined {
  const stat = entryAt(file);
  return stat && `${stat.ino} ${stat.mtimeNs}`;
}

/** As `identityOf`, and tells it from itself as it is written anew, whatever time it is given then. A renaming changes it as well. */
export function changeOf(file: string): string | undefined {
  const stat = entryAt(file);
  return stat && `${stat.ino} ${stat.ctimeNs}`;
}

const entryAt = (file: string) => lstatSync(file, { throwIfNoEntry: false, bigint: true });

/** The files HALT that halt this journal's daemon. */
const haltsOfAll = ({ haltOfAll, haltByName }: Pick<ControlFiles, 'haltOfAll' | 'haltByName'>): readonly string[] => [
  ...new Set([haltOfAll, haltByName]),
];

/** Each HALT of this journal with the mark that it was resumed from. */
export function resumedFrom(files: Pick<ControlFiles, 'resumed' | 'haltOfAll' | 'haltByName'>): ReadonlyMap<string, string | undefined> {
  const marks = linesOf(files.resumed);
  return new Map(haltsOfAll(files).map((file, at) => [file, marks[at] || undefined]));
}

function linesOf(file: string): readonly string[] {
  try {
    return readSmall(file).split('\n');
  } catch {
    // Unreadable is as good as none: the halt stands then.
    return [];
  }
}

interface StandingHalt extends HaltNote {
  readonly file: string;
}

/** The halt by file that stands for a journal, whether or not it has it; undefined when there is none. */
export function standingHalt(files: ControlFiles): StandingHalt | undefined {
  const standing = [...resumedFrom(files)].filter(([file, mark]) => !isResumed(file, mark)).map(([file]) => file);
  for (const file of [files.halt, ...standing, files.halted]) {
    const note = readHalt(file);
    if (note) return { file, ...note };
  }
  return undefined;
}

function isResumed(file: string, mark: string | undefined): boolean {
  try {
    return mark === changeOf(file);
  } catch {
    // Nobody can tell: it stands.
    return false;
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
export function haltByFile(files: ControlFiles, latches: readonly Latch[]): readonly Latch[] {
  const standing = latches.some(({ kind }) => kind === 'halted') ? undefined : standingHalt(files);
  if (!standing) return [];
  const { file, ...note } = standing;
  return [{ kind: 'halted', strategy: null, since: Number(entryAt(file)?.mtimeMs ?? 0), ...note }];
}

/** The files of a halt that are there now, each by what tells it from one that is written later. */
export function haltsSeen(files: ControlFiles): ReadonlyMap<string, string> {
  const own = [files.halt, files.halted].map((file) => [file, identityOf(file)] as const);
  const seen = [...own, ...haltsOfAll(files).map((file) => [file, changeOf(file)] as const)];
  return new Map(seen.flatMap(([file, identity]) => (identity === undefined ? [] : [[file, identity] as const])));
}

/** Takes the files of this journal's own halt away, all or those that were seen: one that was written since stays and halts. */
export function removeOwnHalt(files: ControlFiles, seen: ReadonlyMap<string, string> = haltsSeen(files)): void {
  for (const file of [files.halt, files.halted]) {
    const aside = `${file}.ended`;
    if (!seen.has(file)) continue;
    try {
      renameSync(file, aside);
      if (identityOf(aside) === seen.get(file)) rmSync(aside, { recursive: true });
      else renameSync(aside, file);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** Ends the halts by file of this journal, all or those that were seen. A HALT of the folder stays for the other daemons; that this one was resumed from it is kept. */
export function removeHalt(files: ControlFiles, seen: ReadonlyMap<string, string> = haltsSeen(files)): void {
  removeOwnHalt(files, seen);
  const marks = haltsOfAll(files).map((file) => seen.get(file) ?? '');
  if (marks.join('') === '') rmSync(files.resumed, { force: true });
  else replaceFile(files.resumed, marks.join('\n'));
}
