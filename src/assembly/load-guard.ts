import { Thread } from '#adapters/threads/thread.ts';
import type { Millis } from '#domain/names.ts';

/** The guard's thread hears which strategy's module is being loaded; null for none. */
export interface LoadGuardThread {
  readonly data: { readonly withinMs: Millis };
  readonly toThread: { readonly loading: string | null };
  readonly fromThread: never;
}

/** Time limit of loading a module, including its compilation, in milliseconds. */
export const LOAD_MS = 10_000;

/** Why a strategy's module was given up. */
export const notLoaded = (withinMs: Millis): string =>
  `its module was not loaded within ${withinMs / 1000} s: look for a loop outside of its functions`;

let thread: Thread<LoadGuardThread> | undefined;

/**
 * From now on a module whose code does not end as it is loaded ends this process with a line that names its strategy: nothing in a blocked
 * thread could. For commands; a daemon has its watchdog.
 */
export function guardLoading(withinMs: Millis = LOAD_MS): void {
  if (thread) return;
  thread = new Thread({ entry: new URL('./load-guard-thread-entry.ts', import.meta.url), name: 'load guard', data: { withinMs } });
  thread.unref();
}

/** Loads the module of a strategy, under the guard where there is one. */
export async function guarded<T>(strategy: string, load: () => Promise<T>): Promise<T> {
  thread?.post({ loading: strategy });
  try {
    return await load();
  } finally {
    thread?.post({ loading: null });
  }
}
