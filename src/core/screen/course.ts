import type { Millis } from '#domain/names.ts';
import { BLOCK, figureAt } from './columns.ts';
import type { ClosingPrices, Rows } from './rows.ts';

/** A day as it ends, and the last row that is of it. */
export interface DayEnd {
  readonly at: Millis;
  readonly whole: boolean;
  readonly lastRow: number;
}

/** The value along the rows, at closing prices, of what is held and of what was earned less spent: its deepest falls, and what it is as each day ends. */
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
  to(end: number, at: Millis, size: number, cash: number): void {
    const prices = size < 0 ? this.rows.ofShort : this.rows.ofLong;
    const base = this.capital + cash;
    // What is executed at midnight is of the day that begins; with a bar that ends then it is of the day that ends.
    const late = this.rows.quotes.barMs === undefined ? 1 : 0;
    for (let day = this.days[this.ends.length]; day && day.lastRow < end && day.at < at + late; day = this.days[this.ends.length])
      this.ends.push(size === 0 ? base : base + size * figureAt(prices.prices, day.lastRow));
    if (size === 0) this.see(base);
    else this.along(prices, end, Math.abs(size), base);
    this.row = end;
  }

  /** What was held is now this, by the price of the row before. */
  filled(size: number, cash: number): void {
    this.see(this.worth(size, cash, this.row - 1));
  }

  worth(size: number, cash: number, row: number): number {
    const { prices } = size < 0 ? this.rows.ofShort : this.rows.ofLong;
    return this.capital + cash + (size === 0 ? 0 : size * figureAt(prices, row));
  }

  /** Values as days ended; the last one as all ended. */
  endsOfDays(last: number): readonly number[] {
    return this.days.map((_, day) => (day === this.days.length - 1 ? last : (this.ends[day] ?? last)));
  }

  private see(value: number): void {
    if (value < this.least) this.least = value;
    if (value > this.peak) this.peak = value;
    const fall = this.peak - value;
    if (fall > this.fall) this.fall = fall;
    if (fall > this.fallShare * this.peak) this.fallShare = fall / this.peak;
  }

  /** Sees the value at each row; of a whole block only its least and its greatest, where no fall within it counts. */
  private along(of: ClosingPrices, end: number, size: number, base: number): void {
    const { prices } = of;
    const signed = of.sign * size;
    let { row, peak, fall, fallShare, least } = this;
    while (row < end) {
      let next = row + 1;
      let low = Number.NaN;
      let high = Number.NaN;
      if (row % BLOCK === 0 && row + BLOCK <= end) {
        const block = row / BLOCK;
        const within = size * figureAt(of.fall, block);
        high = base + size * figureAt(of.greatest, block);
        // A peak within the block is above the one before: no fall from it is deeper than these are.
        if (high <= peak || (within <= fall && within <= fallShare * peak)) {
          low = base + size * figureAt(of.least, block);
          next = row + BLOCK;
        }
      }
      if (next === row + 1) low = high = base + signed * figureAt(prices, row);
      if (low < least) least = low;
      if (low > peak) peak = low;
      else {
        const fell = peak - low;
        if (fell > fall) fall = fell;
        if (fell > fallShare * peak) fallShare = fell / peak;
      }
      if (high > peak) peak = high;
      row = next;
    }
    this.peak = peak;
    this.fall = fall;
    this.fallShare = fallShare;
    this.least = least;
  }
}
