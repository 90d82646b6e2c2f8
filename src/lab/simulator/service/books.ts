import type { FeeCurrency } from '#core/execution/sizing.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import type { SimulatedQuote } from './issued.ts';
import { OPENING, PRODUCTS } from './products.ts';

/** An order that the service has executed. */
export interface ServiceFill {
  readonly at: number;
  readonly quoteId: string;
  readonly product: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  /** The size that the order asked for, and what was executed of it. */
  readonly ordered: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCcy: string;
}

/** How an execution differs from its quote: the share that is executed, price steps in the user's favour, and what is taken of the fee. */
export interface Terms {
  /** From 0 to 1. */
  readonly share: number;
  /** In price steps. */
  readonly betterBy: number;
  readonly feePct: number;
}

export const AS_QUOTED: Terms = { share: 1, betterBy: 0, feePct: 100 };

interface Movement {
  readonly currency: string;
  readonly amount: Decimal;
}

/** The service's own, independent books: executions, deposits, and the user's balances. */
export class ServiceBooks {
  readonly executed = new Map<string, ServiceFill>();
  readonly deposits = new Map<string, { readonly currency: string; readonly amount: string }>();
  private readonly movements = new Map<string, readonly Movement[]>();
  private readonly balances = new Map<string, Decimal>(Object.entries(OPENING).map(([currency, amount]) => [currency, decimalOf(amount)]));
  private readonly feeTaken: FeeCurrency;

  constructor(feeTaken: FeeCurrency) {
    this.feeTaken = feeTaken;
  }

  /** Executes an order on a quote; undefined if the account is short. */
  execute(
    quote: SimulatedQuote,
    side: 'buy' | 'sell',
    { at, terms }: { readonly at: number; readonly terms: Terms },
  ): ServiceFill | undefined {
    const inBase = this.feeTaken === 'base' || (this.feeTaken === 'received' && side === 'buy');
    const { ordered, price, size, value, fee } = onTerms(quote, { side, inBase, terms });
    const base = (side === 'buy' ? size : size.negated()).minus(inBase ? fee : ZERO);
    const money = (side === 'buy' ? value.negated() : value).minus(inBase ? ZERO : fee);
    if (this.of(quote.baseCcy).plus(base).isNegative() || this.of(quote.quoteCcy).plus(money).isNegative()) return undefined;
    this.movements.set(quote.id, [
      { currency: quote.baseCcy, amount: base },
      { currency: quote.quoteCcy, amount: money },
    ]);
    for (const { currency, amount } of this.movementsOf(quote.id)) this.move(currency, amount);
    const executed = {
      at,
      quoteId: quote.id,
      product: quote.product,
      side,
      price: price.toString(),
      ordered: ordered.toString(),
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

  /** What the execution on a quote moved; nothing for none. */
  movementsOf(quoteId: string): readonly Movement[] {
    return this.movements.get(quoteId) ?? [];
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

/** The figures of an execution: whole steps of size and price, a fee of eight decimals. */
function onTerms(
  quote: SimulatedQuote,
  { side, inBase, terms }: { readonly side: 'buy' | 'sell'; readonly inBase: boolean; readonly terms: Terms },
) {
  const figures = quote[side];
  const { sizePlaces = 0, pricePlaces = 0 } = PRODUCTS.find(({ code }) => code === quote.product) ?? {};
  const ordered = decimalOf(figures.size);
  const part = ordered.times(terms.share).toDecimalPlaces(sizePlaces, Decimal.ROUND_DOWN);
  const size = part.isZero() ? ordered : part;
  const better = decimalOf(terms.betterBy).div(10 ** pricePlaces);
  const price = decimalOf(figures.price).plus(side === 'buy' ? better.negated() : better);
  const whole = decimalOf(inBase ? figures.feeInBaseCcy : figures.feeInQuoteCcy);
  const fee = terms === AS_QUOTED ? whole : whole.times(size).div(ordered).times(terms.feePct).div(100).toDecimalPlaces(8);
  return { ordered, price, size, value: size.times(price), fee };
}
