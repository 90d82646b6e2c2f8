import { createHash } from 'node:crypto';
import type { LoadedStrategy } from './assemble.ts';
import { VERSION } from './package.ts';

/** The code that decides: Kairos itself, and the source of each strategy (F67). */
export interface Build {
  readonly hash: string;
  readonly kairos: string;
  /** Hash of each strategy's source, by strategy id. */
  readonly strategies: Readonly<Record<string, string>>;
}

/** The build: the version of Kairos, the source of each strategy, and one hash over both. */
export function buildOf(loaded: readonly LoadedStrategy[]): Build {
  const strategies = Object.fromEntries(loaded.map(({ strategy, sourceHash }) => [strategy.id, sourceHash]));
  const hash = createHash('sha256')
    .update(JSON.stringify([VERSION, ...Object.entries(strategies).sort()]))
    .digest('hex');
  return { hash, kairos: VERSION, strategies };
}

/** A configuration as JSON with its build, from which the next arming derives what changed. */
export function withBuild(config: string, { kairos, strategies }: Build): string {
  const settings: unknown = JSON.parse(config);
  return JSON.stringify({ ...(typeof settings === 'object' ? settings : {}), build: { kairos, strategies } });
}
