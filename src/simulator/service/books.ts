import { type Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { IssuedQuote } from './issued.ts';
import { OPENING } from './products.ts';

/** An order that the service has executed. */
export interface Executed {
  readonly at: number;
  readonly quoteId: string;
  readonly product: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCcy: string;
}

/** How the service takes its fee. */
export type FeeTaken = 'quote' | 'base' | 'received';

/** The service's own, independent books: executions, deposits, and the user's balances. */
export class ServiceBooks {
  readonly executed = new Map<string, Executed>();
  readonly deposits = new Map<string, { readonly currency: string; readonly amount: string }>();
  private readonly balances = new Map<string, Decimal>(Object.entries(OPENING).map(([currency, amount]) => [currency, decimalOf(amount)]));
  private readonly feeTaken: FeeTaken;

  constructor(feeTaken: FeeTaken) {
    this.feeTaken = feeTaken;
  }

  /** Executes an order on a quote; undefined if the account is short. */
  execute(quote: IssuedQuote, side: 'buy' | 'sell', at: number): Executed | undefined {
    const figures = side === 'buy' ? quote.buy : quote.sell;
    const inBase = this.feeTaken === 'base' || (this.feeTaken === 'received' && side === 'buy');
    const [size, value] = [decimalOf(figures.size), decimalOf(figures.value)];
    const fee = decimalOf(inBase ? figures.feeInBaseCcy : figures.feeInQuoteCcy);
    const base = (side === 'buy' ? size : size.negated()).minus(inBase ? fee : ZERO);
    const money = (side === 'buy' ? value.negated() : value).minus(inBase ? ZERO : fee);
    if (this.of(quote.baseCcy).plus(base).isNegative() || this.of(quote.quoteCcy).plus(money).isNegative()) return undefined;
    this.move(quote.baseCcy, base);
    this.move(quote.quoteCcy, money);
    const executed = {
      at,
      quoteId: quote.id,
      product: quote.product,
      side,
      price: String(figures.price),
      size: size.toString(),
      value: value.toString(),
      fee: fee.toString(),
      feeCcy: inBase ? quote.baseCcy : quote.quoteCcy,
    };
    this.executed.set(quote.id, executed);
    return executed;
  }

  deposit(transferId: string, currency: string, amount: string): void {
    this.deposits.set(transferId, { currency, amount });
    this.move(currency, decimalOf(amount));
  }

  /** Books a transfer by a person, without a notification. */
  transfer(currency: string, amount: string): void {
    this.move(currency, decimalOf(amount));
  }

  of(currency: string): Decimal {
    return this.balances.get(currency) ?? ZERO;
  }

  /** The change of each currency since the start. */
  changes(): ReadonlyMap<string, Decimal> {
    return new Map([...this.balances].map(([currency, held]) => [currency, held.minus(OPENING[currency] ?? 0)]));
  }

  private move(currency: string, by: Decimal): void {
    this.balances.set(currency, this.of(currency).plus(by));
  }
}
