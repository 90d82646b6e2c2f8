import { Subscriber } from 'rxjs';
import type { Slot } from './slot.ts';

/** Takes what a strategy's signals bring, with the count of the subscription that brings it; neither throws. */
export interface SignalSink {
  signal(slot: Slot, life: number, signal: unknown): void;
  /** The error that ended the subscription. */
  failed(slot: Slot, life: number, error: unknown): void;
}

/** Reads a strategy's signals: what rxjs makes of a function that is subscribed, with less in it, since its sink does not throw. */
export class SignalReader extends Subscriber<unknown> {
  private readonly slot: Slot;
  private readonly life: number;
  private readonly sink: SignalSink;

  constructor(slot: Slot, sink: SignalSink) {
    super();
    this.slot = slot;
    this.life = slot.life;
    this.sink = sink;
  }

  protected override _next(signal: unknown): void {
    this.sink.signal(this.slot, this.life, signal);
  }

  protected override _error(error: unknown): void {
    this.sink.failed(this.slot, this.life, error);
    this.unsubscribe();
  }
}
