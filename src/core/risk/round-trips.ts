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
  /** When the answer came whose round trip is the percentile. */
  private knownAt: Millis = 0;

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

  /** Until when the percentile stays as high, if no answer is added; undefined while there are no answers. */
  standsUntil(now: Millis): Millis | undefined {
    return this.p99(now) === 0 ? undefined : this.knownAt + MAX_AGE_MS;
  }

  private measured(): number {
    let [longest, next] = [0, 0];
    let [longestAt, nextAt] = [0, 0];
    for (let index = 0; index < this.count; index++) {
      const place = this.placeOf(index);
      const ms = this.ms[place] ?? 0;
      const at = this.at[place] ?? 0;
      // Of equal ones the newest counts: the percentile stands as long as it.
      if (ms >= longest) {
        [next, nextAt] = [longest, longestAt];
        [longest, longestAt] = [ms, at];
      } else if (ms >= next) [next, nextAt] = [ms, at];
    }
    // Of a hundred the 99th, of fewer the last.
    const isFull = this.count === KEPT;
    this.knownAt = isFull ? nextAt : longestAt;
    return Math.ceil(isFull ? next : longest);
  }

  /** The place of an answer by its age, the oldest first. */
  private placeOf(index: number): number {
    return (this.next + KEPT - this.count + index) % KEPT;
  }
}
