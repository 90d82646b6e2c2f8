import type { ProductCode, StrategyId } from '#domain/names.ts';
import type { Book } from './book.ts';
import type { ProfitTotal } from './profit-total.ts';

interface Held {
  readonly book: Book;
  readonly cash: number;
  readonly size: number;
}

/** The books of one product. */
export interface Line {
  readonly total: ProfitTotal;
  /** Its place in the total. */
  readonly place: number;
  readonly held: Map<StrategyId, Held>;
  readonly product: ProductCode;
  /** The largest position among them, long or short; 0: no price changes what they come to. */
  largest: number;
  /** In quote currency; undefined while a position in it cannot be priced. */
  value: number | undefined;
}
