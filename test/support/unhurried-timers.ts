import { systemTimers } from '#adapters/time/system-timers.ts';
import { LAG_PERIOD_MS } from '#daemon/run/time-keeping.ts';
import type { Timers } from '#ports/timers.ts';

/** The machine's timers for a daemon that shares its process with a test: how late a busy machine makes the loop is not measured. */
export const unhurriedTimers: Timers = {
  ...systemTimers,
  every: (periodMs, run) => (periodMs === LAG_PERIOD_MS ? () => {} : systemTimers.every(periodMs, run)),
};
