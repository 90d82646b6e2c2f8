import type { Inside } from './heartbeat.ts';

/** Time limit of the main thread in one call of a strategy, and in anything else, in milliseconds (F69, I34). */
const STRATEGY_MS = 3_000;
const OTHER_MS = 30_000;
/** Maximum that a gap between two samples counts for, in milliseconds: a stopped process is not a stall. */
const MAX_GAP_MS = 100;

/** Measures how long the main thread has been blocked, sample by sample. Pure: the caller gives the elapsed time. */
export class StallClock {
  private turn: number | undefined;
  private stillMs = 0;
  private readonly strategyMs: number;

  constructor(strategyMs: number = STRATEGY_MS) {
    this.strategyMs = strategyMs;
  }

  /** Undefined while all is well; else what blocks the main thread, and for how long. */
  inspect(seen: {
    readonly turn: number;
    readonly inside: Inside;
    readonly gapMs: number;
  }): { readonly inside: Inside; readonly stillMs: number } | undefined {
    if (seen.turn !== this.turn) {
      this.turn = seen.turn;
      this.stillMs = 0;
      return undefined;
    }
    this.stillMs += Math.min(seen.gapMs, MAX_GAP_MS);
    const limitMs = seen.inside.in === 'strategy' ? this.strategyMs : OTHER_MS;
    return this.stillMs < limitMs ? undefined : { inside: seen.inside, stillMs: this.stillMs };
  }
}
