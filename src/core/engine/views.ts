import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { LaneState } from '#core/market/lane-state.ts';
import type { Book } from '#core/portfolio/books.ts';
import { canBeOrdered, closingSide, isDust, leastOrder } from '#core/portfolio/valuation.ts';
import type { LaneView, OrderView, PositionView, ProductLimits, View } from '#core/strategy/contract.ts';
import { signalInputs } from '#core/strategy/inputs.ts';
import { type StrategyInstance, tradedOn } from '#core/strategy/instance.ts';
import { NO_SIGNALS } from '#core/strategy/received.ts';
import { type Decimal, floorToStep, ZERO } from '#domain/decimal.ts';
import type { LaneId, ProductCode, StrategyId } from '#domain/names.ts';
import { oncePer } from '#domain/once-per.ts';
import type { Order } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';

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
  /** Opening capital in it. */
  budget: Decimal;
}

/** What one strategy is shown: its own lane, and its lane inputs by name. */
interface LaneViews {
  readonly main: BookReading;
  readonly inputs: readonly (readonly [name: string, seen: BookReading])[];
}

/** What a strategy is shown that no quote changes by itself. */
interface StandingView {
  readonly lane: LaneId;
  readonly canShort: boolean;
  readonly holding: ViewedBook;
  readonly last: Outcome | undefined;
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
      now: this.context.scheduler.time,
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

  /** What an instance without inputs that it decides on is shown of its lane whatever the row; undefined where that cannot be said, as before it was asked once. */
  standing(instance: StrategyInstance): StandingView | undefined {
    const shown = this.shown.get(instance.id);
    if (!shown) return undefined;
    const { canShort, lane, state } = shown.main;
    const quote = state?.latest;
    const holding = quote && this.holdingOf(instance.id, shown.main, quote);
    if (!holding || shown.inputs.length > 0 || this.elsewhere(instance.id, shown, quote) !== NOTHING_ELSEWHERE) return undefined;
    if (signalInputs(instance.definition.inputs).length > 0) return undefined;
    return { lane, canShort, holding, last: this.lastOutcomes.get(instance.id) };
  }

  private shownTo({ id, lane, product, inputs }: StrategyInstance): LaneViews {
    const seen = (product: ProductCode, lane: LaneId): BookReading => {
      const { books, market, canShort } = this.context;
      const known = { state: market.stateOf(lane), canShort: canShort.has(product), book: books.book(id, product) };
      return { product, lane, ...known, holding: undefined, bookAt: 0, limits: undefined, quoteCcy: undefined, budget: ZERO };
    };
    const bound = Object.entries(inputs ?? {}).filter(([, { kind }]) => kind === 'lane');
    const others = bound.map(([name, { product, source }]) => [name, seen(product, source)] as const);
    const shown = { main: seen(product, lane), inputs: others };
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

  /** Reads a book in doubles, frozen, since strategies see the same until something changes. Undefined while the product is not known. */
  private holdingOf(id: StrategyId, seen: BookReading, quote: Quote | undefined): ViewedBook | undefined {
    const { books, products, budgets } = this.context;
    const quoteCcy = quote?.quoteCcy;
    const { book, holding } = seen;
    if (holding && seen.bookAt === book.changes && seen.limits !== undefined && seen.quoteCcy === quoteCcy) return holding;
    const product = products.get(seen.product);
    if (!product) return undefined;
    if (seen.quoteCcy !== quoteCcy) seen.budget = quoteCcy === undefined ? ZERO : budgets.opening(id, quoteCcy);
    const interval = books.interval(id, seen.product);
    const { size, sizeFigure, averageFigure, openedAt, entries } = book;
    const position = {
      size: sizeFigure,
      low: interval.low === size ? sizeFigure : interval.low.toNumber(),
      high: interval.high === size ? sizeFigure : interval.high.toNumber(),
      average: sizeFigure === 0 ? undefined : averageFigure,
      openedAt,
      entries,
    };
    seen.holding = {
      position,
      nothing: sizeFigure === 0 ? Object.freeze({ ...position, ...NOTHING }) : undefined,
      inFlight: Object.freeze(interval.open.map(orderView)),
      cash: seen.budget.plus(book.cash).toNumber(),
      held: { size, sizeFigure },
      of: product,
    };
    seen.bookAt = book.changes;
    seen.limits = product;
    seen.quoteCcy = quoteCcy;
    return seen.holding;
  }
}

/** What a book, its open orders and its product say in doubles: the same from one fill or order to the next. */
export interface ViewedBook {
  readonly position: Omit<PositionView, 'unrealised' | 'isFlat' | 'isLong' | 'isShort'>;
  /** The whole position where nothing is held, so that no price changes it. */
  readonly nothing: PositionView | undefined;
  readonly inFlight: readonly OrderView[];
  /** Budget and what was earned less spent, in the product's quote currency. */
  readonly cash: number;
  readonly held: Pick<Book, 'size' | 'sizeFigure'>;
  readonly of: Product;
}

/** Of a position of nothing. */
export const NOTHING = { unrealised: 0, isFlat: true, isLong: false, isShort: false } as const;

/** What other products of the same quote currency earned less spent, and what is held there is worth; undefined: that is not known. */
interface Elsewhere {
  readonly cash: number;
  readonly worth: number | undefined;
}

/** The same live and over rows, where time, state and the quote's figures go on with the row: they are read when they are asked for. */
interface ViewInput extends Pick<View, 'now' | 'quote' | 'quotes' | 'lanes' | 'canShort' | 'random'> {
  readonly state: unknown;
  readonly instance: StrategyInstance;
  readonly holding: ViewedBook;
  readonly elsewhere: Elsewhere;
  readonly last: Outcome | undefined;
}

export const NO_LANES: View['lanes'] = Object.freeze({});
export const NOTHING_ELSEWHERE: Elsewhere = { cash: 0, worth: 0 };

/** What a strategy's `decide` may look at, at this instant; the host adds signals from outside. */
export function viewOf(input: ViewInput): View {
  const { quote, quotes, lanes, canShort, random, instance, holding, elsewhere, last } = input;
  const { inFlight, of } = holding;
  const cash = holding.cash + elsewhere.cash;
  return {
    get now() {
      return input.now;
    },
    quote,
    quotes,
    lanes,
    position: positionAt(holding, quote),
    inFlight,
    last,
    get equity() {
      return quote === undefined || elsewhere.worth === undefined ? undefined : cash + worthAt(holding, quote) + elsewhere.worth;
    },
    budgetLeft: cash,
    get product() {
      return limitsOf(of);
    },
    canShort,
    amount: instance.amount,
    inputs: NO_SIGNALS,
    get state() {
      return input.state as undefined;
    },
    random,
  };
}

/** What a strategy may look at of one of its lane inputs. */
function laneViewOf(holding: ViewedBook, { quote, amount, canShort }: Pick<LaneView, 'quote' | 'amount' | 'canShort'>): LaneView {
  return { quote, position: positionAt(holding, quote), amount, product: limitsOf(holding.of), canShort };
}

/** What is held is worth at the closing side of a quote. */
function worthAt({ position: { size } }: ViewedBook, quote: Quote): number {
  return size * closingSide(quote, size).price;
}

function positionAt({ position, nothing, held, of }: ViewedBook, quote: Quote | undefined): PositionView {
  if (nothing && quote) return nothing;
  const { size, low, high, average, openedAt, entries } = position;
  const isFlat = isDust(held, of, quote);
  return {
    size,
    low,
    high,
    average,
    openedAt,
    entries,
    get unrealised() {
      return quote === undefined ? undefined : average === undefined ? 0 : (closingSide(quote, size).price - average) * size;
    },
    isFlat,
    isLong: !isFlat && size > 0,
    isShort: !isFlat && size < 0,
  };
}

function orderView(order: Order): OrderView {
  return Object.freeze({
    orderId: order.id,
    side: order.side,
    size: order.figures.size.toNumber(),
    price: order.figures.price.toNumber(),
    state: order.state,
  });
}

/** A product's limits in doubles, as strategies see them. */
const limitsOf = oncePer(
  ({ code, minSize, minNotionalValue, sizeIncrement, priceIncrement }: Product): ProductLimits =>
    Object.freeze({
      code,
      minSize: minSize.toNumber(),
      minNotionalValue: minNotionalValue.toNumber(),
      sizeIncrement: sizeIncrement.toNumber(),
      priceIncrement: priceIncrement.toNumber(),
    }),
);

type PositionNeeds = Pick<EngineContext, 'books' | 'log' | 'products' | 'strategies'>;

/** What strategies hold and have on its way, by the lanes and products that each trades. */
export class StrategyPositions {
  private readonly context: PositionNeeds;
  private readonly parentOrders: Pick<ParentOrders, 'isClosing'>;
  private readonly byId: ReadonlyMap<StrategyId, EngineStrategy>;
  /** Who trades on each lane, in which product. */
  private readonly traders = new Map<LaneId, { readonly id: StrategyId; readonly product: ProductCode }[]>();

  constructor(context: PositionNeeds, parentOrders: Pick<ParentOrders, 'isClosing'>) {
    this.context = context;
    this.parentOrders = parentOrders;
    this.byId = new Map(context.strategies.map((strategy) => [strategy.id, strategy]));
    for (const strategy of context.strategies)
      for (const { lane, product } of tradedOn(strategy))
        this.traders.set(lane, [...(this.traders.get(lane) ?? []), { id: strategy.id, product }]);
  }

  /** True while an order of the instance is on its way, in any product that it trades, or its position is being closed. */
  readonly isBusy = ({ id, product, inputs }: StrategyInstance): boolean => {
    const { books } = this.context;
    if (books.inFlight(id, product)) return true;
    if (inputs !== undefined && Object.values(inputs).some((input) => books.inFlight(id, input.product))) return true;
    return this.parentOrders.isClosing(id);
  };

  /** True while a strategy that trades on the lane holds something in its product there, or has an order on its way. */
  restsOn(lane: LaneId): boolean {
    const { books } = this.context;
    return (this.traders.get(lane) ?? []).some(
      ({ id, product }) => !books.book(id, product).size.isZero() || books.openOf(id, product).length > 0,
    );
  }

  /** Says which part of a position no order can close, as soon as it is there. */
  nameDust(strategy: StrategyId, price: number): void {
    const { books, products, log } = this.context;
    const code = this.byId.get(strategy)?.product;
    const product = code === undefined ? undefined : products.get(code);
    if (!product) return;
    const held = books.book(strategy, product.code).size;
    if (held.isZero()) return;
    const closable = floorToStep(held, product.sizeIncrement);
    const dust = canBeOrdered(closable, product, { price }) ? held.minus(closable) : held;
    if (dust.isZero()) return;
    const least = leastOrder(product, price);
    const detail = { held: held.toString(), dust: dust.toString(), least: least.toString() };
    log.defer(log.make('dust', detail, { strategy, product: product.code, reason: 'DUST' }));
  }
}
