import type { Limits } from '#core/risk/limits.ts';
import type { Millis } from '#domain/names.ts';
import { DOUBT } from './limits.ts';
import { ScreenRefusal } from './screen-refusal.ts';

/** Closes of one strategy that lost in a row, and how long its openings wait for them, as the engine counts it. */
export class Losses {
  private readonly limits: Pick<Limits, 'maxLossStreak' | 'lossCooldown'>;
  /** Towards risk.maxLossStreak, which begins anew once it is reached. */
  private counted = 0;
  /** Before this time no opening passes. */
  opensFrom: Millis = 0;

  constructor(limits: Pick<Limits, 'maxLossStreak' | 'lossCooldown'>) {
    this.limits = limits;
  }

  closed(profit: number, { stake, at }: { readonly stake: number; readonly at: Millis }): void {
    const { maxLossStreak, lossCooldown } = this.limits;
    if (maxLossStreak === null) return;
    if (profit !== 0 && Math.abs(profit) < DOUBT * stake) throw new ScreenRefusal('a close that may be a loss, for risk.maxLossStreak');
    this.counted = profit < 0 ? this.counted + 1 : 0;
    if (this.counted < maxLossStreak) return;
    this.counted = 0;
    this.opensFrom = at + lossCooldown;
  }
}
