import { useEffect, useReducer } from 'preact/hooks';
import { type LastState, model, nowOf } from './model.ts';
import { useStore } from './store.ts';

/** Draws a part again at an interval, so that ages tick. */
export function useTick(everyMs: number): void {
  const [, draw] = useReducer<number, null>((count) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) draw(null);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

/** Counts up at an interval while the page is visible. */
export function useEveryTick(everyMs: number): number {
  const [count, tick] = useReducer<number, null>((before) => before + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) tick(null);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return count;
}

/** The daemon's last state; null before the first. */
export const useTold = (): LastState | null => useStore(model.told);

/** The daemon's time, ticking. */
export function useNow(told: LastState, everyMs = 1000): number {
  useTick(everyMs);
  return nowOf(told);
}
