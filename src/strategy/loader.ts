import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { KairosError, messageOf } from '../domain/errors.ts';
import { nearest } from '../domain/nearest.ts';
import { isStrategy, type MarkedStrategy } from './contract.ts';
import { definitionFault } from './definition-rules.ts';
import { importSources } from './module-hooks.ts';
import { isCode, isFile, readSources, sourceAt } from './source-files.ts';

export interface LoadedModule {
  readonly definition: MarkedStrategy;
  /** Absolute path of the module. */
  readonly file: string;
  /** SHA-256 of the module and the files it imports from beside it. */
  readonly sourceHash: string;
}

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
  const file = find(use, options);
  const sources = readSources(file);
  const loaded = await importModule(file, () => importSources(sources));
  return { definition: definitionIn(loaded, file, sources.sources.get(file) ?? ''), file, sourceHash: sources.hash };
}

/** Hash of a strategy's source as it stands, without running any of it. Throws as `loadStrategy`. */
export const sourceHashOf = (use: string, options: LoaderOptions): string => readSources(find(use, options)).hash;

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

async function importModule(file: string, load: () => Promise<unknown>): Promise<unknown> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('STRATEGY_INVALID', `${placeIn(error, file)}: ${messageOf(error)}`, { cause: error });
  }
}

/** Where in the module an error arose, as far as its stack knows. */
function placeIn(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack.indexOf(file);
  const line = at < 0 ? undefined : /^(?:\?gen=\d+)?:(\d+)/.exec(stack.slice(at + file.length))?.[1];
  return line === undefined ? file : `${file}:${line}`;
}

function definitionIn(loaded: unknown, file: string, source: string): MarkedStrategy {
  const invalid = (what: string, cause?: unknown) => new KairosError('STRATEGY_INVALID', `${file}: ${what}`, { cause });
  let found: unknown;
  let fault: { readonly what: string; readonly line?: number } | undefined;
  try {
    found = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
    if (isStrategy(found)) fault = definitionFault(found, source);
  } catch (cause) {
    throw invalid(`its default export throws when it is read: ${messageOf(cause)}`, cause);
  }
  if (found === undefined) throw invalid('exports nothing to run; write `export default strategy({ ... })`');
  if (found instanceof Promise) throw invalid('its default export is a promise; export what strategy({ ... }) returns');
  if (!isStrategy(found)) throw invalid('its default export was not made by strategy(); write `export default strategy({ ... })`');
  if (fault) throw new KairosError('STRATEGY_INVALID', `${file}${fault.line === undefined ? '' : `:${fault.line}`}: ${fault.what}`);
  return found;
}
