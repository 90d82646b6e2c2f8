import { createHash } from 'node:crypto';
import type { LoadedStrategy } from './assemble.ts';
import { VERSION } from './package.ts';

/** What decides besides the configuration: Kairos itself, and the source of each strategy (F67). */
export interface Build {
  readonly hash: string;
  readonly kairos: string;
  /** Hash of each strategy's source, by strategy id. */
  readonly strategies: Readonly<Record<string, string>>;
}

/** Names the code that runs: the version of Kairos and the source of each strategy, and one hash over both. */
export function buildOf(loaded: readonly LoadedStrategy[]): Build {
  const strategies = Object.fromEntries(loaded.map(({ strategy, sourceHash }) => [strategy.id, sourceHash]));
  const hash = createHash('sha256')
    .update(JSON.stringify([VERSION, ...Object.entries(strategies).sort()]))
    .digest('hex');
  return { hash, kairos: VERSION, strategies };
}

/** A configuration as JSON with the build beside its settings, so that the next arming can say what has changed of either. */
export function withBuild(config: string, { kairos, strategies }: Build): string {
  const settings: unknown = JSON.parse(config);
  return JSON.stringify({ ...(typeof settings === 'object' ? settings : {}), build: { kairos, strategies } });
}
