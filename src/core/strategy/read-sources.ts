import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { File } from '@babel/types';
import { KairosError, messageOf } from '#domain/errors.ts';
import { packageHashes } from './imported-packages.ts';
import { type KeptVariable, keptVariable } from './kept-variables.ts';
import { CODE, DATA, importedFile, isCode, isData, isFileImport } from './source-files.ts';
import { importsOf, type SourceImport } from './source-imports.ts';
import { breachesOf } from './source-rules.ts';
import { codeIn, type Place, placeOf, syntaxOf, TooDeep } from './source-syntax.ts';

/** A strategy's own files: the module and what it imports from beside it. */
export interface SourceFiles {
  readonly entry: string;
  /** Source by absolute path; the module itself first. */
  readonly sources: ReadonlyMap<string, string>;
  /** SHA-256 over all of them and the packages that they import, hexadecimal: two runs with one hash ran the same code. */
  readonly hash: string;
  /** Where each name of an object's part, such as `decide`, stands first in the module. */
  readonly parts: ReadonlyMap<string, Place>;
  /** A variable that outlives a call of `decide` and is changed by it or by a function beside it, with its file; undefined where there is none. */
  readonly kept: (KeptVariable & { readonly file: string }) | undefined;
  /** What each of the files imports, by absolute path. */
  readonly imports: ReadonlyMap<string, readonly SourceImport[]>;
  /** STRATEGY_INVALID for the first file that cannot be read as code, which no rule was held against; undefined where there is none. */
  readonly unread: KairosError | undefined;
}

/** No strategy has more; reading it would hold up the start. */
const MAX_BYTES = 1_000_000;

/**
 * Reads a module and the files that it imports, and holds each against the rules for strategies. Throws STRATEGY_INVALID
 * with `file:line:column: what, and what to use instead`; all breaches of a file in one message, a line each. `nameOf`: a file as errors name it.
 */
export function readSources(entry: string, nameOf: (file: string) => string): SourceFiles {
  const sources = new Map<string, string>();
  const imports = new Map<string, readonly SourceImport[]>();
  let parts: ReadonlyMap<string, Place> = new Map();
  let unread: KairosError | undefined;
  let kept: SourceFiles['kept'];
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (sources.has(file)) continue;
    const source = read(file);
    sources.set(file, source);
    if (!isCode(file)) continue;
    const module = moduleOf(file, source, nameOf(file));
    if (module instanceof KairosError) {
      unread ??= module;
      continue;
    }
    const breaches = breachesOf(module);
    if (breaches.length > 0) {
      const lines = breaches.map(({ place, what }) => `${nameOf(file)}:${place.line}:${place.column}: ${what}`);
      throw new KairosError('STRATEGY_INVALID', lines.join('\n'));
    }
    const found = importsOf(module);
    imports.set(file, found);
    open.push(...filesOf(file, found, nameOf(file)));
    if (file === entry) parts = partsOf(module);
    const variable = kept ? undefined : keptVariable(module);
    if (variable) kept = { ...variable, file };
  }
  return { entry, sources, hash: hashOf(entry, sources, imports), parts, kept, imports, unread };
}

function moduleOf(file: string, source: string, name: string): File | KairosError {
  try {
    return syntaxOf(source, path.extname(file).endsWith('ts') ? 'ts' : 'js');
  } catch (cause) {
    const place = placeOf(cause);
    const where = place ? `:${place.line}:${place.column}` : '';
    const error = new KairosError('STRATEGY_INVALID', `${name}${where}: ${messageOf(cause)}`, { cause });
    if (cause instanceof TooDeep) throw error;
    return error;
  }
}

function filesOf(file: string, imports: readonly SourceImport[], name: string): readonly string[] {
  return imports.flatMap(({ from, place }) => {
    if (!isFileImport(from)) return [];
    const found = importedFile(from, file);
    const refuse = (why: string) => new KairosError('STRATEGY_INVALID', `${name}:${place.line}:${place.column}: ${why}`);
    if (found === undefined) throw refuse(`there is no file '${from}' to import`);
    if (!isCode(found) && !isData(found))
      throw refuse(`'${from}' is none of ${[...CODE, DATA].join(', ')}, which is all that a strategy may import`);
    return [found];
  });
}

function partsOf({ program }: File): ReadonlyMap<string, Place> {
  const parts = new Map<string, Place>();
  for (const node of codeIn(program)) {
    if ((node.type !== 'ObjectProperty' && node.type !== 'ObjectMethod') || node.computed) continue;
    const { key } = node;
    const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined;
    const place = placeOf(key);
    if (name !== undefined && place && !parts.has(name)) parts.set(name, place);
  }
  return parts;
}

function read(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new KairosError('STRATEGY_NOT_FOUND', `${file}: not a file; name a strategy module`);
  if (stats.size > MAX_BYTES) throw new KairosError('STRATEGY_INVALID', `${file}: ${stats.size} bytes are too many for a strategy module`);
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new KairosError('STRATEGY_INVALID', `${file}: cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function hashOf(entry: string, sources: ReadonlyMap<string, string>, imports: SourceFiles['imports']): string {
  const hash = createHash('sha256');
  const named = [...sources].map(([file, source]) => ({ name: path.relative(path.dirname(entry), file), source }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, source } of named) hash.update(`${JSON.stringify(name)} ${source.length}\n${source}\n`);
  const foreign = [...imports].flatMap(([file, found]) => found.map(({ from }) => [from, file] as const));
  const packages = packageHashes(foreign.filter(([from]) => !isFileImport(from)));
  for (const one of packages) hash.update(one);
  return hash.digest('hex');
}
