import type { Millis } from '#domain/names.ts';

/** Answers that the percentile is computed from: of a hundred it is the second longest. */
const KEPT = 100;
/** Older answers are dropped, so that one slow hour does not block orders for good. */
const MAX_AGE_MS = 600_000;

/** Round trips of answered orders; they set how much time a quote must have left. Orders without an answer are not counted. */
export class RoundTrips {
  private readonly at = new Float64Array(KEPT);
  private readonly ms = new Float64Array(KEPT);
  private count = 0;
  /** Index of the next answer; the oldest is `count` places before it. */
  private next = 0;
  /** The cached percentile; undefined once an answer was added or dropped. */
  private known: number | undefined = 0;

  add(at: Millis, ms: number): void {
    this.at[this.next] = at;
    this.ms[this.next] = ms;
    this.next = (this.next + 1) % KEPT;
    this.count = Math.min(this.count + 1, KEPT);
    this.known = undefined;
  }

  /** The 99th percentile of the last answers in whole milliseconds, rounded up; zero while there are none. */
  p99(now: Millis): number {
    while (this.count > 0 && now - (this.at[this.placeOf(0)] ?? now) > MAX_AGE_MS) {
      this.count -= 1;
      this.known = undefined;
    }
    this.known ??= this.measured();
    return this.known;
  }

  private measured(): number {
    let longest = 0;
    let next = 0;
    for (let index = 0; index < this.count; index++) {
      const ms = this.ms[this.placeOf(index)] ?? 0;
      if (ms > longest) {
        next = longest;
        longest = ms;
      } else if (ms > next) next = ms;
    }
    // Of a hundred the 99th, of fewer the last.
    return Math.ceil(this.count < KEPT ? longest : next);
  }

  /** The place of an answer by its age, the oldest first. */
  private placeOf(index: number): number {
    return (this.next + KEPT - this.count + index) % KEPT;
  }
}
