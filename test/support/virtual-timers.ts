import type { Cancel, Timers } from '#ports/timers.ts';

/** Timers that stand still until `advance` is called: no test sleeps, and both sides of a boundary can be seen. */
export class VirtualTimers implements Timers {
  private nowMs: number;
  private wallAheadMs = 0;
  private order = 0;
  private seed = 0x9e3779b9;
  private readonly due: { at: number; order: number; run: () => void; periodMs: number | null }[] = [];

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
    const late = this.due.filter((timer) => timer.at <= this.nowMs).sort((a, b) => a.at - b.at || a.order - b.order);
    for (const timer of late) {
      if (timer.periodMs === null) this.due.splice(this.due.indexOf(timer), 1);
      else timer.at = this.nowMs + timer.periodMs;
      timer.run();
    }
  }

  /** Timers that wait to fire. */
  get pending(): number {
    return this.due.length;
  }

  /** Moves time forward, firing what falls due, by due time and then by creation. */
  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (;;) {
      const next = this.due.filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!next) break;
      this.nowMs = next.at;
      if (next.periodMs === null) this.due.splice(this.due.indexOf(next), 1);
      else next.at += next.periodMs;
      next.run();
    }
    this.nowMs = end;
  }

  /** Moves time to the next timer and fires what is due then. */
  advanceToNext(): void {
    this.advance(Math.max(0, Math.min(...this.due.map(({ at }) => at)) - this.nowMs));
  }

  private add(delayMs: number, run: () => void, periodMs: number | null): Cancel {
    this.order += 1;
    const timer = { at: this.nowMs + delayMs, order: this.order, run, periodMs };
    this.due.push(timer);
    return () => {
      const index = this.due.indexOf(timer);
      if (index >= 0) this.due.splice(index, 1);
    };
  }
}
