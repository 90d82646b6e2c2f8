import { ambient } from '#core/strategy/ambient.ts';
import type { QuoteRows } from '#core/strategy/batch.ts';
import { type Indicator, indicatorOf } from '#core/strategy/indicators.ts';
import { QuoteKernel } from '#core/strategy/kernel.ts';
import type { Millis } from '#domain/names.ts';
import { midOf, type Quote, type QuoteSide, type Side } from '#domain/quote.ts';
import type { QuoteColumns, SideColumns } from '#domain/quote-columns.ts';

/** A figure of each quote that depends on nothing before it. */
class OfQuote extends QuoteKernel {
  private readonly figure: (quote: Quote) => number;
  private readonly figureOf: (rows: QuoteColumns) => (row: number) => number;

  /** The figure of a quote, and the same of a row. */
  constructor(figure: (quote: Quote) => number, figureOf: (rows: QuoteColumns) => (row: number) => number) {
    super();
    this.figure = figure;
    this.figureOf = figureOf;
  }

  next(quote: Quote): number {
    return this.figure(quote);
  }

  over({ columns, from }: QuoteRows, out: Float64Array, n: number): void {
    const of = this.figureOf(columns);
    for (let row = 0; row < n; row++) out[row] = of(from + row);
  }

  keep(): void {}
  undo(): void {}
}

class Mid extends QuoteKernel {
  next(quote: Quote): number {
    return midOf(quote);
  }

  over({ columns, from }: QuoteRows, out: Float64Array, n: number): void {
    const buy = columns.buy.price;
    const sell = columns.sell.price;
    for (let row = 0; row < n; row++) out[row] = ((buy[from + row] ?? 0) + (sell[from + row] ?? 0)) / 2;
  }

  keep(): void {}
  undo(): void {}
}

/** The price between both sides of each quote. */
export function mid(): Indicator<Quote, number> {
  return indicatorOf(() => new Mid(), 'mid');
}

/** The price at which each quote buys or sells the lane's amount. */
export function price(side: Side): Indicator<Quote, number> {
  return ofSide(side, 'price');
}

/** What one side of each quote is worth, in quote currency and before fees: what may be executed at once. */
export function value(side: Side): Indicator<Quote, number> {
  return ofSide(side, 'value');
}

function ofSide(side: Side, name: 'price' | 'value'): Indicator<Quote, number> {
  const figure = (quote: Quote): number => quote[side][name];
  return indicatorOf(() => new OfQuote(figure, (columns) => (row) => columns[side][name][row] ?? 0), `${name} ${side}`);
}

/** The distance between both sides of each quote, in percent of the mid: what a round trip costs before fees. */
export function spread(): Indicator<Quote, number> {
  const figure = (buy: number, sell: number): number => ((buy - sell) / ((buy + sell) / 2)) * 100;
  const column =
    ({ buy, sell }: QuoteColumns) =>
    (row: number): number =>
      figure(buy.price[row] ?? 0, sell.price[row] ?? 0);
  return indicatorOf(() => new OfQuote(({ buy, sell }) => figure(buy.price, sell.price), column), 'spread');
}

/** What buying and selling again on each quote would lose, fees included, in percent of the mid: how far a price must go to pay for it. */
export function roundTripCost(): Indicator<Quote, number> {
  const figure = (buy: Cost, sell: Cost): number => ((buy.price + buy.fee - sell.price + sell.fee) / ((buy.price + sell.price) / 2)) * 100;
  const column =
    ({ buy, sell }: QuoteColumns) =>
    (row: number): number =>
      figure(costIn(buy, row), costIn(sell, row));
  return indicatorOf(() => new OfQuote(({ buy, sell }) => figure(costOf(buy), costOf(sell)), column), 'round trip cost');
}

/** Price, and fee of one unit of the base currency, both in quote currency. */
interface Cost {
  readonly price: number;
  readonly fee: number;
}

const costOf = ({ price, feeInQuoteCcy, size }: QuoteSide): Cost => ({ price, fee: feeInQuoteCcy / size });

const costIn = ({ price, feeInQuoteCcy, size }: SideColumns, row: number): Cost => ({
  price: price[row] ?? 0,
  fee: (feeInQuoteCcy[row] ?? 0) / (size[row] ?? 0),
});

/**
 * How long each quote may still be used as it comes, in milliseconds: the service's expiry less engine time. As far off as
 * both clocks are apart; the checks of an order know that distance, and are the ones to rely on.
 */
export function timeLeft(): Indicator<Quote, number> {
  return indicatorOf(() => {
    const { scheduler } = ambient('timeLeft');
    return new TimeLeft(() => scheduler.now());
  }, 'time left');
}

class TimeLeft extends QuoteKernel {
  private readonly now: () => Millis;

  constructor(now: () => Millis) {
    super();
    this.now = now;
  }

  next(quote: Quote): number {
    return quote.validUntil - this.now();
  }

  over({ columns: { validUntil, at }, from }: QuoteRows, out: Float64Array, n: number): void {
    for (let row = 0; row < n; row++) out[row] = (validUntil[from + row] ?? 0) - (at[from + row] ?? 0);
  }

  keep(): void {}
  undo(): void {}
}
