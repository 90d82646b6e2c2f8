import type { Books } from '#core/portfolio/books.ts';
import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { StrategyId } from '#domain/names.ts';

interface BudgetsOptions {
  /** Opening capital by currency; null for the default in whichever currency is asked for. */
  readonly strategies: readonly { readonly id: StrategyId; readonly budget: ReadonlyMap<string, Decimal> | null }[];
  /** Opening capital where a strategy names none. */
  readonly defaultBudget: Decimal;
  readonly books: Books;
}

/** What strategies may spend. One budget covers all that a strategy ever traded in a quote currency, whatever the settings have by now. */
export class Budgets {
  private readonly options: BudgetsOptions;
  private readonly byId: ReadonlyMap<StrategyId, BudgetsOptions['strategies'][number]>;

  constructor(options: BudgetsOptions) {
    this.options = options;
    this.byId = new Map(options.strategies.map((strategy) => [strategy.id, strategy]));
  }

  /** Opening capital of a strategy in a currency. */
  opening(id: StrategyId, currency: string): Decimal {
    const named = this.byId.get(id)?.budget;
    return named ? (named.get(currency) ?? ZERO) : this.options.defaultBudget;
  }

  /** What a strategy may still spend of a currency: the opening capital with what it earned less spent, less what it may be spending. */
  left(id: StrategyId, currency: string): Decimal {
    const { books } = this.options;
    let sum = this.opening(id, currency).minus(books.openPurchases(currency, id));
    for (const book of books.traded.get(id)?.values() ?? []) if (book.currency === currency) sum = sum.plus(book.cash);
    return sum;
  }
}
