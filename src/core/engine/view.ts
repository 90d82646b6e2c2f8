import type { Book } from '#core/portfolio/book.ts';
import type { PositionBounds } from '#core/portfolio/books.ts';
import { closingSide, isDust } from '#core/portfolio/valuation.ts';
import type { LaneView, OrderView, PositionView, ProductLimits, View } from '#core/strategy/contract.ts';
import type { StrategyInstance } from '#core/strategy/host.ts';
import { NO_SIGNALS } from '#core/strategy/received.ts';
import type { Decimal } from '#domain/decimal.ts';
import { oncePer } from '#domain/once-per.ts';
import type { Order } from '#domain/order.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';

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

interface HoldingInput {
  readonly product: Product;
  readonly book: Book;
  readonly interval: PositionBounds;
  readonly open: readonly Order[];
  /** In the product's quote currency. */
  readonly budget: Decimal;
}

/** Reads books in doubles; frozen, since strategies see the same until something changes. */
export function holdingOf({ product, book, interval, open, budget }: HoldingInput): ViewedBook {
  const { size, sizeFigure, averageFigure, openedAt, entries } = book;
  const position = {
    size: sizeFigure,
    low: interval.low === size ? sizeFigure : interval.low.toNumber(),
    high: interval.high === size ? sizeFigure : interval.high.toNumber(),
    average: size.isZero() ? undefined : averageFigure,
    openedAt,
    entries,
  };
  return {
    position,
    nothing: size.isZero() ? Object.freeze({ ...position, ...NOTHING }) : undefined,
    inFlight: Object.freeze(open.map(orderView)),
    cash: budget.plus(book.cash).toNumber(),
    held: { size, sizeFigure },
    of: product,
  };
}

/** Of a position of nothing. */
export const NOTHING = { unrealised: 0, isFlat: true, isLong: false, isShort: false } as const;

/** What other products of the same quote currency earned less spent, and what is held there is worth; undefined: that is not known. */
export interface Elsewhere {
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
export function laneViewOf(holding: ViewedBook, { quote, amount, canShort }: Pick<LaneView, 'quote' | 'amount' | 'canShort'>): LaneView {
  return { quote, position: positionAt(holding, quote), amount, product: limitsOf(holding.of), canShort };
}

/** What is held is worth at the closing side of a quote. */
export function worthAt({ position: { size } }: ViewedBook, quote: Quote): number {
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
