import type { Millis } from '../domain/names.ts';

/** Answers that the percentile is taken from: with a hundred it is the longest but one. */
const KEPT = 100;
/** Older answers are forgotten, so that one slow hour does not stop orders for ever. */
const MAX_AGE_MS = 600_000;

/** How long answered orders took, for the time that a quote must have left. Answers that never came are not in it. */
export class RoundTrips {
  private readonly trips: { readonly at: Millis; readonly ms: number }[] = [];
  private worst = 0;

  add(at: Millis, ms: number): void {
    this.trips.push({ at, ms });
    if (this.trips.length > KEPT) this.trips.shift();
    this.measure();
  }

  /** The 99th percentile of the last answers in whole milliseconds, rounded up; zero while there are none. */
  p99(now: Millis): number {
    if (this.trips.length === 0) return 0;
    if (now - (this.trips[0]?.at ?? now) > MAX_AGE_MS) {
      while (this.trips.length > 0 && now - (this.trips[0]?.at ?? now) > MAX_AGE_MS) this.trips.shift();
      this.measure();
    }
    return this.worst;
  }

  private measure(): void {
    let longest = 0;
    let next = 0;
    for (const { ms } of this.trips) {
      if (ms > longest) {
        next = longest;
        longest = ms;
      } else if (ms > next) next = ms;
    }
    // Of a hundred the 99th, of fewer the last.
    this.worst = Math.ceil(this.trips.length < KEPT ? longest : next);
  }
}
