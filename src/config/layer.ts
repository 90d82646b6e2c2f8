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
    found.push(...goodPartOf(given, key, faults));
  }
}

/** Holds one given value against its kind; faults name the exact place inside it. */
export function checkGiven(given: Given, key: Key<unknown>, faults: FaultList): boolean {
  return placesAtFault(given, key, faults).length === 0;
}

/**
 * The same, and what is left of the value without the places at fault: all of it, a list without the entries that are none any more, or
 * nothing where that is no value either.
 */
function goodPartOf(given: Given, key: Key<unknown>, faults: FaultList): readonly Given[] {
  const places = placesAtFault(given, key, faults);
  if (places.length === 0) return [given];
  const value = places.reduce(without, given.value);
  const left = faultyPlaces(key, value);
  if (left.length === 0) return [{ ...given, value }];
  if (!Array.isArray(value)) return [];
  const broken = new Set(left.map(([index]) => index));
  const kept = value.flatMap((_, index) => (broken.has(index) ? [] : [index]));
  const entries: unknown = kept.map((index) => value[index]);
  const origin = ([index, ...rest]: Inside): string =>
    given.origin(index === undefined ? [] : [typeof index === 'number' ? (kept[index] ?? index) : index, ...rest]);
  return kept.length > 0 && faultyPlaces(key, entries).length === 0 ? [{ ...given, value: entries, origin }] : [];
}

function faultyPlaces(key: Key<unknown>, value: unknown): readonly Inside[] {
  const places: Inside[] = [];
  key.kind.read(value, (inside) => places.push(inside));
  return places;
}

type Inside = readonly (string | number)[];

function placesAtFault(given: Given, key: Key<unknown>, faults: FaultList): readonly Inside[] {
  const places: Inside[] = [];
  key.kind.read(given.value, (inside, wrong, code) => {
    places.push(inside);
    faults.add(`${given.origin(inside)}: ${keyText([...given.name.split('.'), ...inside])}: ${wrong}`, code);
  });
  return places;
}

/** A value without a place inside it; entries of lists stay where they are, so that all others keep their places. */
function without(value: unknown, [first, ...rest]: Inside): unknown {
  if (Array.isArray(value)) return value.map((item, index) => (index === first && rest.length > 0 ? without(item, rest) : item));
  if (!isGroup(value)) return value;
  const left = Object.entries(value).filter(([name]) => name !== first || rest.length > 0);
  return Object.fromEntries(left.map(([name, item]) => [name, name === first ? without(item, rest) : item]));
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
