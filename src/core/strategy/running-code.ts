import { config, Observable, Subscriber } from 'rxjs';
import type { StrategyId } from '#domain/names.ts';
import { swapAmbient } from './ambient.ts';
import type { View } from './contract.ts';
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

// rxjs throws what a subscriber throws in a later turn of the loop, where nobody knows whose it was, unless it is told to
// throw it to whoever caused it. Within `guarded` that is the host, which knows.
config.useDeprecatedSynchronousErrorHandling = true;

/** Takes values, as a stream does. */
interface Taker<T> {
  next(value: T): void;
}

/**
 * Gives values to streams, and throws also what a subscription that a stream's reader made by itself, or that it set off, has
 * thrown: in rxjs's own terms it is a subscription, within which errors are collected.
 */
export function guarded(): <T>(taker: Taker<T>, value: T) => void {
  const given = new Given();
  const giving = new Observable<never>(given.give);
  // A subscriber is a subscription too, so that none is made for each value.
  const nobody = new Subscriber<never>();
  return (taker, value) => {
    given.taker = taker;
    given.value = value;
    given.failed = false;
    giving.subscribe(nobody);
    if (given.failed) throw given.thrownError();
  };
}

/** What is given to whom, and what came of it. */
class Given {
  taker: Taker<unknown> | undefined;
  value: unknown;
  failed = false;
  private thrown: unknown;

  readonly give = (): void => {
    try {
      this.taker?.next(this.value);
    } catch (error) {
      // Thrown on by `guarded`.
      this.failed = true;
      this.thrown = error;
    }
  };

  /** What was thrown; it is told once. */
  thrownError(): unknown {
    const { thrown } = this;
    this.failed = false;
    this.thrown = undefined;
    return thrown;
  }
}
