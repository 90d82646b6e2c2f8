import { leaveHalt } from '#adapters/journal/control-files.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { EngineStrategy } from '#core/engine/engine-options.ts';
import { cutText } from '#core/strategy/kept-text.ts';
import { placeOfError } from '#core/strategy/origin.ts';
import { messageOf } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import { type StrategyId, strategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import type { RunResources } from './opening.ts';

/** How an error came to be caught nowhere. */
export type Uncaught = 'exception' | 'rejection';

interface StrategyFaultsOptions {
  readonly strategies: readonly Pick<EngineStrategy, 'id' | 'origin'>[];
  readonly isDisabled: (strategy: StrategyId) => boolean;
  /** The one strategy that ran in this turn of the loop; undefined where several did, or none. */
  readonly onlyOne: () => string | undefined;
  /** Takes the command that disables one into the inbox, so that it is recorded and journaled. */
  readonly post: (command: Command) => void;
}

const HOW: Readonly<Record<Uncaught, string>> = {
  exception: 'thrown where nobody catches it, as in a timer of its own',
  rejection: 'in a promise that it left rejected',
};

/** Disables strategies for what was seen of them from outside the engine, by a command that carries what was seen. */
export class StrategyFaults {
  private readonly options: StrategyFaultsOptions;

  constructor(options: StrategyFaultsOptions) {
    this.options = options;
  }

  /**
   * Disables the strategies whose source an error that was caught nowhere names; an error without any stack is that of the one
   * strategy which has just run. False where it is nobody's: then it is ours, and trading halts (F61).
   */
  take(error: unknown, how: Uncaught): boolean {
    const blamed = this.blamed(error, how);
    for (const { strategy, place } of blamed) {
      this.disable(strategy, 'STRATEGY_UNCAUGHT', `${place}: ${cutText(messageOf(error))} (${HOW[how]})`);
    }
    return blamed.length > 0;
  }

  /** Nothing is said of one that is disabled already. */
  disable(strategy: string, reason: Reason, why: string): void {
    if (this.options.isDisabled(strategyId(strategy))) return;
    this.options.post({ act: 'disable', strategy, reason, who: 'kairos', why });
  }

  private blamed(error: unknown, how: Uncaught): readonly { readonly strategy: string; readonly place: string }[] {
    const { strategies, onlyOne } = this.options;
    const named = strategies.flatMap(({ id, origin }) => {
      const place = origin && placeOfError(error, origin);
      return place === undefined ? [] : [{ strategy: id, place }];
    });
    if (named.length > 0 || error instanceof Error || how === 'exception') return named;
    const one = strategies.find(({ id }) => id === onlyOne());
    return one === undefined ? [] : [{ strategy: one.id, place: [...(one.origin?.files.values() ?? [])][0] ?? one.id }];
  }
}

/** Latches a halt because of an error that nobody handled: in the journal, or where that is what failed, in a file beside it. */
export function haltUncaught(
  error: unknown,
  parts: { readonly opened: RunResources; readonly engine: Pick<Engine, 'fault'>; readonly timers: Timers; readonly notice: Notice },
): void {
  const { opened, engine, timers, notice } = parts;
  try {
    opened.store.makeRoom(error);
    engine.fault(error);
  } catch (second) {
    // The journal may be what failed: the latch is set all the same, and the process ends.
    leaveHalt(opened.files, `${messageOf(error)}; the halt could not be journaled`, timers.wallMs());
    notice('error', `the halt could not be journaled: ${messageOf(second)}`);
  }
}
