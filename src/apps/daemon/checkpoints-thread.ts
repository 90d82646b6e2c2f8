import { Thread } from '#adapters/threads/thread.ts';
import type { Notice } from '#ports/notice.ts';

/** How often; much of a busy second fits into the log before the writer would have to do it itself. */
const EVERY_MS = 250;

/** The thread says why the log cannot be moved, whenever that changes. */
export interface CheckpointsThread {
  readonly data: { readonly path: string; readonly everyMs: number };
  readonly toThread: 'close';
  readonly fromThread: string;
}

/**
 * Moves the journal's write-ahead log to its file in a thread of its own, so that no order's commit has to: that takes several
 * milliseconds. Returns how to end it.
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
