import { LagWindow } from '#adapters/time/lag-window.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

const PERIOD_MS = 20;
const JUDGE_MS = 500;

/** Measures how late the event loop comes to its timers, and tells the engine when that begins and ends to matter (F64). */
export class LagMonitor {
  private readonly timers: Timers;
  private readonly post: (event: InboxEvent) => void;
  private readonly window = new LagWindow();
  private stopMeasuring: Cancel = () => {};
  private lastMs = 0;
  private judgedMs = 0;
  private isLate = false;

  constructor(timers: Timers, post: (event: InboxEvent) => void) {
    this.timers = timers;
    this.post = post;
  }

  /** The 99th percentile of the last 5 s. */
  get p99Ms(): number {
    return this.window.p99(this.timers.monotonicMs());
  }

  start(): void {
    this.lastMs = this.timers.monotonicMs();
    this.judgedMs = this.lastMs;
    this.stopMeasuring = this.timers.every(PERIOD_MS, () => this.measure());
  }

  stop(): void {
    this.stopMeasuring();
  }

  private measure(): void {
    const now = this.timers.monotonicMs();
    this.window.add(now, Math.max(0, now - this.lastMs - PERIOD_MS));
    this.lastMs = now;
    if (now - this.judgedMs < JUDGE_MS) return;
    this.judgedMs = now;
    const p99 = this.window.p99(now);
    const late = this.window.judge(p99);
    if (late === this.isLate) return;
    this.isLate = late;
    this.post({ kind: 'condition', name: 'lag', on: late, figure: Math.round(p99) });
  }
}
