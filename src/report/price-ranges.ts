import { figureAt } from '#domain/figure-at.ts';
import { oncePer } from '#domain/once-per.ts';

/** Rows whose extremes are kept. */
const BLOCK = 32;

/** The lowest and the highest of a column of prices between any two rows: those of whole blocks are known. What is no number is passed over. */
export class PriceRanges {
  /** True where every price is a positive number, so that the extremes say all that there is. */
  readonly isWhole: boolean;
  /** Of the rows that were asked for last; low is above high where there was no number. */
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  private readonly prices: Float64Array;
  private readonly lows: Float64Array;
  private readonly highs: Float64Array;

  constructor(prices: Float64Array) {
    this.prices = prices;
    const blocks = Math.floor(prices.length / BLOCK);
    this.lows = new Float64Array(blocks);
    this.highs = new Float64Array(blocks);
    let isWhole = true;
    for (let block = 0; block < blocks; block++) {
      this.among(block * BLOCK, (block + 1) * BLOCK);
      this.lows[block] = this.low;
      this.highs[block] = this.high;
    }
    for (let row = 0; row < prices.length; row++) {
      const price = figureAt(prices, row);
      if (!(price > 0 && price < Number.POSITIVE_INFINITY)) isWhole = false;
    }
    this.isWhole = isWhole;
  }

  /** Looks at the rows from `from` to before `to`. */
  between(from: number, to: number): void {
    const first = Math.ceil(from / BLOCK);
    const last = Math.floor(to / BLOCK);
    if (last <= first) return this.among(from, to);
    this.among(from, first * BLOCK);
    let { low, high } = this;
    this.among(last * BLOCK, to);
    low = Math.min(low, this.low);
    high = Math.max(high, this.high);
    const { lows, highs } = this;
    for (let block = first; block < last; block++) {
      const [lowest, highest] = [lows[block] ?? low, highs[block] ?? high];
      if (lowest < low) low = lowest;
      if (highest > high) high = highest;
    }
    this.low = low;
    this.high = high;
  }

  private among(from: number, to: number): void {
    const { prices } = this;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = from; row < to; row++) {
      const price = figureAt(prices, row);
      if (price < low) low = price;
      if (price > high) high = price;
    }
    this.low = low;
    this.high = high;
  }
}

/** As `new PriceRanges`, made once for a column. */
export const rangesOf = oncePer((prices: Float64Array) => new PriceRanges(prices));
