import type { Timers } from '#ports/timers.ts';
import { between, type FaultDraws } from './draws.ts';

const AHEAD_MS = 120_000;
/** Range of the repeats of one notification. */
const MIN_REPEATS = 1;
const MAX_REPEATS = 3;

/** The service's clock, which a fault may set ahead. Durations are unchanged. */
export function clockOf(faults: FaultDraws, timers: Timers): Timers {
  return faults.next('start')?.name === 'clock-ahead' ? shifted(timers, AHEAD_MS) : timers;
}

/** Timers of a clock that is so many milliseconds ahead. */
export function shifted(timers: Timers, aheadMs: number): Timers {
  return {
    wallMs: () => timers.wallMs() + aheadMs,
    monotonicMs: () => timers.monotonicMs(),
    after: (delayMs, run) => timers.after(delayMs, run),
    every: (periodMs, run) => timers.every(periodMs, run),
    random: () => timers.random(),
    uuid: () => timers.uuid(),
  };
}

/** Number of repeats of a sent notification. */
export function repeatsOf(faults: FaultDraws | undefined): () => number {
  return () => {
    const struck = faults?.next('notification');
    return struck ? between(MIN_REPEATS, MAX_REPEATS, struck.unit) : 0;
  };
}
