import type { ProductCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';

/** Growth that is worth telling: sizes of lanes with a value in quote currency move with each price. */
const TOLD_FROM = 1.01;

/** The largest size of one product, in base currency; `worthTelling` is what the next one must come to. Both are 0 before the first. */
export interface LargestSize {
  size: number;
  worthTelling: number;
}

/**
 * Learns, per product, the largest size that was seen at spread 0: up to there buying and selling cost the same, whatever
 * threshold the service guarantees (spec 4.5, rules 1 and 2). It only grows.
 */
export class ZeroSpread {
  private readonly largest = new Map<ProductCode, LargestSize>();
  private readonly told: (quote: Quote, size: number) => void;

  constructor(told: (quote: Quote, size: number) => void) {
    this.told = told;
  }

  /** What an earlier run has learned. */
  restore(product: ProductCode, size: number): void {
    grow(this.record(product), size);
  }

  /** The largest size of a product; undefined where none was ever seen. */
  of(product: ProductCode): number | undefined {
    const size = this.largest.get(product)?.size;
    return size === 0 ? undefined : size;
  }

  /** What is kept of a product: for who gives its quotes one after the other. */
  record(product: ProductCode): LargestSize {
    let known = this.largest.get(product);
    if (!known) {
      known = { size: 0, worthTelling: 0 };
      this.largest.set(product, known);
    }
    return known;
  }

  /** A quote; what is kept of its product may be given. */
  saw(quote: Quote, of = this.record(quote.product)): void {
    if (quote.buy.price !== quote.sell.price) return;
    const size = Math.min(quote.buy.size, quote.sell.size);
    if (!(size >= of.worthTelling && size > 0)) return;
    grow(of, size);
    this.told(quote, size);
  }
}

function grow(of: LargestSize, size: number): void {
  of.size = size;
  of.worthTelling = size * TOLD_FROM;
}
