import { Thread } from '#adapters/threads/thread.ts';
import { paramsText, type TrialJob, type TrialResult } from '#apps/backtest/replay/trial.ts';
import type { SharedData } from '#apps/backtest/shared-data.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { configText } from './sweep-config.ts';
import type { TrialBase } from './sweep-trial.ts';

/** A thread plays one trial after the other; the columns lie in memory that all threads read. */
export interface SweepThread {
  readonly data: { readonly config: string; readonly shared: SharedData };
  readonly toThread: TrialJob;
  readonly fromThread: TrialResult;
}

/** Modules of strategies are loaded anew for each trial and never freed, so that a thread is replaced now and then. */
const TRIALS_A_THREAD = 1_000;

/**
 * What a thread may have for what lives shortly, and for all else. Left alone the first grows to four times this, and V8 lets a
 * heap that may become larger grow in larger steps: memory of a hundred trials would be half as much again, none of them faster.
 */
const HEAP = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2_000 };

interface TrialWork {
  readonly base: TrialBase;
  readonly jobs: readonly TrialJob[];
  /** Threads at a time. */
  readonly threads: number;
  /** Ends all of it at once; what is not finished is left. */
  readonly signal: AbortSignal;
  /** Told each finished trial, in the order in which they finish. */
  readonly onResult: (result: TrialResult) => void;
}

/**
 * Plays jobs in threads of their own. Returns when all are finished or the signal came; throws, with every thread ended,
 * where a thread dies of an error of its own.
 */
export async function playTrials({ base, jobs, threads, signal, onResult }: TrialWork): Promise<void> {
  const left = [...jobs].reverse();
  const setup: SweepThread['data'] = { config: configText(base.config), shared: base.shared };
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const turn = async (): Promise<void> => {
    while (left.length > 0 && !either.aborted) await inThread(setup, left, either, onResult);
  };
  const turns = Array.from({ length: Math.min(threads, jobs.length) }, () => turn());
  try {
    await Promise.all(turns);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(turns);
    throw error;
  }
}

/** Plays jobs in one thread until there are none, it has played enough, or the signal comes. The thread is gone afterwards. */
async function inThread(data: SweepThread['data'], left: TrialJob[], signal: AbortSignal, onResult: TrialWork['onResult']): Promise<void> {
  const thread = new Thread<SweepThread>({
    entry: new URL('./sweep-thread-entry.ts', import.meta.url),
    name: 'sweep',
    data,
    limits: HEAP,
    signal,
  });
  let job: TrialJob | undefined;
  let played = 0;
  const next = (): void => {
    job = played < TRIALS_A_THREAD ? left.pop() : undefined;
    if (job) thread.post(job);
    else void thread.stop();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      thread.onMessage((result) => {
        try {
          played += 1;
          onResult(result);
          next();
        } catch (error) {
          reject(error);
        }
      });
      thread.onError((error) => reject(told(error, job)));
      void thread.ended.then((code) => {
        if (job === undefined || signal.aborted) resolve();
        else reject(new KairosError('SWEEP_FAILED', `the thread that played ${paramsText(job.params)} ended with ${code}`));
      });
      next();
    });
  } finally {
    await thread.stop();
  }
}

/** An error of a thread, with the trial that it came of. */
function told(error: unknown, job: TrialJob | undefined): KairosError {
  const where = job ? paramsText(job.params) : 'before its first trial';
  return new KairosError('SWEEP_FAILED', `a thread died of ${messageOf(error)} (${where}); finished trials are kept`, { cause: error });
}
