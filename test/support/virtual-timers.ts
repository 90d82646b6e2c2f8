import { type HeapTimer, TimerHeap } from '#domain/heap.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

interface VirtualTimer extends HeapTimer {
  due: number;
  readonly run: () => void;
  readonly periodMs: number | null;
}

/** Timers that stand still until `advance` is called: no test sleeps, and both sides of a boundary can be seen. */
export class VirtualTimers implements Timers {
  private nowMs: number;
  private wallAheadMs = 0;
  private order = 0;
  private seed = 0x9e3779b9;
  private readonly heap = new TimerHeap<VirtualTimer>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.nowMs = startMs;
  }

  wallMs(): number {
    return this.nowMs + this.wallAheadMs;
  }

  monotonicMs(): number {
    return this.nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.add(delayMs, run, null);
  }

  every(periodMs: number, run: () => void): Cancel {
    return this.add(periodMs, run, periodMs);
  }

  random(): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return this.seed / 2 ** 32;
  }

  uuid(): string {
    this.order += 1;
    return `00000000-0000-4000-8000-${String(this.order).padStart(12, '0')}`;
  }

  /** Wall time jumps, monotonic time stands: the clock was set, or the machine was suspended. */
  jumpWall(ms: number): void {
    this.wallAheadMs += ms;
  }

  /** The loop stands still for so long; then everything that is due fires once, late. */
  stall(ms: number): void {
    this.nowMs += ms;
    for (let late = this.heap.peek(); late && late.due <= this.nowMs; late = this.heap.peek()) this.fire(late, this.nowMs);
  }

  /** Timers that wait to fire. */
  get pending(): number {
    return this.heap.size;
  }

  /** Milliseconds to the next timer; without one, for ever. */
  get untilNext(): number {
    return Math.max(0, (this.heap.peek()?.due ?? Number.POSITIVE_INFINITY) - this.nowMs);
  }

  /** Moves time forward, firing what falls due, by due time and then by creation. */
  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (let next = this.heap.peek(); next && next.due <= end; next = this.heap.peek()) {
      this.nowMs = next.due;
      this.fire(next, next.due);
    }
    this.nowMs = end;
  }

  /** Moves time to the next timer and fires what is due then. */
  advanceToNext(): void {
    this.advance(this.untilNext);
  }

  /** Takes the first timer out and runs it. What repeats is due again a period after `at` before it runs: it may cancel itself. */
  private fire(timer: VirtualTimer, at: number): void {
    this.heap.pop();
    if (timer.periodMs === null) timer.live = false;
    else {
      timer.due = at + timer.periodMs;
      this.heap.push(timer);
    }
    timer.run();
  }

  private add(delayMs: number, run: () => void, periodMs: number | null): Cancel {
    this.order += 1;
    const timer = { due: this.nowMs + delayMs, order: this.order, live: true, run, periodMs };
    this.heap.push(timer);
    return () => this.heap.cancel(timer);
  }
}
