import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KairosError, messageOf } from '../domain/errors.ts';
import type { Millis } from '../domain/names.ts';
import { formatFault } from './log-format.ts';
import type { TornLine } from './reader.ts';

/** Version of the sealed form; readers refuse others. */
export const SEALED_FORMAT = 2;

/** A file of a sealed recording. */
export interface SealedFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Quotes of one lane on one UTC day. */
export interface SealedQuotes extends SealedFile {
  readonly lane: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Place in the recording of its last quote. */
  readonly lastLine: number;
  readonly from: Millis;
  readonly to: Millis;
}

/** What a sealed part of a recording consists of: written last, so that what has one is whole. */
export interface Manifest {
  readonly kairos: 'recording';
  readonly format: number;
  readonly run: string;
  readonly book: string;
  /** Which part of the recording it is, from 1. */
  readonly part: number;
  /** Events and quotes of the parts before it, all together. */
  readonly before: number;
  /** Events and quotes of this part, all together. */
  readonly lines: number;
  /** Everything that is no quote; null where there is none, as in imported data. */
  readonly events: SealedFile | null;
  readonly quotes: readonly SealedQuotes[];
  /** What was cut off at the end of the log; null when nothing was. */
  readonly torn: TornLine | null;
  /** Bytes of the log that was sealed; 0 for imported data. */
  readonly sourceBytes: number;
  /** Quotes of days before this one were removed by `recording.keepDays`; null when none were. */
  readonly removedBefore: string | null;
}

/** Book of data that no run recorded. */
export const IMPORTED = 'imported';

const MANIFEST = 'manifest.json';

/** The sealed form of the log of a part at `path`, in a folder beside it. */
export function sealedFolder(path: string): string {
  const [, suffix = ''] = /^inbox(-\d+)\.ndjson$/.exec(basename(path)) ?? [];
  return join(dirname(path), `sealed${suffix}`);
}

export const manifestPath = (folder: string): string => join(folder, MANIFEST);

export const isSealed = (folder: string): boolean => existsSync(manifestPath(folder));

/** Reads what a sealed recording consists of. Throws RECORDING_UNREADABLE or RECORDING_FORMAT. */
export function readManifest(folder: string): Manifest {
  const path = manifestPath(folder);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new KairosError('RECORDING_UNREADABLE', `${path}: ${messageOf(error)}; restore the folder from a copy`, { cause: error });
  }
  if (manifest.kairos !== 'recording') {
    throw new KairosError('RECORDING_UNREADABLE', `${path}: it is no manifest of a recording; restore the folder from a copy`);
  }
  if (manifest.format !== SEALED_FORMAT) {
    throw new KairosError('RECORDING_FORMAT', `${path}: ${formatFault(manifest.format, SEALED_FORMAT)}`);
  }
  return manifest;
}
