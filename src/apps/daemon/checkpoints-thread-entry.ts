import { Checkpoints } from '#adapters/journal/write-ahead.ts';
import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { messageOf } from '#domain/errors.ts';
import type { CheckpointsThread } from './checkpoints-thread.ts';

/** As much of a log as is no reader's short look. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Keeps the write-ahead log of a journal short, beside the loop that trades. */
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

/** Moves the log. Returns why that is not possible; null where it is done. */
function troubleOf(checkpoints: Checkpoints): string | null {
  try {
    if (checkpoints.run() <= MAX_WAITING_BYTES) return null;
    return 'more than 64 MiB wait for another program that reads the journal and does not end';
  } catch (error) {
    // The log grows meanwhile: commits go on until the disk takes no more of them, which halts.
    return messageOf(error);
  }
}
