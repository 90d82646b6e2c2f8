import { type Decimal, ZERO } from '../../domain/decimal.ts';
import { invariant } from '../../domain/errors.ts';
import type { LaneId, Millis, ProductCode, StrategyId } from '../../domain/names.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Product } from '../../domain/product.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Market } from '../../market/market.ts';
import type { View } from '../../strategy/contract.ts';
import type { StrategyInstance } from '../../strategy/host.ts';
import type { Book } from '../../trading/book.ts';
import type { Books } from '../../trading/books.ts';
import { type Holding, holdingOf, viewOf } from './view.ts';

export interface ViewsOptions {
  readonly market: Market;
  readonly books: Books;
  readonly products: ReadonlyMap<ProductCode, Product>;
  readonly canShort: ReadonlySet<ProductCode>;
  readonly budgetOf: (strategy: StrategyId, currency: string) => Decimal;
  readonly now: () => Millis;
}

/** What one strategy was shown last, and what that was read from. */
interface Shown {
  readonly lanes: readonly (readonly [name: string, lane: LaneId])[];
  readonly book: Book;
  holding: Holding | undefined;
  bookAt: number;
  product: Product | undefined;
  quoteCcy: string | undefined;
}

/** What each strategy may look at, with the last outcome of each. Decimals turn into doubles when a book changes, not at each signal. */
export class Views {
  private readonly options: ViewsOptions;
  private readonly last = new Map<string, Outcome>();
  private readonly shown = new Map<StrategyId, Shown>();

  constructor(options: ViewsOptions) {
    this.options = options;
  }

  outcome(strategy: string, outcome: Outcome): void {
    this.last.set(strategy, outcome);
  }

  of(instance: StrategyInstance, random: () => number): View {
    const { market, canShort, now } = this.options;
    const shown = this.shownTo(instance);
    const quote = market.latest(instance.lane);
    return viewOf({
      now: now(),
      quote,
      quotes: this.quotesOf(shown, quote),
      instance,
      holding: this.holdingOf(instance, shown, quote),
      last: this.last.get(instance.id),
      canShort: canShort.has(instance.product),
      random,
    });
  }

  private shownTo({ id, product, inputs }: StrategyInstance): Shown {
    let shown = this.shown.get(id);
    if (!shown) {
      const bound = Object.entries(inputs ?? {}).filter(([, { kind }]) => kind === 'lane');
      const lanes = bound.map(([name, { source }]) => [name, source] as const);
      const book = this.options.books.book(id, product);
      shown = { lanes, book, holding: undefined, bookAt: 0, product: undefined, quoteCcy: undefined };
      this.shown.set(id, shown);
    }
    return shown;
  }

  private quotesOf({ lanes }: Shown, main: Quote | undefined): Readonly<Record<string, Quote | undefined>> {
    if (lanes.length === 0) return { main };
    return Object.fromEntries([['main', main], ...lanes.map(([name, lane]) => [name, this.options.market.latest(lane)] as const)]);
  }

  private holdingOf({ id, product: code }: StrategyInstance, shown: Shown, quote: Quote | undefined): Holding {
    const { books, products, budgetOf } = this.options;
    const product = products.get(code);
    if (!product) invariant(false, `product ${code} is not known`);
    const quoteCcy = quote?.quoteCcy;
    const { book, holding } = shown;
    if (holding && shown.bookAt === book.changes && shown.product === product && shown.quoteCcy === quoteCcy) return holding;
    shown.holding = holdingOf({
      product,
      book,
      interval: books.interval(id, code),
      open: books.openOf(id, code),
      budget: quoteCcy === undefined ? ZERO : budgetOf(id, quoteCcy),
    });
    shown.bookAt = book.changes;
    shown.product = product;
    shown.quoteCcy = quoteCcy;
    return shown.holding;
  }
}
