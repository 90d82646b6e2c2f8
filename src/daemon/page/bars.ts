import { figureAt } from '#domain/figure-at.ts';
import { firstAt } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { ChartBar } from '#server/page/history-view.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The allowed bar lengths. */
const STEPS: readonly Millis[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12, 24].map((count) => count * HOUR),
];

/** The shortest bar length with which the given number of bars covers a time span. */
export const stepFor = (spanMs: Millis, bars: number): Millis => STEPS.find((step) => spanMs / step <= bars) ?? 24 * HOUR;

/** Bars of the middle price, filled quote by quote in order of time. */
export class Bars {
  readonly all: ChartBar[] = [];
  private readonly stepMs: Millis;
  private last: { at: number; open: number; high: number; low: number; close: number } | undefined;

  constructor(stepMs: Millis) {
    this.stepMs = stepMs;
  }

  add(columns: QuoteColumns, from: Millis, to: Millis): void {
    const end = firstAt(columns.at, to);
    for (let row = firstAt(columns.at, from); row < end; row += 1) {
      this.see(figureAt(columns.at, row), (figureAt(columns.buy.price, row) + figureAt(columns.sell.price, row)) / 2);
    }
  }

  private see(at: Millis, price: number): void {
    const begin = at - (at % this.stepMs);
    const { last } = this;
    if (last && last.at >= begin) {
      last.high = Math.max(last.high, price);
      last.low = Math.min(last.low, price);
      last.close = price;
      return;
    }
    this.last = { at: begin, open: price, high: price, low: price, close: price };
    this.all.push(this.last);
  }
}
