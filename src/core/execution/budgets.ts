import type { Books } from '#core/portfolio/books.ts';
import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { ProductCode, StrategyId } from '#domain/names.ts';

/** A strategy as its budget is counted: where it trades, and what it may spend. */
interface BudgetedStrategy {
  readonly id: StrategyId;
  readonly product: ProductCode;
  readonly inputs?: Readonly<Record<string, { readonly kind: string; readonly product: ProductCode }>>;
  /** Opening capital by currency; null for the default in the product's quote currency. */
  readonly budget: ReadonlyMap<string, Decimal> | null;
}

interface BudgetsOptions {
  readonly strategies: readonly BudgetedStrategy[];
  /** Opening capital where a strategy names none, in its product's quote currency. */
  readonly defaultBudget: Decimal;
  readonly books: Books;
}

/** What strategies may spend. One budget covers all products of a quote currency. */
export class Budgets {
  private readonly options: BudgetsOptions;
  private readonly byId: ReadonlyMap<StrategyId, BudgetedStrategy>;

  constructor(options: BudgetsOptions) {
    this.options = options;
    this.byId = new Map(options.strategies.map((strategy) => [strategy.id, strategy]));
  }

  /** Opening capital of a strategy in a currency. */
  opening(id: StrategyId, currency: string): Decimal {
    const named = this.byId.get(id)?.budget;
    return named ? (named.get(currency) ?? ZERO) : this.options.defaultBudget;
  }

  /**
   * What a strategy may still spend of a currency in a product: the opening capital with what it earned less spent in its products of that
   * currency, less what it may be spending in the others.
   */
  left(id: StrategyId, product: ProductCode, currency: string): Decimal {
    const strategy = this.byId.get(id);
    const { books } = this.options;
    let sum = this.opening(id, currency).plus(books.book(id, product).cash);
    if (!strategy?.inputs) return sum;
    const others = new Set([strategy.product]);
    for (const input of Object.values(strategy.inputs)) if (input.kind === 'lane') others.add(input.product);
    others.delete(product);
    for (const other of others) {
      const book = books.book(id, other);
      if (book.currency === currency) sum = sum.plus(book.cash);
    }
    return sum.minus(books.openPurchases(currency, id));
  }
}
