import { Thread } from '#adapters/threads/thread.ts';
import type { Notice } from '#ports/notice.ts';

/** Interval in milliseconds, short enough that the writer never has to move the log itself. */
const EVERY_MS = 250;

/** The thread reports why the log cannot be moved, at each change. */
export interface CheckpointsThread {
  readonly data: { readonly path: string; readonly everyMs: number };
  readonly toThread: 'close';
  readonly fromThread: string;
}

/**
 * Moves the journal's write-ahead log to its file in a thread of its own. It takes several milliseconds, which an
 * order's commit must not spend. Returns a function that ends it.
 */
export function keepCheckpoints(path: string, notice: Notice): () => Promise<void> {
  const entry = new URL('./checkpoints-thread-entry.ts', import.meta.url);
  const thread = new Thread<CheckpointsThread>({ entry, name: 'checkpoints', data: { path, everyMs: EVERY_MS } });
  thread.onMessage((why) => notice('error', `the journal's write-ahead log cannot be moved to its file: ${why}`));
  return async () => {
    thread.post('close');
    await thread.ended;
  };
}
