import type { Millis } from '#domain/names.ts';
import { type TimeSpan, tradedMs } from './empty-times.ts';

/** A fall below the highest so far. */
export interface Fall {
  /** Share of the peak that was lost, positive. */
  readonly depth: number;
  /** When it was last at the peak. */
  readonly from: Millis;
  readonly troughAt: Millis;
  /** Null if it did not recover before the end. */
  readonly recoveredAt: Millis | null;
}

const WORST = 5;

/** Follows a value that began at its first peak, and keeps its deepest falls and its longest time below a peak. */
export class Falls {
  private peak: number;
  private from: Millis;
  private low: number;
  private troughAt: Millis;
  private readonly found: Fall[] = [];
  private longest = 0;
  private readonly empty: readonly TimeSpan[];

  /** `empty`: times that were not traded, which are not under water either. */
  constructor(first: number, at: Millis, empty: readonly TimeSpan[] = []) {
    this.empty = empty;
    this.peak = first;
    this.low = first;
    this.from = at;
    this.troughAt = at;
  }

  /** `before`: when the last value was seen; it stood until then. Returns how far below the peak it is, as a share. */
  see(value: number, at: Millis, before: Millis): number {
    if (value >= this.peak) {
      if (this.low < this.peak) this.end(at);
      this.peak = value;
      this.low = value;
      return 0;
    }
    if (this.low === this.peak) {
      this.from = before;
      this.low = value;
      this.troughAt = at;
    } else if (value < this.low) {
      this.low = value;
      this.troughAt = at;
    }
    return this.depthOf(value);
  }

  /** True where values between these, whatever their order, bring no new peak and no deeper fall. */
  goesOn(lowest: number, highest: number): boolean {
    return this.low < this.peak && highest < this.peak && lowest >= this.low;
  }

  /** How far a value is below the peak, as a share. */
  depthOf(value: number): number {
    return 1 - value / this.peak;
  }

  /** The deepest falls, deepest first, the one that goes on at the end among them. */
  worst(): readonly Fall[] {
    return this.low < this.peak ? withWorst(this.found, this.present(null)) : this.found;
  }

  /** The longest time below a peak, to the recovery or to the end. */
  longestMs(end: Millis): Millis {
    return Math.max(this.longest, this.low < this.peak ? tradedMs({ from: this.from, to: end }, this.empty) : 0);
  }

  private present(recoveredAt: Millis | null): Fall {
    return { depth: 1 - this.low / this.peak, from: this.from, troughAt: this.troughAt, recoveredAt };
  }

  private end(at: Millis): void {
    this.longest = Math.max(this.longest, tradedMs({ from: this.from, to: at }, this.empty));
    const fall = this.present(at);
    if (this.found.length === WORST && fall.depth <= (this.found[WORST - 1]?.depth ?? 0)) return;
    this.found.splice(0, this.found.length, ...withWorst(this.found, fall));
  }
}

const withWorst = (falls: readonly Fall[], fall: Fall): readonly Fall[] =>
  [...falls, fall].sort((a, b) => b.depth - a.depth).slice(0, WORST);

/** The largest fall in money from the highest so far. */
export class MoneyFall {
  private peak = 0;
  private peakAt: Millis;
  amount = 0;
  from: Millis;
  troughAt: Millis;

  constructor(at: Millis) {
    this.peakAt = at;
    this.from = at;
    this.troughAt = at;
  }

  /** True where profits between these, whatever their order, bring no new peak and no larger fall. */
  goesOn(lowest: number, highest: number): boolean {
    return highest < this.peak && this.peak - lowest <= this.amount;
  }

  see(profit: number, at: Millis): void {
    if (profit >= this.peak) {
      this.peak = profit;
      this.peakAt = at;
    } else if (this.peak - profit > this.amount) {
      this.amount = this.peak - profit;
      this.from = this.peakAt;
      this.troughAt = at;
    }
  }
}
