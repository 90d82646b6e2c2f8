import type { TrialJob, TrialResult } from '#apps/backtest/replay/trial.ts';

/** Trials to be played. */
export interface TrialWork {
  readonly jobs: readonly TrialJob[];
  /** Threads of this process at a time. */
  readonly threads: number;
  /** Ends all of it at once; what is not finished is left. */
  readonly signal: AbortSignal;
  /** Told each finished trial once, in the order in which they finish. */
  readonly onResults: (results: readonly TrialResult[]) => void;
}

/** Whoever plays trials: threads of this process, or workers elsewhere. */
export interface TrialPlayers {
  /** Returns when all jobs are finished or the signal came. Throws SWEEP_FAILED where they cannot be finished. */
  play(work: TrialWork): Promise<void>;
  /** Ends all that was begun. */
  close(): void | Promise<void>;
}
