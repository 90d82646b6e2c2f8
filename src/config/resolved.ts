import convict from 'convict';
import { invariant } from '#domain/errors.ts';
import type { Mode } from '#domain/mode.ts';
import { type Branch, isKey, type Key } from '#domain/settings/key.ts';
import { isGroup, readChecked } from '#domain/settings/kind.ts';
import type { Environment } from './environment.ts';
import type { LayerSetting } from './layer.ts';
import { ALL_KEYS, TREE } from './tree.ts';

/** All settings with their values, and where each value came from. */
export interface ResolvedSettings {
  get<T>(key: Key<T>): T;
  /** As YAML would give it. */
  raw(name: string): unknown;
  /** `default`, `kairos.yaml:14`, `env KAIROS_X` or `--set`, of a setting or of a place inside it. */
  origin(name: string, inside?: readonly (string | number)[]): string;
  isGiven(name: string): boolean;
}

/** The layers of settings; later ones win. */
export interface Layers {
  readonly files: readonly LayerSetting[];
  readonly environment: Environment;
  readonly set: readonly LayerSetting[];
  /** The mode, whose defaults apply. */
  readonly mode: Mode;
}

for (const { name, key } of ALL_KEYS) {
  convict.addFormat({
    name: formatOf(name),
    validate: (value: unknown) => void readChecked(key.kind, value),
    ...(key.kind.fromText && { coerce: key.kind.fromText }),
  });
}

/** Merges the layers with convict: default, then files, then environment, then `--set`. Every value was checked before. */
export function resolve({ files, environment, set, mode }: Layers): ResolvedSettings {
  // `args: []` keeps convict from reading this process's own arguments.
  const groups = new Set([...files, ...set].flatMap(({ name, value }) => (isGroup(value) ? [name] : [])));
  const config = convict<Record<string, unknown>>(schemaOf(TREE, [], { mode, groups }), { args: [], env: { ...environment.texts } });
  for (const { name, value } of files) config.set(name, value);
  config.load({});
  for (const { name, value } of set) config.set(name, value);
  config.validate({ allowed: 'strict' });
  const winners = new Map([...files, ...environment.given, ...set].map((given) => [given.name, given]));
  const names = new Map<Key<unknown>, string>(ALL_KEYS.map(({ key, name }) => [key, name]));
  const raw = (name: string): unknown => config.get(name);
  return {
    raw,
    get(key) {
      const name = names.get(key);
      invariant(name !== undefined, 'a setting is asked for by its key');
      return readChecked(key.kind, raw(name));
    },
    origin: (name, inside = []) => winners.get(name)?.origin(inside) ?? 'default',
    isGiven: (name) => winners.has(name),
  };
}

/** A setting's default, as YAML would give it. */
export function initialOf(key: Key<unknown>, mode: Mode): unknown {
  const special = { paper: key.onPaper, dry: key.inDry, live: undefined }[mode];
  return special ?? key.initial;
}

function formatOf(name: string): string {
  return `kairos ${name}`;
}

interface Leaf {
  readonly doc: string;
  readonly format: string;
  readonly default: unknown;
  readonly sensitive: boolean;
  readonly env?: string;
}

type Node = Leaf | { [name: string]: Node };

interface LeafRules {
  readonly mode: Mode;
  /** Settings whose value is a group: convict takes a group as one value only if the default is a group. */
  readonly groups: ReadonlySet<string>;
}

function schemaOf(branch: Branch, above: readonly string[], rules: LeafRules): { [name: string]: Node } {
  const nodes = Object.entries(branch).map(([name, node]): [string, Node] => {
    const path = [...above, name];
    return [name, isKey(node) ? leafOf(node, path.join('.'), rules) : schemaOf(node, path, rules)];
  });
  return Object.fromEntries(nodes);
}

function leafOf(key: Key<unknown>, name: string, { mode, groups }: LeafRules): Leaf {
  const env = ALL_KEYS.find((placed) => placed.key === key)?.env;
  return {
    doc: key.doc,
    format: formatOf(name),
    default: groups.has(name) ? {} : initialOf(key, mode),
    sensitive: key.secret,
    ...(env !== undefined && { env }),
  };
}
