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

/** Freshness as settings name it by product; usual where they do not. */
export function freshnessFrom(staleAfterMs: Readonly<Record<string, Millis>>): FreshnessOf {
  const named = new Map(Object.entries(staleAfterMs).map(([product, staleMs]) => [product, { ...USUAL_FRESHNESS, staleMs }]));
  return (product) => named.get(product) ?? USUAL_FRESHNESS;
}
