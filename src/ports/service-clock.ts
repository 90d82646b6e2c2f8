/** An instant on the service's clock: the middle of what is possible, and how far the truth may be from it, in milliseconds. */
export interface ServiceInstant {
  readonly ms: number;
  readonly halfWidthMs: number;
}

/** The service's clock as this machine can know it: for signing, and for the last look at how long a quote lives. */
export interface ServiceClock {
  /** Undefined while it cannot be known: before the first sample, and after this machine's clocks have jumped. */
  now(): ServiceInstant | undefined;
}
