import { similar } from '#domain/nearest.ts';
import { type Example, exampleIn, noGroup } from '#domain/settings/form.ts';
import { type Branch, isKey, type Key } from '#domain/settings/key.ts';
import { isGroup } from '#domain/settings/kind.ts';
import type { FaultList } from './faults.ts';
import { keyText } from './faults.ts';
import { unknownText } from './record.ts';
import { ALL_KEYS, TREE } from './tree.ts';
import type { Source } from './yaml-source.ts';

/** One setting of a layer. */
export interface LayerSetting {
  readonly name: string;
  readonly value: unknown;
  /** The origin of the setting, or of a place inside it. */
  origin(inside: readonly (string | number)[]): string;
}

/** What a source of settings gives. */
interface Layer {
  readonly given: readonly LayerSetting[];
  /** Entries of lists that are none, as they were given but for the places at fault. */
  readonly leftOut: readonly LayerSetting[];
}

/**
 * Splits a source into its settings and checks each: names, kinds, and no secrets. A value that a later layer replaces
 * is checked as well, since it may come into force one day.
 */
export function layerOf(source: Source, faults: FaultList): Layer {
  const found: LayerSetting[] = [];
  const leftOut: LayerSetting[] = [];
  walk({ value: source.value, branch: TREE, path: [] });
  return { given: found, leftOut };

  function walk(at: { readonly value: unknown; readonly branch: Branch; readonly path: readonly string[] }): void {
    const { value, branch, path } = at;
    const here = (inside: readonly (string | number)[]): string => source.origin([...path, ...inside]);
    if (value === null && path.length > 0) return;
    if (!isGroup(value)) {
      const what = path.length === 0 ? 'the settings' : keyText(path);
      faults.add(`${here([])}: ${what}: ${noGroup(value, exampleOf(branch))}`);
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
    const given: LayerSetting = { name: path.join('.'), value, origin };
    const { good, leftOut: broken } = goodPartOf(given, key, faults);
    found.push(...good);
    leftOut.push(...broken);
  }
}

/** The form of a group of settings: a number of it, else a list with an entry, else another plain setting or the form of a group in it. */
function exampleOf(branch: Branch): Example {
  const nodes = Object.entries(branch);
  const keys = nodes.flatMap(([name, node]) => (isKey(node) && !node.secret ? [{ name, node, value: node.onPaper ?? node.initial }] : []));
  const plain = (...types: string[]): readonly Example[] =>
    keys.flatMap(({ name, value }) => (types.includes(typeof value) ? [{ [name]: value }] : []));
  const lists = keys.flatMap(({ name, node, value }): readonly Example[] => {
    const example = Array.isArray(value) ? exampleIn(node.kind.schema) : undefined;
    return example === undefined ? [] : [{ [name]: example }];
  });
  const inside = nodes.flatMap(([name, node]) => (isKey(node) ? [] : [{ [name]: exampleOf(node) }]));
  return [...plain('number'), ...lists, ...plain('string', 'boolean'), ...inside][0] ?? {};
}

/** Checks one given value against its kind; faults name the exact place inside it. */
export function checkGiven(given: LayerSetting, key: Key<unknown>, faults: FaultList): boolean {
  return placesAtFault(given, key, faults).length === 0;
}

/**
 * As `checkGiven`; also returns the value without its faulty places: the whole value, a list without faulty entries, or
 * nothing if the rest is no valid value. `leftOut` has the faulty entries, each in a list of its own.
 */
function goodPartOf(
  given: LayerSetting,
  key: Key<unknown>,
  faults: FaultList,
): { readonly good: readonly LayerSetting[]; readonly leftOut: readonly LayerSetting[] } {
  const places = placesAtFault(given, key, faults);
  if (places.length === 0) return { good: [given], leftOut: [] };
  const value = places.reduce(without, given.value);
  const left = faultyPlaces(key, value);
  if (left.length === 0) return { good: [{ ...given, value }], leftOut: [] };
  if (!Array.isArray(value)) return { good: [], leftOut: [] };
  const broken = new Set(left.map(([index]) => index));
  const part = (indices: readonly number[]): LayerSetting => {
    const origin = ([index, ...rest]: Inside): string =>
      given.origin(index === undefined ? [] : [typeof index === 'number' ? (indices[index] ?? index) : index, ...rest]);
    return { ...given, value: indices.map((index) => value[index]), origin };
  };
  const kept = part(value.flatMap((_, index) => (broken.has(index) ? [] : [index])));
  const good = Array.isArray(kept.value) && kept.value.length > 0 && faultyPlaces(key, kept.value).length === 0;
  return { good: good ? [kept] : [], leftOut: [...broken].flatMap((index) => (typeof index === 'number' ? [part([index])] : [])) };
}

function faultyPlaces(key: Key<unknown>, value: unknown): readonly Inside[] {
  const places: Inside[] = [];
  key.kind.read(value, (inside) => places.push(inside));
  return places;
}

type Inside = readonly (string | number)[];

function placesAtFault(given: LayerSetting, key: Key<unknown>, faults: FaultList): readonly Inside[] {
  const places: Inside[] = [];
  key.kind.read(given.value, (inside, wrong, code) => {
    places.push(inside);
    faults.add(`${given.origin(inside)}: ${keyText([...given.name.split('.'), ...inside])}: ${wrong}`, code);
  });
  return places;
}

/** A value without the place `path` inside it. List entries keep their indexes. */
function without(value: unknown, [first, ...rest]: Inside): unknown {
  if (Array.isArray(value)) return value.map((item, index) => (index === first && rest.length > 0 ? without(item, rest) : item));
  if (!isGroup(value)) return value;
  const left = Object.entries(value).filter(([name]) => name !== first || rest.length > 0);
  return Object.fromEntries(left.map(([name, item]) => [name, name === first ? without(item, rest) : item]));
}

/** Where to put a secret that was found in a file; does not repeat it. */
function secretPlace(path: readonly string[]): string {
  const env = ALL_KEYS.find(({ name }) => name === path.join('.'))?.env ?? '';
  return `a secret may not stand here; take it out and give it as ${env}, or as ${env}_FILE naming a file with mode 0600`;
}

/** The known name that an unknown one may mean: a similar name or plural in its group, or the same name in another. */
function nearestKey(name: string, branch: Branch, path: readonly string[]): string | undefined {
  const own = Object.keys(branch);
  const near = similar(name, own) ?? similar(`${name}s`, own);
  return near === undefined ? ALL_KEYS.find((key) => key.path.at(-1) === name)?.name : keyText([...path, near]);
}
