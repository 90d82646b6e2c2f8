import type { Timers } from './timers.ts';

/** Waits some milliseconds, and no longer than until the signal is aborted. */
export function pause(timers: Pick<Timers, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      cancel();
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const cancel = timers.after(ms, over);
    if (signal?.aborted) over();
    else signal?.addEventListener('abort', over);
  });
}
