import type { Timers } from '#ports/timers.ts';
import { between, type FaultDraws } from './draws.ts';

const AHEAD_MS = 120_000;
/** Repeats of one notification. */
const MIN_REPEATS = 1;
const MAX_REPEATS = 3;

/** The service's clock, which may be ahead of the one it is given. Durations are not touched. */
export function clockOf(faults: FaultDraws, timers: Timers): Timers {
  if (faults.next('start')?.name !== 'clock-ahead') return timers;
  return {
    wallMs: () => timers.wallMs() + AHEAD_MS,
    monotonicMs: () => timers.monotonicMs(),
    after: (delayMs, run) => timers.after(delayMs, run),
    every: (periodMs, run) => timers.every(periodMs, run),
    random: () => timers.random(),
    uuid: () => timers.uuid(),
  };
}

/** How often a notification that was sent is sent again. */
export function repeatsOf(faults: FaultDraws | undefined): () => number {
  return () => {
    const struck = faults?.next('notification');
    return struck ? between(MIN_REPEATS, MAX_REPEATS, struck.unit) : 0;
  };
}
