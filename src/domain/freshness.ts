import { codeAt } from '#domain/figure-at.ts';
import type { Millis, ProductCode } from './names.ts';

/** When the quotes of a lane are too old for orders. Each lane has its own, since lanes are quoted at different rates. */
export interface Freshness {
  /** Age of the last quote from which the lane is stale, in milliseconds. */
  readonly staleMs: Millis;
  /** Quotes that make it fresh again: two that come closer together (F36), or the first one. */
  readonly revivedBy: 1 | 2;
  /** True where its quotes are bars, each known at its end: one at the end of a width belongs to it. */
  readonly areBars?: boolean;
}

/** Freshness by product: all lanes of one are quoted alike. */
export type FreshnessOf = (product: ProductCode) => Freshness;

/** The service quotes twice a second; four missed quotes are a standstill (I24). */
export const USUAL_FRESHNESS: Freshness = { staleMs: 2_000, revivedBy: 2 };

/** A lane that is silent for longer than this, in milliseconds, while another of its product has quotes, was released or is lost. */
const STANDING_MS = 5_000;

/** From when on the newest quotes of a product's lanes say what it is worth: those of the others are of the past. */
export function standingFrom(newest: Iterable<{ readonly at: Millis }>): Millis {
  let latest = Number.NEGATIVE_INFINITY;
  for (const { at } of newest) latest = Math.max(latest, at);
  return latest - STANDING_MS;
}

/** Fewer pauses do not show a rate. */
const MIN_PAUSES = 10;
const MAX_MS = 2 ** 30;

/** The freshness that settings give for a product; the usual one for all others. */
export function freshnessFrom(staleAfterMs: Readonly<Record<string, Millis>>): FreshnessOf {
  const named = new Map(Object.entries(staleAfterMs).map(([product, staleMs]) => [product, { ...USUAL_FRESHNESS, staleMs }]));
  return (product) => named.get(product) ?? USUAL_FRESHNESS;
}

/** A histogram of the pauses between quotes of a lane, by powers of two. */
export class Cadence {
  /** At index n: pauses shorter than 2^n ms that are not at a lower index. */
  private readonly pauses = new Uint32Array(32);
  private count = 0;

  /** Counts a pause between two quotes; 0 ms is not counted. */
  add(ms: Millis): void {
    if (!(ms > 0)) return;
    const place = 32 - Math.clz32(Math.min(ms, MAX_MS));
    this.pauses[place] = codeAt(this.pauses, place) + 1;
    this.count += 1;
  }

  /** A silence that is long for prices that come at their own pace, in milliseconds: three times the median pause, at least 2 s. */
  get silenceMs(): Millis {
    return this.longerThan(0.5);
  }

  /** A silence that is rare, in milliseconds: three times what 99 of 100 pauses are shorter than, at least 2 s. */
  get rareMs(): Millis {
    return this.longerThan(0.99);
  }

  private longerThan(share: number): Millis {
    if (this.count < MIN_PAUSES) return USUAL_FRESHNESS.staleMs;
    let shorter = 0;
    let place = 0;
    for (; shorter < this.count * share; place += 1) shorter += codeAt(this.pauses, place);
    return Math.max(USUAL_FRESHNESS.staleMs, 3 * 2 ** (place - 1));
  }
}
