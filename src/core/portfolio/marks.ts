import { type CurrencyPair, conversionsFrom, type Hop } from '#domain/conversions.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { type FreshnessOf, standingFrom } from '#domain/freshness.ts';
import type { Currency, LaneId, Millis, ProductCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';

/** A rate taken from a quote that is older than this is no rate, unless quotes of its product come less often. */
const RATE_MAX_AGE_MS = 10_000;

/** The newest quote of a lane, and when it came. */
export interface Mark {
  quote: Quote;
  at: Millis;
}

interface QuotedPair extends CurrencyPair {
  readonly product: ProductCode;
}

type Conversion = readonly Hop<QuotedPair>[];

/**
 * What the latest quotes say that things are worth: prices at which positions would be closed, and rates between
 * currencies. Where no subscribed lane says so there is no figure, never a guess.
 */
export class Marks {
  private readonly byProduct = new Map<ProductCode, Map<LaneId, Mark>>();
  private readonly pairs: QuotedPair[] = [];
  /** From one currency to others over `pairs`, however old their quotes are. */
  private readonly known = new Map<string, ReadonlyMap<string, Conversion>>();
  private readonly freshnessOf: FreshnessOf;

  constructor(freshnessOf: FreshnessOf) {
    this.freshnessOf = freshnessOf;
  }

  /** Takes a quote; `known` is what it gave back for the lane's quote before. */
  add(quote: Quote, at: Millis, known?: Mark): Mark {
    if (known) {
      known.quote = quote;
      known.at = at;
      return known;
    }
    let lanes = this.byProduct.get(quote.product);
    if (!lanes) {
      lanes = new Map();
      this.byProduct.set(quote.product, lanes);
      this.pairs.push({ product: quote.product, baseCcy: quote.baseCcy, quoteCcy: quote.quoteCcy });
      this.known.clear();
    }
    const seen = lanes.get(quote.lane);
    if (seen) return this.add(quote, at, seen);
    const mark = { quote, at };
    lanes.set(quote.lane, mark);
    return mark;
  }

  /** Products that a quote has come for; it only grows. */
  get productsSeen(): number {
    return this.byProduct.size;
  }

  /** True where one lane alone says what a product is worth. */
  hasOneLane(product: ProductCode): boolean {
    return this.byProduct.get(product)?.size === 1;
  }

  quoteCcyOf(product: ProductCode): Currency | undefined {
    return this.anyOf(product)?.quote.quoteCcy;
  }

  /** Price at which `size` (negative: short) would be closed: on the smallest lane that covers it, else the largest, of those that stand. */
  closingPrice(product: ProductCode, size: number): number | undefined {
    const wanted = Math.abs(size);
    const lanes = this.byProduct.get(product);
    if (!lanes) return undefined;
    const from = lanes.size === 1 ? Number.NEGATIVE_INFINITY : standingFrom(lanes.values());
    let best: { readonly price: number; readonly size: number } | undefined;
    for (const { quote, at } of lanes.values()) {
      if (at < from) continue;
      const side = size < 0 ? quote.buy : quote.sell;
      if (!best || better(side.size, best.size, wanted)) best = side;
    }
    return best?.price;
  }

  /**
   * What one unit of a currency is worth in another now where so much of it is exchanged: over as few products as can be of those whose quotes
   * are recent. What is won (above zero) is sold and what is lost (below zero) is bought, as `closingPrice` has it, so that reports say the same.
   */
  ratesAt(now: Millis): (from: string, to: string, amount: number) => Decimal | undefined {
    const isRecent = ({ product }: QuotedPair): boolean => this.isRecent(product, now);
    return (from, to, amount) => {
      if (from === to) return decimalOf(1);
      const shortest = this.conversions(from).get(to);
      if (shortest === undefined) return undefined;
      const way = shortest.every(({ by }) => isRecent(by)) ? shortest : conversionsFrom(from, this.pairs.filter(isRecent)).get(to);
      const rate = way && this.along(way, amount);
      return rate === undefined ? undefined : decimalOf(rate);
    };
  }

  /** The same by the latest quotes, however old they are, as an estimate: what was lost stays lost while a market is closed. */
  lastRate(from: string, to: string, amount: number): number | undefined {
    const way = this.conversions(from).get(to);
    return way && this.along(way, amount);
  }

  private conversions(from: string): ReadonlyMap<string, Conversion> {
    const known = this.known.get(from) ?? conversionsFrom(from, this.pairs);
    this.known.set(from, known);
    return known;
  }

  private along(way: Conversion, amount: number): number | undefined {
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

  /** When the rates of now change by themselves, if no quote comes: the first product is recent no more then. */
  ratesStandUntil(now: Millis): Millis {
    let until = Number.POSITIVE_INFINITY;
    for (const product of this.byProduct.keys()) {
      const ends = this.recentUntil(product) + 1;
      if (ends > now) until = Math.min(until, ends);
    }
    return until;
  }

  private isRecent(product: ProductCode, now: Millis): boolean {
    return now <= this.recentUntil(product);
  }

  private recentUntil(product: ProductCode): Millis {
    let newest = Number.NEGATIVE_INFINITY;
    for (const { at } of this.byProduct.get(product)?.values() ?? []) if (at > newest) newest = at;
    return newest + Math.max(RATE_MAX_AGE_MS, this.freshnessOf(product).staleMs);
  }

  private anyOf(product: ProductCode): Mark | undefined {
    for (const seen of this.byProduct.get(product)?.values() ?? []) return seen;
    return undefined;
  }
}

/** True when a lane of `size` tells better what `wanted` would bring than one of `than`. */
function better(size: number, than: number, wanted: number): boolean {
  if (than < wanted) return size > than;
  return size >= wanted && size < than;
}
