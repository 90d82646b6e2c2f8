import type { ExportSpecifier, File, ImportSpecifier } from '@babel/types';
import { type Place, placeOf } from './source-syntax.ts';

/** An import or re-export of a module, of more than types. */
export interface SourceImport {
  /** What is imported from. */
  readonly from: string;
  readonly place: Place;
  /** Names as the other module exports them. */
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
    if (statement.type === 'ExportAllDeclaration') return statement.exportKind === 'type' ? [] : found(statement.source);
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source || statement.exportKind === 'type') return [];
    const named = statement.specifiers.filter((one) => one.type === 'ExportSpecifier');
    return found(statement.source, { names: named.flatMap(nameOf), whole: undefined });
  });
}

type Imported = Pick<SourceImport, 'names' | 'whole'>;

function found(source: { readonly value: string }, imported: Imported = { names: [], whole: undefined }): SourceImport[] {
  const place = placeOf(source);
  return place ? [{ from: source.value, place, ...imported }] : [];
}

/** The name that a specifier takes from the other module; none for a type. */
function nameOf(one: ImportSpecifier | ExportSpecifier): readonly string[] {
  const isType = one.type === 'ImportSpecifier' ? one.importKind === 'type' : one.exportKind === 'type';
  const named = one.type === 'ImportSpecifier' ? one.imported : one.local;
  return isType ? [] : [named.type === 'Identifier' ? named.name : named.value];
}
