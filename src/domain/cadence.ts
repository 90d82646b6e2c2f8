import { USUAL_FRESHNESS } from './freshness.ts';
import type { Millis } from './names.ts';

const MAX_MS = 2 ** 30;
/** Fewer pauses tell nothing of what is usual. */
const MIN_PAUSES = 10;

/** How often quotes of a lane come, counted by powers of two, so that millions of them cost nothing. */
export class Cadence {
  /** In the nth place pauses shorter than 2^n ms. */
  private readonly pauses = new Uint32Array(32);
  private count = 0;

  /** A pause between two quotes; what came at the same time is none. */
  add(ms: Millis): void {
    if (!(ms > 0)) return;
    const place = 32 - Math.clz32(Math.min(ms, MAX_MS));
    this.pauses[place] = (this.pauses[place] ?? 0) + 1;
    this.count += 1;
  }

  /** A silence that is out of the ordinary: 2 s, or thrice the pause that half of all stay below, where that is longer. */
  get silenceMs(): Millis {
    if (this.count < MIN_PAUSES) return USUAL_FRESHNESS.staleMs;
    let shorter = 0;
    let place = 0;
    for (; shorter * 2 < this.count; place += 1) shorter += this.pauses[place] ?? 0;
    return Math.max(USUAL_FRESHNESS.staleMs, 3 * 2 ** (place - 1));
  }
}
