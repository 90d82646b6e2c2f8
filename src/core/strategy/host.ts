import type { PastValue } from '#domain/event.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { LaneId, Millis, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { OutsideEvent, swapAmbient } from './ambient.ts';
import type { Deposit, Outcome, StateEvent, View } from './contract.ts';
import { decidedBy } from './decided.ts';
import { guarded } from './guarded-run.ts';
import type { HostOptions } from './host-options.ts';
import type { Signals } from './instance.ts';
import { thrownBy } from './origin.ts';
import { type Arrival, PendingSignals } from './pending-signals.ts';
import { replayWarmUp } from './replay-warm-up.ts';
import type { SignalSink } from './strategy-runner.ts';
import { StrategyRunner } from './strategy-runner.ts';
import { type Audience, type FedStream, Slots } from './strategy-runners.ts';

export type { HostOptions } from './host-options.ts';
export type { HostResult, Signals, StrategyInstance } from './instance.ts';
export type { Audience } from './strategy-runners.ts';

/** Failures in a row that disable a strategy (F68). */
const FAILURES_IN_A_ROW = 3;

/**
 * Runs strategies: quotes and outcomes in, intents out. Signals that a stream emits are collected while it runs;
 * afterwards `decide` is asked for each, in order. Whatever a strategy throws, in a stream, a timer or `decide`, is its own:
 * it is told, subscribed anew, and disabled after three in a row; others are not touched (F68).
 */
export class StrategyHost implements SignalSink {
  private readonly options: HostOptions;
  readonly slots: Slots;
  private readonly arrivals = new PendingSignals();
  private readonly handleOne = (arrival: Arrival): void => this.handle(arrival);
  private readonly guarded = guarded();
  /** Above zero while an event is being handled. */
  private depth = 0;
  private draining = false;
  /** Whose code is running. */
  private inside: StrategyRunner | undefined;

  constructor(options: HostOptions) {
    this.options = options;
    this.slots = new Slots(
      options.instances,
      (instance) =>
        new StrategyRunner({
          instance,
          scheduler: options.scheduler,
          cronNext: options.cronNext,
          enter: (entered, run) => this.enter(entered, run),
          sink: this,
        }),
    );
  }

  /** Subscribes the signals of every strategy that is not disabled. To be called once, as part of the first event. */
  start(): void {
    for (const slot of this.slots.all()) if (slot.disabled === undefined) this.revive(slot);
  }

  /** Who listens on a lane: the same for as long as the host lives. */
  audience(lane: LaneId): Audience {
    return this.slots.audience(lane);
  }

  /** Gives a quote to the strategies of its lane, then to those that have the lane as a further input. Who that is may be given. */
  deliver(quote: Quote, { slots, fed }: Audience = this.audience(quote.lane)): void {
    for (const slot of slots) {
      if (slot.disabled !== undefined) continue;
      slot.warmUp.quote();
      this.give(slot, slot.quotes, quote);
    }
    this.feed(fed, quote);
  }

  /** Feeds the signals that want to see some first with the past. To be called as part of an event, once, after `start`. */
  warm(past: readonly PastValue[]): void {
    const { scheduler } = this.options;
    replayWarmUp(this.slots.all(), past, { scheduler, revive: (slot) => this.revive(slot), runTimers: (upTo) => this.runTimers(upTo) });
  }

  /** Gives what a further input brings to look at to the strategies that have it. */
  deliverInput(source: LaneId, value: IndicativeQuote): void {
    this.feed(this.slots.fedBy(source), value);
  }

  private feed(fed: readonly FedStream[], value: Quote | IndicativeQuote): void {
    for (const { slot, stream } of fed) if (slot.disabled === undefined) this.give(slot, stream, value);
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

  /** Tells a strategy what became of its intent. May be called while a result is emitted: it then waits its turn. */
  outcome(id: StrategyId, outcome: Outcome): void {
    const slot = this.slots.get(id);
    if (slot && slot.disabled === undefined && this.fold(slot, { type: 'outcome', outcome }))
      this.enter(slot, () => slot.outcomes.next(outcome));
  }

  /** Tells every strategy that money has come in. */
  deposit(deposit: Deposit): void {
    for (const slot of this.slots.all()) {
      if (slot.disabled === undefined && this.fold(slot, { type: 'deposit', deposit })) this.enter(slot, () => slot.deposits.next(deposit));
    }
  }

  /** Tells every strategy that the recorded data is over, which happens in backtests alone. */
  dataEnded(): void {
    const now = this.options.scheduler.now();
    for (const slot of this.slots.all()) if (slot.disabled === undefined) this.give(slot, slot.dataEnds, now);
  }

  /** Continues a strategy's state from what an earlier run journaled. To be called before `start`. */
  restore(id: StrategyId, state: string): void {
    this.slots.get(id)?.state?.restore(state);
  }

  /** Ends a strategy's streams until `enable`. Nothing is emitted: who disables it says so. */
  disable(id: StrategyId, why: string): void {
    const slot = this.slots.get(id);
    if (!slot) return;
    slot.disabled = why;
    this.end(slot);
  }

  /** Subscribes a disabled strategy anew, with a clean record. Harmless when it is not disabled. */
  enable(id: StrategyId): void {
    const slot = this.slots.get(id);
    if (slot?.disabled === undefined) return;
    slot.disabled = undefined;
    slot.failuresInARow = 0;
    this.revive(slot);
  }

  isDisabled(id: StrategyId): boolean {
    return this.slots.get(id)?.disabled !== undefined;
  }

  /** The values that a strategy has named with `observe`, as they stand. */
  observed(id: StrategyId): Signals {
    return this.slots.get(id)?.observedValues() ?? {};
  }

  /** From here on the code of `slot` runs, or nobody's; returns whose ran before, to be gone back to. */
  private goInto(slot: StrategyRunner | undefined): StrategyRunner | undefined {
    const before = this.inside;
    this.inside = slot;
    swapAmbient(slot);
    this.options.onInside?.(slot?.instance.id ?? null);
    return before;
  }

  /** Runs a strategy's own code, then asks for decisions on what it emitted. */
  private enter(slot: StrategyRunner, run: () => void): void {
    this.give(slot, { next: run }, undefined);
  }

  /** Gives a value to a strategy's stream, then asks for decisions on what that emitted. */
  private give<T>(slot: StrategyRunner, stream: { next(value: T): void }, value: T): void {
    this.depth += 1;
    const before = this.goInto(slot);
    try {
      this.guarded(stream, value);
    } catch (error) {
      // The strategy's own error, whatever it is: it is journaled and counted against the strategy in `drain`.
      this.arrivals.failure(slot, slot.generation, error);
    }
    this.goInto(before);
    this.depth -= 1;
    if (!this.arrivals.isEmpty) this.drain();
  }

  /** For slots: their streams bring this. */
  signal(slot: StrategyRunner, generation: number, signal: unknown): boolean {
    return this.isExpected(slot, generation) && this.arrivals.signal(slot, generation, signal);
  }

  /** For slots: their streams end with this. */
  failed(slot: StrategyRunner, generation: number, error: unknown): void {
    if (this.isExpected(slot, generation)) this.arrivals.failure(slot, generation, error);
  }

  /** False outside of an event, when a stream has nothing to bring. */
  private isExpected(slot: StrategyRunner, generation: number): boolean {
    if (this.depth > 0) return true;
    if (generation === slot.generation) this.shut(slot, new OutsideEvent(`strategy ${slot.instance.id}`).message, 'OUTSIDE_EVENT');
    return false;
  }

  /** Handles what streams brought, in order; what arises meanwhile queues behind it. */
  private drain(): void {
    if (this.draining) return;
    this.draining = true;
    this.depth += 1;
    try {
      this.arrivals.handle(this.handleOne);
    } finally {
      this.draining = false;
      this.depth -= 1;
    }
  }

  private handle(arrival: Arrival): void {
    const { slot, value: signal } = arrival;
    if (arrival.isFailure) return this.threw(slot, signal);
    if (slot.feeding) return;
    const { instance } = slot;
    if (!slot.warmUp.isWarm(this.options.scheduler.now())) {
      return this.options.emit({ kind: 'warming', instance, why: slot.warmUp.waitsFor });
    }
    if (slot.state && !this.fold(slot, { type: 'signal', signal })) return;
    if (!instance.definition.concurrent && this.options.busy(instance)) return;
    const view = this.options.viewOf(instance, slot.random);
    const decided = view && this.ask(slot, signal, view);
    if (decided === undefined) return;
    if ('error' in decided) return this.threw(slot, decided.error);
    const verdict = decidedBy(decided.returned, signal, instance);
    if (verdict.kind === 'bad') return this.misdecided(slot, verdict.why, verdict.promise);
    slot.decided = true;
    if (verdict.kind === 'nothing') return;
    const signals = slot.signals(signal);
    if (verdict.kind === 'nan') this.options.emit({ kind: 'nan', instance, why: verdict.why, signals });
    else if (verdict.kind === 'hold') this.options.emit({ kind: 'hold', instance, reason: verdict.reason, signals });
    else this.options.emit({ kind: 'intents', instance, intents: verdict.intents, signals });
  }

  /** Lets the strategy's state take an event in; false when the strategy threw. */
  private fold(slot: StrategyRunner, event: StateEvent): boolean {
    const { state } = slot;
    if (!state) return true;
    let changed: string | undefined;
    let done = false;
    this.enter(slot, () => {
      changed = state.fold(event);
      done = true;
    });
    if (changed !== undefined) this.options.emit({ kind: 'state', instance: slot.instance, text: changed, by: event.type });
    return done;
  }

  private ask(slot: StrategyRunner, signal: unknown, view: View): { readonly returned: unknown } | { readonly error: unknown } {
    const before = this.goInto(slot);
    slot.asked += 1;
    try {
      return { returned: slot.decide(signal, view) };
    } catch (error) {
      // The strategy's own error: told and counted by the caller.
      return { error };
    } finally {
      this.goInto(before);
    }
  }

  private threw(slot: StrategyRunner, error: unknown): void {
    const inARow = slot.fail();
    this.end(slot);
    this.options.emit({ kind: 'threw', instance: slot.instance, error, inARow });
    if (inARow >= FAILURES_IN_A_ROW) {
      const last = thrownBy(error, slot.instance.origin).error;
      this.shut(slot, `it failed ${FAILURES_IN_A_ROW} times in a row, at last with: ${last}`, 'STRATEGY_DISABLED');
    } else if (slot.disabled === undefined) {
      this.revive(slot);
    }
  }

  private misdecided(slot: StrategyRunner, why: string, promise: boolean): void {
    const inARow = slot.fail();
    this.options.emit({ kind: 'bad_intent', instance: slot.instance, why, inARow });
    if (promise || inARow >= FAILURES_IN_A_ROW) this.shut(slot, why, 'BAD_INTENT');
  }

  private shut(slot: StrategyRunner, why: string, reason: Reason): void {
    if (slot.disabled !== undefined) return;
    slot.disabled = why;
    this.end(slot);
    this.options.emit({ kind: 'disabled', instance: slot.instance, why, reason });
  }

  private revive(slot: StrategyRunner): void {
    this.enter(slot, () => slot.subscribe());
  }

  /** Ends the streams. */
  private end(slot: StrategyRunner): void {
    const before = this.goInto(slot);
    slot.end();
    this.goInto(before);
  }
}
