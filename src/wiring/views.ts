import { type Decimal, decimalOf } from '../domain/decimal.ts';
import type { Millis, ProductCode, StrategyId } from '../domain/names.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Product } from '../domain/product.ts';
import type { Quote } from '../domain/quote.ts';
import type { Market } from '../market/market.ts';
import type { View } from '../strategy/contract.ts';
import type { StrategyInstance } from '../strategy/host.ts';
import type { Books } from '../trading/books.ts';
import { viewOf } from './view.ts';

export interface ViewsOptions {
  readonly market: Market;
  readonly books: Books;
  readonly products: ReadonlyMap<ProductCode, Product>;
  readonly canShort: ReadonlySet<ProductCode>;
  readonly budgetOf: (strategy: StrategyId, currency: string) => Decimal;
  readonly now: () => Millis;
}

/** What each strategy may look at, with the last outcome of each. */
export class Views {
  private readonly options: ViewsOptions;
  private readonly last = new Map<string, Outcome>();

  constructor(options: ViewsOptions) {
    this.options = options;
  }

  outcome(strategy: string, outcome: Outcome): void {
    this.last.set(strategy, outcome);
  }

  private quotesOf({ inputs }: StrategyInstance, main: Quote | undefined): Readonly<Record<string, Quote | undefined>> {
    if (!inputs) return { main };
    const lanes = Object.entries(inputs).filter(([, { kind }]) => kind === 'lane');
    return Object.fromEntries([['main', main], ...lanes.map(([name, { source }]) => [name, this.options.market.latest(source)] as const)]);
  }

  of(instance: StrategyInstance, random: () => number): View {
    const { market, books, products, canShort, budgetOf, now } = this.options;
    const { id, product } = instance;
    const quote = market.latest(instance.lane);
    return viewOf({
      now: now(),
      quote,
      quotes: this.quotesOf(instance, quote),
      product: products.get(product),
      instance,
      book: books.book(id, product),
      interval: books.interval(id, product),
      open: books.openOf(id, product),
      last: this.last.get(id),
      budget: quote ? budgetOf(id, quote.quoteCcy) : decimalOf(0),
      canShort: canShort.has(product),
      random,
    });
  }
}
