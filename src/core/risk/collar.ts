import type { LaneId, Millis, ProductCode } from '#domain/names.ts';
import type { Quote, Side } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';

/** Quotes that a lane's median is computed from: ten seconds at two a second. */
const KEPT = 21;
/** Older prices are not used. */
const MAX_AGE_MS = 60_000;

/** The last prices of a lane. */
export interface PriceRing {
  readonly at: Millis[];
  readonly buy: number[];
  readonly sell: number[];
  next: number;
  /** The product's most recently quoted lane. */
  readonly product: { newest: PriceRing | undefined };
}

/** The recent prices of each lane, by side, from which the collar's median is taken (F33: a price ten times too high). */
export class RecentPrices {
  private readonly rings = new Map<LaneId, PriceRing>();
  private readonly products = new Map<ProductCode, PriceRing['product']>();

  /** Takes a quote; `known` is what it gave back for the lane's quote before. */
  add(quote: Quote, at: Millis, known?: PriceRing): PriceRing {
    const ring = known ?? this.rings.get(quote.lane) ?? this.begun(quote);
    if (ring.product.newest !== ring) ring.product.newest = ring;
    ring.at[ring.next] = at;
    ring.buy[ring.next] = quote.buy.price;
    ring.sell[ring.next] = quote.sell.price;
    ring.next = ring.next + 1 === KEPT ? 0 : ring.next + 1;
    return ring;
  }

  /** Forgets the prices of a lane. */
  clear(lane: LaneId): void {
    const ring = this.rings.get(lane);
    if (!ring) return;
    ring.at.length = 0;
    ring.next = 0;
  }

  /** Takes the rows of a lane from `from` to before `to`, as `add` does one after the other. */
  pass(ring: PriceRing, { at, buy, sell }: QuoteColumns, [from, to]: RowRange): void {
    ring.product.newest = ring;
    for (let row = Math.max(from, to - KEPT); row < to; row++) {
      const place = (ring.next + row - from) % KEPT;
      ring.at[place] = at[row] ?? Number.NaN;
      ring.buy[place] = buy.price[row] ?? Number.NaN;
      ring.sell[place] = sell.price[row] ?? Number.NaN;
    }
    ring.next = (ring.next + to - from) % KEPT;
  }

  private begun({ lane, product: code }: Quote): PriceRing {
    const product = this.products.get(code) ?? { newest: undefined };
    this.products.set(code, product);
    const ring = { at: [], buy: [], sell: [], next: 0, product };
    this.rings.set(lane, ring);
    return ring;
  }

  /**
   * Median price of a lane's side over its recent quotes. A lent lane has none: its price is held against those of the product's
   * lane that was quoted last. Undefined when there were none in the last minute.
   */
  median({ lane, product }: Pick<Quote, 'lane' | 'product'>, side: Side, now: Millis): number | undefined {
    for (const ring of [this.rings.get(lane), this.products.get(product)?.newest]) {
      let count = 0;
      for (let place = 0; ring && place < ring.at.length; place++) {
        if (now - (ring.at[place] ?? now) > MAX_AGE_MS) continue;
        // By insertion: for some twenty values the fastest way by far.
        const price = ring[side][place] ?? 0;
        let to = count;
        for (; to > 0 && (sorted[to - 1] ?? 0) > price; to--) sorted[to] = sorted[to - 1] ?? 0;
        sorted[to] = price;
        count += 1;
      }
      const upper = sorted[count >> 1] ?? 0;
      if (count > 0) return count % 2 === 1 ? upper : ((sorted[(count >> 1) - 1] ?? 0) + upper) / 2;
    }
    return undefined;
  }
}

/** Prices in their order while a median is looked for. */
const sorted = new Float64Array(KEPT);
