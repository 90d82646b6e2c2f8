import type { Kind } from './kind.ts';

/** One setting: its kind, what it is when nobody says, and what it is for. */
export interface Key<T> {
  readonly kind: Kind<T>;
  /** As YAML would give it. */
  readonly initial: unknown;
  /** Default with the paper venue or any other service on loopback, where it differs. */
  readonly onLoopback: unknown;
  /** Default in dry mode, where it differs from that of live trading. */
  readonly inDry: unknown;
  readonly doc: string;
  readonly secret: boolean;
  /** Name of the environment variable where the rule (`KAIROS_SECTION_KEY`) does not give it. */
  readonly env: string | undefined;
}

interface Extras {
  readonly onLoopback?: unknown;
  readonly inDry?: unknown;
  readonly env?: string;
  readonly secret?: boolean;
}

export function key<T>(kind: Kind<T>, initial: unknown, doc: string, extras: Extras = {}): Key<T> {
  return { kind, initial, doc, onLoopback: extras.onLoopback, inDry: extras.inDry, secret: extras.secret === true, env: extras.env };
}
