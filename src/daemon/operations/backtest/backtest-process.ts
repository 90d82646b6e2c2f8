import type { Millis } from '#domain/names.ts';

/** A backtest, or a sweep where something is varied, as it is played in a process of its own. */
export interface BacktestTask {
  /** The daemon's configuration as `configText`: without secrets. */
  readonly config: string;
  readonly strategy: string;
  /** Quotes from this time on; null: all. */
  readonly from: Millis | null;
  /** As `kairos sweep --vary`; none: a backtest. */
  readonly vary: readonly string[];
  /** The figure that ranks trials; null: the usual one. */
  readonly by: string | null;
  /** Where the report goes. */
  readonly file: string;
  readonly cwd: string;
  readonly memoryMb: number;
}

/** The process tells how many trials it plays, how far it is, and at last the result in one sentence. */
export interface BacktestChild {
  readonly data: BacktestTask;
  readonly told:
    | { readonly kind: 'trials'; readonly count: number }
    | { readonly kind: 'share'; readonly share: number }
    | { readonly kind: 'done'; readonly says: string };
}
