import type { Millis } from '#domain/names.ts';

/** A timer in the heap. `live` turns false when it is cancelled; it then leaves the heap when its turn comes. */
export interface HeapTimer {
  readonly due: Millis;
  /** Place among timers of one due time: creation order. */
  readonly order: number;
  live: boolean;
}

const before = (a: HeapTimer, b: HeapTimer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

/** Compact once this many cancelled timers wait, and they are more than half. */
const COMPACT_ABOVE = 64;

/**
 * Timers by due time, then by creation, in a binary heap: O(log n) in and out. A cancelled timer stays until it is at
 * the top or until cancelled ones outnumber the living, so that `switchMap(() => timer(...))` at each quote costs no
 * memory that grows with the run.
 */
export class TimerHeap<Timer extends HeapTimer> {
  private heap: Timer[] = [];
  private cancelled = 0;

  /** Timers that wait to fire. */
  get size(): number {
    return this.heap.length - this.cancelled;
  }

  push(timer: Timer): void {
    this.heap.push(timer);
    this.up(this.heap.length - 1);
  }

  /** The next timer to fire, left in place. */
  peek(): Timer | undefined {
    for (let top = this.heap[0]; top; top = this.heap[0]) {
      if (top.live) return top;
      this.removeTop();
      this.cancelled -= 1;
    }
    return undefined;
  }

  pop(): Timer | undefined {
    const top = this.peek();
    if (top) this.removeTop();
    return top;
  }

  /** Takes a timer out. Harmless when it has fired or was cancelled before. */
  cancel(timer: Timer): void {
    if (!timer.live) return;
    timer.live = false;
    this.cancelled += 1;
    if (this.cancelled > COMPACT_ABOVE && this.cancelled * 2 > this.heap.length) this.compact();
  }

  private compact(): void {
    this.heap = this.heap.filter((timer) => timer.live).sort((a, b) => a.due - b.due || a.order - b.order);
    this.cancelled = 0;
  }

  private removeTop(): void {
    const last = this.heap.pop();
    if (last === undefined || this.heap.length === 0) return;
    this.heap[0] = last;
    this.down(0);
  }

  private up(from: number): void {
    const { heap } = this;
    const timer = heap[from];
    if (!timer) return;
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (!parent || before(parent, timer)) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = timer;
  }

  private down(from: number): void {
    const { heap } = this;
    const timer = heap[from];
    if (!timer) return;
    let at = from;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = heap[childAt];
      if (!child) break;
      const right = heap[childAt + 1];
      if (right && before(right, child)) {
        childAt += 1;
        child = right;
      }
      if (before(timer, child)) break;
      heap[at] = child;
      at = childAt;
    }
    heap[at] = timer;
  }
}
