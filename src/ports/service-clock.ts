/** An instant on the service's clock: the middle of the possible range and its half-width, in milliseconds. */
export interface ServiceInstant {
  readonly ms: number;
  readonly halfWidthMs: number;
}

/** This machine's estimate of the service's clock, for signing and for the last check of a quote's time left. */
export interface ServiceClock {
  /** Undefined while it is unknown: before the first sample, and after this machine's clocks have jumped. */
  now(): ServiceInstant | undefined;
}
