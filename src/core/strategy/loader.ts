import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { KairosError } from '#domain/errors.ts';
import { nearest } from '#domain/nearest.ts';
import { type CompiledModule, importStrategy, type LoadedModule } from './compiled-module.ts';
import type { SourceFiles } from './read-sources.ts';
import { isCode, isData, isFile, sourceAt } from './source-files.ts';

export interface LoaderOptions {
  /** Where the user is: `strategies/` in it comes first, and paths start from it. */
  readonly cwd: string;
  /** Folder of the strategies that come with Kairos. */
  readonly packaged: string;
}

/**
 * Loads a strategy by name, from `strategies/` of `cwd` or the packaged ones, or by path; a fresh copy each time. Throws
 * STRATEGY_NOT_FOUND, naming the nearest that there is, or STRATEGY_INVALID, with file and line wherever there is one.
 */
export async function loadStrategy(use: string, options: LoaderOptions): Promise<LoadedModule> {
  return importStrategy(await compileStrategy(use, options));
}

/** Finds, checks and compiles a strategy, running none of it. Throws as `loadStrategy`. */
export async function compileStrategy(use: string, options: LoaderOptions): Promise<CompiledModule> {
  const { entry: file, sources, hash, parts, kept, imports, unread } = await sourcesOf(use, options);
  const { compile } = await import('./compile.ts');
  const code = new Map(
    await Promise.all(
      [...sources].map(
        async ([name, source]) => [name, isData(name) ? source : await compile(name, source, nameOf(name, options.cwd))] as const,
      ),
    ),
  );
  if (unread) throw unread;
  const names = new Map([file, ...code.keys()].map((one) => [one, nameOf(one, options.cwd)]));
  return { file, parts, kept, imports, sourceHash: hash, code, names };
}

/** Parser and compiler are loaded by who needs them: a thread that is given compiled modules starts without. */
async function sourcesOf(use: string, options: LoaderOptions): Promise<SourceFiles> {
  const { readSources } = await import('./read-sources.ts');
  return readSources(find(use, options), (file) => nameOf(file, options.cwd));
}

/** A file as a person who stands in `cwd` would name it. */
function nameOf(file: string, cwd: string): string {
  const name = path.relative(cwd, file);
  return name.startsWith('..') || path.isAbsolute(name) ? file : name.replaceAll(path.sep, '/');
}

/** Hash of a strategy's source as it stands, without running any of it. Throws as `loadStrategy`. */
export const sourceHashOf = async (use: string, options: LoaderOptions): Promise<string> => (await sourcesOf(use, options)).hash;

/** The module and the files it imports from beside it, by absolute path. Throws as `loadStrategy`. */
export const sourceFilesOf = async (use: string, options: LoaderOptions): Promise<readonly string[]> => [
  ...(await sourcesOf(use, options)).sources.keys(),
];

/** Names of the modules in `strategies/` of `cwd` and of the packaged ones, sorted. */
export function strategyNames({ cwd, packaged }: LoaderOptions): readonly string[] {
  const names = [path.join(cwd, 'strategies'), packaged].flatMap(namesIn);
  return [...new Set(names)].sort();
}

function find(use: string, options: LoaderOptions): string {
  const { cwd, packaged } = options;
  if (/[\\/]/.test(use) || isCode(use)) {
    const file = sourceAt(path.resolve(cwd, use));
    if (file !== undefined && isCode(file)) return file;
    const what = statSync(path.resolve(cwd, use), { throwIfNoEntry: false }) ? 'is not a TypeScript or JavaScript file' : 'does not exist';
    throw new KairosError('STRATEGY_NOT_FOUND', `strategy '${use}': ${path.resolve(cwd, use)} ${what}`);
  }
  const named = /^[\w$][\w$.-]*$/.test(use);
  for (const folder of [path.join(cwd, 'strategies'), packaged]) {
    const file = named ? sourceAt(path.join(folder, use)) : undefined;
    if (file !== undefined && isCode(file)) return file;
  }
  const names = strategyNames(options);
  const near = nearest(use, names, Math.max(2, Math.floor(use.length / 3)));
  const hint = near === undefined ? `there are ${names.join(', ') || 'none'}` : `did you mean '${near}'?`;
  throw new KairosError(
    'STRATEGY_NOT_FOUND',
    `strategy '${use}' is neither in ${path.join(cwd, 'strategies')} nor among those that come with Kairos; ${hint}`,
  );
}

function namesIn(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => isCode(name) && !/\.(?:test|d)\.ts$/.test(name) && isFile(path.join(folder, name)))
    .map((name) => path.parse(name).name);
}
