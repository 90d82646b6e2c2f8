import { useEffect, useState } from 'preact/hooks';
import { model, type Told } from './model.ts';

/** Minimum interval of reloading what depends on executions, in milliseconds. */
const REFRESH_MS = 5_000;

/** A counter that changes after executions, at most every few seconds, so that round trips are loaded again. */
export function useFillCount({ state }: Told): number {
  const at = Date.parse(state.at);
  const seq = model.decisions.get().find(({ kind }) => kind === 'accepted' || kind === 'resolved')?.seq ?? 0;
  const [held, setHeld] = useState({ seq: 0, at: 0 });
  const isDue = seq !== held.seq && at - held.at >= REFRESH_MS;
  useEffect(() => {
    if (isDue) setHeld({ seq, at });
  }, [isDue]);
  return held.seq;
}
