import { randomUUID } from 'node:crypto';
import type { Timers } from '#ports/timers.ts';

/** The machine's own clock and timers. */
export const systemTimers: Timers = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    return () => clearInterval(timer);
  },
  random: () => Math.random(),
  uuid: () => randomUUID(),
};
