import { type Branch, isKey, type Key } from '#domain/settings/key.ts';
import { KEYS } from './keys.ts';

/** A key with its place among the settings. */
export interface PlacedKey {
  /** Full name, as in `service.baseUrl`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly key: Key<unknown>;
  /** Environment variable; undefined if no variable can hold the value. */
  readonly env: string | undefined;
}

/** The settings as a tree: the same names as in YAML. */
export const TREE: Branch = KEYS;

/** Every setting, in order. */
export const ALL_KEYS: readonly PlacedKey[] = placed(TREE, []);

/** The setting of a name such as `journal.path`; undefined for an unknown one. */
export function keyNamed(name: string): PlacedKey | undefined {
  return ALL_KEYS.find((candidate) => candidate.name === name);
}

function placed(branch: Branch, above: readonly string[]): readonly PlacedKey[] {
  return Object.entries(branch).flatMap(([name, node]) => {
    const path = [...above, name];
    if (!isKey(node)) return placed(node, path);
    return [{ name: path.join('.'), path, key: node, env: node.kind.fromText ? (node.env ?? envName(path)) : undefined }];
  });
}

/** `journal.path` is KAIROS_JOURNAL_PATH, `risk.maxOrderValue` is KAIROS_RISK_MAX_ORDER_VALUE. */
function envName(path: readonly string[]): string {
  const words = path.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase());
  return `KAIROS_${words.join('_')}`;
}
