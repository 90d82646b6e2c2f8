import type { Decimal } from './decimal.ts';
import type { Currency, ProductCode, StrategyId } from './names.ts';

/** The cost or income of holding a product, or any product quoted in a currency, from one roll to the next. */
export interface SwapRate {
  readonly of: { readonly product: string } | { readonly currency: string };
  /** Percent of the position's value for the time of `per`, with 365 days a year; negative is paid. Decimal text. */
  readonly long: string;
  readonly short: string;
  readonly per: 'year' | 'day';
  /** ISO date (UTC) of the first roll that it applies to; null for all. Of several in force the latest applies. */
  readonly from: string | null;
}

/** When positions are rolled, and at which rates. */
export interface FinancingRules {
  /** Local time of the roll in this zone, as in `17:00`. */
  readonly time: string;
  readonly timezone: string;
  /** The weekday whose roll counts three days, in a market without rolls on weekends; `none`: a roll of one day each day. */
  readonly triple: 'none' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri';
  readonly rates: readonly SwapRate[];
}

/** Why a run books nothing up to its start: no roll before it is dealt with. */
export const COUNTS_FROM_HERE = 'financing counts from here on';

/** The amount of one roll of a book's position, in the product's quote currency. */
export interface FinancingCharge {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly currency: Currency;
  readonly amount: Decimal;
}
