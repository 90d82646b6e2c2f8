import type { ProductCode } from '../domain/names.ts';
import type { Quote } from '../domain/quote.ts';

/** Growth that is worth telling: sizes of lanes with a value in quote currency move with each price. */
const TOLD_FROM = 1.01;

/**
 * Learns, per product, the largest size that was seen at spread 0: up to there buying and selling cost the same, whatever
 * threshold the service guarantees (spec 4.5, rules 1 and 2). It only grows.
 */
export class ZeroSpread {
  private readonly largest = new Map<ProductCode, number>();
  private readonly told: (quote: Quote, size: number) => void;

  constructor(told: (quote: Quote, size: number) => void) {
    this.told = told;
  }

  /** What an earlier run has learned. */
  restore(product: ProductCode, size: number): void {
    this.largest.set(product, size);
  }

  /** The largest size of a product; undefined where none was ever seen. */
  of(product: ProductCode): number | undefined {
    return this.largest.get(product);
  }

  saw(quote: Quote): void {
    if (quote.spread !== 0) return;
    const size = Math.min(quote.buy.size, quote.sell.size);
    const before = this.largest.get(quote.product);
    if (before !== undefined && size < before * TOLD_FROM) return;
    this.largest.set(quote.product, size);
    this.told(quote, size);
  }
}
