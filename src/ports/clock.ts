import type { Millis } from '#domain/names.ts';

/**
 * The engine's time: whole milliseconds, wall time at start plus monotonic time since, never going back. The one
 * clock the engine may know; virtual in a backtest, recorded in a replay.
 */
export interface Clock {
  now(): Millis;
  /** Asks for one call of `wake` at or after `at`, replacing what was asked before; undefined asks for none. */
  wakeAt(at: Millis | undefined, wake: () => void): void;
}
