import type { Millis } from '#domain/names.ts';
import { type TimeSpan, tradedMs } from './empty-times.ts';

/** How long anything was held, in milliseconds: times without any quote are left out. */
export class TimeInMarket {
  private readonly empty: readonly TimeSpan[];
  private since: Millis | undefined;
  private past = 0;

  constructor(empty: readonly TimeSpan[]) {
    this.empty = empty;
  }

  /** Something is held from `at` on, or nothing any more. */
  changed(isHeld: boolean, at: Millis): void {
    if (isHeld) this.since ??= at;
    else {
      this.past = this.until(at);
      this.since = undefined;
    }
  }

  /** The time before has no value, and is no part of the length that shares are of. */
  beginAt(at: Millis): void {
    this.past = 0;
    if (this.since !== undefined) this.since = Math.max(this.since, at);
  }

  /** All of it until then. */
  until(to: Millis): Millis {
    return this.past + (this.since === undefined ? 0 : tradedMs({ from: this.since, to }, this.empty));
  }
}
