import type { WorkQueue } from '#ports/work-queue.ts';
import { STOPS, SWEEPS, type SweepNotice, sweepNotice, WORKERS, type WorkerNotice, workerNotice } from './messages.ts';
import type { QueueKey } from './queue-key.ts';

interface ShownSweep extends SweepNotice {
  /** Workers that take its jobs. */
  readonly workers: number;
}

interface ShownWorker extends WorkerNotice {
  /** Sweeps whose jobs it takes. */
  readonly sweeps: readonly string[];
}

/** A stop that nobody heard is gone after an hour. */
const STOP_MS = 3_600_000;

/** The sweeps and workers of a queue that have this key. */
export async function queueBoards(
  queue: WorkQueue,
  key: QueueKey,
): Promise<{ readonly sweeps: readonly ShownSweep[]; readonly workers: readonly ShownWorker[] }> {
  const sweeps = [...(await queue.notices(SWEEPS)).values()].flatMap((text) => sweepNotice(key, text) ?? []);
  const workers = [...(await queue.notices(WORKERS)).values()].flatMap((text) => workerNotice(key, text) ?? []);
  return {
    sweeps: sweeps.map((sweep) => ({ ...sweep, workers: workers.filter((worker) => worker.queue === sweep.queue).length })),
    workers: workers.map((worker) => ({
      ...worker,
      sweeps: sweeps.flatMap((sweep) => (sweep.queue === worker.queue ? sweep.sweep : [])),
    })),
  };
}

/** Asks the coordinator of a sweep to end it. */
export async function stopSweep(queue: WorkQueue, key: QueueKey, sweep: string): Promise<void> {
  await queue.post(STOPS, sweep, { text: key.sign('stop', sweep), keepMs: STOP_MS });
}
