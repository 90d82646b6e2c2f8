import { KairosError, messageOf } from '#domain/errors.ts';
import { isStrategy, type MarkedStrategy } from './contract.ts';
import { definitionFaults } from './definition-rules.ts';
import { importCompiled } from './module-hooks.ts';
import { type StrategyOrigin, thrownBy } from './origin.ts';
import { guardProcess } from './process-guard.ts';
import type { SourceFiles } from './read-sources.ts';
import { misspeltImport, type SourceImport } from './source-imports.ts';
import type { Place } from './source-syntax.ts';

/** A strategy's module, checked and compiled. Plain data: a thread that is given it needs neither file nor compiler. */
export interface CompiledModule {
  /** Absolute path of the module. */
  readonly file: string;
  /** Where the parts of its definition are written, by name. */
  readonly parts: ReadonlyMap<string, Place>;
  /** A variable that makes `decide` answer by more than what it is given. */
  readonly kept: SourceFiles['kept'];
  /** What the same files import, by absolute path. */
  readonly imports: ReadonlyMap<string, readonly SourceImport[]>;
  /** SHA-256 of the module, the files it imports from beside it, and packages. */
  readonly sourceHash: string;
  /** JavaScript, or JSON as it is, by absolute path, of the module and the files it imports from beside it. */
  readonly code: ReadonlyMap<string, string>;
  /** The same files as errors name them: from where the user is, else absolute. The module itself first. */
  readonly names: ReadonlyMap<string, string>;
}

/** A strategy's module after it has run: its definition, and which code it was. */
export interface LoadedModule {
  readonly definition: MarkedStrategy;
  /** Absolute path of the module. */
  readonly file: string;
  /** SHA-256 of the module, the files it imports from beside it, and packages. */
  readonly sourceHash: string;
  readonly origin: StrategyOrigin;
}

/**
 * Runs a strategy's module; a fresh copy each time, so that whatever it keeps at its top is as new. Throws
 * STRATEGY_INVALID, with file and line wherever there is one.
 */
export async function importStrategy(compiled: CompiledModule): Promise<LoadedModule> {
  const { file, parts, kept, imports, sourceHash, names } = compiled;
  guardProcess(names);
  let loaded: unknown;
  try {
    loaded = await importCompiled(compiled);
  } catch (error) {
    if (error instanceof KairosError) throw error;
    const at = misspeltImport(error, imports);
    const what = at ? `${placeIn(names.get(at.file) ?? at.file, at.place)}: ${messageOf(error)}` : thrownBy(error, { files: names }).error;
    throw new KairosError('STRATEGY_INVALID', what, { cause: error });
  }
  const name = names.get(file) ?? file;
  const origin = {
    files: names,
    signals: placeIn(name, parts.get('signals')),
    decide: placeIn(name, parts.get('decide')),
    keeps: kept && `${kept.name} (${placeIn(names.get(kept.file) ?? kept.file, kept.place)})`,
  };
  return { definition: definitionIn(loaded, name, parts), file, sourceHash, origin };
}

/** A place of a file; the file alone where it is not known. */
const placeIn = (name: string, place: Place | undefined): string => (place ? `${name}:${place.line}:${place.column}` : name);

function definitionIn(loaded: unknown, name: string, parts: CompiledModule['parts']): MarkedStrategy {
  const invalid = (what: string, cause?: unknown) => new KairosError('STRATEGY_INVALID', `${name}: ${what}`, { cause });
  let found: unknown;
  let faults: ReturnType<typeof definitionFaults> = [];
  try {
    found = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
    if (isStrategy(found)) faults = definitionFaults(found, parts);
  } catch (cause) {
    throw invalid(`its default export throws when it is read: ${messageOf(cause)}`, cause);
  }
  if (found === undefined) throw invalid('exports nothing to run; write `export default strategy({ ... })`');
  if (found instanceof Promise) throw invalid('its default export is a promise; export what strategy({ ... }) returns');
  if (!isStrategy(found)) throw invalid('its default export was not made by strategy(); write `export default strategy({ ... })`');
  const [first, ...rest] = faults;
  if (first) {
    const more = rest.map(({ what, place }) => `; ${place === undefined ? '' : `line ${place.line}: `}${what}`).join('');
    throw new KairosError('STRATEGY_INVALID', `${placeIn(name, first.place)}: ${first.what}${more}`);
  }
  return found;
}
