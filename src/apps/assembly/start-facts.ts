import type { Recovered } from '#adapters/journal/recovery.ts';
import type { DecidingConfig } from '#config/load.ts';
import type { StartFacts } from '#domain/event.ts';
import type { RunId } from '#domain/names.ts';
import type { LoadedStrategy } from './assemble.ts';
import { buildOf } from './build-hash.ts';
import { VERSION } from './package.ts';

/** Why the process before was ended by its watchdog. `strategy` is null where it stood still in no strategy's code. */
export interface Stall {
  readonly strategy: string | null;
  /** True where it was not the strategy that ran, but its module that was loaded. */
  readonly loading: boolean;
  readonly why: string;
}

/** What the first event of a run carries: all that its decisions depend on and that was there before. */
export function startFacts(from: {
  readonly config: DecidingConfig;
  readonly run: RunId;
  readonly book: string;
  readonly strategies: readonly LoadedStrategy[];
  readonly recovered: Recovered;
  readonly stall: Stall | undefined;
}): StartFacts {
  const { config, run, book, strategies, recovered, stall } = from;
  const { lastInboxSeq, snapshotFault, ...past } = recovered;
  return {
    run,
    book,
    mode: config.mode,
    version: VERSION,
    node: process.versions.node,
    configHash: config.hash,
    build: buildOf(strategies).hash,
    config: config.json,
    strategySources: Object.fromEntries(strategies.map(({ strategy, sourceHash }) => [strategy.id, sourceHash])),
    ...past,
    ...(stall && stall.strategy !== null && { stalled: { strategy: stall.strategy, why: stall.why } }),
  };
}
