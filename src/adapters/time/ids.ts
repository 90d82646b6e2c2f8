import { isoTime, type RunId, runId } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/** A new run's name: sorts by start, reads as a time, unique by its tail: `20261121T035130Z-3fa9c1`. */
export function newRunId(timers: Pick<Timers, 'wallMs' | 'uuid'>): RunId {
  const second = isoTime(timers.wallMs()).slice(0, 19).replaceAll(/[-:]/g, '');
  return runId(`${second}Z-${timers.uuid().slice(-6)}`);
}
