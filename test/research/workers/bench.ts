import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { BlobStore } from '#adapters/shared-jobs/blob-store.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Timers } from '#ports/timers.ts';
import type { StudyBase } from '#research/sweep/study.ts';
import { thisEngine } from '#research/workers/messages.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { QueuePlayers } from '#research/workers/queue-players.ts';
import { SweepWorker, type WorkerOptions } from '#research/workers/worker.ts';
import { MemoryQueue } from '../../support/memory-queue.ts';

export const KEY = new QueueKey('a key that both have, of 32 and more');

/** Ten seconds take one. */
export const fastTimers: Timers = {
  ...systemTimers,
  monotonicMs: () => systemTimers.monotonicMs() * 10,
  after: (ms, run) => systemTimers.after(ms / 10, run),
  every: (ms, run) => systemTimers.every(ms / 10, run),
};

/** A coordinator and workers on a queue in memory, with what they said. */
export class QueueBench {
  readonly queue = new MemoryQueue();
  readonly said: string[] = [];
  readonly workerSaid: string[] = [];
  stops = 0;
  /** The coordinator that was opened last. */
  opened: QueuePlayers | undefined;

  /** For the options of a study. */
  readonly players = async (base: StudyBase): Promise<QueuePlayers> => {
    this.opened = await QueuePlayers.open(
      {
        ...{ queue: this.queue, key: KEY, timers: fastTimers },
        at: { host: '127.0.0.1', port: 0, url: null },
        tell: (line) => this.said.push(line),
        onStop: () => {
          this.stops += 1;
        },
      },
      base,
    );
    return this.opened;
  };

  /** Starts a worker, which ends with the test or earlier. */
  worker(given: Partial<WorkerOptions> = {}): { readonly end: () => Promise<void> } {
    const cache = mkdtempSync(path.join(tmpdir(), 'kairos-worker-'));
    const abort = new AbortController();
    const key = given.key ?? KEY;
    const blobs = new BlobStore({ dir: path.join(cache, 'blobs'), authorization: (at) => key.authorization(at), timers: systemTimers });
    const worker = new SweepWorker({
      ...{
        queue: this.queue,
        key,
        engine: thisEngine(),
        name: 'worker-1',
        blobs,
        cache,
        data: undefined,
        threads: 1,
        timers: systemTimers,
      },
      tell: (line) => this.workerSaid.push(line),
      ...given,
    });
    const ended = worker.run(abort.signal);
    const end = async (): Promise<void> => {
      abort.abort();
      await ended;
      rmSync(cache, { recursive: true, force: true });
    };
    onTestFinished(end);
    return { end };
  }
}
