import type { Millis } from './names.ts';

/** Closes in a row that lost, told without the limit that they are held against. */
export interface LossRunText {
  /** Losses since the last close that won, or since the first. */
  readonly losses: number;
  /** At place n - 1: when losses in a row last came to n, 2n, 3n .. */
  readonly reachedAt: readonly Millis[];
}

/** Longer streaks are counted, and when they were reached is not kept. */
const LONGEST = 1_000;

/** Counts closes in a row that lost, so that any limit can be held against them later. */
export class LossRun {
  private losses: number;
  private readonly reachedAt: Millis[];

  constructor(past: LossRunText = { losses: 0, reachedAt: [] }) {
    this.losses = past.losses;
    this.reachedAt = [...past.reachedAt];
  }

  /** One more close has won or lost. */
  add(lost: boolean, at: Millis): void {
    this.losses = lost ? this.losses + 1 : 0;
    const { losses, reachedAt } = this;
    for (let n = Math.min(losses, LONGEST); n > 0; n--) if (losses % n === 0) reachedAt[n - 1] = at;
  }

  text(): LossRunText {
    return { losses: this.losses, reachedAt: [...this.reachedAt] };
  }
}
