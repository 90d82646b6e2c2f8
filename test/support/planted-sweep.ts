import { systemTimers } from '#adapters/time/system-timers.ts';
import { ENDED, type EndedNotice, SWEEPS, type SweepNotice, WORKERS, type WorkerNotice } from '#research/workers/messages.ts';
import type { QueueKey } from '#research/workers/queue-key.ts';
import { QueueWatch } from '#research/workers/queue-watch.ts';
import { MemoryQueue } from './memory-queue.ts';

const ENGINE = { version: '0.1.0', hash: '12ab34cd56ef' };
const BEST = { params: 'cross-btc.fast=12 cross-btc.slow=140', netProfit: 81.5 };

/** A queue with one sweep that goes on, one that was stopped, and a worker; and what a page sees of it. */
export async function plantedSweep(key: QueueKey): Promise<{ readonly queue: MemoryQueue; readonly watch: QueueWatch }> {
  const queue = new MemoryQueue();
  const notice: SweepNotice = {
    ...{ sweep: '3f2a91c07be4', coordinator: 'c', host: 'coordinator-7', engine: ENGINE, queue: 'q', dataHash: 'd', recording: 'r' },
    ...{ url: 'http://10.0.0.7:7480', finished: 1_200, wanted: 2_784, played: 1_200, best: BEST, paused: false },
  };
  const worker: WorkerNotice = { worker: 'worker-9', engine: ENGINE, queue: 'q', trials: 400, refused: [] };
  const at = '2026-11-21T14:30:00.000Z';
  const ended: EndedNotice = {
    sweep: '77aa00bb11cc',
    host: 'coordinator-3',
    at,
    how: 'stopped',
    finished: 3,
    wanted: 8,
    played: 43,
    best: null,
  };
  await queue.post(SWEEPS, notice.sweep, { text: key.sign('sweep', notice), keepMs: 600_000 });
  await queue.post(WORKERS, worker.worker, { text: key.sign('worker', worker), keepMs: 600_000 });
  await queue.post(ENDED, ended.sweep, { text: key.sign('ended', ended), keepMs: 600_000 });
  const watch = new QueueWatch({ queue, key, place: '10.0.0.5:6379', timers: systemTimers });
  return { queue, watch };
}
