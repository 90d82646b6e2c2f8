import { Heap } from './heap.ts';
import type { Millis } from './names.ts';

/** A timer in the heap. `live` turns false when it is cancelled; it then leaves the heap when its turn comes. */
export interface HeapTimer {
  readonly due: Millis;
  /** Order of creation, which sorts timers of equal due time. */
  readonly order: number;
  live: boolean;
}

/** Compact once this many cancelled timers wait, and they are more than half. */
const COMPACT_ABOVE = 64;

/**
 * Timers by due time, then by creation. A cancelled timer stays until it reaches the top or cancelled ones outnumber
 * live ones. Memory stays bounded with `switchMap(() => timer(...))` at each quote.
 */
export class TimerHeap<Timer extends HeapTimer> {
  private readonly heap = new Heap<Timer>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  private cancelled = 0;

  /** Number of timers that have not fired. */
  get size(): number {
    return this.heap.size - this.cancelled;
  }

  push(timer: Timer): void {
    this.heap.push(timer);
  }

  /** The next timer to fire, left in place. */
  peek(): Timer | undefined {
    for (let top = this.heap.first; top; top = this.heap.first) {
      if (top.live) return top;
      this.heap.removeFirst();
      this.cancelled -= 1;
    }
    return undefined;
  }

  pop(): Timer | undefined {
    const top = this.peek();
    this.heap.removeFirst();
    return top;
  }

  /** Takes a timer out. Harmless when it has fired or was cancelled before. */
  cancel(timer: Timer): void {
    if (!timer.live) return;
    timer.live = false;
    this.cancelled += 1;
    if (this.cancelled > COMPACT_ABOVE && this.cancelled * 2 > this.heap.size) {
      this.heap.rebuild(({ live }) => live);
      this.cancelled = 0;
    }
  }
}
