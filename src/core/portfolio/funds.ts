import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { type Currency, currency, type StrategyId } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import type { Books } from './books.ts';

/** What the account holds at first. */
export interface OpeningAccount {
  readonly balances: ReadonlyMap<string, Decimal>;
  /** True where a currency without a balance holds nothing; else what it holds is not known. */
  readonly isWhole: boolean;
}

/** What the account holds by currency: its opening balance and all that moved since, less what open orders may cost. */
export class Funds {
  private readonly account: OpeningAccount | null;
  private readonly books: Books;
  private readonly moved = new Map<Currency, Decimal>();

  constructor(options: { readonly account: OpeningAccount | null; readonly books: Books }) {
    this.account = options.account;
    this.books = options.books;
  }

  /** Takes over what earlier runs moved: decimal text by currency. */
  restore(flows: Readonly<Record<string, string>>): void {
    for (const [name, amount] of Object.entries(flows)) this.move(currency(name), decimalOf(amount));
  }

  filled({ side, size, value, fee, baseCcy, quoteCcy, feeCcy }: Fill): void {
    this.move(baseCcy, side === 'buy' ? size : size.negated());
    this.move(quoteCcy, side === 'buy' ? value.negated() : value);
    this.move(feeCcy, fee.negated());
  }

  /** An amount that was booked by a person: a deposit, a withdrawal, a correction. */
  move(name: Currency, amount: Decimal): void {
    this.moved.set(name, (this.moved.get(name) ?? ZERO).plus(amount));
  }

  /** What the account holds of each currency whose opening balance is known, orders on their way not counted. */
  balances(): ReadonlyMap<string, Decimal> {
    if (this.account === null) return new Map();
    const { balances, isWhole } = this.account;
    const names = new Set([...balances.keys(), ...(isWhole ? this.moved.keys() : [])]);
    return new Map([...names].map((name) => [name, (balances.get(name) ?? ZERO).plus(this.moved.get(currency(name)) ?? ZERO)]));
  }

  /** What may be spent of a currency; undefined where the account's opening balance in it is not known. */
  free(name: Currency): Decimal | undefined {
    const opening = this.account?.balances.get(name) ?? (this.account?.isWhole ? ZERO : undefined);
    if (opening === undefined) return undefined;
    return opening.plus(this.moved.get(name) ?? ZERO).minus(this.books.openPurchases(name));
  }
}

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
