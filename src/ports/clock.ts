import type { Millis } from '#domain/names.ts';

/**
 * The engine's time: whole milliseconds, wall time at start plus monotonic time since, never going back. The one
 * clock the engine may know; virtual in a backtest, recorded in a replay.
 */
export interface Clock {
  now(): Millis;
  /** Requests one call of `wake` at or after `at`, in place of any earlier request; undefined requests none. */
  wakeAt(at: Millis | undefined, wake: () => void): void;
}
