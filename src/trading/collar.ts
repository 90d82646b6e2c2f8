import { median } from '../domain/decimal.ts';
import type { LaneId, Millis, ProductCode } from '../domain/names.ts';
import type { Quote, Side } from '../domain/quote.ts';

/** Quotes that the median of a lane is taken from: ten seconds at two a second. */
const KEPT = 21;
/** Prices that are older say nothing about now. */
const MAX_AGE_MS = 60_000;

interface Ring {
  readonly at: Millis[];
  readonly buy: number[];
  readonly sell: number[];
  next: number;
}

/** The recent prices of each lane, by side, from which the collar's median is taken (F33: a price ten times too high). */
export class RecentPrices {
  private readonly rings = new Map<LaneId, Ring>();
  private readonly newest = new Map<ProductCode, LaneId>();

  add(quote: Quote, at: Millis): void {
    this.newest.set(quote.product, quote.lane);
    let ring = this.rings.get(quote.lane);
    if (!ring) {
      ring = { at: [], buy: [], sell: [], next: 0 };
      this.rings.set(quote.lane, ring);
    }
    ring.at[ring.next] = at;
    ring.buy[ring.next] = quote.buy.price;
    ring.sell[ring.next] = quote.sell.price;
    ring.next = (ring.next + 1) % KEPT;
  }

  /** The same over the lane of the product that was quoted last: for a lane that has no quotes of its own yet. */
  medianOf(product: ProductCode, side: Side, now: Millis): number | undefined {
    const lane = this.newest.get(product);
    return lane === undefined ? undefined : this.median(lane, side, now);
  }

  /** Median price of the lane's side over its recent quotes; undefined when there were none in the last minute. */
  median(lane: LaneId, side: Side, now: Millis): number | undefined {
    const ring = this.rings.get(lane);
    if (!ring) return undefined;
    const recent: number[] = [];
    for (const [place, at] of ring.at.entries()) if (now - at <= MAX_AGE_MS) recent.push(ring[side][place] ?? 0);
    return median(recent);
  }
}
