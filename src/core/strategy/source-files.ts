import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { KairosError, messageOf } from '#domain/errors.ts';
import { importsOf } from './source-imports.ts';
import { breachesOf } from './source-rules.ts';
import { blank, lineOf } from './source-text.ts';

/** A strategy's own files: the module and what it imports from beside it. */
interface SourceFiles {
  readonly entry: string;
  /** Source by absolute path; the module itself first. */
  readonly sources: ReadonlyMap<string, string>;
  /** SHA-256 over all of them, hexadecimal: two runs with one hash ran the same code. */
  readonly hash: string;
}

const CODE = ['.ts', '.mts', '.js', '.mjs'];
/** More than this is no strategy; reading it would hold up the start. */
const LARGEST_BYTES = 1_000_000;

export const isCode = (file: string): boolean => CODE.includes(path.extname(file));
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

/**
 * Reads a module and the files that it imports, and holds each against the rules for strategies. Throws STRATEGY_INVALID
 * with `file:line: what, and what to use instead`; all breaches of a file in one message, a line each.
 */
export function readSources(entry: string): SourceFiles {
  const sources = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (sources.has(file)) continue;
    const source = read(file);
    sources.set(file, source);
    if (!isCode(file)) continue;
    const breaches = breachesOf(source);
    if (breaches.length > 0) {
      throw new KairosError('STRATEGY_INVALID', breaches.map(({ line, what }) => `${file}:${line}: ${what}`).join('\n'));
    }
    open.push(...filesOf(file, source));
  }
  return { entry, sources, hash: hashOf(entry, sources) };
}

function filesOf(file: string, source: string): readonly string[] {
  const files: string[] = [];
  for (const { from, kind, position } of importsOf(blank(source))) {
    if (kind === 'type' || !isFileImport(from)) continue;
    const found = importedFile(from, file);
    if (found === undefined)
      throw new KairosError('STRATEGY_INVALID', `${file}:${lineOf(source, position)}: there is no file '${from}' to import`);
    files.push(found);
  }
  return files;
}

function read(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new KairosError('STRATEGY_NOT_FOUND', `${file}: not a file; name a strategy module`);
  if (stats.size > LARGEST_BYTES)
    throw new KairosError('STRATEGY_INVALID', `${file}: ${stats.size} bytes are too many for a strategy module`);
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new KairosError('STRATEGY_INVALID', `${file}: cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function hashOf(entry: string, sources: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  const named = [...sources].map(([file, source]) => ({ name: path.relative(path.dirname(entry), file), source }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, source } of named) hash.update(`${JSON.stringify(name)} ${source.length}\n${source}\n`);
  return hash.digest('hex');
}
