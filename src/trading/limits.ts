import type { Decimal } from '../domain/decimal.ts';

/** A limit on value by currency, or off (null). A currency that is missing has no rate, so nothing may be opened in it. */
export type ValueCap = ReadonlyMap<string, Decimal> | null;

/** The limits of `risk.*`, parsed; null is `off`. */
export interface Limits {
  readonly maxOrderValue: ValueCap;
  readonly maxPositionValue: ValueCap;
  readonly maxOrdersPerMinute: number | null;
  readonly maxSpreadPct: number | null;
  readonly minTimeLeftMs: number | null;
  readonly maxUnknown: number | null;
}

/** Counts orders in a sliding minute of engine time. */
export class OrderRate {
  private readonly times: number[] = [];

  constructor(past: readonly number[] = []) {
    this.times.push(...past);
  }

  add(at: number): void {
    this.times.push(at);
  }

  /** Orders in the minute that ends at `now`, `now` itself included. */
  inLastMinute(now: number): number {
    while (this.times.length > 0 && (this.times[0] ?? now) <= now - 60_000) this.times.shift();
    return this.times.length;
  }
}
