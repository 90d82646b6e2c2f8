import { KairosError, messageOf } from '../domain/errors.ts';
import { isStrategy, type MarkedStrategy } from './contract.ts';
import { definitionFault } from './definition-rules.ts';
import { importCompiled } from './module-hooks.ts';

/** A strategy's module, checked and compiled. Plain data: a thread that is given it needs neither file nor compiler. */
export interface CompiledModule {
  /** Absolute path of the module. */
  readonly file: string;
  /** The module as it was written, to name lines of it. */
  readonly source: string;
  /** SHA-256 of the module and the files it imports from beside it. */
  readonly sourceHash: string;
  /** JavaScript by absolute path, of the module and the files it imports from beside it. */
  readonly code: ReadonlyMap<string, string>;
}

export interface LoadedModule {
  readonly definition: MarkedStrategy;
  /** Absolute path of the module. */
  readonly file: string;
  /** SHA-256 of the module and the files it imports from beside it. */
  readonly sourceHash: string;
}

/**
 * Runs a strategy's module; a fresh copy each time, so that whatever it keeps at its top is as new. Throws
 * STRATEGY_INVALID, with file and line wherever there is one.
 */
export async function importStrategy(compiled: CompiledModule): Promise<LoadedModule> {
  const { file, source, sourceHash } = compiled;
  let loaded: unknown;
  try {
    loaded = await importCompiled(compiled);
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('STRATEGY_INVALID', `${placeIn(error, file)}: ${messageOf(error)}`, { cause: error });
  }
  return { definition: definitionIn(loaded, file, source), file, sourceHash };
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
