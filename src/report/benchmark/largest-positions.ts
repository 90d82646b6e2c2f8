import type { PastFill } from '#domain/event.ts';
import type { RunRecord } from '#report/record.ts';

/** The largest position that a run held in each product, long or short, of all its strategies together, in base currency. */
export function largestPositions({ earlier, fills }: Pick<RunRecord, 'earlier' | 'fills'>): ReadonlyMap<string, number> {
  const books = new Map<string, Map<string, number>>();
  const held = (product: string): number => [...(books.get(product)?.values() ?? [])].reduce((sum, size) => sum + Math.abs(size), 0);
  const book = ({ strategy, product, fill }: PastFill): void => {
    const sizes = books.get(product) ?? new Map<string, number>();
    books.set(product, sizes);
    sizes.set(strategy, (sizes.get(strategy) ?? 0) + (fill.side === 'buy' ? 1 : -1) * Number(fill.size));
  };
  for (const fill of earlier.fills) book(fill);
  const largest = new Map<string, number>();
  for (const fill of fills) {
    const { product } = fill;
    const before = largest.get(product) ?? held(product);
    book(fill);
    largest.set(product, Math.max(before, held(product)));
  }
  return largest;
}
