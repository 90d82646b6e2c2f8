import { backOffMs, RETRY } from '#domain/retry.ts';
import type { Timers } from '#ports/timers.ts';

const WINDOW_MS = 60_000;

/**
 * When to try again: exponential back-off with full jitter, so that a thousand lanes that lost one host do not come back in
 * step, and never more than `perMinute` attempts in any minute (I23).
 */
export class Backoff {
  private readonly timers: Timers;
  private readonly of: keyof typeof RETRY;
  private readonly perMinute: number;
  private failures = 0;
  /** Times of the latest attempts, oldest first, at most `perMinute` of them. */
  private readonly attempts: number[] = [];

  constructor(timers: Timers, of: 'request' | 'products' | 'feed' | 'orderConnection' | 'serviceTime') {
    this.timers = timers;
    this.of = of;
    this.perMinute = RETRY[of].perMinute;
  }

  /** Notes that an attempt begins now. */
  attempt(): void {
    this.attempts.push(this.timers.monotonicMs());
    if (this.attempts.length > this.perMinute) this.attempts.shift();
  }

  /** Milliseconds to wait before the next attempt, after a failure. A penalty waits in the upper half of the longest wait. */
  afterFailure(penalty: boolean): number {
    const ceilingMs = backOffMs(this.of, this.failures);
    this.failures += 1;
    const jitter = this.timers.random();
    const delayMs = penalty ? (RETRY[this.of].mostMs * (1 + jitter)) / 2 : jitter * ceilingMs;
    return Math.max(delayMs, this.windowMs());
  }

  /** The same where something waits for the connection: the first attempt after a failure is made at once. */
  afterFailureInHaste(): number {
    if (this.failures > 0) return this.afterFailure(false);
    this.failures = 1;
    return this.windowMs();
  }

  /** The trouble is over: the next failure waits briefly again. */
  reset(): void {
    this.failures = 0;
  }

  /** Time until another attempt would keep to the rate. */
  private windowMs(): number {
    const oldest = this.attempts[0];
    if (oldest === undefined || this.attempts.length < this.perMinute) return 0;
    return Math.max(0, oldest + WINDOW_MS - this.timers.monotonicMs());
  }
}
