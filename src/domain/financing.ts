import type { Decimal } from './decimal.ts';
import type { Currency, ProductCode, StrategyId } from './names.ts';

/** What holding a product, or all products quoted in a currency, costs or brings from one roll to the next. */
export interface SwapRate {
  readonly of: { readonly product: string } | { readonly currency: string };
  /** Percent of the position's value for the time of `per`, a year being 365 days; below zero is paid. Decimal text. */
  readonly long: string;
  readonly short: string;
  readonly per: 'year' | 'day';
  /** ISO date (UTC) of the first roll that it is for; null for all. Of several that are in force the latest counts. */
  readonly from: string | null;
}

/** When positions are rolled, and at which rates. */
export interface FinancingRules {
  /** Local time of the roll, `17:00`, in this zone. */
  readonly time: string;
  readonly timezone: string;
  /** The weekday whose roll counts three days, for a market that has none on weekends; `none`: a roll each day, of one day. */
  readonly triple: 'none' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri';
  readonly rates: readonly SwapRate[];
}

/** What a roll of one book's position came to, in the product's quote currency. */
export interface Financed {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly currency: Currency;
  readonly amount: Decimal;
}
