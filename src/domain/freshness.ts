import type { Millis, ProductCode } from './names.ts';

/** When the quotes of a lane are too old for orders. It is the lane's own: what is normal on one is a standstill on another. */
export interface Freshness {
  /** A lane whose last quote is this old, in milliseconds, is stale. */
  readonly staleMs: Millis;
  /** Quotes that bring it back after such a gap: two that come closer together (F36), or the first one alone. */
  readonly revivedBy: 1 | 2;
}

/** Freshness by product: all lanes of one are quoted alike. */
export type FreshnessOf = (product: ProductCode) => Freshness;

/** The service quotes twice a second; four missed quotes are a standstill (I24). */
export const USUAL_FRESHNESS: Freshness = { staleMs: 2_000, revivedBy: 2 };

/** Fewer pauses tell nothing of what is usual. */
const MIN_PAUSES = 10;
const MAX_MS = 2 ** 30;

/** Freshness as settings name it by product; usual where they do not. */
export function freshnessFrom(staleAfterMs: Readonly<Record<string, Millis>>): FreshnessOf {
  const named = new Map(Object.entries(staleAfterMs).map(([product, staleMs]) => [product, { ...USUAL_FRESHNESS, staleMs }]));
  return (product) => named.get(product) ?? USUAL_FRESHNESS;
}

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
