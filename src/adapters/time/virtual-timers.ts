import { type HeapTimer, TimerHeap } from '#domain/heap.ts';
import type { Millis } from '#domain/names.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface VirtualTimer extends HeapTimer {
  readonly run: () => void;
}

/**
 * Timers of a world whose time its owner moves: what a broker does later in a backtest. Wall and monotonic time are both
 * engine time; a delay is rounded up to whole milliseconds.
 */
export class VirtualTimers implements Pick<Timers, 'wallMs' | 'monotonicMs' | 'after' | 'every'> {
  private readonly clock: VirtualClock;
  private readonly heap = new TimerHeap<VirtualTimer>();
  private created = 0;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  wallMs(): number {
    return this.clock.now();
  }

  monotonicMs(): number {
    return this.clock.now();
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.at(this.clock.now() + Math.ceil(delayMs), run);
  }

  /** Runs at a time, or as soon as possible where that is over. */
  at(due: Millis, run: () => void): Cancel {
    this.created += 1;
    const timer = { due, order: this.created, live: true, run };
    this.heap.push(timer);
    return () => this.heap.cancel(timer);
  }

  every(periodMs: number, run: () => void): Cancel {
    let cancel: Cancel = () => {};
    const again = (): void => {
      cancel = this.after(periodMs, () => {
        again();
        run();
      });
    };
    again();
    return () => cancel();
  }

  /** Drops all of them. */
  clear(): void {
    while (this.heap.peek()) this.heap.pop();
  }

  /** When the next timer is due; undefined while none waits. */
  get nextDue(): Millis | undefined {
    return this.heap.peek()?.due;
  }

  /** Runs the timers that are due now, by due time and then by creation, also those that they set. */
  runDue(): void {
    const now = this.clock.now();
    for (let next = this.heap.peek(); next && next.due <= now; next = this.heap.peek()) {
      this.heap.pop();
      next.live = false;
      next.run();
    }
  }
}
