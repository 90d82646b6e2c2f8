/** The policy of each thing that is tried again: waits in milliseconds, and the most tries in any minute (I23). No order is tried again. */
export const RETRY = {
  request: { leastMs: 250, mostMs: 4000, perMinute: 20 },
  products: { leastMs: 500, mostMs: 8000, perMinute: 20 },
  feed: { leastMs: 250, mostMs: 30_000, perMinute: 20 },
  orderConnection: { leastMs: 250, mostMs: 30_000, perMinute: 60 },
  serviceTime: { leastMs: 500, mostMs: 30_000, perMinute: 30 },
  acknowledgement: { leastMs: 5000, mostMs: 40_000 },
  token: { leastMs: 5000, mostMs: 60_000 },
  unknownOrder: { leastMs: 1000, mostMs: 60_000 },
  afterRejection: { leastMs: 1000, mostMs: 30_000 },
  alert: { leastMs: 1000, mostMs: 60_000 },
} as const;

/** Milliseconds until the next try, after so many failures in a row before the last one: each doubles the wait. */
export const backOffMs = (of: keyof typeof RETRY, failures: number): number =>
  Math.min(RETRY[of].mostMs, RETRY[of].leastMs * 2 ** failures);
