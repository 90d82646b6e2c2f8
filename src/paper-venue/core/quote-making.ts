import type {
  AverageQuoteMessage,
  BookLevelMessage,
  QuoteSideMessage,
  TradingQuoteMessage,
} from '#adapters/service-client/quotes/messages.ts';
import { Decimal, decimalOf, floorToStep } from '#domain/decimal.ts';
import type { Amount } from '#domain/lane.ts';
import type { Side } from '#domain/quote.ts';
import type { QuotedProduct } from '#paper-venue/products.ts';

/** The market at zero size: best bid and best ask. */
export interface Top {
  readonly bid: number;
  readonly ask: number;
  /** True where small sizes trade at these two sides, as those of a file do; without it they trade at the mid. */
  readonly hasSpread?: true;
}

/** A trading quote without its id and expiry: equal for all who ask for the same amount at the same time. */
export type QuoteFigures = Omit<TradingQuoteMessage, 'msgType' | 'id' | 'validUntil'>;

/** The part of a quote that an order needs. */
export type TradedFigures = Pick<QuoteFigures, 'productCode' | 'baseCcy' | 'quoteCcy' | 'buyQuote' | 'sellQuote'>;

interface QuoteInputs {
  readonly product: QuotedProduct;
  readonly top: Top;
  readonly amount: Amount;
  readonly feePercentage: number;
  /** The mid from which the daily change is computed. */
  readonly referenceMid: number;
}

/** Maximum impact of a size on a price, as a share of the price. */
const MAX_IMPACT = new Decimal('0.2');
const HUNDRED = new Decimal(100);
const BOOK_LEVELS = 10;

/**
 * The figures of a trading quote for an amount (spec 2.8): both sides at the mid up to the zero-spread size, or at the two
 * sides of a file; above it a spread that grows with size. A value becomes a size by that side's price, floored to the step. Figures are rounded to
 * 8 decimals, and an order is booked at these sent figures. Undefined if the amount buys less than the product's minimum
 * size.
 */
export function quoteFigures(inputs: QuoteInputs): QuoteFigures | undefined {
  const { product, amount } = inputs;
  const sides = sidesOf(product, inputs.top);
  const { mid } = sides;
  const prices = pricesWithin(product, sides, 'base' in amount ? amount.base : amount.quote.div(mid));
  const fee = decimalOf(inputs.feePercentage);
  const buy = sideFigures(prices.buy, sizeAt(product, amount, prices.buy), mid, fee);
  const sell = sideFigures(prices.sell, sizeAt(product, amount, prices.sell), mid, fee);
  if (product.minSize.gt(Math.min(buy.size, sell.size))) return undefined;
  const spread = prices.buy.minus(prices.sell);
  const reference = decimalOf(inputs.referenceMid);
  return {
    productCode: product.code,
    baseCcy: product.baseCcy,
    quoteCcy: product.quoteCcy,
    buyQuote: buy,
    sellQuote: sell,
    avgQuote: averageOf(buy, sell),
    feePercentage: inputs.feePercentage,
    spread: sent(spread),
    spreadPercentage: sent(spread.div(mid).times(HUNDRED)),
    dailyChangePercentage: reference.isZero() ? 0 : sent(mid.minus(reference).div(reference).times(HUNDRED)),
  };
}

/** The price at zero size: the middle of the market, on the product's price grid. */
export function midOnGrid(product: QuotedProduct, top: Top): Decimal {
  const mid = decimalOf(top.bid).plus(top.ask).div(2);
  return atLeastOneStep(product, mid.div(product.priceIncrement).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).times(product.priceIncrement));
}

/** The middle of the market on the price grid, and its two sides around it. */
interface Sides {
  readonly mid: Decimal;
  readonly bid: Decimal;
  readonly ask: Decimal;
  readonly hasSpread: boolean;
}

function sidesOf(product: QuotedProduct, top: Top): Sides {
  const mid = midOnGrid(product, top);
  const [bid, ask] = [Decimal.min(mid, decimalOf(top.bid)), Decimal.max(mid, decimalOf(top.ask))];
  return { mid, bid, ask, hasSpread: top.hasSpread === true };
}

function pricesWithin(product: QuotedProduct, { mid, bid, ask, hasSpread }: Sides, size: Decimal): { buy: Decimal; sell: Decimal } {
  const beyond = Decimal.max(0, size.div(product.zeroSpreadSize).minus(1));
  if (beyond.isZero() && !hasSpread) return { buy: mid, sell: mid };
  const impact = Decimal.min(MAX_IMPACT, beyond.times(product.impact));
  const step = product.priceIncrement;
  return {
    buy: ask.times(impact.plus(1)).div(step).ceil().times(step),
    sell: atLeastOneStep(product, floorToStep(bid.times(new Decimal(1).minus(impact)), step)),
  };
}

/** The order book of a full quote, best first, consistent with the prices of trading quotes. */
export function bookOf(product: QuotedProduct, top: Top): { bids: BookLevelMessage[]; asks: BookLevelMessage[] } {
  const bids: BookLevelMessage[] = [];
  const asks: BookLevelMessage[] = [];
  const step = product.priceIncrement;
  const size = sent(product.zeroSpreadSize);
  const sides = sidesOf(product, top);
  for (let level = 1; level <= BOOK_LEVELS; level += 1) {
    const reached = pricesWithin(product, sides, product.zeroSpreadSize.times(level + 1));
    // Levels are at least one step apart, even if their impact is smaller.
    bids.push({ price: sent(atLeastOneStep(product, reached.sell.minus(step.times(level - 1)))), size });
    asks.push({ price: sent(reached.buy.plus(step.times(level - 1))), size });
  }
  return { bids, asks };
}

/** A number as it is sent: 8 decimals, half up. */
export function sent(value: Decimal): number {
  return value.toDecimalPlaces(8, Decimal.ROUND_HALF_UP).toNumber();
}

function sizeAt(product: QuotedProduct, amount: Amount, price: Decimal): Decimal {
  return 'base' in amount ? amount.base : floorToStep(amount.quote.div(price), product.sizeIncrement);
}

function sideFigures(price: Decimal, size: Decimal, mid: Decimal, fee: Decimal): QuoteSideMessage {
  const value = sent(price.times(size));
  const slippage = price.minus(mid).abs();
  return {
    price: sent(price),
    size: sent(size),
    value,
    feeInBaseCcy: sent(size.times(fee).div(HUNDRED)),
    feeInQuoteCcy: sent(decimalOf(value).times(fee).div(HUNDRED)),
    slippage: sent(slippage),
    slippagePercentage: sent(slippage.div(mid).times(HUNDRED)),
  };
}

function averageOf(buy: QuoteSideMessage, sell: QuoteSideMessage): AverageQuoteMessage {
  const middle = (a: number, b: number) => sent(decimalOf(a).plus(b).div(2));
  return {
    size: middle(buy.size, sell.size),
    value: middle(buy.value, sell.value),
    feeInBaseCcy: middle(buy.feeInBaseCcy, sell.feeInBaseCcy),
    feeInQuoteCcy: middle(buy.feeInQuoteCcy, sell.feeInQuoteCcy),
  };
}

function atLeastOneStep(product: QuotedProduct, price: Decimal): Decimal {
  return Decimal.max(price, product.priceIncrement);
}

/** The side of a quote that an order of this direction is executed at (spec 2.8, rule 3). */
export function figuresOfSide(figures: TradedFigures, side: Side): QuoteSideMessage {
  return side === 'buy' ? figures.buyQuote : figures.sellQuote;
}
