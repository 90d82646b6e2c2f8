import type { StrategyId } from '#domain/names.ts';
import { swapAmbient } from './ambient.ts';
import type { View } from './contract.ts';
import { guarded } from './guarded-run.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** A throw of a strategy's code. */
interface Thrown {
  readonly error: unknown;
}

/** Runs the code of strategies, each under its own surroundings. A throw is returned as a value. */
export class RunningCode {
  private readonly guarded = guarded();
  private readonly onInside: ((id: StrategyId | null) => void) | undefined;
  /** Whose code is running. */
  private inside: StrategyRunner | undefined;

  constructor(onInside: ((id: StrategyId | null) => void) | undefined) {
    this.onInside = onInside;
  }

  /** Gives a value to a strategy's stream. */
  give<T>(runner: StrategyRunner, stream: { next(value: T): void }, value: T): Thrown | undefined {
    const before = this.goInto(runner);
    let thrown: Thrown | undefined;
    try {
      this.guarded(stream, value);
    } catch (error) {
      thrown = { error };
    }
    this.goInto(before);
    return thrown;
  }

  /** Asks a strategy's `decide`. */
  ask(runner: StrategyRunner, signal: unknown, view: View): { readonly returned: unknown } | Thrown {
    const before = this.goInto(runner);
    try {
      return { returned: runner.decide(signal, view) };
    } catch (error) {
      return { error };
    } finally {
      this.goInto(before);
    }
  }

  /** Ends a strategy's streams; their clean-up is the strategy's own code. */
  end(runner: StrategyRunner): void {
    const before = this.goInto(runner);
    runner.end();
    this.goInto(before);
  }

  /** Marks whose code runs from here on (undefined: nobody's) and returns whose ran before. */
  private goInto(runner: StrategyRunner | undefined): StrategyRunner | undefined {
    const before = this.inside;
    this.inside = runner;
    swapAmbient(runner);
    this.onInside?.(runner?.instance.id ?? null);
    return before;
  }
}
