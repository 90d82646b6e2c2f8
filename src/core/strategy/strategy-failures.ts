import type { Reason } from '#domain/reasons.ts';
import type { HostOptions } from './host-options.ts';
import { thrownBy } from './origin.ts';
import type { RunningCode } from './running-code.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** Consecutive failures that disable a strategy (F68). */
const FAILURES_IN_A_ROW = 3;

/** What becomes of a strategy that fails: it is told, and disabled after three failures in a row (F68). */
export class StrategyFailures {
  private readonly options: Pick<HostOptions, 'emit' | 'disabled'>;
  private readonly code: RunningCode;

  constructor(options: Pick<HostOptions, 'emit' | 'disabled'>, code: RunningCode) {
    this.options = options;
    this.code = code;
  }

  /** Its code threw. True if its streams ended by that (`isStream`) and may be subscribed again. */
  threw(runner: StrategyRunner, error: unknown, isStream: boolean): boolean {
    const inARow = runner.fail();
    if (isStream) this.code.run(runner, () => runner.end());
    const thrown = this.code.run(runner, () => thrownBy(error, runner.instance.origin));
    const anew = isStream && inARow < FAILURES_IN_A_ROW && runner.disabled === undefined;
    this.options.emit({ kind: 'threw', instance: runner.instance, thrown, inARow, anew });
    if (inARow < FAILURES_IN_A_ROW) return anew;
    this.shut(runner, `it failed ${FAILURES_IN_A_ROW} times in a row, at last with: ${thrown.error}`, 'STRATEGY_DISABLED');
    return false;
  }

  /** Its `decide` returned something that is no decision. */
  misdecided(runner: StrategyRunner, why: string, promise: boolean): void {
    const inARow = runner.fail();
    this.options.emit({ kind: 'bad_intent', instance: runner.instance, why, inARow });
    if (promise || inARow >= FAILURES_IN_A_ROW) this.shut(runner, why, 'BAD_INTENT');
  }

  /** Disables the strategy and reports it. */
  shut(runner: StrategyRunner, why: string, reason: Reason): void {
    if (runner.disabled !== undefined) return;
    this.disable(runner, why);
    this.options.emit({ kind: 'disabled', instance: runner.instance, why, reason });
  }

  /** Ends its streams until it is enabled. Emits nothing: the caller reports it. */
  disable(runner: StrategyRunner, why: string): void {
    runner.disabled = why;
    this.options.disabled.set(runner.instance.id, why);
    this.code.run(runner, () => runner.end());
  }
}
