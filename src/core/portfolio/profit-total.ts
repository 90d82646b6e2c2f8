import type { Currency } from '#domain/names.ts';
import type { Baseline } from '#domain/past-risk.ts';
import type { ProfitState } from './profit-state.ts';
import { SumTree } from './sum-tree.ts';

/** A baseline whose day has had its prices. */
export type Measured = Baseline & { readonly dayStart: number };

/** The products of one currency: each quote changes one value, and what they come to is not added up anew. */
export class ProfitTotal implements ProfitState {
  readonly currency: Currency;
  readonly sum = new SumTree();
  /** Products in which a position cannot be priced. */
  unpriced = 0;
  dayLoss = 0;
  belowPeak = 0;
  peak = 0;
  /** What it is measured from, while that stands: known again once it is asked for. */
  baseline: Measured | undefined;

  constructor(currency: Currency) {
    this.currency = currency;
  }

  /** Undefined while a part of it cannot be priced. */
  get present(): number | undefined {
    return this.unpriced > 0 ? undefined : this.sum.total;
  }
}
