import type { Decimal } from '../domain/decimal.ts';
import { invariant } from '../domain/errors.ts';
import type { Millis } from '../domain/names.ts';
import type { Order } from '../domain/order.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Product } from '../domain/product.ts';
import type { Quote } from '../domain/quote.ts';
import type { OrderView, PositionView, ProductLimits, View } from '../strategy/contract.ts';
import type { StrategyInstance } from '../strategy/host.ts';
import type { Book } from '../trading/book.ts';
import type { Interval } from '../trading/books.ts';

export interface ViewInput {
  readonly now: Millis;
  readonly quote: Quote | undefined;
  /** Latest quote of each lane by its input's name. */
  readonly quotes: Readonly<Record<string, Quote | undefined>>;
  readonly product: Product | undefined;
  readonly instance: StrategyInstance;
  readonly book: Book;
  readonly interval: Interval;
  readonly open: readonly Order[];
  readonly last: Outcome | undefined;
  /** In the product's quote currency. */
  readonly budget: Decimal;
  readonly canShort: boolean;
  readonly random: () => number;
}

/** What a strategy's `decide` may look at, read from books and market at this instant. */
export function viewOf(input: ViewInput): View {
  const { quote, product, instance, book, budget } = input;
  invariant(product, `product ${instance.product} is not known`);
  const position = positionOf(input);
  const cash = budget.plus(book.cash).toNumber();
  return {
    now: input.now,
    quote,
    quotes: input.quotes,
    position,
    inFlight: input.open.map(orderView),
    last: input.last,
    equity: quote ? cash + position.size * closingPrice(quote, position.size) : undefined,
    budgetLeft: cash,
    product: limitsOf(product),
    canShort: input.canShort,
    amount: instance.amount,
    state: undefined,
    random: input.random,
  };
}

function positionOf({ book, interval, quote, product }: ViewInput): PositionView {
  const size = book.size.toNumber();
  // A rest that is less than the least order is dust: nobody can close it, so nobody should wait for that.
  const flat = size === 0 || (product !== undefined && book.size.abs().lt(product.minSize));
  const average = book.size.isZero() ? undefined : book.average.toNumber();
  return {
    size,
    low: interval.low.toNumber(),
    high: interval.high.toNumber(),
    average,
    openedAt: book.openedAt,
    entries: book.entries,
    unrealised: quote === undefined ? undefined : average === undefined ? 0 : (closingPrice(quote, size) - average) * size,
    isFlat: flat,
    isLong: !flat && size > 0,
    isShort: !flat && size < 0,
  };
}

/** Longs close at the sell side, shorts at the buy side. */
function closingPrice(quote: Quote, size: number): number {
  return size < 0 ? quote.buy.price : quote.sell.price;
}

function orderView(order: Order): OrderView {
  return {
    orderId: order.id,
    side: order.side,
    size: order.figures.size.toNumber(),
    price: order.figures.price.toNumber(),
    state: order.state,
  };
}

function limitsOf(product: Product): ProductLimits {
  return {
    code: product.code,
    minSize: product.minSize.toNumber(),
    minNotionalValue: product.minNotionalValue.toNumber(),
    sizeIncrement: product.sizeIncrement.toNumber(),
    priceIncrement: product.priceIncrement.toNumber(),
  };
}
