/** Ends a timer; harmless when it is over. */
export type Cancel = () => void;

/**
 * The rim's clock, timers and randomness: for sockets, servers and files, whose timing is not the engine's. The engine
 * itself knows only its `Clock` and scheduler.
 */
export interface Timers {
  /** Wall time in whole milliseconds since 1970 UTC: for signing, expiry and people. */
  wallMs(): number;
  /** Monotonic milliseconds with fractions: for durations. */
  monotonicMs(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
  /** A number in [0, 1), not reproducible. */
  random(): number;
  uuid(): string;
}
