import { Checkpoints } from '#adapters/journal/write-ahead.ts';
import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { messageOf } from '#domain/errors.ts';
import type { CheckpointsThread } from './checkpoints-thread.ts';

/** Size of a write-ahead log from which its cause is reported, in bytes; a short read does not reach it. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Keeps a journal's write-ahead log short, in a thread of its own. */
runThread<CheckpointsThread>(({ data: { path, everyMs }, post, onMessage, close }) => {
  const checkpoints = new Checkpoints(path);
  let trouble: string | null = null;
  const stop = systemTimers.every(everyMs, () => {
    const found = troubleOf(checkpoints);
    if (found !== null && found !== trouble) post(found);
    trouble = found;
  });
  onMessage(() => {
    stop();
    checkpoints.close();
    close();
  });
});

/** Moves the log. Returns why that failed, or null. */
function troubleOf(checkpoints: Checkpoints): string | null {
  try {
    if (checkpoints.run() <= MAX_WAITING_BYTES) return null;
    return 'more than 64 MiB wait for another program that reads the journal and does not end';
  } catch (error) {
    // The log grows meanwhile. Commits go on until the disk is full, which halts.
    return messageOf(error);
  }
}
