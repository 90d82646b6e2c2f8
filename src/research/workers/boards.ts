import { KairosError } from '#domain/errors.ts';
import type { SweepAct } from '#domain/sweep-act.ts';
import type { WorkQueue } from '#ports/work-queue.ts';
import {
  ENDED,
  type EndedNotice,
  endedNotice,
  PAUSES,
  STOPS,
  SWEEPS,
  type SweepNotice,
  sweepNotice,
  WORKERS,
  type WorkerNotice,
  workerNotice,
} from './messages.ts';
import type { QueueKey } from './queue-key.ts';

interface ShownSweep extends SweepNotice {
  /** Workers that take its jobs. */
  readonly workers: number;
}

interface ShownWorker extends WorkerNotice {
  /** Sweeps whose jobs it takes. */
  readonly sweeps: readonly string[];
}

/** What is on a queue, as far as this key has signed it. */
export interface QueueBoards {
  readonly sweeps: readonly ShownSweep[];
  readonly workers: readonly ShownWorker[];
  /** Sweeps that have ended within a week, the newest first. */
  readonly ended: readonly EndedNotice[];
}

/** A stop that nobody heard is gone after an hour, a pause after a week. */
const STOP_MS = 3_600_000;
const PAUSE_MS = 7 * 86_400_000;

/** The sweeps and workers of a queue that have this key. */
export async function queueBoards(queue: WorkQueue, key: QueueKey): Promise<QueueBoards> {
  const read = async <Notice>(board: string, of: (key: QueueKey, text: string) => Notice | undefined): Promise<readonly Notice[]> =>
    [...(await queue.notices(board)).values()].flatMap((text) => of(key, text) ?? []);
  const sweeps = await read(SWEEPS, sweepNotice);
  const workers = await read(WORKERS, workerNotice);
  return {
    sweeps: sweeps.map((sweep) => ({ ...sweep, workers: workers.filter((worker) => worker.queue === sweep.queue).length })),
    workers: workers.map((worker) => ({
      ...worker,
      sweeps: sweeps.flatMap((sweep) => (sweep.queue === worker.queue ? sweep.sweep : [])),
    })),
    ended: (await read(ENDED, endedNotice)).toSorted((a, b) => b.at.localeCompare(a.at)),
  };
}

/** Asks the coordinator of a sweep to end it, to give out no more jobs, or to go on. Throws NOT_FOUND for a sweep that nobody plays. */
export async function askSweep(
  queue: WorkQueue,
  key: QueueKey,
  { sweep, ask }: { readonly sweep: string; readonly ask: SweepAct },
): Promise<void> {
  const { sweeps } = await queueBoards(queue, key);
  if (!sweeps.some((one) => one.sweep === sweep))
    throw new KairosError('NOT_FOUND', `no sweep ${sweep} is played on this queue: kairos queue lists those that are`);
  if (ask === 'stop') await queue.post(STOPS, sweep, { text: key.sign('stop', sweep), keepMs: STOP_MS });
  else if (ask === 'pause') await queue.post(PAUSES, sweep, { text: key.sign('pause', sweep), keepMs: PAUSE_MS });
  else await queue.unpost(PAUSES, sweep);
}
