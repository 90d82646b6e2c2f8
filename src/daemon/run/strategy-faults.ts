import { leaveHalt } from '#adapters/journal/control-files.ts';
import type { Redactor } from '#assembly/redactor.ts';
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
import type { Ending } from './ending.ts';
import type { RunResources } from './opening.ts';

/** The kind of an uncaught error. */
export type UncaughtKind = 'exception' | 'rejection';

interface StrategyFaultsOptions {
  readonly strategies: readonly Pick<EngineStrategy, 'id' | 'origin'>[];
  readonly isDisabled: (strategy: StrategyId) => boolean;
  /** The only strategy that ran in this turn of the loop; undefined for several or none. */
  readonly onlyOne: () => string | undefined;
  /** Posts the command that disables one to the inbox, where it is recorded and journaled. */
  readonly post: (command: Command) => void;
}

const HOW: Readonly<Record<UncaughtKind, string>> = {
  exception: 'thrown where nobody catches it, as in a timer of its own',
  rejection: 'in a promise that it left rejected',
};

/** Disables strategies for faults that show outside the engine, by a command that carries the fault. */
export class StrategyFaults {
  private readonly options: StrategyFaultsOptions;

  constructor(options: StrategyFaultsOptions) {
    this.options = options;
  }

  /**
   * Disables the strategies whose source appears in an uncaught error; an error without a stack belongs to the only
   * strategy that has just run. False if it belongs to none: it is a bug of Kairos, and trading halts (F61).
   */
  disableBlamed(error: unknown, how: UncaughtKind): boolean {
    const blamed = this.blamed(error, how);
    for (const { strategy, place } of blamed) {
      this.disable(strategy, 'STRATEGY_UNCAUGHT', `${place}: ${cutText(messageOf(error))} (${HOW[how]})`);
    }
    return blamed.length > 0;
  }

  /** Disables a strategy; does nothing if it is disabled already. */
  disable(strategy: string, reason: Reason, why: string): void {
    if (this.options.isDisabled(strategyId(strategy))) return;
    this.options.post({ act: 'disable', strategy, reason, who: 'kairos', why });
  }

  private blamed(error: unknown, how: UncaughtKind): readonly { readonly strategy: string; readonly place: string }[] {
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

interface HaltParts {
  readonly opened: RunResources;
  readonly engine: Pick<Engine, 'fault'>;
  readonly secrets: Pick<Redactor, 'error'>;
  readonly ending?: Ending;
  readonly timers: Timers;
  readonly notice: Notice;
}

/** Latches a halt for an uncaught error: in the journal, or in a file beside it if the journal failed. Returns the error without secrets. */
export function haltUncaught(error: unknown, { opened, engine, secrets, ending, timers, notice }: HaltParts): unknown {
  ending?.begin();
  const told = secrets.error(error);
  let unwritten = 'another program holds the journal';
  try {
    opened.store.makeRoom(told);
    if (engine.fault(told)) return told;
  } catch (second) {
    // The journal may have failed: the latch is set all the same, and the process ends.
    unwritten = messageOf(second);
  }
  leaveHalt(opened.files, { who: 'kairos', why: `${messageOf(told)}; the halt could not be journaled` }, timers.wallMs());
  notice('error', `the halt could not be journaled: ${unwritten}`);
  return told;
}
