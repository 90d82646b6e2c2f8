import { Subscriber } from 'rxjs';
import type { StrategyRunner } from './strategy-runner.ts';

/** Takes what a strategy's signals bring, with the count of the subscription that brings it; neither throws. */
export interface SignalSink {
  /** False: it has brought too much, and is to end. */
  signal(slot: StrategyRunner, generation: number, signal: unknown): boolean;
  /** The error that ended the subscription. */
  failed(slot: StrategyRunner, generation: number, error: unknown): void;
}

/** Reads a strategy's signals: what rxjs makes of a function that is subscribed, with less in it, since its sink does not throw. */
export class SignalReader extends Subscriber<unknown> {
  private readonly slot: StrategyRunner;
  private readonly generation: number;
  private readonly sink: SignalSink;

  constructor(slot: StrategyRunner, sink: SignalSink) {
    super();
    this.slot = slot;
    this.generation = slot.generation;
    this.sink = sink;
  }

  protected override _next(signal: unknown): void {
    if (!this.sink.signal(this.slot, this.generation, signal)) this.unsubscribe();
  }

  protected override _error(error: unknown): void {
    this.sink.failed(this.slot, this.generation, error);
    this.unsubscribe();
  }
}
