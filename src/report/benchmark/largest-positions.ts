import { Holdings } from '#report/equity/holdings.ts';
import type { RunRecord } from '#report/record.ts';

/** The largest position that a run held in each product that it traded, long or short, of all its strategies together, in base currency. */
export function largestPositions({ earlier, fills, ledger }: Pick<RunRecord, 'earlier' | 'fills' | 'ledger'>): ReadonlyMap<string, number> {
  const currencies = new Map([...earlier.fills, ...fills].map(({ product, fill }) => [product, fill]));
  const holdings = new Holdings((product) => currencies.get(product));
  for (const movement of earlier.ledger) holdings.apply(movement);
  const products = new Set(fills.map(({ product }) => product));
  const largest = new Map([...products].map((product) => [product, holdings.heldIn(product)]));
  const touched = new Set<string>();
  for (const [n, movement] of ledger.entries()) {
    holdings.apply(movement);
    const { at, product } = movement;
    if (product !== null && products.has(product)) touched.add(product);
    // What one event books counts together, as a fee in base currency does with its fill.
    if (ledger[n + 1]?.at === at) continue;
    for (const one of touched) largest.set(one, Math.max(largest.get(one) ?? 0, holdings.heldIn(one)));
    touched.clear();
  }
  return largest;
}
