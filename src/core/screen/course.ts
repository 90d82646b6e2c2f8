import type { Millis } from '#domain/names.ts';
import { BLOCK } from './columns.ts';
import type { ClosingPrices, Rows } from './rows.ts';

/** A day as it ends, and the last row that is of it. */
export interface DayEnd {
  readonly at: Millis;
  readonly whole: boolean;
  readonly lastRow: number;
}

/** What is held: size in base currency, and what was earned less spent. */
interface Held {
  readonly size: number;
  readonly cash: number;
}

/** The value of what is held along the rows, at closing prices: its deepest falls, and what it is as each day ends. */
export class Course {
  private readonly rows: Rows;
  private readonly capital: number;
  private readonly days: readonly DayEnd[];
  private readonly ends: number[] = [];
  private row = 0;
  private peak: number;
  /** The deepest fall in money, and as a share of the peak before it. */
  fall = 0;
  fallShare = 0;
  least: number;

  constructor(rows: Rows, { capital, days }: { readonly capital: number; readonly days: readonly DayEnd[] }) {
    this.rows = rows;
    this.capital = capital;
    this.days = days;
    this.peak = capital;
    this.least = capital;
  }

  /** Goes to before a row at a time, while so much is held. */
  to(end: number, at: Millis, { size, cash }: Held): void {
    const prices = size < 0 ? this.rows.ofShort : this.rows.ofLong;
    const base = this.capital + cash;
    // What is executed at midnight is of the day that begins; with a bar that ends then it is of the day that ends.
    const late = this.rows.quotes.barMs === undefined ? 1 : 0;
    for (let day = this.days[this.ends.length]; day && day.lastRow < end && day.at < at + late; day = this.days[this.ends.length])
      this.ends.push(size === 0 ? base : base + size * (prices.prices[day.lastRow] ?? Number.NaN));
    if (size === 0) this.see(base);
    else this.along(prices, end, Math.abs(size), base);
    this.row = end;
  }

  /** What was held is now this, by the price of the row before. */
  filled({ size, cash }: Held): void {
    this.see(this.worth({ size, cash }, this.row - 1));
  }

  worth({ size, cash }: Held, row: number): number {
    const { prices } = size < 0 ? this.rows.ofShort : this.rows.ofLong;
    return this.capital + cash + (size === 0 ? 0 : size * (prices[row] ?? Number.NaN));
  }

  /** Values as days ended; the last one as all ended. */
  endsOfDays(last: number): readonly number[] {
    return this.days.map((_, day) => (day === this.days.length - 1 ? last : (this.ends[day] ?? last)));
  }

  private see(value: number): void {
    if (value > this.peak) this.peak = value;
    else this.fell(value);
    if (value < this.least) this.least = value;
  }

  private fell(value: number): void {
    const fall = this.peak - value;
    if (fall > this.fall) this.fall = fall;
    if (fall > this.fallShare * this.peak) this.fallShare = fall / this.peak;
  }

  private along({ sign, prices, least, greatest, fall }: ClosingPrices, end: number, size: number, base: number): void {
    let { row } = this;
    while (row < end) {
      const block = row / BLOCK;
      if (row % BLOCK === 0 && row + BLOCK <= end) {
        const low = base + size * (least[block] ?? Number.NaN);
        const high = base + size * (greatest[block] ?? Number.NaN);
        const within = size * (fall[block] ?? Number.NaN);
        // A peak within the block is above the one before: no fall from it is deeper than these are.
        if (high <= this.peak || (within <= this.fall && within <= this.fallShare * this.peak)) {
          this.see(low);
          if (high > this.peak) this.peak = high;
          row += BLOCK;
          continue;
        }
      }
      const last = Math.min(end, (Math.floor(block) + 1) * BLOCK);
      for (; row < last; row++) this.see(base + size * sign * (prices[row] ?? Number.NaN));
    }
  }
}
