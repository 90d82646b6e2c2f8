import type { ExportSpecifier, File, ImportSpecifier } from '@babel/types';
import { type Place, placeOf } from './source-syntax.ts';

/** An import or re-export of a module, of more than types. */
export interface SourceImport {
  readonly from: string;
  readonly place: Place;
  /** Names as the other module exports them; `*` for all of them, exported again. */
  readonly names: readonly string[];
  /** The name that stands for the whole module here, for `* as x` and default imports. */
  readonly whole: string | undefined;
}

/** The imports and re-exports of a module, in order; without those of types alone. */
export function importsOf({ program }: File): readonly SourceImport[] {
  return program.body.flatMap((statement): SourceImport[] => {
    if (statement.type === 'ImportDeclaration') {
      if (statement.importKind === 'type') return [];
      const named = statement.specifiers.filter((one) => one.type === 'ImportSpecifier');
      const whole = statement.specifiers.find((one) => one.type !== 'ImportSpecifier')?.local.name;
      return found(statement.source, { names: named.flatMap(nameOf), whole });
    }
    if (statement.type === 'ExportAllDeclaration') return statement.exportKind === 'type' ? [] : found(statement.source, ALL);
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source || statement.exportKind === 'type') return [];
    const named = statement.specifiers.filter((one) => one.type === 'ExportSpecifier');
    const isWhole = statement.specifiers.some((one) => one.type === 'ExportNamespaceSpecifier');
    return found(statement.source, isWhole ? ALL : { names: named.flatMap(nameOf), whole: undefined });
  });
}

type ImportedNames = Pick<SourceImport, 'names' | 'whole'>;

const ALL: ImportedNames = { names: ['*'], whole: undefined };

function found(source: { readonly value: string }, imported: ImportedNames): SourceImport[] {
  const place = placeOf(source);
  return place ? [{ from: source.value, place, ...imported }] : [];
}

/** The name that a specifier takes from the other module; none for a type. */
function nameOf(one: ImportSpecifier | ExportSpecifier): readonly string[] {
  const isType = one.type === 'ImportSpecifier' ? one.importKind === 'type' : one.exportKind === 'type';
  const named = one.type === 'ImportSpecifier' ? one.imported : one.local;
  return isType ? [] : [named.type === 'Identifier' ? named.name : named.value];
}

/**
 * Where the import stands that an error of the module loader is about: a module that is not there, or a name that it does not have;
 * undefined for other errors. The name of a file by its absolute path.
 */
export function misspeltImport(
  error: unknown,
  imports: ReadonlyMap<string, readonly SourceImport[]>,
): { readonly file: string; readonly place: Place } | undefined {
  const text = error instanceof Error ? error.message : '';
  const [, from, name] = NO_SUCH_NAME.exec(text) ?? NO_SUCH_MODULE.exec(text) ?? [];
  if (from === undefined) return undefined;
  for (const [file, found] of imports) {
    const one = found.find((each) => each.from === from && (name === undefined || name === 'default' || each.names.includes(name)));
    if (one) return { file, place: one.place };
  }
  return undefined;
}

const NO_SUCH_NAME = /requested module '([^']+)' does not provide an export named '([^']+)'/;
const NO_SUCH_MODULE = /Cannot find (?:package|module) '([^']+)' imported from/;
