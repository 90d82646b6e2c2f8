import { paramsText, type TrialResult } from '#research/replay/trial.ts';
import { isRuined, unrankedWhy } from '#research/sweep/sweep-ranking.ts';

/** How far a sweep is, as its coordinator tells. */
export interface Progress {
  /** Trials of the present round; a search that does not learn has one round. */
  readonly finished: number;
  readonly wanted: number;
  /** Trials that came in since this coordinator began, over all rounds. */
  readonly played: number;
  /** The trial of these that earned most; null where none traded. */
  readonly best: BestSoFar | null;
}

interface BestSoFar {
  readonly params: string;
  /** In the quote currency of what is traded. */
  readonly netProfit: number;
}

/** Counts what comes in. */
export class SweepProgress {
  private finished = 0;
  private wanted = 0;
  private played = 0;
  private best: BestSoFar | null = null;

  /** A round of so many trials begins. */
  begin(wanted: number): void {
    [this.finished, this.wanted] = [0, wanted];
  }

  add(results: readonly TrialResult[]): void {
    this.finished += results.length;
    this.played += results.length;
    for (const trial of results) {
      const netProfit = unrankedWhy(trial) === undefined && !isRuined(trial) ? trial.figures.netProfit : null;
      if (typeof netProfit !== 'number' || netProfit <= (this.best?.netProfit ?? Number.NEGATIVE_INFINITY)) continue;
      this.best = { params: paramsText(trial.params), netProfit };
    }
  }

  get now(): Progress {
    const { finished, wanted, played, best } = this;
    return { finished, wanted, played, best };
  }
}
