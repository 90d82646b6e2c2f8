/** Two currencies that quotes change into each other. */
export interface CurrencyPair {
  readonly baseCcy: string;
  readonly quoteCcy: string;
}

/** One step of a conversion. */
export interface Hop<Pair> {
  readonly by: Pair;
  /** From base to quote currency, or back. */
  readonly forward: boolean;
}

/** How a currency is converted into each that the pairs lead to, itself included: over as few pairs as can be, of equal ways by the first. */
export function conversionsFrom<Pair extends CurrencyPair>(
  currency: string,
  pairs: readonly Pair[],
): ReadonlyMap<string, readonly Hop<Pair>[]> {
  const found = new Map<string, readonly Hop<Pair>[]>([[currency, []]]);
  // A map goes on over what is added to it.
  for (const [at, way] of found) {
    for (const by of pairs) {
      const forward = by.baseCcy === at;
      if (!forward && by.quoteCcy !== at) continue;
      const to = forward ? by.quoteCcy : by.baseCcy;
      if (!found.has(to)) found.set(to, [...way, { by, forward }]);
    }
  }
  return found;
}
