import { type CurrencyPair, conversionsFrom, type Hop } from '#domain/conversions.ts';
import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { type FreshnessOf, standingFrom } from '#domain/freshness.ts';
import type { Currency, Millis, ProductCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote, Side, TimedQuote } from '#domain/quote.ts';
import type { Amounts } from './amounts.ts';
import type { Book } from './books.ts';

/** Prices of a product, and the sizes that they are for. */
interface ProductPrices extends CurrencyPair {
  readonly product: ProductCode;
  readonly buy: SidePrice;
  readonly sell: SidePrice;
}

interface SidePrice {
  readonly price: number;
  readonly size: number;
}

/** The newest quote of a lane, and when it came: at no time where none has come yet. */
export interface QuoteMark {
  readonly quote: ProductPrices;
  readonly at: Millis;
}

/** Before the first quote of a lane. */
export const NEVER: Millis = Number.NEGATIVE_INFINITY;

interface Pair extends CurrencyPair {
  readonly product: ProductCode;
}

/** The side at which a position of this size is closed: longs (above zero) are sold, shorts bought back. */
export function closingSide<Side>({ buy, sell }: { readonly buy: Side; readonly sell: Side }, size: number): Side {
  return size < 0 ? buy : sell;
}

/** The smallest order of a product at a price, in base currency. */
export function leastOrder({ minSize, minNotionalValue, sizeIncrement }: Product, price: number): Decimal {
  const byValue = price > 0 ? minNotionalValue.div(price) : minSize;
  const step = sizeIncrement.isZero() ? byValue : byValue.div(sizeIncrement).ceil().times(sizeIncrement);
  return Decimal.max(minSize, step, sizeIncrement);
}

/** How far doubles may err before the exact decimals are asked. */
const DOUBT = 1e-9;

/**
 * True when `size`, long or short, is at least the smallest order at that price. Doubles decide clear cases, decimals the
 * close ones; `figure` is the size as a double, where that is at hand.
 */
export function canBeOrdered(
  size: Decimal,
  product: Product,
  { price, figure }: { readonly price: number; readonly figure?: number },
): boolean {
  const { minSize, minNotionalValue, sizeIncrement } = product;
  const enough = Math.max(minSize.toNumber(), minNotionalValue.toNumber() / price + sizeIncrement.toNumber());
  if (Math.abs(figure ?? size.toNumber()) > enough * (1 + DOUBT)) return true;
  return size.abs().gte(leastOrder(product, price));
}

/**
 * True where no order of what is held exists at the price that closes it, or, without a quote, at any price. Such a position is dust: it
 * counts as flat and waits for no exit, until its price rises.
 */
export function isDust(
  { size, sizeFigure: figure }: Pick<Book, 'size' | 'sizeFigure'>,
  product: Product,
  quote?: Record<Side, { readonly price: number }>,
): boolean {
  const price = quote === undefined ? Number.POSITIVE_INFINITY : closingSide(quote, figure).price;
  return figure === 0 || !canBeOrdered(size, product, { price, figure });
}

/**
 * Among the lanes of one product that by whose quote `size` (negative: short) would be closed: the smallest that covers it, else the
 * largest, of those that stand.
 */
export function closing<Of extends QuoteMark>(lanes: readonly Of[], size: number): Of | undefined {
  const only = lanes[0];
  if (only && lanes.length === 1) return only.at === NEVER ? undefined : only;
  const from = standingFrom(lanes);
  const wanted = Math.abs(size);
  let best: Of | undefined;
  let offered = 0;
  for (const lane of lanes) {
    if (lane.at < from || lane.at === NEVER) continue;
    const { size: own } = closingSide(lane.quote, size);
    if (best && !isBetter(own, offered, wanted)) continue;
    best = lane;
    offered = own;
  }
  return best;
}

/** True when a lane of `size` tells better what `wanted` would bring than one of `than`. */
function isBetter(size: number, than: number, wanted: number): boolean {
  if (than < wanted) return size > than;
  return size >= wanted && size < than;
}

/**
 * What quotes say that things are worth: prices at which positions would be closed, and rates between currencies. Where no lane says so
 * there is no figure, never a guess. Live, limits, page, report and sweep all read it here.
 */
export class Valuation<Of extends QuoteMark> {
  private readonly byProduct = new Map<string, Of[]>();
  protected readonly pairs: Pair[] = [];
  /** From one currency to others over `pairs`, however old their quotes are. */
  private readonly known = new Map<string, ReadonlyMap<string, readonly Hop<Pair>[]>>();

  /** A further lane. */
  protected enter(lane: Of): void {
    const { product, baseCcy, quoteCcy } = lane.quote;
    const lanes = this.byProduct.get(product);
    if (lanes) return void lanes.push(lane);
    this.byProduct.set(product, [lane]);
    this.pairs.push({ product, baseCcy, quoteCcy });
    this.known.clear();
  }

  /** Products that have a lane; it only grows. */
  get productsSeen(): number {
    return this.pairs.length;
  }

  protected lanesOf(product: string): readonly Of[] {
    return this.byProduct.get(product) ?? [];
  }

  /** Whose quote counts where none of a product's lanes has one yet. */
  protected before(_lanes: readonly Of[]): Of | undefined {
    return undefined;
  }

  /** Price in quote currency at which `size` (negative: short) would be closed, as `closing` has it. */
  closingPrice(product: string, size: number): number | undefined {
    const lanes = this.byProduct.get(product);
    const lane = lanes && (closing(lanes, size) ?? this.before(lanes));
    return lane && closingSide(lane.quote, size).price;
  }

  /** How a currency is converted into another over as few products as can be. */
  protected way(from: string, to: string): readonly Hop<Pair>[] | undefined {
    const known = this.known.get(from) ?? conversionsFrom(from, this.pairs);
    this.known.set(from, known);
    return known.get(to);
  }

  /**
   * What one unit of a currency is worth where `amount` of it is exchanged: what is won (above zero) is sold and what is lost (below zero)
   * is bought, as positions are closed.
   */
  protected rateAlong(way: readonly Hop<Pair>[], amount: number): number | undefined {
    let rate = 1;
    for (const { by, forward } of way) {
      const value = amount * rate;
      const unit = forward ? undefined : this.closingPrice(by.product, 1);
      const price = this.closingPrice(by.product, unit === undefined ? value : -value / unit);
      if (price === undefined) return undefined;
      rate = forward ? rate * price : rate / price;
    }
    return rate;
  }
}

/** A rate taken from a quote that is older than this is no rate, unless quotes of its product come less often. */
const RATE_MAX_AGE_MS = 10_000;

/** The newest quote of a lane, of which there is one object for good. */
export type LaneMark = { -readonly [Name in keyof TimedQuote]: TimedQuote[Name] };

/** What the latest quotes say that things are worth. */
export class Marks extends Valuation<LaneMark> {
  private readonly freshnessOf: FreshnessOf;

  constructor(freshnessOf: FreshnessOf) {
    super();
    this.freshnessOf = freshnessOf;
  }

  /** Takes a quote; `known` is what it gave back for the lane's quote before. */
  add(quote: Quote, at: Millis, known = this.lanesOf(quote.product).find((one) => one.quote.lane === quote.lane)): LaneMark {
    if (known) {
      known.quote = quote;
      known.at = at;
      return known;
    }
    const mark = { quote, at };
    this.enter(mark);
    return mark;
  }

  /** True where one lane alone says what a product is worth. */
  hasOneLane(product: ProductCode): boolean {
    return this.lanesOf(product).length === 1;
  }

  quoteCcyOf(product: ProductCode): Currency | undefined {
    return this.lanesOf(product)[0]?.quote.quoteCcy;
  }

  /** What one unit of a currency is worth in another now where so much of it is exchanged, over products whose quotes are recent. */
  ratesAt(now: Millis): (from: string, to: string, amount: number) => Decimal | undefined {
    const isRecent = ({ product }: { readonly product: ProductCode }): boolean => now <= this.recentUntil(product);
    return (from, to, amount) => {
      if (from === to) return decimalOf(1);
      const shortest = this.way(from, to);
      if (shortest === undefined) return undefined;
      const way = shortest.every(({ by }) => isRecent(by)) ? shortest : conversionsFrom(from, this.pairs.filter(isRecent)).get(to);
      const rate = way && this.rateAlong(way, amount);
      return rate === undefined ? undefined : decimalOf(rate);
    };
  }

  /** The same by the latest quotes, however old they are, as an estimate: what was lost stays lost while a market is closed. */
  lastRate(from: string, to: string, amount: number): number | undefined {
    const way = this.way(from, to);
    return way && this.rateAlong(way, amount);
  }

  private recentUntil(product: ProductCode): Millis {
    let newest = Number.NEGATIVE_INFINITY;
    for (const { at } of this.lanesOf(product)) if (at > newest) newest = at;
    return newest + Math.max(RATE_MAX_AGE_MS, this.freshnessOf(product).staleMs);
  }
}

const ONE = new Decimal(1);

/** What one unit of a currency is worth in another by live quotes where so much of it is exchanged. */
type Rate = ReturnType<Marks['ratesAt']>;

/** The limit towards which amounts of a currency count, and what one of it is worth there. */
interface CurrencyLimit {
  readonly currency: string;
  readonly limit: Decimal;
  readonly factor: Decimal;
}

/** Towards which limit an amount counts: that of its own currency, else the first that there is a live rate to. */
export function countedIn(
  cap: ReadonlyMap<string, Decimal>,
  of: { readonly amount: number; readonly currency: string },
  rate: Rate,
): CurrencyLimit | undefined {
  const own = cap.get(of.currency);
  if (own !== undefined) return { currency: of.currency, limit: own, factor: ONE };
  for (const [currency, limit] of cap) {
    const factor = rate(of.currency, currency, of.amount);
    if (factor !== undefined) return { currency, limit, factor };
  }
  return undefined;
}

/** Adds up what counts towards one currency of a limit; the first currency without a live rate where that cannot be said. */
export function sumIn(amounts: Amounts, cap: ReadonlyMap<string, Decimal>, from: { into: string; rate: Rate }): Decimal | Currency {
  let sum = ZERO;
  for (const [currency, amount] of amounts) {
    if (amount.isZero()) continue;
    const counted = countedIn(cap, { amount: amount.toNumber(), currency }, from.rate);
    if (counted === undefined) return currency;
    if (counted.currency === from.into) sum = sum.plus(amount.times(counted.factor));
  }
  return sum;
}
