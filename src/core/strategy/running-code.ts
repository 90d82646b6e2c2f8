import { config, Observable, Subscriber } from 'rxjs';
import type { StrategyId } from '#domain/names.ts';
import { swapAmbient } from './ambient.ts';
import type { View } from './contract.ts';
import type { SignalValues } from './instance.ts';
import { decidedBy, type StrategyAnswer } from './intents.ts';
import type { StrategyRunner } from './strategy-runner.ts';

interface StrategyThrow {
  readonly error: unknown;
}

/** An answer, and the values that go with it; none where there is nothing to tell. */
interface AskResult {
  readonly answer: StrategyAnswer;
  readonly signals: SignalValues;
}

const NO_VALUES: SignalValues = {};

/** Takes values, as a stream does. */
interface Taker<T> {
  next(value: T): void;
}

// rxjs throws what a subscriber throws in a later turn of the loop, where nobody knows whose it was, unless it is told to
// throw it to whoever caused it. Within `give` that is the host, which knows.
config.useDeprecatedSynchronousErrorHandling = true;

/**
 * Runs the code of strategies, each under its own surroundings. A throw is returned as a value. What reads their objects is their code
 * as well: a getter may throw, or never come back (F69).
 */
export class RunningCode {
  private readonly onInside: ((id: StrategyId | null) => void) | undefined;
  /** Whose code is running. */
  private inside: StrategyRunner | undefined;
  /** What is given to whom, and what was thrown. */
  private taker: Taker<unknown> | undefined;
  private value: unknown;
  private thrown: StrategyThrow | undefined;
  private readonly giving = new Observable<never>(() => {
    try {
      this.taker?.next(this.value);
    } catch (error) {
      this.thrown = { error };
    }
  });
  /** A subscriber is a subscription too, so that none is made for each value. */
  private readonly nobody = new Subscriber<never>();

  constructor(onInside: ((id: StrategyId | null) => void) | undefined) {
    this.onInside = onInside;
  }

  /**
   * Gives a value to a stream and returns what was thrown, also by a subscription that a stream's reader made by itself, or that it set
   * off: in rxjs's own terms it is a subscription, within which errors are collected.
   */
  give<T>(runner: StrategyRunner | undefined, stream: Taker<T>, value: T): StrategyThrow | undefined {
    const before = this.goInto(runner);
    this.taker = stream;
    this.value = value;
    this.thrown = undefined;
    let thrown: StrategyThrow | undefined;
    try {
      this.giving.subscribe(this.nobody);
      thrown = this.thrown;
    } catch (error) {
      thrown = { error };
    }
    this.thrown = undefined;
    this.goInto(before);
    return thrown;
  }

  /** Asks a strategy's `decide`, and reads what it answers. */
  ask(runner: StrategyRunner, signal: unknown, view: View): AskResult | StrategyThrow {
    const before = this.goInto(runner);
    try {
      const answer = decidedBy(runner.decide(signal, view), signal, runner.instance);
      const isTold = answer.kind !== 'nothing' && answer.kind !== 'bad';
      return { answer, signals: isTold ? runner.signals(signal) : NO_VALUES };
    } catch (error) {
      return { error };
    } finally {
      this.goInto(before);
    }
  }

  /** Does work that runs a strategy's code, such as the end of its streams. */
  run<T>(runner: StrategyRunner, work: () => T): T {
    const before = this.goInto(runner);
    try {
      return work();
    } finally {
      this.goInto(before);
    }
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
