import type { RecoveryState } from '#adapters/journal/recovery.ts';
import type { DecidingConfig } from '#config/load.ts';
import { BEHAVIOUR } from '#domain/behaviours.ts';
import type { ProductMisfit, StartFacts } from '#domain/event.ts';
import type { RunId } from '#domain/names.ts';
import type { LoadedStrategy } from './assemble.ts';
import { buildOf } from './build-hash.ts';
import { VERSION } from './package.ts';

/** Why the watchdog ended the previous process. `strategy` is null if no strategy's code blocked it. */
export interface Stall {
  readonly strategy: string | null;
  /** True if it was loading the strategy's module, not running it. */
  readonly loading: boolean;
  readonly why: string;
}

/** The content of a run's first event: everything from before on which its decisions depend. */
export function startFacts(from: {
  readonly config: DecidingConfig;
  readonly run: RunId;
  readonly book: string;
  readonly strategies: readonly LoadedStrategy[];
  readonly recovered: RecoveryState;
  readonly instance?: string;
  readonly stall: Stall | undefined;
  readonly misfits?: readonly ProductMisfit[];
}): StartFacts {
  const { config, run, book, strategies, recovered, instance, stall, misfits = [] } = from;
  const { lastInboxSeq, snapshotFault, stateOrigins, ...past } = recovered;
  return {
    run,
    book,
    mode: config.mode,
    version: VERSION,
    behaviour: BEHAVIOUR,
    node: process.versions.node,
    configHash: config.hash,
    build: buildOf(strategies).hash,
    ...(instance !== undefined && { instance }),
    config: config.json,
    strategySources: Object.fromEntries(strategies.map(({ strategy, sourceHash }) => [strategy.id, sourceHash])),
    ...past,
    ...(stall && stall.strategy !== null && { stalled: { strategy: stall.strategy, why: stall.why } }),
    ...(misfits.length > 0 && { misfits }),
  };
}
