import type { LaneState } from '#core/market/lane-state.ts';
import type { Book } from '#core/portfolio/book.ts';
import type { LaneView, View } from '#core/strategy/contract.ts';
import type { StrategyInstance } from '#core/strategy/host.ts';
import { signalInputs } from '#core/strategy/inputs.ts';
import type { RowView } from '#core/strategy/quiet-signals.ts';
import { ZERO } from '#domain/decimal.ts';
import type { LaneId, ProductCode, StrategyId } from '#domain/names.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineContext } from './engine-context.ts';
import { type RowViewInput, RowViews } from './row-view.ts';
import { type Elsewhere, holdingOf, laneViewOf, NO_LANES, NOTHING_ELSEWHERE, type ViewedBook, viewOf, worthAt } from './view.ts';

/** The last reading of a strategy's book in one product, with what it was made from. */
interface BookReading {
  readonly product: ProductCode;
  readonly lane: LaneId;
  readonly state: LaneState | undefined;
  readonly canShort: boolean;
  readonly book: Book;
  holding: ViewedBook | undefined;
  bookAt: number;
  limits: Product | undefined;
  quoteCcy: string | undefined;
}

/** What one strategy is shown: its own lane, and its lane inputs by name. */
interface LaneViews {
  readonly main: BookReading;
  readonly inputs: readonly (readonly [name: string, seen: BookReading])[];
  /** What it is shown row by row. */
  rows: RowViews | undefined;
}

type Needs = Pick<EngineContext, 'books' | 'budgets' | 'canShort' | 'laneById' | 'market' | 'products' | 'scheduler'>;

/** Each strategy's view, with its last outcome. Decimals are converted to doubles when a book changes, not at each signal. */
export class Views {
  private readonly context: Needs;
  private readonly lastOutcomes = new Map<StrategyId, Outcome>();
  private readonly shown = new Map<StrategyId, LaneViews>();

  constructor(context: Needs) {
    this.context = context;
  }

  outcome(strategy: StrategyId, outcome: Outcome): void {
    this.lastOutcomes.set(strategy, outcome);
  }

  /** The service's list has changed: products are read again. */
  productsChanged(): void {
    for (const { main, inputs } of this.shown.values()) for (const seen of [main, ...inputs.map(([, one]) => one)]) seen.limits = undefined;
  }

  /** Undefined while the instance's product is not known: a timer may be shorter than a slow start. */
  readonly of = (instance: StrategyInstance, random: () => number): View | undefined => {
    const { id } = instance;
    const shown = this.shown.get(id) ?? this.shownTo(instance);
    const { main, inputs } = shown;
    const quote = main.state?.latest;
    const holding = this.holdingOf(id, main, quote);
    if (!holding) return undefined;
    const alone = inputs.length === 0;
    const traded = this.context.books.traded.get(id);
    return viewOf({
      now: this.context.scheduler.now(),
      state: undefined,
      quote,
      quotes: alone ? { main: quote } : this.quotesOf(inputs, quote),
      lanes: alone ? NO_LANES : this.lanesOf(id, inputs),
      elsewhere: quote && traded && !(traded.size === 1 && traded.has(main.product)) ? this.elsewhere(id, shown, quote) : NOTHING_ELSEWHERE,
      instance,
      holding,
      last: this.lastOutcomes.get(id),
      canShort: main.canShort,
      random,
    });
  };

  /** What an instance without inputs that it decides on is shown at each row of its lane; undefined where that cannot be said, as before it was asked once. */
  rowsOf(instance: StrategyInstance, given: Pick<RowViewInput, 'columns' | 'quoteOf' | 'state'>): RowView | undefined {
    const shown = this.shown.get(instance.id);
    if (!shown) return undefined;
    const { main, rows } = shown;
    const last = this.lastOutcomes.get(instance.id);
    const quote = main.state?.latest;
    const holding = quote && this.holdingOf(instance.id, main, quote);
    if (!holding || shown.inputs.length > 0 || this.elsewhere(instance.id, shown, quote) !== NOTHING_ELSEWHERE) return undefined;
    if (signalInputs(instance.definition.inputs).length > 0) return undefined;
    const { canShort, lane } = main;
    if (rows?.columns === given.columns) rows.stand(holding, last);
    else shown.rows = new RowViews({ ...given, lane, canShort, instance }, holding, last);
    return shown.rows;
  }

  private shownTo({ id, lane, product, inputs }: StrategyInstance): LaneViews {
    const seen = (product: ProductCode, lane: LaneId): BookReading => {
      const { books, market, canShort } = this.context;
      const known = { state: market.stateOf(lane), canShort: canShort.has(product), book: books.book(id, product) };
      return { product, lane, ...known, holding: undefined, bookAt: 0, limits: undefined, quoteCcy: undefined };
    };
    const bound = Object.entries(inputs ?? {}).filter(([, { kind }]) => kind === 'lane');
    const others = bound.map(([name, { product, source }]) => [name, seen(product, source)] as const);
    const shown = { main: seen(product, lane), inputs: others, rows: undefined };
    this.shown.set(id, shown);
    return shown;
  }

  private quotesOf(inputs: LaneViews['inputs'], main: Quote | undefined): View['quotes'] {
    return Object.fromEntries([['main', main], ...inputs.map(([name, { state }]) => [name, state?.latest] as const)]);
  }

  private lanesOf(id: StrategyId, inputs: LaneViews['inputs']): View['lanes'] {
    const { laneById } = this.context;
    const views = inputs.flatMap(([name, seen]): [string, LaneView][] => {
      const quote = seen.state?.latest;
      const holding = this.holdingOf(id, seen, quote);
      const amount = laneById.get(seen.lane)?.amount;
      return holding && amount ? [[name, laneViewOf(holding, { quote, amount, canShort: seen.canShort })]] : [];
    });
    return Object.fromEntries(views);
  }

  /** One budget covers the products of one quote currency; no worth while one that is held has no quote. */
  private elsewhere(id: StrategyId, { main, inputs }: LaneViews, { quoteCcy }: Quote): Elsewhere {
    const traded = [...(this.context.books.traded.get(id) ?? [])];
    const beside = traded.filter(([product, { currency }]) => product !== main.product && currency === quoteCcy);
    if (beside.length === 0) return NOTHING_ELSEWHERE;
    let cash = 0;
    let worth: number | undefined = 0;
    for (const [product, book] of beside) {
      cash += book.cashFigure;
      const seen = inputs.findLast(([, one]) => one.product === product)?.[1];
      const quote = seen?.state?.latest;
      const holding = seen && this.holdingOf(id, seen, quote);
      if (quote && holding && worth !== undefined) worth += worthAt(holding, quote);
      else if (book.sizeFigure !== 0) worth = undefined;
    }
    return { cash, worth };
  }

  /** Undefined while the product is not known. */
  private holdingOf(id: StrategyId, seen: BookReading, quote: Quote | undefined): ViewedBook | undefined {
    const { books, products, budgets } = this.context;
    const quoteCcy = quote?.quoteCcy;
    const { book, holding } = seen;
    if (holding && seen.bookAt === book.changes && seen.limits !== undefined && seen.quoteCcy === quoteCcy) return holding;
    const product = products.get(seen.product);
    if (!product) return undefined;
    seen.holding = holdingOf({
      product,
      book,
      interval: books.interval(id, seen.product),
      open: books.openOf(id, seen.product),
      budget: quoteCcy === undefined ? ZERO : budgets.opening(id, quoteCcy),
    });
    seen.bookAt = book.changes;
    seen.limits = product;
    seen.quoteCcy = quoteCcy;
    return seen.holding;
  }
}
