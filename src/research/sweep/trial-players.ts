import type { TrialJob, TrialResult } from '#research/replay/trial.ts';
import type { Unequal } from './screen.ts';

/** How a trial is played: by the engine, by the screen where that can, or by both, which are then held against each other. */
export type Way = 'engine' | 'screen' | 'both';

/** Trials to be played. */
export interface TrialWork {
  readonly jobs: readonly TrialJob[];
  /** By the engine without it. */
  readonly way?: Way;
  /** Told a trial in which the screen and the engine differ, before its result. */
  readonly onUnequal?: (unequal: Unequal) => void;
  /** Threads of this process at a time. */
  readonly threads: number;
  /** Ends the work at once; unfinished trials are dropped. */
  readonly signal: AbortSignal;
  /** Called once with each finished trial, in the order in which they finish. */
  readonly onResults: (results: readonly TrialResult[]) => void;
}

/** A player of trials: threads of this process, or workers on other machines. */
export interface TrialPlayers {
  /** Returns when all jobs are finished or the signal came. Throws SWEEP_FAILED where they cannot be finished. */
  play(work: TrialWork): Promise<void>;
  /** Ends all started work. */
  close(): void | Promise<void>;
}
