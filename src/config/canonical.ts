import { createHash } from 'node:crypto';
import { isGroup } from '#domain/settings/kind.ts';
import type { ResolvedSettings } from './resolved.ts';
import type { Settings } from './settings.ts';
import { ALL_KEYS } from './tree.ts';

/** Stands for a secret that is set. */
export const REDACTED = '[set]';

/**
 * The settings as JSON with sorted names: equal configurations give equal text whatever the order of a file. A mark
 * replaces secrets.
 */
export function canonicalJson(settings: Settings): string {
  const { strategies, account, ...rest } = settings;
  const placeless = { ...rest, account: { ...account, rates: account.rates.map(withoutPlace) }, strategies: strategies.map(withoutPlace) };
  const plain: unknown = JSON.parse(JSON.stringify(placeless));
  return JSON.stringify(sorted(SECRET_PATHS.reduce((value, path) => withSecret(value, path, redacted), plain)));
}

const withoutPlace = <Entry extends { readonly origin: string }>({ origin: _place, ...entry }: Entry) => entry;

/** Replaces a secret. Settings have their secrets at the same paths as their keys. */
function withSecret(value: unknown, [step, ...rest]: readonly string[], replaced: typeof redacted): unknown {
  if (step === undefined) return replaced(value);
  if (!isGroup(value) || !(step in value)) return value;
  return { ...value, [step]: withSecret(value[step], rest, replaced) };
}

/**
 * SHA-256 of a configuration's canonical JSON, in hex; without `log`, which decides nothing, so that other lines ask for no arming, and
 * whether or not secrets are there, which systemd hands to the daemon alone: who arms at a terminal may not read them.
 */
export function hashOf(json: string): string {
  const { log: _shown, ...deciding }: Readonly<Record<string, unknown>> = JSON.parse(json);
  const secretless = SECRET_PATHS.reduce<unknown>((value, path) => withSecret(value, path, () => null), deciding);
  return createHash('sha256').update(JSON.stringify(secretless)).digest('hex');
}

/** One setting, where it came from, and its value unless it is secret. */
export interface Origin {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}

/** Every setting in order, with list entries split into their own settings. */
export function originsOf(resolved: ResolvedSettings): readonly Origin[] {
  return ALL_KEYS.flatMap(({ name, key }) => {
    const value = resolved.raw(name);
    if (key.secret) return [{ key: name, value: redacted(value), origin: resolved.origin(name) }];
    const isEntries = Array.isArray(value) && value.some(isGroup);
    return isEntries ? partsOf({ resolved, name, value, inside: [] }) : [{ key: name, value, origin: resolved.origin(name) }];
  });
}

const SECRET_PATHS = ALL_KEYS.flatMap(({ key, path }) => (key.secret ? [path] : []));

const redacted = (value: unknown): string | null => (value === null || value === undefined ? null : REDACTED);

function partsOf(part: {
  readonly resolved: ResolvedSettings;
  readonly name: string;
  readonly value: unknown;
  readonly inside: readonly (string | number)[];
}): readonly Origin[] {
  const { resolved, name, value, inside } = part;
  const deeper = (step: string | number, item: unknown): readonly Origin[] =>
    partsOf({ resolved, name, value: item, inside: [...inside, step] });
  if (Array.isArray(value) && value.some(isGroup)) return value.flatMap((item, index) => deeper(index, item));
  if (isGroup(value) && Object.keys(value).length > 0) return Object.entries(value).flatMap(([step, item]) => deeper(step, item));
  const key = inside.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), name);
  return [{ key, value, origin: resolved.origin(name, inside) }];
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isGroup(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
