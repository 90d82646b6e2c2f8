import type { PastValue } from '#domain/event.ts';
import { frozen } from '#domain/frozen.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { LaneId, Millis, StrategyId } from '#domain/names.ts';
import { LastSignals, type PastSignal } from '#domain/outside-signal.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { OutsideEvent } from './ambient.ts';
import type { Deposit, Outcome, StateEvent } from './contract.ts';
import type { HostOptions } from './host-options.ts';
import type { SignalValues } from './instance.ts';
import type { KeptState } from './kept-state.ts';
import { receivedAt } from './received.ts';
import { replayWarmUp } from './replay-warm-up.ts';
import { RunningCode } from './running-code.ts';
import { StrategyFailures } from './strategy-failures.ts';
import { keptValues, type SignalSink, StrategyRunner } from './strategy-runner.ts';
import { type Audience, type FedStream, StrategyRunners } from './strategy-runners.ts';

export type { HostResult, SignalValues, StrategyInstance } from './instance.ts';
export type { Audience } from './strategy-runners.ts';

/** What nobody has handled: a signal to decide on, or an error of a stream, which ended it, or of `state.on`. */
interface Arrival {
  readonly runner: StrategyRunner;
  /** The runner's subscription that emitted it. */
  readonly generation: number;
  /** What threw; undefined for a signal. */
  readonly failed?: 'stream' | 'state';
  /** The signal, or what was thrown. */
  readonly value: unknown;
}

/** Maximum number of signals of one strategy in one event; more is a failure, so that no loop of outcomes blocks the event (I21). */
const MAX_IN_ONE_GO = 100;

/**
 * Runs strategies: quotes and outcomes in, intents out. Signals that a stream emits are collected while it runs;
 * afterwards `decide` is asked for each, in order. Whatever a strategy throws, in a stream, a timer, `state.on` or `decide`, is
 * its own: it is told, what a stream throws has it subscribed anew, and three in a row disable it; others are not touched (F68).
 */
export class StrategyHost implements SignalSink {
  private readonly options: HostOptions;
  readonly runners: StrategyRunners;
  /** As they came; each strategy keeps them as it declares them. */
  readonly lastSignals = new LastSignals();
  private arrivals: Arrival[] = [];
  private readonly code: RunningCode;
  private readonly failures: StrategyFailures;
  /** Above zero while an event is being handled. */
  private depth = 0;
  private draining = false;

  constructor(options: HostOptions) {
    this.options = options;
    this.code = new RunningCode(options.onInside);
    this.failures = new StrategyFailures(options, this.code);
    this.runners = new StrategyRunners(
      options.instances,
      (instance) =>
        new StrategyRunner({
          instance,
          scheduler: options.scheduler,
          cronNext: options.cronNext,
          areBars: options.areBars,
          enter: (entered, run) => this.enter(entered, run),
          sink: this,
          notesAsks: options.notesAsks ?? false,
        }),
    );
  }

  /** Subscribes the signals of every strategy that is not disabled, which warm up: as part of the first event, and anew after a hole. */
  start(): void {
    for (const runner of this.runners.byId.values()) if (runner.disabled === undefined) this.revive(runner);
  }

  /** Who listens on a lane: the same for as long as the host lives. */
  audience(lane: LaneId): Audience {
    return this.runners.audience(lane);
  }

  /** Gives a quote to the strategies of its lane, then to those that have the lane as a further input. Who that is may be given. */
  deliver(quote: Quote, { runners, fed }: Audience = this.audience(quote.lane)): void {
    for (const runner of runners) {
      if (runner.disabled !== undefined) continue;
      if (!runner.warmUp.warm) runner.warmUp.passed(1);
      this.give(runner, runner.quotes, quote);
    }
    if (fed.length > 0) this.feed(fed, quote);
  }

  /** Feeds the signals that want to see some first with the past. To be called as part of an event, once, after `start`. */
  warm(past: readonly PastValue[]): void {
    const { scheduler } = this.options;
    const revive = (runner: StrategyRunner) => this.revive(runner);
    replayWarmUp(this.runners.byId.values(), past, { scheduler, revive, runTimers: (upTo) => this.runTimers(upTo) });
  }

  /** Gives what a further input brings to look at to the strategies that have it. */
  deliverInput(source: LaneId, value: IndicativeQuote): void {
    this.feed(this.runners.fedBy(source), frozen(value));
  }

  /** Gives a signal from outside to the strategies that have its source as an input; false where it came after one that was made later. */
  deliverSignal(past: PastSignal): boolean {
    const fed = this.runners.fedBy(past.source).map(({ runner, stream }) => ({ runner, stream, own: runner.take(past) }));
    for (const { runner, stream, own } of fed)
      if (own && runner.disabled === undefined) this.give(runner, stream, receivedAt(own, past.at));
    return this.lastSignals.apply(past);
  }

  /** Continues from the last signal of a source, which an earlier run took. */
  restoreSignal(past: PastSignal): void {
    for (const { runner } of this.runners.fedBy(past.source)) runner.take(past);
    this.lastSignals.apply(past);
  }

  private feed(fed: readonly FedStream[], value: Quote | IndicativeQuote): void {
    for (const { runner, stream } of fed) if (runner.disabled === undefined) this.give(runner, stream, value);
  }

  /** Fires the timers due at or before `upTo`; engine time is `upTo` afterwards. What a strategy emits at another time disables it. */
  runTimers(upTo: Millis): void {
    this.depth += 1;
    try {
      this.options.scheduler.runDue(upTo);
    } finally {
      this.depth -= 1;
    }
  }

  /**
   * Tells a strategy what became of its intent, where it is disabled too: its state has all outcomes, and nothing else listens then.
   * May be called while a result is emitted: it then waits its turn.
   */
  outcome(id: StrategyId, outcome: Outcome): void {
    const runner = this.runners.byId.get(id);
    if (runner === undefined || runner.isSilent) return;
    if (runner.state && !this.fold(runner, runner.state, { type: 'outcome', outcome })) return;
    if (runner.outcomes.observed) this.give(runner, runner.outcomes, outcome);
  }

  /** Tells every strategy that money has come in, as `outcome` does. */
  deposit(deposit: Deposit): void {
    for (const runner of this.runners.byId.values()) {
      if (runner.isSilent) continue;
      if (runner.state && !this.fold(runner, runner.state, { type: 'deposit', deposit })) continue;
      this.give(runner, runner.deposits, deposit);
    }
  }

  /** Tells every strategy that the recorded data is over, which happens in backtests alone. */
  dataEnded(): void {
    const now = this.options.scheduler.now();
    for (const runner of this.runners.byId.values()) if (runner.disabled === undefined) this.give(runner, runner.dataEnds, now);
  }

  /** Continues a strategy's state from what an earlier run journaled. To be called before `start`. */
  restore(id: StrategyId, state: string): void {
    this.runners.byId.get(id)?.state?.restore(state);
  }

  /** Ends a strategy's streams until `enable`. Emits nothing: the caller reports it. Without a reason the settings leave it out. */
  disable(id: StrategyId, why: string, reason?: Reason | null): void {
    const runner = this.runners.byId.get(id);
    if (!runner) return;
    if (reason === 'STALLED' || reason === undefined) runner.isSilent = true;
    this.failures.disable(runner, why);
  }

  /** Subscribes a disabled strategy anew, with a clean record. Harmless when it is not disabled. */
  enable(id: StrategyId): void {
    const runner = this.runners.byId.get(id);
    if (runner?.disabled === undefined) return;
    runner.disabled = undefined;
    runner.isSilent = false;
    this.options.disabled.delete(id);
    runner.failuresInARow = 0;
    this.revive(runner);
  }

  isDisabled(id: StrategyId): boolean {
    return this.runners.byId.get(id)?.disabled !== undefined;
  }

  /** The values that a strategy has named with `observe`, as they stand. */
  observed(id: StrategyId): SignalValues {
    const runner = this.runners.byId.get(id);
    return runner ? this.code.run(runner, () => keptValues(runner.observed)) : {};
  }

  /** Runs a strategy's own code, then asks for decisions on what it emitted. */
  private enter(runner: StrategyRunner, run: () => void): void {
    this.give(runner, { next: run }, undefined);
  }

  /** Gives a value to a strategy's stream, then asks for decisions on what that emitted. */
  private give<T>(runner: StrategyRunner, stream: { next(value: T): void }, value: T, failed: Arrival['failed'] = 'stream'): void {
    this.depth += 1;
    const thrown = this.code.give(runner, stream, value);
    // The strategy's own error, whatever it is: it is journaled and counted against the strategy in `drain`.
    if (thrown) this.arrivals.push({ runner, generation: runner.generation, failed, value: thrown.error });
    this.depth -= 1;
    if (this.arrivals.length > 0) this.drain();
  }

  /** For runners: their streams bring this. */
  signal(runner: StrategyRunner, generation: number, value: unknown): boolean {
    if (this.depth === 0) return this.outside(runner, generation);
    runner.inOneGo += 1;
    if (runner.inOneGo <= MAX_IN_ONE_GO) return this.arrivals.push({ runner, generation, value }) > 0;
    // Of more than are handled in one go the first is a failure, and the others are left out.
    if (runner.inOneGo > MAX_IN_ONE_GO + 1) return false;
    const error = new RangeError(`more than ${MAX_IN_ONE_GO} signals came out of one event`);
    this.arrivals.push({ runner, generation: runner.generation, failed: 'stream', value: error });
    return false;
  }

  /** For runners: their streams end with this. */
  failed(runner: StrategyRunner, generation: number, error: unknown): void {
    if (this.depth === 0) this.outside(runner, generation);
    else this.arrivals.push({ runner, generation, failed: 'stream', value: error });
  }

  /** Outside of an event a stream has nothing to bring. */
  private outside(runner: StrategyRunner, generation: number): false {
    if (generation === runner.generation)
      this.failures.shut(runner, new OutsideEvent(`strategy ${runner.instance.id}`).message, 'OUTSIDE_EVENT');
    return false;
  }

  /** Handles what streams brought, in order; what arises meanwhile queues behind it. What an ended subscription brought is dropped. */
  private drain(): void {
    if (this.draining) return;
    const { arrivals } = this;
    this.draining = true;
    this.depth += 1;
    try {
      for (const arrival of arrivals) if (arrival.generation === arrival.runner.generation) this.handle(arrival);
    } finally {
      for (const { runner } of arrivals) runner.endGo();
      this.arrivals = [];
      this.draining = false;
      this.depth -= 1;
    }
  }

  private handle({ runner, failed, value: signal }: Arrival): void {
    if (failed) return this.threw(runner, signal, failed === 'stream');
    if (runner.feeding) return;
    const { instance } = runner;
    if (!runner.warmUp.warm && !runner.warmUp.isWarm(this.options.scheduler.now())) {
      return this.options.emit({ kind: 'warming', instance, why: runner.warmUp.waitsFor });
    }
    if (runner.state && !this.fold(runner, runner.state, { type: 'signal', signal })) return;
    if (!instance.definition.concurrent && this.options.busy(instance)) return;
    const view = this.options.viewOf(instance, runner.random);
    const decided = view && this.code.ask(runner, signal, view);
    if (decided === undefined) return;
    if ('error' in decided) return this.threw(runner, decided.error, false);
    const { answer: verdict, signals } = decided;
    if (runner.lastAsk) runner.lastAsk.answer = verdict;
    if (verdict.kind === 'bad') return this.failures.misdecided(runner, verdict.why, verdict.promise);
    runner.decided = true;
    runner.nan = verdict.kind === 'nan' ? { why: verdict.why, since: runner.nan?.since ?? this.options.scheduler.now() } : undefined;
    if (verdict.kind === 'nothing') return;
    if (verdict.kind === 'nan') this.options.emit({ kind: 'nan', instance, why: verdict.why, signals });
    else this.options.emit({ ...verdict, instance, signals });
  }

  /** Lets the strategy's state take an event in; false when the strategy threw. */
  private fold(runner: StrategyRunner, state: KeptState, event: StateEvent): boolean {
    let changed: string | undefined;
    let done = false;
    const next = () => {
      changed = state.fold(event);
      done = true;
    };
    this.give(runner, { next }, undefined, 'state');
    if (changed !== undefined) this.options.emit({ kind: 'state', instance: runner.instance, text: changed, by: event.type });
    return done;
  }

  private threw(runner: StrategyRunner, error: unknown, isStream: boolean): void {
    if (this.failures.threw(runner, error, isStream)) this.revive(runner);
  }

  private revive(runner: StrategyRunner): void {
    this.enter(runner, () => runner.subscribe());
  }
}
