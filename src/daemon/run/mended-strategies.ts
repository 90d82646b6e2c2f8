import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { Command } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import { type Mode, modeFacts } from '#domain/mode.ts';
import type { Reason } from '#domain/reasons.ts';
import type { SourceChanges } from './strategy-watch.ts';

/** Reasons for which a strategy's own code is responsible. A changed source removes the cause. */
const ITS_OWN: ReadonlySet<Reason> = new Set<Reason>(['STRATEGY_DISABLED', 'BAD_INTENT', 'OUTSIDE_EVENT', 'STALLED', 'RUNAWAY']);

/** The act that enables a strategy whose source has changed. */
export type EnableCommand = Extract<Command, { act: 'enable' }>;

/** Input of the decision which disabled strategies a start enables. */
export interface EnableInput {
  readonly mode: Mode;
  readonly latches: readonly Latch[];
  readonly strategies: readonly LoadedStrategy[];
  /** The changes that ended the previous run; undefined if there was none in this process. */
  readonly changes: SourceChanges | undefined;
}

/** True where a changed source enables what its own error disabled. `watch`: whether this process begins a new run with every change. */
export const mendEnables = (mode: Mode, watch: boolean): boolean => modeFacts(mode).isForTrials && watch;

/** The acts that enable strategies whose source has changed since their own error disabled them; on paper only. */
export function mendedStrategies({ mode, latches, strategies, changes }: EnableInput): readonly EnableCommand[] {
  if (!modeFacts(mode).isForTrials || !changes) return [];
  const enabled = new Set(strategies.flatMap(({ strategy }) => (strategy.enabled ? [strategy.id as string] : [])));
  return latches.flatMap(({ kind, strategy, reason }) => {
    const why = strategy === null ? undefined : changes.get(strategy);
    if (kind !== 'disabled' || strategy === null || why === undefined || !enabled.has(strategy)) return [];
    return reason && ITS_OWN.has(reason) ? [{ act: 'enable', strategy, who: 'watch', why, reason: 'SOURCE_CHANGED' } as const] : [];
  });
}

/** One line for each enabled strategy of the configuration that stays disabled, and what enables it. */
export function disabledLines(
  latches: readonly Latch[],
  mended: readonly EnableCommand[],
  strategies: readonly { readonly id: string; readonly enabled: boolean }[],
): readonly string[] {
  return latches.flatMap(({ kind, strategy, who, why, reason }) => {
    if (kind !== 'disabled' || strategy === null || !strategies.some(({ id, enabled }) => enabled && id === strategy)) return [];
    if (mended.some((act) => act.strategy === strategy)) return [];
    const alone = reason === 'PRODUCT_CHANGED' ? 'it comes back once the list fits, or by ' : '';
    return [`strategy ${strategy} stays disabled (by ${who}: ${why}): ${alone}npx kairos enable ${strategy}`];
  });
}
