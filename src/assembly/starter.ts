import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Cancel } from '#ports/timers.ts';

const LOOK_MS = 200;

/** Why a process ends with the one that started it. */
export const STARTER_GONE = 'the process that started it is gone';

/**
 * Calls `then` once when the process that started this one is gone, where that is one whose end ends this one too
 * (`scripts/ensure-node.mjs`). A closed terminal takes it along without ending a daemon: after SIGHUP nothing is called. Returns a function
 * that stops looking.
 */
export function onStarterGone(then: () => void): Cancel {
  const [own, starter] = (process.env.KAIROS_STARTER ?? '').split(' ').map(Number);
  // A process that inherited the word was started by another one.
  if (own !== process.pid) return () => {};
  const cut = systemTimers.every(LOOK_MS, () => {
    if (process.ppid === starter) return;
    cut();
    then();
  });
  if (process.listenerCount('SIGHUP') > 0) process.on('SIGHUP', cut);
  return cut;
}
