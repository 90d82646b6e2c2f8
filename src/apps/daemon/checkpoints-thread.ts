import { Worker } from 'node:worker_threads';
import type { Notice } from '#ports/notice.ts';

/** How often; much of a busy second fits into the log before the writer would have to do it itself. */
const EVERY_MS = 250;

/** What the thread is started with. */
export interface CheckpointsData {
  readonly path: string;
  readonly everyMs: number;
}

/**
 * Moves the journal's write-ahead log to its file in a thread of its own, so that no order's commit has to: that takes several
 * milliseconds. Returns how to end it.
 */
export function keepCheckpoints(path: string, notice: Notice): () => Promise<void> {
  const data: CheckpointsData = { path, everyMs: EVERY_MS };
  const worker = new Worker(new URL('./checkpoints-thread-entry.ts', import.meta.url), {
    workerData: data,
    execArgv: [],
    env: {},
    name: 'checkpoints',
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (why: string) => notice('error', `the journal's write-ahead log cannot be moved to its file: ${why}`));
  return async () => {
    worker.postMessage('close');
    await exited;
  };
}
