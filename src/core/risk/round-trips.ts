import type { Millis } from '#domain/names.ts';

/** Answers that the percentile is computed from: of a hundred it is the second longest. */
const KEPT = 100;
/** Older answers are dropped, so that one slow hour does not block orders for good. */
const MAX_AGE_MS = 600_000;

/** Round trips of answered orders; they set how much time a quote must have left. Orders without an answer are not counted. */
export class RoundTrips {
  /** The oldest first. */
  private readonly answers: { readonly at: Millis; readonly ms: number }[] = [];
  /** The cached percentile; undefined once an answer was added or dropped. */
  private known: number | undefined = 0;
  /** When the answer came whose round trip is the percentile. */
  private knownAt: Millis = 0;

  add(at: Millis, ms: number): void {
    if (this.answers.push({ at, ms }) > KEPT) this.answers.shift();
    this.known = undefined;
  }

  /** The 99th percentile of the last answers in whole milliseconds, rounded up; zero while there are none. */
  p99(now: Millis): number {
    while (now - (this.answers[0]?.at ?? now) > MAX_AGE_MS) {
      this.answers.shift();
      this.known = undefined;
    }
    if (this.known !== undefined) return this.known;
    const none = { at: 0, ms: 0 };
    let [longest, next] = [none, none];
    for (const one of this.answers) {
      // Of equal ones the newest counts: the percentile stands as long as it.
      if (one.ms >= longest.ms) [longest, next] = [one, longest];
      else if (one.ms >= next.ms) next = one;
    }
    // Of a hundred the 99th, of fewer the last.
    const { at, ms } = this.answers.length === KEPT ? next : longest;
    this.knownAt = at;
    this.known = Math.ceil(ms);
    return this.known;
  }

  /** Until when the percentile stays as high, if no answer is added; undefined while there are no answers. */
  standsUntil(now: Millis): Millis | undefined {
    return this.p99(now) === 0 ? undefined : this.knownAt + MAX_AGE_MS;
  }
}
