import { useEffect, useState } from 'preact/hooks';
import { type LastState, model } from './model.ts';
import { useStore } from './store.ts';

/** Minimum interval of reloading what depends on executions, in milliseconds. */
const REFRESH_MS = 5_000;

/**
 * A counter that changes once executions are booked, at most every few seconds, so that round trips are loaded again. The decision of
 * an execution arrives before it is booked: what is loaded then is still without it.
 */
export function useFillCount({ state }: LastState): number {
  const at = Date.parse(state.at);
  const booked = useStore(model.past)?.booked ?? 0;
  const [held, setHeld] = useState({ booked: 0, at: 0 });
  const isDue = booked !== held.booked && at - held.at >= REFRESH_MS;
  useEffect(() => {
    if (isDue) setHeld({ booked, at });
  }, [isDue]);
  return held.booked;
}
