import { invariant } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { Clock } from '#ports/clock.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/**
 * The live engine's time: wall time when it was made plus monotonic time since, in whole milliseconds, never going back
 * whatever the wall clock does. Only its owner moves it otherwise, and only forward: after a suspension, in which
 * monotonic time stands.
 */
export class SystemClock implements Clock {
  private readonly timers: Timers;
  private wallAtStart: number;
  private readonly monotonicAtStart: number;
  private latest: Millis;
  private cancel: Cancel | undefined;
  private asked: { readonly at: Millis; readonly wake: () => void } | undefined;

  constructor(timers: Timers) {
    this.timers = timers;
    this.wallAtStart = Math.floor(timers.wallMs());
    this.monotonicAtStart = timers.monotonicMs();
    this.latest = this.wallAtStart;
  }

  now(): Millis {
    const since = Math.floor(this.timers.monotonicMs() - this.monotonicAtStart);
    this.latest = Math.max(this.latest, this.wallAtStart + since);
    return this.latest;
  }

  /** Moves time forward by whole milliseconds; wakes asked for meanwhile come at once. */
  moveForward(ms: number): void {
    invariant(Number.isInteger(ms) && ms >= 0, `time moves forward by whole milliseconds, not by ${ms}`);
    this.wallAtStart += ms;
    const { asked } = this;
    if (asked !== undefined) this.wakeAt(asked.at, asked.wake);
  }

  wakeAt(at: Millis | undefined, wake: () => void): void {
    this.cancel?.();
    this.cancel = undefined;
    this.asked = at === undefined ? undefined : { at, wake };
    if (at !== undefined) this.arm(at, wake);
  }

  /** System timers may fire a little early: what is left is waited for again. */
  private arm(at: Millis, wake: () => void): void {
    this.cancel = this.timers.after(Math.max(0, at - this.now()), () => {
      this.cancel = undefined;
      if (this.now() < at) return this.arm(at, wake);
      this.asked = undefined;
      wake();
    });
  }
}
