import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../domain/errors.ts';
import { Checkpoints } from '../../journal/checkpoints.ts';
import { systemTimers } from '../../time/system-timers.ts';
import type { CheckpointsData } from './checkpoints-thread.ts';

/** Keeps the write-ahead log of a journal short, beside the loop that trades. */
const { path, everyMs }: CheckpointsData = workerData;
const checkpoints = new Checkpoints(path);
let trouble: string | null = null;

const stop = systemTimers.every(everyMs, () => {
  let found: string | null = null;
  try {
    checkpoints.run();
  } catch (error) {
    // The log grows meanwhile: commits go on until the disk takes no more of them, which halts.
    found = messageOf(error);
  }
  if (found !== null && found !== trouble) parentPort?.postMessage(found);
  trouble = found;
});
parentPort?.once('message', () => {
  stop();
  checkpoints.close();
  parentPort?.close();
});
