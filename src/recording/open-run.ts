import { existsSync } from 'node:fs';
import type { LogHeader, Recorded } from './log-format.ts';
import { isSealed, sealedFolder } from './manifest.ts';
import { RunLogReader, type TornLine } from './reader.ts';
import { SealedRun } from './sealed-run.ts';

/** The recording of a run, as its log or sealed: the same items either way. */
export interface RunReader {
  readonly path: string;
  readonly header: LogHeader;
  /** What was cut off at the end; of a log known once `items` has come to its end. */
  readonly torn: TornLine | null;
  items(): Generator<Recorded, void>;
}

/** Opens the recording whose log is, or was, at `path`. Throws RECORDING_UNREADABLE. */
export function openRun(path: string): RunReader {
  return !existsSync(path) && isSealed(sealedFolder(path)) ? new SealedRun(sealedFolder(path)) : new RunLogReader(path);
}

/** Whether there is a recording whose log is, or was, at `path`. */
export function isRecorded(path: string): boolean {
  return existsSync(path) || isSealed(sealedFolder(path));
}
