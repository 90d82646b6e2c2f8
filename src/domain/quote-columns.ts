import type { Currency, LaneId, ProductCode } from './names.ts';

/** Figures of one side of the quotes of a lane, an entry a quote. */
export interface SideColumns {
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly value: Float64Array;
  readonly feeInBaseCcy: Float64Array;
  readonly feeInQuoteCcy: Float64Array;
  readonly slippage: Float64Array;
  readonly slippagePercentage: Float64Array;
}

/**
 * Recorded quotes of one lane (spec 2.8), an entry a quote, in the order of the recording. Times are Unix milliseconds.
 * Columns may lie in shared memory, so that many threads read one copy; nobody writes to them.
 */
export interface QuoteColumns {
  readonly lane: LaneId;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  readonly length: number;
  /** Number in the inbox of its run; NaN where a newer quote replaced it before its turn, or where there was no run. */
  readonly n: Float64Array;
  /** Our time of arrival. */
  readonly at: Float64Array;
  readonly epoch: Float64Array;
  /** On the service's clock. */
  readonly validUntil: Float64Array;
  readonly buy: SideColumns;
  readonly sell: SideColumns;
  readonly feePercentage: Float64Array;
  readonly spread: Float64Array;
  readonly spreadPercentage: Float64Array;
  readonly dailyChangePercentage: Float64Array;
  /** The quotes' ids, 16 bytes each; all zero where a quote had none. */
  readonly ids: Uint8Array;
}
