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
 * Reads one `--set KEY=VALUE`, VALUE being YAML. KEY is a setting, a group of settings, or a place inside the value that a setting has before
 * (`strategies[0].params.fast`, `risk.maxDayLoss.usd`): `before` gives that. A plain limit is one of `currency`.
 */
export function readAssignment(
  argument: string,
  { before, currency, faults }: { readonly before: (name: string) => LayerSetting; readonly currency: string; readonly faults: FaultList },
): readonly LayerSetting[] {
  const assignment = takeApart(argument, faults);
  if (assignment === undefined) return [];
  const { path, text } = assignment;
  const key = keyNamed(path.join('.'))?.key;
  // A secret is refused first, before any error could repeat it.
  const value = key?.secret ? { value: '' } : readValue(text, { path, key, faults });
  if (value === undefined) return [];
  const inside = path.findIndex((part, index) => typeof part === 'number' || takesGroup(keyNamed(path.slice(0, index).join('.'))?.key));
  if (inside > 0) return patched(path, inside, { value: value.value, before, currency, faults });
  const nested = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value.value);
  return layerOf({ value: nested, origin: () => ORIGIN }, faults).given;
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
  patch: {
    readonly value: unknown;
    readonly before: (name: string) => LayerSetting;
    readonly currency: string;
    readonly faults: FaultList;
  },
): readonly LayerSetting[] {
  const { value, before, currency, faults } = patch;
  const name = keyText(path.slice(0, index));
  const placed = keyNamed(name);
  if (!placed) {
    faults.add(`${ORIGIN}: ${keyText(path)}: ${name} is no list of settings`, 'CONFIG_UNKNOWN_KEY');
    return [];
  }
  const old = before(name);
  const inside = path.slice(index);
  const [at] = inside;
  const entries = Array.isArray(old.value) ? old.value.length : 0;
  if (!takesGroup(placed.key) && (typeof at !== 'number' || at >= entries)) {
    faults.add(`${ORIGIN}: ${keyText(path)}: ${name} has ${entries} entries, counted from 0`);
    return [];
  }
  const whole = wholeOf(old.value, placed.key, currency);
  // Currencies and products are the same in capitals.
  if (isGroup(whole)) inside[0] = Object.keys(whole).find((one) => one.toLowerCase() === String(at).toLowerCase()) ?? String(at);
  // The origin of a whole list is where it was given; a group is one row of them, which has changed.
  const isOld = (place: readonly (string | number)[]): boolean =>
    !inside.every((part, i) => place[i] === part) && isThere(old.value, place) && (place.length > 0 || !isGroup(whole));
  const given: LayerSetting = {
    name,
    value: replaced(whole, inside, value),
    origin: (place) => (isOld(place) ? old.origin(place) : ORIGIN),
  };
  return checkGiven(given, placed.key, faults) ? [given] : [];
}

/** True for a setting whose value is a group by name, as of figures by currency. */
const takesGroup = (key: Key<unknown> | undefined): boolean => key?.kind.read({}, () => {}) !== undefined;

/** What a place is assigned in: a plain limit is a group of one figure, in the account's currency. */
function wholeOf(value: unknown, key: Key<unknown>, currency: string): unknown {
  const group = { [currency]: value };
  return !isGroup(value) && key.kind.read(group, () => {}) !== undefined ? group : value;
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
