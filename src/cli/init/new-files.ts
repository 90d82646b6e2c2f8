import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';

/** A file that is to be written, by its path from a folder. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** What became of each of some files. */
export interface WrittenFiles {
  readonly written: readonly string[];
  /** Those that were there already, as they were. */
  readonly kept: readonly string[];
}

/** Writes the files that are not there yet, with the folders that they need. Throws USAGE where one cannot be written. */
export function writeNew(folder: string, files: readonly NewFile[]): WrittenFiles {
  const written: string[] = [];
  const kept: string[] = [];
  for (const file of files) (writeOne(path.join(folder, file.path), file.text) ? written : kept).push(file.path);
  return { written, kept };
}

/** False where the file is there already. */
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
