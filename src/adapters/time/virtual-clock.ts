import { invariant } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { Clock } from '#ports/clock.ts';

/** Engine time that its owner moves: the backtest's, and the tests'. Stands still otherwise. */
export class VirtualClock implements Clock {
  private time: Millis;
  private asked: { readonly at: Millis; readonly wake: () => void } | undefined;

  constructor(start: Millis) {
    this.time = start;
  }

  now(): Millis {
    return this.time;
  }

  wakeAt(at: Millis | undefined, wake: () => void): void {
    this.asked = at === undefined ? undefined : { at, wake };
  }

  /** When a wake is asked for, or undefined. */
  get nextWake(): Millis | undefined {
    return this.asked?.at;
  }

  /**
   * Moves time forward to `at`, stopping at each wake asked for on the way: it is called once with the clock at its
   * time. One asked for in the past is called at once. A wake that asks anew for an instant already reached would
   * never end; it waits for the next move.
   */
  moveTo(at: Millis): void {
    if (at < this.time) invariant(false, `virtual time cannot go back from ${this.time} to ${at}`);
    let reached = Number.NEGATIVE_INFINITY;
    for (let due = this.asked; due && due.at <= at && due.at > reached; due = this.asked) {
      this.asked = undefined;
      reached = due.at;
      this.time = Math.max(this.time, due.at);
      due.wake();
    }
    this.time = Math.max(this.time, at);
  }

  moveBy(ms: number): void {
    this.moveTo(this.time + ms);
  }
}
