import type { Book } from '#core/portfolio/book.ts';
import { type Millis, type StrategyId, strategyId } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import type { PastBooks } from '#domain/past-books.ts';
import { closeResult } from '#domain/position.ts';

/** Counts consecutive losing closes, per strategy (whose openings then pause) and over all strategies. */
export class LossStreaks {
  private readonly max: number | null;
  private readonly maxOfAll: number | null;
  private readonly cooldownMs: Millis;
  private readonly runs = new Map<StrategyId, { losses: number; until: Millis }>();
  private ofAll = 0;
  private reached: number | null = null;

  constructor(options: { readonly max: number | null; readonly maxOfAll: number | null; readonly cooldownMs: Millis }) {
    this.max = options.max;
    this.maxOfAll = options.maxOfAll;
    this.cooldownMs = options.cooldownMs;
  }

  /** Takes over the closes of earlier runs. A limit that they reached over all strategies was latched in that run. */
  restore({ losses, lossesOfAll }: Pick<PastBooks, 'losses' | 'lossesOfAll'>): void {
    const { max, maxOfAll, cooldownMs } = this;
    if (maxOfAll !== null) this.ofAll = lossesOfAll % maxOfAll;
    if (max === null) return;
    for (const [strategy, run] of Object.entries(losses)) {
      const reachedAt = run.reachedAt[max - 1];
      this.runs.set(strategyId(strategy), { losses: run.losses % max, until: reachedAt === undefined ? 0 : reachedAt + cooldownMs });
    }
  }

  /** Notes a fill, before its book has it: what was closed of a position has won or lost. */
  filling(strategy: StrategyId, book: Book, { fill, at }: { readonly fill: Fill; readonly at: Millis }): void {
    const result = this.max === null && this.maxOfAll === null ? undefined : closeResult(book, fill);
    if (result === undefined) return;
    this.countOfAll(result.isNegative());
    if (this.max === null) return;
    const run = this.runs.get(strategy) ?? { losses: 0, until: 0 };
    const losses = result.isNegative() ? run.losses + 1 : 0;
    const over = losses >= this.max;
    this.runs.set(strategy, { losses: over ? 0 : losses, until: over ? at + this.cooldownMs : run.until });
  }

  /** The count over all strategies, once, when it reaches its limit; it then starts at zero again. */
  takeReached(): number | null {
    const { reached } = this;
    this.reached = null;
    return reached;
  }

  private countOfAll(lost: boolean): void {
    this.ofAll = lost ? this.ofAll + 1 : 0;
    if (this.maxOfAll === null || this.ofAll < this.maxOfAll) return;
    this.reached = this.ofAll;
    this.ofAll = 0;
  }

  leftMs(strategy: StrategyId, now: Millis): Millis {
    return Math.max(0, (this.runs.get(strategy)?.until ?? 0) - now);
  }

  /** A person has taken note of the losses. */
  resetBaselines(): void {
    this.runs.clear();
    this.ofAll = 0;
    this.reached = null;
  }
}
