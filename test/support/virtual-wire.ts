import { setTimeout as pause } from 'node:timers/promises';
import type { VirtualTimers } from './virtual-timers.ts';

export const STEP_MS = 25;
/** Turns of the loop in which the wire of this process becomes quiet: a request and its answer take a few. */
const TURNS = 5;

/** One step of time for a daemon and a venue of this process, and what follows from it on the wire. */
export async function step(timers: VirtualTimers, ms = STEP_MS): Promise<void> {
  timers.advance(ms);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time go on until something is done. */
export async function settle<T>(timers: VirtualTimers, work: Promise<T>): Promise<T> {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  done.catch(() => {});
  while (!over) {
    await step(timers);
    // What threads do meanwhile takes real time.
    await pause(1);
  }
  return done;
}
