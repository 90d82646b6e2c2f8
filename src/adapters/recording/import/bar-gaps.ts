import type { ImportGaps } from '#adapters/recording/manifest.ts';
import type { Millis } from '#domain/names.ts';

/** More bars than that in a row that a file lacks are told. */
const BARS = 10;

/** Finds where a file lacks bars. */
export class BarGaps {
  private readonly barMs: Millis;
  private last: Millis | undefined;
  private count = 0;
  private longest = { fromAt: 0, ms: 0 };

  constructor(barMs: Millis) {
    this.barMs = barMs;
  }

  /** Takes the begin of the next bar. */
  see(at: Millis): void {
    const end = this.last === undefined ? at : this.last + this.barMs;
    this.last = at;
    if (at - end <= BARS * this.barMs) return;
    this.count += 1;
    if (at - end > this.longest.ms) this.longest = { fromAt: end, ms: at - end };
  }

  /** Null where there is none. */
  get found(): ImportGaps | null {
    return this.count === 0 ? null : { count: this.count, ...this.longest };
  }
}
