import { parentPort, workerData } from 'node:worker_threads';
import { Checkpoints } from '#adapters/journal/checkpoints.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { messageOf } from '#domain/errors.ts';
import type { CheckpointsData } from './checkpoints-thread.ts';

/** As much of a log as is no reader's short look. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Keeps the write-ahead log of a journal short, beside the loop that trades. */
const { path, everyMs }: CheckpointsData = workerData;
const checkpoints = new Checkpoints(path);
let trouble: string | null = null;

const stop = systemTimers.every(everyMs, () => {
  let found: string | null = null;
  try {
    if (checkpoints.run() > MAX_WAITING_BYTES) found = 'more than 64 MiB wait for another program that reads the journal and does not end';
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
