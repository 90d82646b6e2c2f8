import type { Inside } from './heartbeat.ts';

/** Time limit of the main thread in one call of a strategy, in a commit, which waits for the disk, and in anything else, in milliseconds (F69, I34). */
const STRATEGY_MS = 3_000;
const COMMIT_MS = 30_000;
const OTHER_MS = 10_000;
/** Time limit of the end of the process, in milliseconds, shorter than a process manager's. */
const END_MS = 10_000;
/** Maximum that a gap between two samples counts for, in milliseconds: a stopped process is not a stall. */
const MAX_GAP_MS = 100;

/** What the main thread is blocked in; its end hangs though its loop may turn. */
type StallPlace = Inside | { readonly in: 'end' };

/**
 * Measures how long the main thread has been blocked, or its end hangs, sample by sample. What it stood ready without a processor is no
 * stall of its own. Pure: the caller gives the elapsed time.
 */
export class StallClock {
  private turn: number | undefined;
  private stillMs = 0;
  private endMs = 0;
  private readonly limitsMs: Readonly<Record<Inside['in'], number>>;

  constructor(strategyMs: number = STRATEGY_MS) {
    this.limitsMs = { strategy: strategyMs, commit: COMMIT_MS, other: OTHER_MS };
  }

  /** Undefined while all is well; else what blocks the main thread, and for how long. */
  inspect(seen: {
    readonly turn: number;
    readonly inside: Inside;
    readonly gapMs: number;
    /** How much of the gap the main thread waited for a processor. */
    readonly starvedMs?: number;
    readonly isEnding?: boolean;
  }): { readonly inside: StallPlace; readonly stillMs: number } | undefined {
    const gapMs = Math.max(0, Math.min(seen.gapMs - (seen.starvedMs ?? 0), MAX_GAP_MS));
    if (seen.isEnding) this.endMs += gapMs;
    if (this.endMs >= END_MS) return { inside: { in: 'end' }, stillMs: this.endMs };
    if (seen.turn !== this.turn) {
      this.turn = seen.turn;
      this.stillMs = 0;
      return undefined;
    }
    this.stillMs += gapMs;
    if (this.stillMs < this.limitsMs[seen.inside.in]) return undefined;
    return { inside: seen.isEnding && seen.inside.in === 'other' ? { in: 'end' } : seen.inside, stillMs: this.stillMs };
  }
}
