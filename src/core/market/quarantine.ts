import type { Millis } from '#domain/names.ts';

/** Bad prices in a row that set a lane aside, and good ones in a row that bring it back (F33). */
const BAD_IN_A_ROW = 3;
const GOOD_IN_A_ROW = 10;
/** A price of so long ago says nothing about a jump, nor does a bar about the next. */
const MAX_AGE_MS = 60_000;

/** What begins and ends a quarantine, in words. */
export interface QuarantineChange {
  readonly on: boolean;
  readonly why: string;
}

/**
 * Sets a lane aside whose prices cannot be trusted (F33): three in a row that are no price, crossed, or further than
 * `jumpPct` from the last good one. Ten in a row that are good and near to each other bring it back, so that a market which
 * really has moved is believed in the end.
 */
export class Quarantine {
  on = false;
  private readonly jumpPct: number | null;
  private readonly tell: (change: QuarantineChange) => void;
  /** The last good price; no number before the first. */
  private reference = Number.NaN;
  private referenceAt: Millis = 0;
  private badRun = 0;
  private goodRun = 0;

  constructor(options: { readonly jumpPct: number | null; readonly tell: (change: QuarantineChange) => void }) {
    this.jumpPct = options.jumpPct;
    this.tell = options.tell;
  }

  /** Whether a price that could be is believed: it is near to those before, and the lane is not set aside. */
  believes(mid: number, at: Millis): boolean {
    if (this.jumps(mid, at)) {
      this.bad(`${mid} after ${this.reference}, further than ${this.jumpPct} %`);
      // From here on the newest is what the next ones must be near to.
      if (this.on) this.refer(mid, at);
      return false;
    }
    this.refer(mid, at);
    if (this.on) this.good();
    return !this.on;
  }

  /** True where such a price is believed, and nothing comes of it but a newer reference. Changes nothing. */
  wouldBelieve(mid: number, at: Millis): boolean {
    return !this.on && !this.jumps(mid, at);
  }

  private jumps(mid: number, at: Millis): boolean {
    const { jumpPct, reference } = this;
    if (jumpPct === null || at - this.referenceAt >= MAX_AGE_MS) return false;
    return Math.abs(mid - reference) > (reference * jumpPct) / 100;
  }

  /** From here on a price is held against this one: of one quote, or the last of a row of which each is near to the one before. */
  refer(mid: number, at: Millis): void {
    this.reference = mid;
    this.referenceAt = at;
    this.badRun = 0;
  }

  /** A bad price, as of a quote that the lane has refused for it. */
  bad(why: string): void {
    this.goodRun = 0;
    this.badRun += 1;
    if (this.on || this.badRun < BAD_IN_A_ROW) return;
    this.on = true;
    this.tell({ on: true, why: `${BAD_IN_A_ROW} bad prices in a row, the last: ${why}` });
  }

  private good(): void {
    this.goodRun += 1;
    if (this.goodRun < GOOD_IN_A_ROW) return;
    this.on = false;
    this.goodRun = 0;
    this.tell({ on: false, why: `${GOOD_IN_A_ROW} good prices in a row` });
  }
}
