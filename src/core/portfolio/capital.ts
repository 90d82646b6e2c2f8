import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { Currency } from '#domain/names.ts';
import type { Capital } from './ledger.ts';
import type { Marks } from './valuation.ts';

interface CapitalOptions {
  readonly capitals: readonly Capital[];
  readonly defaultBudget: Decimal;
  readonly marks: Marks;
}

/** Opening capital of the strategies that the settings enable, by currency, as doubles. */
export class CapitalByCurrency {
  private readonly options: CapitalOptions;
  private readonly sums = new Map<Currency, number>();
  /** Products seen when they were added up: only a product's first quote tells the currency of its default budget. */
  private seen = 0;

  constructor(options: CapitalOptions) {
    this.options = options;
  }

  /** Not added up at each quote. */
  of(currency: Currency): number {
    const { marks } = this.options;
    if (this.seen !== marks.productsSeen) {
      this.seen = marks.productsSeen;
      this.sums.clear();
    }
    const sum = this.sums.get(currency) ?? this.addUp(currency);
    this.sums.set(currency, sum);
    return sum;
  }

  private addUp(currency: Currency): number {
    const { capitals, defaultBudget, marks } = this.options;
    let sum = ZERO;
    for (const { budget, product, enabled } of capitals) {
      if (!enabled) continue;
      if (budget) sum = sum.plus(budget.get(currency) ?? ZERO);
      else if (marks.quoteCcyOf(product) === currency) sum = sum.plus(defaultBudget);
    }
    return sum.toNumber();
  }
}
