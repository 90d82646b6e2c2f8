import type { Decimal } from '#domain/decimal.ts';

/** A limit on value by currency, or off (null). Amounts in a currency without a limit of its own count towards one that has. */
export type ValueCap = ReadonlyMap<string, Decimal> | null;

/** The limits of `risk.*`, parsed; null is `off`. Percentages are in percent, times in milliseconds. */
export interface Limits {
  readonly maxOrderValue: ValueCap;
  /** Of one product, all books together. */
  readonly maxPositionValue: ValueCap;
  /** Of one order that reduces a position; beyond it a person must say so. */
  readonly maxExitValue: ValueCap;
  /** Of one strategy, all its products together. */
  readonly maxStrategyValue: ValueCap;
  /** Of everything. */
  readonly maxTotalValue: ValueCap;
  readonly maxDayValue: ValueCap;
  readonly maxDayLoss: ValueCap;
  readonly maxDrawdownPct: number | null;
  readonly maxOrdersPerMinute: number | null;
  readonly maxOrdersPerMinuteOfStrategy: number | null;
  readonly maxOrdersPerMinuteOfProduct: number | null;
  readonly maxThrottledPerMinute: number | null;
  readonly maxSpreadPct: number | null;
  readonly maxSlippagePct: number | null;
  readonly maxFeePct: number | null;
  readonly collarPct: number | null;
  /** The collar of an order that reduces a position. */
  readonly reducingCollarPct: number | null;
  /** Share of `maxOrdersPerMinute` that openings leave to orders that reduce. */
  readonly reducingOrderSharePct: number | null;
  readonly minTimeLeftMs: number | null;
  readonly duplicateWindowMs: number | null;
  readonly maxUnknown: number | null;
  readonly maxRejectionStreak: number | null;
  readonly maxLossStreak: number | null;
  /** Of all strategies together. */
  readonly maxLossStreakOfAll: number | null;
  readonly lossCooldownMs: number;
  /** `funded`: within a strategy's budget and the account's balance; `unlimited` only in backtests that ask for it. */
  readonly spending: 'funded' | 'unlimited';
}

/** No limit at all, budgets included. What a product, a quote or a service makes necessary stays. */
export const UNLIMITED: Limits = {
  maxOrderValue: null,
  maxPositionValue: null,
  maxExitValue: null,
  maxStrategyValue: null,
  maxTotalValue: null,
  maxDayValue: null,
  maxDayLoss: null,
  maxDrawdownPct: null,
  maxOrdersPerMinute: null,
  maxOrdersPerMinuteOfStrategy: null,
  maxOrdersPerMinuteOfProduct: null,
  maxThrottledPerMinute: null,
  maxSpreadPct: null,
  maxSlippagePct: null,
  maxFeePct: null,
  collarPct: null,
  reducingCollarPct: null,
  reducingOrderSharePct: null,
  minTimeLeftMs: null,
  duplicateWindowMs: null,
  maxUnknown: null,
  maxRejectionStreak: null,
  maxLossStreak: null,
  maxLossStreakOfAll: null,
  lossCooldownMs: 0,
  spending: 'unlimited',
};

const MINUTE_MS = 60_000;

/** Counts what happens in a sliding minute of engine time. */
export class OrderRate {
  private times: number[] = [];
  private first = 0;

  constructor(past: readonly number[] = []) {
    this.times.push(...past);
  }

  add(at: number): void {
    this.times.push(at);
  }

  /** How many in the minute that ends at `now`, `now` itself included. */
  inLastMinute(now: number): number {
    while (this.first < this.times.length && (this.times[this.first] ?? now) <= now - MINUTE_MS) this.first += 1;
    if (this.first > 1_000 && this.first * 2 > this.times.length) {
      this.times = this.times.slice(this.first);
      this.first = 0;
    }
    return this.times.length - this.first;
  }

  clear(): void {
    this.times = [];
    this.first = 0;
  }
}
