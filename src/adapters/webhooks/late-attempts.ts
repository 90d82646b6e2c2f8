/** Attempts that are remembered; the oldest is forgotten, which costs the service one attempt more. */
const KEPT = 10_000;

/**
 * Attempts that were authentic but outside the window. The first is refused, so that a sender that signs each attempt anew
 * comes again in time; one that comes with the same timestamp again would never be in time, and is to be kept aside (F39).
 */
export class LateAttempts {
  private readonly seen = new Set<string>();

  /** True for an attempt that was refused before. */
  isRepeated(attempt: string): boolean {
    if (this.seen.has(attempt)) return true;
    this.seen.add(attempt);
    const [oldest] = this.seen;
    if (this.seen.size > KEPT && oldest !== undefined) this.seen.delete(oldest);
    return false;
  }
}
