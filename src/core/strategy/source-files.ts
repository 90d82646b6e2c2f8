import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const CODE = ['.ts', '.mts', '.js', '.mjs'];
export const DATA = '.json';

export const isCode = (file: string): boolean => CODE.includes(path.extname(file));
/** True for weights and other data, which a strategy imports as JSON. */
export const isData = (file: string): boolean => path.extname(file) === DATA;
/** True for what names a file beside the importing one, not a package. */
export const isFileImport = (from: string): boolean => /^(?:\.{1,2}(?:\/|$)|\/|file:)/.test(from);

/** True for a regular file. */
export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The file that a path means: itself, the TypeScript source for a `.js`, one with an extension added, or a folder's index. */
export function sourceAt(file: string): string | undefined {
  const extension = path.extname(file);
  const bare = file.slice(0, file.length - extension.length);
  const candidates = [file];
  if (extension === '.js') candidates.push(`${bare}.ts`);
  if (extension === '.mjs') candidates.push(`${bare}.mts`);
  for (const code of CODE) candidates.push(file + code);
  for (const code of CODE) candidates.push(path.join(file, `index${code}`));
  return candidates.find(isFile);
}

/** The file that an import in `parent` means, or undefined when there is none. */
export function importedFile(from: string, parent: string): string | undefined {
  return sourceAt(from.startsWith('file:') ? fileURLToPath(from) : path.resolve(path.dirname(parent), from));
}
