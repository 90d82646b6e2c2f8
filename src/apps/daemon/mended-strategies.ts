import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import type { Command, Latch } from '#domain/event.ts';
import { type Mode, modeFacts } from '#domain/mode.ts';
import type { Reason } from '#domain/reasons.ts';
import type { SourceChanges } from './strategy-watch.ts';

/** Why a strategy is disabled for what its own code did, so that another source answers for it. */
const ITS_OWN: ReadonlySet<Reason> = new Set<Reason>(['STRATEGY_DISABLED', 'BAD_INTENT', 'OUTSIDE_EVENT', 'STALLED', 'RUNAWAY']);

/** A strategy is enabled, since its source is another one. */
export type Mended = Extract<Command, { act: 'enable' }>;

/** What decides which disabled strategies are enabled by a start. */
export interface MendedFrom {
  readonly mode: Mode;
  readonly latches: readonly Latch[];
  readonly strategies: readonly LoadedStrategy[];
  /** What the run before was ended for; undefined where none was in this process. */
  readonly changes: SourceChanges | undefined;
}

/** The acts that enable strategies whose source has changed since an error of their own disabled them; on paper only. */
export function mendedStrategies({ mode, latches, strategies, changes }: MendedFrom): readonly Mended[] {
  if (!modeFacts(mode).isForTrials || !changes) return [];
  const enabled = new Set(strategies.flatMap(({ strategy }) => (strategy.enabled ? [strategy.id as string] : [])));
  return latches.flatMap(({ kind, strategy, reason }) => {
    const why = strategy === null ? undefined : changes.get(strategy);
    if (kind !== 'disabled' || strategy === null || why === undefined || !enabled.has(strategy)) return [];
    return reason && ITS_OWN.has(reason) ? [{ act: 'enable', strategy, who: 'watch', why, reason: 'SOURCE_CHANGED' } as const] : [];
  });
}

/** One line for each strategy of the configuration that waits for a person to enable it. */
export function disabledLines(latches: readonly Latch[], mended: readonly Mended[], ids: ReadonlySet<string>): readonly string[] {
  return latches.flatMap(({ kind, strategy, who, why }) => {
    if (kind !== 'disabled' || strategy === null || !ids.has(strategy)) return [];
    if (mended.some((act) => act.strategy === strategy)) return [];
    return [`strategy ${strategy} stays disabled (by ${who}: ${why}): npx kairos enable ${strategy}`];
  });
}
