import type { DecisionLog } from '#core/decisions/decision-log.ts';
import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { BookedEntry } from '#domain/decision.ts';
import type { BookAmount } from '#domain/event.ts';
import type { Currency, ProductCode, StrategyId } from '#domain/names.ts';

/** The book of money that belongs to no strategy: what is left of the account, deposits, withdrawals, corrections. */
export const TREASURY = 'treasury';

/** A strategy's opening capital, as it is configured. */
export interface Capital {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  /** As the settings say. */
  readonly enabled: boolean;
  /** By currency; null for the default amount in the product's quote currency. */
  readonly budget: ReadonlyMap<string, Decimal> | null;
}

interface OpeningBalancesOptions {
  readonly log: DecisionLog;
  /** What the account holds at first, by currency; null where that is not known, and then nothing is booked. */
  readonly account: ReadonlyMap<string, Decimal> | null;
  readonly capitals: readonly Capital[];
  readonly defaultBudget: Decimal;
}

/**
 * Opening balances as rows of the ledger. They always add up to what the configuration says: a strategy's to its budget,
 * all of them to the account. The first run books them; a later one books what has changed, between the strategy and the
 * treasury. The quote currency of a strategy without a budget is known at its product's first quote, so its row waits.
 */
export class OpeningBalances {
  private readonly options: OpeningBalancesOptions;
  private readonly booked = new Map<string, Decimal>();
  /** Those whose currency is not known. */
  waiting: readonly Capital[] = [];

  constructor(options: OpeningBalancesOptions) {
    this.options = options;
  }

  /** Books what earlier runs have not, as part of the run's first event. */
  start(earlier: readonly BookAmount[]): void {
    const { account, capitals } = this.options;
    if (account === null) return;
    for (const { book, currency, amount } of earlier) this.add(book, currency, decimalOf(amount));
    const moves = [...account].map(([currency, amount]) => ({ book: TREASURY, currency, amount: amount.minus(this.totalOf(currency)) }));
    for (const { strategy, budget } of capitals)
      for (const [currency, amount] of budget ?? []) moves.push(...this.endow(strategy, currency, amount));
    this.waiting = capitals.filter(({ budget }) => budget === null);
    this.book(moves);
  }

  /** Tells in which currency a product is quoted, while some wait for that. */
  quoted(product: ProductCode, quoteCcy: Currency): void {
    const due = this.waiting.filter((capital) => capital.product === product);
    if (due.length === 0) return;
    this.waiting = this.waiting.filter((capital) => capital.product !== product);
    this.book(due.flatMap(({ strategy }) => this.endow(strategy, quoteCcy, this.options.defaultBudget)));
  }

  /** What moves from the treasury to a strategy, so that its openings add up to its budget. */
  private endow(strategy: StrategyId, currency: string, budget: Decimal): Move[] {
    const amount = budget.minus(this.booked.get(keyOf(strategy, currency)) ?? ZERO);
    return [
      { book: strategy, currency, amount },
      { book: TREASURY, currency, amount: amount.negated() },
    ];
  }

  /** One row a book and currency; nothing where nothing moves. */
  private book(moves: readonly Move[]): void {
    const sums = new Map<string, Move>();
    for (const move of moves) {
      const key = keyOf(move.book, move.currency);
      sums.set(key, { ...move, amount: move.amount.plus(sums.get(key)?.amount ?? ZERO) });
    }
    const due = [...sums.values()].filter(({ amount }) => !amount.isZero());
    if (due.length === 0) return;
    for (const { book, currency, amount } of due) this.add(book, currency, amount);
    const entries = due.map((move): BookedEntry => ({ kind: 'opening', ...move, amount: move.amount.toString() }));
    const { log } = this.options;
    log.defer(log.make('booked', { who: 'kairos', why: 'opening balances, as configured', entries }));
  }

  private add(book: string, currency: string, amount: Decimal): void {
    const key = keyOf(book, currency);
    this.booked.set(key, amount.plus(this.booked.get(key) ?? ZERO));
  }

  private totalOf(currency: string): Decimal {
    let sum = ZERO;
    for (const [key, amount] of this.booked) if (key.endsWith(` ${currency}`)) sum = sum.plus(amount);
    return sum;
  }
}

interface Move {
  readonly book: string;
  readonly currency: string;
  readonly amount: Decimal;
}

const keyOf = (book: string, currency: string): string => `${book} ${currency}`;
