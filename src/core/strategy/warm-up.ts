import type { Millis } from '#domain/names.ts';
import { durationMs } from './duration.ts';

/** How much a strategy must have seen before its decisions count. */
type WarmUpNeed = { readonly quotes: number } | { readonly duration: string };

/** What is left of a warm-up, and how many quotes it has seen. */
interface WarmUpLeft {
  /** For quotes at the rate of those seen; null while none came. */
  readonly ms: Millis | null;
  readonly seen: number;
}

/** Counts the quotes and the time that a strategy has seen since its signals were subscribed. */
export class WarmUp {
  readonly quotes: number;
  readonly spanMs: Millis;
  private seen = 0;
  private since: Millis = 0;
  /** Once true, nothing is counted until the signals begin anew. */
  warm = false;

  /** Throws on a need that is neither a number of quotes nor a duration. */
  constructor(need: WarmUpNeed | undefined) {
    this.quotes = need && 'quotes' in need ? need.quotes : 0;
    this.spanMs = need && 'duration' in need ? durationMs(need.duration, 'warmup') : 0;
    if (!Number.isInteger(this.quotes) || this.quotes < 0) throw new RangeError(`warmup: ${this.quotes} is not a number of quotes`);
  }

  begin(now: Millis): void {
    this.seen = 0;
    this.since = now;
    this.warm = this.quotes === 0 && this.spanMs === 0;
  }

  /** True if it needs anything before decisions count. */
  get wantsPast(): boolean {
    return this.quotes > 0 || this.spanMs > 0;
  }

  /** So many quotes came. */
  passed(quotes: number): void {
    this.seen += quotes;
  }

  /** Whether it is over once so many more quotes came, the last of them at a time. Changes nothing. */
  isWarmAfter(quotes: number, at: Millis): boolean {
    return this.warm || (this.seen + quotes >= this.quotes && at - this.since >= this.spanMs);
  }

  /** Excludes a time in which nothing ran. */
  missed(ms: Millis): void {
    this.since += ms;
  }

  /** Once true it stays true until the signals begin anew. */
  isWarm(now: Millis): boolean {
    if (!this.warm && this.seen >= this.quotes && now - this.since >= this.spanMs) this.warm = true;
    return this.warm;
  }

  /** What remains of the warm-up; undefined once it is over. Changes nothing. */
  left(now: Millis): WarmUpLeft | undefined {
    if (this.warm || (this.seen >= this.quotes && now - this.since >= this.spanMs)) return undefined;
    const tookMs = now - this.since;
    const lacking = Math.max(0, this.quotes - this.seen);
    if (lacking > 0 && (this.seen === 0 || tookMs <= 0)) return { ms: null, seen: this.seen };
    const forQuotesMs = lacking === 0 ? 0 : Math.ceil((tookMs * lacking) / this.seen);
    return { ms: Math.max(0, this.spanMs - tookMs, forQuotesMs), seen: this.seen };
  }

  /** What it waits for, in words that stay the same until it is over. */
  get waitsFor(): string {
    return this.spanMs > 0 ? `warms up for ${this.spanMs} ms` : `warms up on ${this.quotes} quotes`;
  }
}
