import { type HeapTimer, TimerHeap } from '#domain/heap.ts';
import type { Millis } from '#domain/names.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A timer that comes again and again. */
export interface Periodic {
  /** When the next call is due. */
  readonly next: Millis;
  readonly everyMs: Millis;
  /** Leaves out the calls that are due up to a time, that included; returns how many those are. */
  readonly skip: (upTo: Millis) => number;
  readonly cancel: Cancel;
}

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
  /** Those that come again and again, apart: who asks what else is due does not see them. */
  private readonly again = new TimerHeap<VirtualTimer>();
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
    return this.put(this.heap, due, run);
  }

  every(periodMs: number, run: () => void): Cancel {
    const { cancel } = this.periodic(periodMs, run);
    return cancel;
  }

  /** As `every`; times that nobody needs to be called at may be skipped. */
  periodic(periodMs: number, run: () => void): Periodic {
    let cancel: Cancel = () => {};
    let due = Number.NaN;
    const set = (from: Millis): void => {
      due = from + Math.ceil(periodMs);
      cancel = this.put(this.again, due, () => {
        set(this.clock.now());
        run();
      });
    };
    set(this.clock.now());
    const everyMs = Math.ceil(periodMs);
    const skip = (upTo: Millis): number => {
      if (due > upTo) return 0;
      const count = Math.floor((upTo - due) / everyMs) + 1;
      cancel();
      set(due + (count - 1) * everyMs);
      return count;
    };
    return {
      get next() {
        return due;
      },
      everyMs,
      skip,
      cancel: () => cancel(),
    };
  }

  /** Drops all of them. */
  clear(): void {
    for (const heap of [this.heap, this.again]) while (heap.peek()) heap.pop();
  }

  /** When the next timer is due; undefined while none waits. */
  get nextDue(): Millis | undefined {
    return this.next?.due;
  }

  /** As `nextDue`, of those that come once. */
  get nextOnce(): Millis | undefined {
    return this.heap.peek()?.due;
  }

  private get next(): VirtualTimer | undefined {
    const [once, again] = [this.heap.peek(), this.again.peek()];
    if (!once || !again) return once ?? again;
    return again.due < once.due || (again.due === once.due && again.order < once.order) ? again : once;
  }

  private put(heap: TimerHeap<VirtualTimer>, due: Millis, run: () => void): Cancel {
    this.created += 1;
    const timer = { due, order: this.created, live: true, run };
    heap.push(timer);
    return () => heap.cancel(timer);
  }

  /** Runs the timers that are due now, by due time and then by creation, also those that they set. */
  runDue(): void {
    const now = this.clock.now();
    for (let { next } = this; next && next.due <= now; next = this.next) {
      if (this.heap.peek() === next) this.heap.pop();
      else this.again.pop();
      next.live = false;
      next.run();
    }
  }
}
