import type { Millis } from './names.ts';
/** A binary heap: reads the first by `before` in O(1), adds and removes in O(log n). */
export class Heap<T> {
  private items: T[] = [];
  private readonly before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before;
  }

  get size(): number {
    return this.items.length;
  }

  get first(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items, before } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !before(item, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = item;
  }

  removeFirst(): void {
    const last = this.items.pop();
    if (last === undefined || this.items.length === 0) return;
    this.items[0] = last;
    this.firstMoved();
  }

  /** Restores the order after the first item's key has changed. */
  firstMoved(): void {
    const { items, before } = this;
    const item = items[0];
    if (item === undefined) return;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = items[childAt];
      if (child === undefined) break;
      const right = items[childAt + 1];
      if (right !== undefined && before(right, child)) {
        childAt += 1;
        child = right;
      }
      if (!before(child, item)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = item;
  }

  /** Removes what `keep` refuses, adds `more` and sorts. Of equal items those that were in before stay first. */
  rebuild(keep: (item: T) => boolean, ...more: readonly T[]): void {
    const { before } = this;
    const kept = [...this.items.filter(keep), ...more];
    // A sorted list is a heap.
    this.items = kept.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
  }
}

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
