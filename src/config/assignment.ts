import type { Key } from '#domain/settings/key.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import { FaultList, keyText } from './faults.ts';
import { checkGiven, type LayerSetting, layerOf } from './layer.ts';
import { keyNamed } from './tree.ts';
import { parseSource } from './yaml-source.ts';

const ORIGIN = '--set';

/** A parsed `--set KEY=VALUE`. The value is still text. */
interface Assignment {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/**
 * Reads one `--set KEY=VALUE`, VALUE being YAML. KEY is a setting, a group, or a place inside an existing list
 * (`strategies[0].params.fast`); `before` gives that list.
 */
export function readAssignment(argument: string, before: (name: string) => LayerSetting, faults: FaultList): readonly LayerSetting[] {
  const assignment = takeApart(argument, faults);
  if (assignment === undefined) return [];
  const { path, text } = assignment;
  const key = keyNamed(path.join('.'))?.key;
  // A secret is refused first, before any error could repeat it.
  const value = key?.secret ? { value: '' } : readValue(text, { path, key, faults });
  if (value === undefined) return [];
  const index = path.findIndex((part) => typeof part === 'number');
  if (index < 0) {
    const nested = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value.value);
    return layerOf({ value: nested, origin: () => ORIGIN }, faults).given;
  }
  return patched(path, index, { value: value.value, before, faults });
}

/** The value as YAML, or the plain text if only that suits the setting, such as `:memory:`, which YAML reads as a group. */
function readValue(
  text: string,
  of: { readonly path: readonly (string | number)[]; readonly key: Key<unknown> | undefined; readonly faults: FaultList },
): { readonly value: unknown } | undefined {
  const { path, key, faults } = of;
  const wrong = new FaultList();
  const source = parseSource(text, `${ORIGIN} ${keyText(path)}`, wrong, { lines: false });
  const suits = (value: unknown): boolean => key?.kind.read(value, () => {}) !== undefined;
  if (key !== undefined && !(source && suits(source.value)) && suits(text)) return { value: text };
  for (const { line, code } of wrong.all) faults.add(line, code);
  return source;
}

function patched(
  path: readonly (string | number)[],
  index: number,
  patch: { readonly value: unknown; readonly before: (name: string) => LayerSetting; readonly faults: FaultList },
): readonly LayerSetting[] {
  const { value, before, faults } = patch;
  const name = keyText(path.slice(0, index));
  const placed = keyNamed(name);
  if (!placed) {
    faults.add(`${ORIGIN}: ${keyText(path)}: ${name} is no list of settings`, 'CONFIG_UNKNOWN_KEY');
    return [];
  }
  const old = before(name);
  const inside = path.slice(index);
  const entries = Array.isArray(old.value) ? old.value.length : 0;
  const [at] = inside;
  if (typeof at !== 'number' || at >= entries) {
    faults.add(`${ORIGIN}: ${keyText(path)}: ${name} has ${entries} entries, counted from 0`);
    return [];
  }
  const given: LayerSetting = {
    name,
    value: replaced(old.value, inside, value),
    origin: (place) => (inside.every((part, i) => place[i] === part) || !isThere(old.value, place) ? ORIGIN : old.origin(place)),
  };
  return checkGiven(given, placed.key, faults) ? [given] : [];
}

/** A copy of `whole` with another value at `path`; missing groups on the way are made. */
function replaced(whole: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (Array.isArray(whole) && typeof part === 'number') {
    return whole.map((item, index) => (index === part ? replaced(item, rest, value) : item));
  }
  const group = isGroup(whole) ? whole : {};
  return { ...group, [part]: replaced(Object.hasOwn(group, part) ? group[part] : undefined, rest, value) };
}

/** True if `path` existed in the list before the assignment. */
function isThere(whole: unknown, path: readonly (string | number)[]): boolean {
  const [part, ...rest] = path;
  if (part === undefined) return true;
  if (Array.isArray(whole)) return typeof part === 'number' && isThere(whole[part], rest);
  return isGroup(whole) && Object.hasOwn(whole, part) && isThere(whole[String(part)], rest);
}

function takeApart(argument: string, faults: FaultList): Assignment | undefined {
  const equals = argument.indexOf('=');
  const key = equals < 0 ? argument : argument.slice(0, equals);
  if (equals < 1 || !/^[^.[\]\s]+(?:\.[^.[\]\s]+|\[\d{1,6}\])*$/.test(key)) {
    faults.add(`${ORIGIN}: must be KEY=VALUE such as journal.path=/tmp/try.db, not ${shown(equals < 0 ? argument : key)}`, 'USAGE');
    return undefined;
  }
  const path = [...key.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));
  return { path, text: argument.slice(equals + 1) };
}
