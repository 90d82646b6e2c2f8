/** Cancels a timer; harmless if it has fired. */
export type Cancel = () => void;

/** Clock, timers and randomness of the rim: sockets, servers and files. The engine has its own `Clock` and scheduler. */
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
