import type { ProductCode, StrategyId } from '#domain/names.ts';
import type { Baseline } from '#domain/past-risk.ts';
import type { Book } from './book.ts';
import type { ProfitState } from './profit-state.ts';

/** A baseline whose day has had its prices. */
export type DayBaseline = Baseline & { readonly dayStart: number };

/** The products of one currency: each quote changes one value, and what they come to is not added up anew. */
export interface ProfitTotal extends ProfitState {
  readonly sum: SumTree;
  /** Products in which a position cannot be priced. */
  unpriced: number;
  dayLoss: number;
  belowPeak: number;
  peak: number;
  /** What it is measured from, while that stands: known again once it is asked for. */
  baseline: DayBaseline | undefined;
}

/**
 * A sum of doubles of which one changes at a time: O(log n) a change, and no error that gathers, since each sum is made
 * of the present values alone. What it says does not depend on how it came there, as a sum kept by differences would.
 */
export class SumTree {
  /** The values in the upper half; below them, at each place, the sum of the two places at twice its number. */
  private nodes = new Float64Array(2);
  private used = 0;
  /** What all values come to. */
  total = 0;

  /** The same values, to be changed by themselves. */
  copy(): SumTree {
    const copy = new SumTree();
    copy.nodes = this.nodes.slice();
    copy.used = this.used;
    copy.total = this.total;
    return copy;
  }

  /** Makes a place for one more value, zero at first, and returns its number. */
  add(): number {
    const places = this.nodes.length / 2;
    if (this.used === places) {
      const values = this.nodes.slice(places);
      this.nodes = new Float64Array(4 * places);
      this.used = 0;
      for (const value of values) this.set(this.add(), value);
    }
    this.used += 1;
    return this.used - 1;
  }

  set(place: number, value: number): void {
    const { nodes } = this;
    let at = nodes.length / 2 + place;
    nodes[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) nodes[at] = (nodes[2 * at] ?? 0) + (nodes[2 * at + 1] ?? 0);
    this.total = nodes[1] ?? 0;
  }
}

/** The books of one product. */
export interface ProductBooks {
  readonly total: ProfitTotal;
  readonly place: number;
  readonly held: Map<StrategyId, Book>;
  readonly product: ProductCode;
  /** The largest position among them, long or short; 0: no price changes what they come to. */
  largest: number;
  /** In quote currency; undefined while a position in it cannot be priced. */
  value: number | undefined;
}
