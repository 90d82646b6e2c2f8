import { Worker } from 'node:worker_threads';
import type { Timers } from '../ports/timers.ts';
import type { Notice } from './notice.ts';

/** What the thread is given: where recordings are, how long they are kept, and the time. */
export interface TidyTask {
  readonly dir: string;
  readonly keepDays: number;
  readonly now: number;
}

/** What the thread tells. */
export interface TidyWord {
  readonly level: 'info' | 'warn';
  readonly text: string;
}

export interface RecordingsThreadOptions {
  readonly dir: string;
  readonly keepDays: number;
  readonly timers: Timers;
  readonly notice: Notice;
}

const DAY_MS = 86_400_000;
/** After a start, so that opening lanes has the machine for itself. */
const FIRST_MS = 5000;

/**
 * Seals finished recordings and removes old ones in a thread of its own, soon after the start and once a day, so that no
 * quote waits for it. Returns how to stop: a thread that is cut loses nothing.
 */
export function keepRecordings({ dir, keepDays, timers, notice }: RecordingsThreadOptions): () => Promise<void> {
  let worker: Worker | undefined;
  const begin = (): void => {
    if (worker) return;
    const task: TidyTask = { dir, keepDays, now: timers.wallMs() };
    const started = new Worker(new URL('./recordings-thread-entry.ts', import.meta.url), {
      workerData: task,
      execArgv: [],
      env: {},
      name: 'recordings',
    });
    worker = started;
    started.on('message', ({ level, text }: TidyWord) => notice(level, text));
    // What was to be sealed is still there, whole, for the next time.
    started.on('error', (error) => notice('warn', `recordings could not be sealed: ${error.message}`));
    started.once('exit', () => {
      worker = undefined;
    });
    started.unref();
  };
  const first = timers.after(FIRST_MS, begin);
  const daily = timers.every(DAY_MS, begin);
  return async () => {
    first();
    daily();
    await worker?.terminate();
  };
}
