import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';

/** A file to be written, with its path from a folder. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** The files that were written, and those that existed. */
export interface WrittenFiles {
  readonly written: readonly string[];
  /** Existing files, which are unchanged. */
  readonly kept: readonly string[];
}

/** Writes missing files and their folders. Throws USAGE if one cannot be written. */
export function writeNew(folder: string, files: readonly NewFile[]): WrittenFiles {
  const written: string[] = [];
  const kept: string[] = [];
  for (const file of files) (writeOne(path.join(folder, file.path), file.text) ? written : kept).push(file.path);
  return { written, kept };
}

/** Returns false if the file exists. */
function writeOne(file: string, text: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (existsSync(file)) return false;
    throw new KairosError('USAGE', `${file} cannot be written: ${messageOf(error)}`);
  }
}
