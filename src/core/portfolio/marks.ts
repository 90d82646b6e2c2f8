import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { type FreshnessOf, standingFrom } from '#domain/freshness.ts';
import { type Currency, currency, type LaneId, type Millis, type ProductCode } from '#domain/names.ts';
import { midOf, type Quote } from '#domain/quote.ts';

/** A rate taken from a quote that is older than this is no rate, unless quotes of its product come less often. */
const RATE_MAX_AGE_MS = 10_000;

/** The newest quote of a lane, and when it came. */
export interface Mark {
  quote: Quote;
  at: Millis;
}

/**
 * What the latest quotes say that things are worth: prices at which positions would be closed, and rates between
 * currencies. Where no subscribed lane says so there is no figure, never a guess.
 */
export class Marks {
  private readonly byProduct = new Map<ProductCode, Map<LaneId, Mark>>();
  private readonly pairs = new Map<string, ProductCode>();
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
      this.pairs.set(`${quote.baseCcy} ${quote.quoteCcy}`, quote.product);
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

  /** What one unit of `from` is worth in `to` now: by a product of the two, or by one currency between them. */
  rate(from: string, to: string, now: Millis): Decimal | undefined {
    if (from === to) return decimalOf(1);
    const direct = this.direct(from, to, now);
    if (direct !== undefined) return decimalOf(direct);
    for (const between of this.currencies()) {
      const first = this.direct(from, between, now);
      const second = first === undefined ? undefined : this.direct(between, to, now);
      if (first !== undefined && second !== undefined) return decimalOf(first).times(second);
    }
    return undefined;
  }

  private direct(from: string, to: string, now: Millis): number | undefined {
    const straight = this.pairs.get(`${from} ${to}`);
    const mid = straight === undefined ? undefined : this.mid(straight, now);
    if (mid !== undefined) return mid;
    const turned = this.pairs.get(`${to} ${from}`);
    const inverse = turned === undefined ? undefined : this.mid(turned, now);
    return inverse === undefined ? undefined : 1 / inverse;
  }

  private mid(product: ProductCode, now: Millis): number | undefined {
    let newest: Mark | undefined;
    for (const seen of this.byProduct.get(product)?.values() ?? []) if (!newest || seen.at > newest.at) newest = seen;
    return newest && now - newest.at <= Math.max(RATE_MAX_AGE_MS, this.freshnessOf(product).staleMs) ? midOf(newest.quote) : undefined;
  }

  private currencies(): ReadonlySet<Currency> {
    return new Set([...this.pairs.keys()].flatMap((pair) => pair.split(' ').map(currency)));
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
