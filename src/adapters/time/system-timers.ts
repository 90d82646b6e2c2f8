import { randomUUID } from 'node:crypto';
import type { Cancel, Timers } from '#ports/timers.ts';

/** Longest wait that Node takes in one piece, 24 days; beyond, it would wait for 1 ms. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** The machine's own clock and timers. A wait of any length is kept: a longer one in parts. */
export const systemTimers: Timers = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      timer = leftMs > MAX_WAIT_MS ? setTimeout(() => wait(leftMs - MAX_WAIT_MS), MAX_WAIT_MS) : setTimeout(run, leftMs);
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
  every(periodMs, run) {
    let cancel: Cancel;
    const again = (): void => {
      cancel = systemTimers.after(periodMs, () => {
        again();
        run();
      });
    };
    again();
    return () => cancel();
  },
  random: () => Math.random(),
  uuid: () => randomUUID(),
};
