import type { SettingKind } from './kind.ts';

/** One setting: its kind, its default and what it is for. */
export interface Key<T> {
  readonly kind: SettingKind<T>;
  /** As YAML would give it. */
  readonly initial: unknown;
  /** Default on paper. */
  readonly onPaper: unknown;
  /** Default in dry mode. */
  readonly inDry: unknown;
  readonly doc: string;
  readonly secret: boolean;
  /** Name of the environment variable if it does not follow the rule (`KAIROS_SECTION_KEY`). */
  readonly env: string | undefined;
  /** An example for a setting that live trading requires; undefined if the default will do. */
  readonly liveExample: string | undefined;
}

/** Properties that most settings do not have. */
export interface Extras {
  readonly onPaper?: unknown;
  readonly inDry?: unknown;
  readonly env?: string;
  readonly secret?: boolean;
  readonly liveExample?: string;
}

/** Declares a setting. `doc` is one sentence for people; it stands in the reference and in the schema. */
export function key<T>(kind: SettingKind<T>, initial: unknown, doc: string, extras: Extras = {}): Key<T> {
  const { onPaper, inDry, env, liveExample, secret = false } = extras;
  return { kind, initial, doc, onPaper, inDry, secret, env, liveExample };
}

/** A group of settings, or a setting. */
export type Branch = { readonly [name: string]: Branch | Key<unknown> };

/** Tells a setting from a group of them. */
export function isKey<T extends object>(node: T): node is Extract<T, Key<unknown>> {
  return 'kind' in node && 'initial' in node;
}

/** The value of a setting, or the values of a group by the same names, each of its kind. */
export type ValuesOf<Node> = Node extends Key<infer T> ? T : { readonly [Name in keyof Node]: ValuesOf<Node[Name]> };
