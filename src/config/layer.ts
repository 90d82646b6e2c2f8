import { similar } from '#domain/nearest.ts';
import { type Branch, isKey, type Key } from '#domain/settings/key.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import type { FaultList } from './faults.ts';
import { keyText } from './faults.ts';
import { unknownText } from './record.ts';
import { ALL_KEYS, TREE } from './tree.ts';
import type { Source } from './yaml-source.ts';

/** One setting as a layer gives it. */
export interface Given {
  readonly name: string;
  readonly value: unknown;
  /** Where the setting, or a place inside it, stands. */
  origin(inside: readonly (string | number)[]): string;
}

/**
 * Takes a source of settings apart into its settings, checking each on its own: names, kinds, and that no secret stands
 * in it. A value that a later layer replaces is checked as well, so that it cannot come to light one day.
 */
export function layerOf(source: Source, faults: FaultList): readonly Given[] {
  const found: Given[] = [];
  walk({ value: source.value, branch: TREE, path: [] });
  return found;

  function walk(at: { readonly value: unknown; readonly branch: Branch; readonly path: readonly string[] }): void {
    const { value, branch, path } = at;
    const here = (inside: readonly (string | number)[]): string => source.origin([...path, ...inside]);
    if (value === null && path.length > 0) return;
    if (!isGroup(value)) {
      const what = path.length === 0 ? 'the settings' : keyText(path);
      faults.add(`${here([])}: ${what}: must be a group of settings, not ${shown(value)}`);
      return;
    }
    for (const [name, item] of Object.entries(value)) {
      const node = Object.hasOwn(branch, name) ? branch[name] : undefined;
      const key = [...path, name];
      if (node === undefined)
        faults.add(`${here([name])}: ${keyText(key)}: ${unknownText(name, nearestKey(name, branch, path))}`, 'CONFIG_UNKNOWN_KEY');
      else if (isKey(node)) take(node, key, item);
      else walk({ value: item, branch: node, path: key });
    }
  }

  function take(key: Key<unknown>, path: readonly string[], value: unknown): void {
    const origin = (inside: readonly (string | number)[]): string => source.origin([...path, ...inside]);
    if (key.secret) {
      if (value !== null) faults.add(`${origin([])}: ${keyText(path)}: ${secretPlace(path)}`, 'SECRET_EXPOSED');
      return;
    }
    const given: Given = { name: path.join('.'), value, origin };
    checkGiven(given, key, faults);
    found.push(given);
  }
}

/** Holds one given value against its kind; faults name the exact place inside it. */
export function checkGiven(given: Given, key: Key<unknown>, faults: FaultList): boolean {
  let good = true;
  key.kind.read(given.value, (inside, wrong, code) => {
    good = false;
    faults.add(`${given.origin(inside)}: ${keyText([...given.name.split('.'), ...inside])}: ${wrong}`, code);
  });
  return good;
}

/** Says what to do with a secret that stands in the open, without repeating it. */
function secretPlace(path: readonly string[]): string {
  const env = ALL_KEYS.find(({ name }) => name === path.join('.'))?.env ?? '';
  return `a secret may not stand here; take it out and give it as ${env}, or as ${env}_FILE naming a file with mode 0600`;
}

/** The known name that one which is not may mean: one like it or its plural in its own group, or the same in another. */
function nearestKey(name: string, branch: Branch, path: readonly string[]): string | undefined {
  const own = Object.keys(branch);
  const near = similar(name, own) ?? similar(`${name}s`, own);
  return near === undefined ? ALL_KEYS.find((key) => key.path.at(-1) === name)?.name : keyText([...path, near]);
}
